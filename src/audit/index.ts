/**
 * The audit: does a partner's own program pay twice when answers are lost (`remit sandbox audit`)?
 *
 * `plan.ts` says which cases are run, `run-case.ts` runs the program against a sandbox behind `relay.ts`, which loses answers, and `classify.ts`
 * reads the verdict out of the ledger. A program is told nothing: its exit code, its requests and the ledger are all that counts.
 * `report` writes the result, signed where that is wanted. No other slice imports from here.
 */
export {};
