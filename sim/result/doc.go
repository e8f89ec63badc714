// Package result turns the core's event stream into the figures people read.
//
// A [Recorder] is a core.Sink. It is told of each request before it is
// submitted, takes every event of one run, and gives a [Run]:
//
//	rec := result.NewRecorder(result.Options{PerRequest: true, Lanes: 4})
//	rec.Expect(id, result.Meta{Name: "reply", Sent: at, Prompt: 64, Output: 64})
//	… drive the scheduler with rec as its sink …
//	run := rec.Result(end)
//
// Runs that differ only in their seed become one by [Merge]. An [Entry] puts a
// run in its place (world, case, arm), a [Document] holds the entries of one
// scenario file, [Evaluate] checks what the file expects of them, and
// [WriteJSON], [WriteCSV] and [WriteTable] print documents for programs,
// spreadsheets and people.
//
// [JSONL] writes the events themselves, one object a line, behind a [Head] for
// each run, and [ReadJSONL] or [ReadRuns] reads them back.
//
// # What the figures mean
//
// Times of a request count from its own sending (Meta.Sent). Its queue_s is
// from its submission to its lane. A delivery is one EventTokens: the first
// token, then one for each round that gave the request tokens; a request's
// rounds are its deliveries after the first. Gaps lie between deliveries. A
// request has a done_s only if its status is done.
//
// Percentile p of n sorted values lies at index p·(n−1), linear between
// neighbours. Every percentile is exact: values are integer microseconds, and
// the interpolation is integer arithmetic in hundredths of one.
//
// Of the totals:
//
//   - wall_s is from the first sending of any request to the end of the run.
//   - decode_tok_s is Σ(tokens−1) over the time from the first token of any to
//     the last token of any, over requests with more than one output token,
//     however they ended.
//   - steady_tok_s is the tokens of the rounds in which the most replies of the
//     run decoded together, over the wall time of these rounds and their
//     passes: the rate at so many streams, without a run's start and end.
//   - prompt_tok_s is the prompt rows that steps ran over the steps' own wall
//     time: restored rows and the time of rounds between steps do not count.
//   - rounds, passes and steps count actions; drafted and accepted are sums
//     over the requests.
//   - device_busy is the device time of all actions over wall_s.
//   - share is the prompts' share of time while replies decode: the wall time
//     of steps run beside a decoding reply, over itself plus the wall time of
//     rounds and passes run while an admitted prompt was filling. A request
//     that waits for a lane does not count: no step could run for it. It is
//     null if no step ran beside a reply.
//   - goodput_rps is requests done within the SLO per second of wall_s. A
//     request without a gap has kept the gap bound.
//   - ttft_s is over requests with a first token; gap_ms is over all gaps of
//     all requests together.
//   - done, cancelled, failed and unfinished count requests; slot_busy is the
//     share of lanes × wall_s that an admitted request held.
//
// A workload is saturated when its queue grew without bound; see
// [Options.Workload] for the rule.
//
// # Absent figures and rounding
//
// A figure that does not exist is a null [Num], never 0. Figures are kept in
// full and rounded to 6 significant digits where they are printed; a [Count]
// that is whole prints all its digits. Expectations are checked on printed
// figures, so a reader of the JSON reaches the same verdict.
package result
