package settings

// Names that more than the registry refers to.
const (
	namePromptCache = "--prompt-cache-gib"
	namePrefixWait  = "TENSORFOLD_PREFIX_WAIT_MS"
	nameParallel    = "--parallel"
	nameContext     = "--context"
	nameNoDrafts    = "--no-drafts"
	nameDecodeShare = "--decode-share"

	nameOrder  = "TENSORFOLD_PREFILL_ORDER"
	namePolicy = "TENSORFOLD_PREFILL_POLICY"
	nameTokens = "TENSORFOLD_PREFILL_TOKENS"
	nameShare  = "TENSORFOLD_PREFILL_SHARE"
	nameBudget = "TENSORFOLD_PREFILL_BUDGET"
	namePieces = "TF_DSV41_PREFILL_PIECES"

	nameStepRows = "TFSIM_STEP_ROWS"

	nameCalib  = "TF_DSV41_CALIB"
	nameDrafts = "TF_DSV41_DRAFTS"
	namePlain  = "TF_DSV41_DRAFT_PLAIN_STREAMS"
	nameRule   = "TF_DSV41_DEPTH"
	namePriced = "TF_DSV41_DRAFT_PRICED"
	nameDraft  = "TFSIM_DRAFT_RULE"
	nameDepth  = "TF_DSV41_DRAFT_DEPTH"
)

// The groups, in the order in which they are shown.
const (
	groupHost     = "Host"
	groupPrompts  = "Prompt steps"
	groupDrafts   = "Drafts"
	groupOwn      = "Scheduler"
	groupAccepted = "Accepted without effect here"
)

// turnsOnSteps is what the prompt settings also turn on.
const turnsOnSteps = "prompt steps"
