/**
 * Whom a draft pays, beside what other runs of the account paid: by the key of the row, by the account, and by the name where no key is
 * known. One text of SQL for both engines. Prints are compared: a row that was forgotten, or that an earlier version planned, matches
 * no payee. The print of a row is that of the account that stands; one that no edit of this journal changed is not known again by it.
 */

import { inPieces } from './draft.ts';
import { type ChangedPayee, type Payees, rowStatesThat } from './port.ts';
import type { PayrunRecord } from './records.ts';
import { NO_PRINT } from './sql.ts';

/** Payments to one account that are looked at, the latest first: one that so many are paid to is shared. */
const LATEST = 50;
const ENDED_WELL = rowStatesThat(({ endsWell }) => endsWell)
  .map((state) => `'${state}'`)
  .join(', ');
/** A payout in error whose payee was changed is tried again, and paid there. */
const PAID = `(o.state IN (${ENDED_WELL}) OR (o.state = 'in_error' AND o.stands LIKE '%"now":%'))`;
/** Rows that are named; the others are counted. */
const NAMED = 200;

/** $1 is the draft, $2 the base URL, $3 and $4 the first row and the last. */
export const payeeQueries = (prefix: '' | 'remit_') => {
  const [runs, rows] = [`${prefix}payruns`, `${prefix}payrun_rows`];
  const paid = (what: string): string => `FROM ${rows} o
    WHERE ${what} AND o.run <> d.run AND ${PAID} AND o.payee IS NOT NULL
      AND o.run IN (SELECT seq FROM ${runs} WHERE base_url = $2 AND state NOT IN ('draft', 'gone'))`;
  const one = (condition: string): string => `CASE WHEN ${condition} THEN 1 ELSE 0 END`;
  /** Another row of the draft has the name: then it is unknown who is meant. */
  const twice = `EXISTS (SELECT 1 FROM ${rows} t WHERE t.person = d.person AND t.run = d.run AND t.n <> d.n)`;
  return {
    payments: `SELECT d.n AS n, d.key AS key,
      (SELECT COALESCE(sum(x.known), 0) || ' ' || count(*) || ' ' || COALESCE(sum(x.low), 0) || ' ' || COALESCE(sum(x.own), 0) FROM (
        SELECT ${one('o.currency = d.currency AND o.amount * 3 < d.amount')} AS low,
          ${one('o.key = d.key OR o.person = d.person')} AS own, ${one('o.elsewhere IS NULL')} AS known
        ${paid('o.payee = d.payee')} ORDER BY o.run DESC LIMIT ${LATEST}) AS x) AS counts,
      ${one(`(SELECT CASE WHEN o.elsewhere IS NULL THEN o.payee ELSE ${NO_PRINT} END ${paid('o.key = d.key')} ORDER BY o.run DESC LIMIT 1) <> d.payee`)} AS moved,
      ${one(`NOT EXISTS (SELECT 1 ${paid('o.key = d.key')})
        AND (SELECT ${one('o.elsewhere IS NULL')} ${paid('o.person = d.person')} ORDER BY o.run DESC LIMIT 1) = 0`)} AS doubted
      FROM ${rows} d WHERE d.run = $1 AND d.n BETWEEN $3 AND $4 ORDER BY d.n`,
    /** Rows whose name was paid before, and at one account alone. Asked only for rows that are new by key and account. */
    named: `SELECT d.n AS n FROM ${rows} d WHERE d.run = $1 AND d.n BETWEEN $3 AND $4 AND d.person IS NOT NULL
      AND CASE WHEN ${twice} THEN 0 ELSE (SELECT count(DISTINCT o.payee) ${paid('o.person = d.person')}) END = 1`,
    latest: (by: 'key' | 'payee' | 'person') =>
      `SELECT r.name AS run, o.key AS key FROM ${rows} d JOIN ${rows} o ON o.${by} = d.${by} JOIN ${runs} r ON r.seq = o.run
      WHERE d.run = $1 AND d.n = $3 AND o.run <> d.run AND ${PAID} AND o.payee IS NOT NULL
        AND r.base_url = $2 AND r.state NOT IN ('draft', 'gone') ORDER BY o.run DESC LIMIT 1`,
  };
};

type Ask = (sql: string, given: readonly number[]) => Promise<PayrunRecord[]> | PayrunRecord[];

/**
 * @param last the number of the last row
 * @param before the number of the row before the first
 */
export async function storedPayees(
  last: number,
  queries: ReturnType<typeof payeeQueries>,
  ask: Ask,
  before = 0,
): Promise<Payees> {
  const found: Payees = { changed: [], first: { rows: 0, named: [] }, above: { rows: 0, named: [] } };
  const changed: ChangedPayee[] = [];
  await inPieces(
    last,
    async (from, to) => {
      const rows = await ask(queries.payments, [from, to]);
      const hasNew = rows.some(({ counts, moved }) => String(counts).startsWith('0 ') && Number(moved) === 0);
      const named = new Set((hasNew ? await ask(queries.named, [from, to]) : []).map(({ n }) => Number(n)));
      for (const row of rows) {
        const [n, key, isMoved] = [Number(row.n), String(row.key), Number(row.moved) === 1];
        const [known = 0, count = 0, low = 0, own = 0] = String(row.counts).split(' ').map(Number);
        const isNew = known === 0 && !isMoved;
        const isPerson = Number(row.doubted) === 1 || (isNew && named.has(n));
        const by = isMoved ? 'key' : isPerson ? 'person' : undefined;
        const isOthers = count > 0 && own === 0 && count < LATEST;
        if (by !== undefined || isOthers)
          changed.push({ n, key, ...(by && { by }), ...(isOthers && { isOthers }) });
        else if (isNew) note(found.first, { n, key });
        else if (low * 2 > count) note(found.above, { n, key });
      }
      return [];
    },
    before,
  );
  for (const one of changed.slice(0, NAMED)) {
    const [was] = one.by === undefined ? [] : await ask(queries.latest(one.by), [one.n]);
    const [other] = one.isOthers ? await ask(queries.latest('payee'), [one.n]) : [];
    if (was) one.was = placeOf(was);
    if (other) one.other = placeOf(other);
  }
  return { ...found, changed };
}

const placeOf = ({ run, key }: PayrunRecord) => ({ run: String(run), key: String(key) });

function note(list: Payees['first'], row: { n: number; key: string }): void {
  list.rows += 1;
  if (list.named.length < NAMED) list.named.push(row);
}
