// Package ledger keeps the books of a device: what each slot holds, and
// whether a call fits it. A device checks every call here before it works, and
// enters what came of it afterwards, so that all devices refuse the same calls
// with the same errors, and none hands its library a batch that could kill it.
package ledger
