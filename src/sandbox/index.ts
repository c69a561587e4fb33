/**
 * The sandbox: the whole service as a function, with a clock of its own.
 *
 * `sandbox.ts` makes one; `http` verifies a request and finds its row in `contract/operations`; `handlers` read the body and answer. What
 * happens next is in the tables of `contract/states`, carried out by `machines` and `transitions`, and every movement of money is posted in
 * `ledger`, whose two sides are equal after each commit. `deliver` sends webhooks. `faults` loses answers, `scenario` plays tables of steps,
 * `control` is how tests move the clock and decide payouts. Where the service's description leaves something open,
 * `docs/assumptions.md` has a row, and code that embodies it names the row. The commands under `cli` know payments, and stand higher.
 *
 * The files that other slices may import are listed here; the head of each says what it has.
 */
export * from './cli/control.ts';
export * from './cli/shapes.ts';
export * from './cli/told.ts';
export * from './control-error.ts';
export * from './http/answer.ts';
export * from './http/auth.ts';
export * from './http/body.ts';
export * from './http/listen.ts';
export * from './http/router.ts';
export * from './http/target.ts';
export * from './payouts.ts';
export type * as Public from './public.ts';
export * from './rules/problems.ts';
export * from './rules/sender.ts';
export * from './sandbox.ts';
export * from './scenario/play.ts';
export * from './scenario/shipped.ts';
export * from './wired.ts';
