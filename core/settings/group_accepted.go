package settings

import "math"

// acceptedSettings are names of the modelled system that change nothing
// here. Their forms are checked where its public material gives them.
func acceptedSettings() []Setting {
	var all []Setting
	add := func(f form, backend, name, otherwise, doc string) *Setting {
		s := Setting{Group: groupAccepted, Backend: backend, Scope: Accepted, Default: otherwise, Doc: doc}
		if name[0] == '-' {
			s.Flag = name[2:]
		} else {
			s.Env = name
		}
		all = append(all, define(f, s))
		return &all[len(all)-1]
	}
	instead := func(name string) func(mode) string {
		return func(mode) string { return "without effect here: " + name + " is what sets it" }
	}
	positive := func(note string) form { return integer(1, maxInt, note) }
	count := func(note string) form { return integer(0, maxInt, note) }
	exactly1 := func() form { return free("1 for on (any other text is off)") }

	add(count("entries"), "all", "--checkpoint-slots", "", "Kept prompt states.")
	add(number(0, "GiB"), "all", "--spill-gib", "", "Disk for kept prompt states.")
	add(boolean(), "all", "--learn", "", "Learning from replies.")
	add(number(0, "GiB"), "all", "--learn-gib", "32", "Disk for learning.")
	add(number(0, "GiB"), "all", "--learn-min-free-gib", "4", "Disk that learning leaves free.")
	add(count(""), "all", "--mtp-drafts", "", "Draft depth of other families.")
	add(number(0, ""), "all", "--mtp-confidence", "", "Draft threshold of other families.")
	add(free("a path or name"), "all", "--drafter", "", "Drafter of other families.")
	add(positive("bits"), "all", "--drafter-bits", "", "Drafter's weights of other families.")
	add(free("any text"), "all", "--thinking-reserve", "", "Favours a reasoning reply's rounds beside a cold prompt.")
	add(free("any text"), "all", "TENSORFOLD_PARALLEL", "", "Lanes.").remark = instead(nameParallel)
	add(integer(256, 16384, "rows"), "CUDA", "TENSORFOLD_PREFILL_ROWS", "2048", "Prompt chunk of another family.").remark = instead("TFSIM_STEP_ROWS")
	add(integer(math.MinInt32, maxInt, ""), "all", "TENSORFOLD_SEED_SALT", "0", "Mixed into seeds made from prompts.")

	add(free("a path"), "all", "TF_DSV41_CALIB_DIR", "", "Folder of cost tables.")
	add(free("a path"), "all", "TF_DSV41_CALIB_FILE", "", "One cost table.")
	add(oneOf("raw", "fit"), "CUDA", "TF_DSV41_CALIB_SHAPE", "raw", "Smoothing of the measured table.")
	add(oneOf("median", "min"), "CUDA", "TF_DSV41_CALIB_STAT", "median", "Statistic of the measured table.")
	add(integer(1, 50, ""), "CUDA", "TF_DSV41_CALIB_REPS", "5", "Timed runs of a measured entry.")
	add(integer(0, 20, ""), "CUDA", "TF_DSV41_CALIB_WARM", "3", "Untimed runs before them.")
	add(integer(0, 8, ""), "CUDA", "TF_DSV41_CALIB_RECHECK", "4", "Rows measured again at the end.")
	add(integer(0, 8, ""), "CUDA", "TF_DSV41_CALIB_CYCLE", "4", "Rows measured in interleaved cycles.")
	add(integer(1, 50, ""), "CUDA", "TF_DSV41_CALIB_DEEP_REPS", "5", "Timed runs of a wide entry.")
	add(number(0, "ms"), "Metal", "TF_DSV41_CALIB_BUDGET_MS", "", "Time for repeats while measuring.")

	add(boolean(), "CUDA", "TF_DSV41_CODE_ACCEPT", "0", "Deeper windows within rows already paid for.")
	add(positive("tokens"), "CUDA", "TF_DSV41_GRAPH_BUCKET", "2048", "Context bucket of a captured launch.")
	add(boolean(), "CUDA", "TF_DSV41_SPEC_NUCLEUS", "0", "Early passes for nucleus-sampled replies.")
	add(boolean(), "CUDA", "TF_DSV41_DRAFT_TIMED", "0", "Prices depth from measured round times.")
	add(free("any text"), "CUDA", "TF_DSV41_TREE", "", "First-position siblings for a lone window.")
	add(positive("rows"), "CUDA", "TF_DSV41_TREE_ROWS", "4", "Rows of such a window.")
	add(number(0, "ms"), "CUDA", "TF_DSV41_TREE_DUP_MS", "", "Price of a sibling.")
	add(number(0, ""), "CUDA", "TF_DSV41_DRAFT_PRIOR", "0.8", "Prior of a fork's acceptance average.")
	add(count(""), "CUDA", "TF_DSV41_DRAFT_RESET", "1", "Resets a fork's acceptance average.")
	add(number(0, ""), "CUDA", "TF_DSV41_DRAFT_RELAX", "0.02", "Relaxes a fork's acceptance average.")

	add(positive(""), "CUDA", "TF_DSV41_SLOTS", "1", "Live slots.").remark = instead(nameParallel)
	add(exactly1(), "CUDA", "TF_DSV41_TAIL_JOIN", "0", "The last prompt token opens in the first shared round.")
	add(exactly1(), "CUDA", "TF_DSV41_PIECE_RUNS", "0", "Many slots' pieces in one launch.")
	add(exactly1(), "CUDA", "TF_DSV41_JOIN_DRAFTS", "0", "One draft call for joined prompts.")
	add(exactly1(), "CUDA", "TF_DSV41_REPLAY_RUNS", "0", "One replay run.")
	add(free("rows (other text reads as unset)"), "CUDA", "TF_DSV41_PREFILL_ROWS", "2048", "Prompt rows of a round.").remark = instead("TFSIM_STEP_ROWS")
	add(free("rows (other text reads as unset)"), "CUDA", "TF_DSV41_PREFILL_CHUNK", "2048", "Prompt rows of a segment.").remark = instead("TFSIM_STEP_ROWS")
	add(count("tokens"), "CUDA", "TF_DSV41_BATCH_SHORT", "512", "Prompts with no more left go every round.")
	add(share(), "CUDA", "TF_DSV41_PREFILL_SHARE", "0.5", "The planner's prompt share.").remark = instead(nameShare)
	add(positive("tokens"), "CUDA", "TF_DSV41_LONG_PROMPT", "32768", "A longer prompt counts as long.")
	add(count("0 = no limit"), "CUDA", "TF_DSV41_PREFILL_CONCURRENT", "1", "Long prompts that fill at once.")

	add(free("any text"), "CUDA", "TF_DSV41_PIECES_FLOOR", "", "Priced memory admission.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_FLOOR_GIB", "5", "Memory kept free.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_FLOOR_HARD_GIB", "4", "Memory below which nothing is admitted.")
	add(number(0, "s"), "CUDA", "TF_DSV41_FLOOR_REFUSE_S", "30", "Wait before a prompt that does not fit is refused.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_ADMIT_FREE_FLOOR_GIB", "0", "Memory free at once for an admission.")
	add(boolean(), "CUDA", "TF_DSV41_FLOOR_PRICE", "1", "Prices a prompt's memory.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_FLOOR_PF_CHUNK_GIB", "0.533", "Price of a chunk.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_FLOOR_PF_INDEX_GIB", "1.067", "Price of the index.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_FLOOR_PF_HOST_GIB", "0.6", "Price of the host's part.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_FLOOR_PF_OTHER_GIB", "0", "Price of the rest.")
	add(number(0, "MiB"), "CUDA", "TF_DSV41_INDEX_BUDGET_MIB", "256", "Memory of the index.")
	add(boolean(), "CUDA", "TF_DSV41_PREFILL_ADAPT", "1", "Prompt rows of a round by free memory.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_PREFILL_ADAPT_GIB", "5", "Memory that such a round leaves.")
	add(number(0, "GiB"), "CUDA", "TF_DSV41_PREFILL_ADAPT_UP_GIB", "0.5", "Further memory before rows grow again.")
	add(integer(16, maxInt, "rows"), "CUDA", "TF_DSV41_PREFILL_ADAPT_MIN", "512", "Fewest rows of such a round.")
	add(positive("tokens"), "CUDA", "TF_DSV41_POOL_TOKENS", "", "Shared cache pages.")

	add(free("any text"), "all", "TF_DSV41_ROUND_PROF", "", "Times rounds and passes.")
	add(free("any text"), "all", "TF_DSV41_ACCEPT_LOG", "", "Logs windows, confidences and depths.")
	return all
}
