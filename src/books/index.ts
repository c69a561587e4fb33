/**
 * The books: a copy of the account's transactions on this machine, and what finance makes of it.
 *
 * `sync.ts` copies what is new; `feed.ts` takes in what a listener or a pay run heard meanwhile. `entry.ts` makes an entry of a
 * transaction, and `marks.ts` the moments at which its money moved. On them stand `search.ts`, `statement`, `summary`, `reconcile` (a ledger
 * or a bank statement against the service), `closing` (a month with its papers) and `journal` (entries for accounting programs).
 * `reports` are the service's own. An entry that is older never takes the place of a newer one, and a closed month does not change.
 * `store/port.ts` says what is kept. Read `cli/statement.ts`, then `statement/statement.ts`.
 *
 * The files that other slices may import are listed here; the head of each says what it has.
 */
export * from './found-row.ts';
export * from './look-for.ts';
export * from './month/counts.ts';
export * from './month/month.ts';
export * from './month/part.ts';
export * from './newest.ts';
export * from './open-books.ts';
export * from './reach.ts';
export * from './reconcile/open.ts';
export * from './statement/statement.ts';
export * from './statement/statement-notes.ts';
export * from './summary/summary.ts';
export * from './summary/summary-notes.ts';
export * from './sync.ts';
