/**
 * Pay runs: a file of payments is paid, each row exactly once.
 *
 * `files` reads what a person or a program wrote and checks every row. `plan.ts` keeps the rows as a run with a digest. `approve.ts`
 * takes approvals of that digest, signed by named keys (`sign.ts`, `rule.ts`). `pay.ts` pays: it takes windows of rows (`windows.ts`), and
 * `pay-row.ts` opens an intent for each before its request leaves, so that a process which dies loses nothing. `settle.ts` finds out
 * about rows of unknown outcome, `observe.ts` learns from webhooks and lists what became of the payouts, `report.ts` tells it. `store` has
 * the port and its two engines, SQLite and PostgreSQL. Read `cli/batch/run.ts` from its `run`, then `pay.ts`.
 *
 * The files that other slices may import are listed here; the head of each says what it has.
 */
export * from './approval-notes.ts';
export * from './approve.ts';
export * from './conclusion.ts';
export * from './estimate.ts';
export * from './files/rows-of-file.ts';
export * from './find-run.ts';
export * from './hold.ts';
export * from './like-payments.ts';
export * from './next-steps.ts';
export * from './open-store.ts';
export * from './pay.ts';
export * from './plan.ts';
export * from './report.ts';
export * from './rows-in.ts';
export * from './run-lines.ts';
export * from './run-output.ts';
export * from './run-summary.ts';
export * from './settle.ts';
export * from './sign.ts';
export * from './store/port.ts';
export * from './terms.ts';
export * from './who-signed.ts';
