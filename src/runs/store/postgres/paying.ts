/**
 * Rows and their intents, in one transaction for all that a turn of the event loop wants, and a few statements for all of them: a
 * server at the other end of a network answers once for sixty rows. Locks are taken in one order: the run, windows, rows as they
 * stand in the file, intents, sums.
 */

import { INTENT_COLUMNS, valuesOf } from '../../../client/store/intent-row.ts';
import { drawIntent } from '../../../client/store/intent-writes.ts';
import {
  type Intent,
  type IntentClosing,
  type IntentState,
  type NewIntent,
  UNSETTLED,
} from '../../../client/store/port.ts';
import { invariant } from '../../../core/invariants.ts';
import type { PostgresQueries } from '../../../disk/postgres-queries.ts';
import { afterClosing, afterHearing, mayClose, UNDER_WAY } from '../outcomes.ts';
import type { Lease, PayRuns, RowNews, RowState } from '../port.ts';
import {
  PROGRESS_CHANGES,
  progressValues,
  ROW_COLUMNS,
  type RowProgress,
  readRow,
  readRowProgress,
  redirectedValues,
} from '../records.ts';
import { keptWhy, REDIRECTED_COLUMNS } from '../sql.ts';
import { learnTypes } from '../standing.ts';
import { atomically, NOW_MS, query, type Shared } from './connection.ts';
import { type SharedItem, type SharedRound, together } from './together.ts';

type Paying = Pick<PayRuns, 'open' | 'begun' | 'resume' | 'close' | 'observe'>;
type Opened = Awaited<ReturnType<PayRuns['open']>>;

interface Opening extends SharedItem {
  intent: NewIntent;
}

interface Closing extends SharedItem {
  intentId: string;
  closing: IntentClosing;
  news: RowNews;
}

export function createPaying(shared: Shared): Paying {
  const { pool, numberOf } = shared;
  const open = together<Opening, Opened>(shared, openAll);
  const close = together<Closing, RowState>(shared, closeAll);
  return {
    async open(lease, n, intent) {
      const run = await numberOf(lease.runId);
      return run === undefined ? 'lost' : open({ run, lease: lease, n, intent });
    },
    async begun(id, n) {
      const [found] = await query(pool, BEGUN(shared.table), [id, n]);
      if (!found) return undefined;
      return { row: readRow(found), request: typeof found.request === 'string' ? found.request : undefined };
    },
    async resume({ runId, window, fence }, n) {
      return (await query(pool, RESUME, [runId, window, fence, n])).length > 0;
    },
    async close(lease, n, intentId, closing, news) {
      const run = await numberOf(lease.runId);
      invariant(run !== undefined, `no run ${lease.runId} to close a row of`);
      await learnTypes([news]);
      return close({ run, lease: lease, n, intentId, closing, news });
    },
    async observe(id, seen, mayBecome, onUnexplained) {
      await learnTypes(seen.map(({ news }) => news));
      const seq = await numberOf(id);
      if (seq === undefined) return 0;
      let changed = 0;
      for (let from = 0; from < seen.length; from += HEARD_AT_ONCE) {
        const some = new Map(seen.slice(from, from + HEARD_AT_ONCE).map((one) => [one.externalId, one.news]));
        changed += await atomically(pool, async (within) => {
          const rows = await query(within, BY_EXTERNAL_ID, [seq, [...some.keys()]]);
          const changes = rows.flatMap((found) => {
            const row = readRowProgress(found);
            const after = afterHearing(row, some.get(row.externalId) ?? {}, mayBecome, onUnexplained);
            return after === row ? [] : [after];
          });
          await write(within, { seq, changes, said: [] }, shared);
          return changes.length;
        });
      }
      return changed;
    },
  };
}

/** News of rows that are written in one transaction. */
const HEARD_AT_ONCE = 500;

const WINDOW = 'w.run = $1 AND w."window" = ANY ($2::int[])';
/** Numbers of rows are given twice, once as a bound: whatever the server guesses, it reads these rows and no others. */
const HELD = `SELECT w."window", w.fence FROM remit_payruns p
    JOIN remit_payrun_windows w ON ${WINDOW} AND w.until > clock_timestamp()
  WHERE p.seq = $1 AND p.state = 'approved' AND p.hold IS NULL ORDER BY w."window" FOR SHARE OF w`;
const TYPES: Partial<Record<(typeof INTENT_COLUMNS)[number], string>> = {
  created_at: 'bigint',
  updated_at: 'bigint',
  about: 'jsonb',
};
const open = (table: string): string => `
  WITH given AS MATERIALIZED (
    SELECT * FROM unnest($2::bigint[], $3::int[], ${INTENT_COLUMNS.map(
      (name, i) => `$${4 + i}::${TYPES[name] ?? 'text'}[]`,
    ).join(', ')}) AS given (n, at, ${INTENT_COLUMNS.map((name) => `intent_${name}`).join(', ')})
  ), opened AS (
    UPDATE remit_payrun_rows r SET state = 'sending', intent_id = given.intent_id, tries = r.tries + 1, code = NULL, why = NULL,
      updated_at = ${NOW_MS}
    FROM given WHERE r.run = $1 AND r.n = ANY ($2::bigint[]) AND r.n = given.n AND r."window" = given.at AND r.state = 'planned'
    RETURNING r.n, r.external_id
  ), written AS (
    INSERT INTO ${table} (${INTENT_COLUMNS.join(', ')})
    SELECT ${INTENT_COLUMNS.map((name) => `given.intent_${name}`).join(', ')} FROM given JOIN opened USING (n) RETURNING id
  )
  SELECT n, external_id, (SELECT count(*)::int FROM written) AS written FROM opened`;

async function openAll(
  within: PostgresQueries,
  group: readonly Opening[],
  { run: seq, shared: { table, ...dependencies } }: SharedRound,
): Promise<Opened[]> {
  const held = await query(within, HELD, [seq, windowsOf(group)]);
  const fences = new Map(held.map((row) => [Number(row.window), Number(row.fence)]));
  const free = group.filter(({ lease }) => fences.get(lease.window) === lease.fence);
  if (free.length === 0) return group.map(() => 'lost');
  const intents = new Map(free.map(({ n, intent }) => [n, drawIntent(dependencies, intent)]));
  const values = [...intents.values()].map(valuesOf);
  const rows = await query(within, open(table), [
    seq,
    free.map(({ n }) => n),
    free.map(({ lease }) => lease.window),
    ...INTENT_COLUMNS.map((_, column) => values.map((one) => one[column])),
  ]);
  const opened = new Map(rows.map((row) => [Number(row.n), row.external_id]));
  invariant(
    rows.every(({ written }) => written === rows.length),
    'a row that is sending has its intent in the journal, before anything is sent',
  );
  return group.map(({ n, intent, lease }): Opened => {
    const isHeld = fences.get(lease.window) === lease.fence;
    if (!isHeld || !opened.has(n)) return 'lost';
    invariant(opened.get(n) === intent.externalId, 'an intent has the external id of its row');
    return { opened: intents.get(n) as Intent };
  });
}

const windowsOf = (group: readonly { lease: Lease }[]): number[] => [
  ...new Set(group.map(({ lease }) => lease.window)),
];

const ROW = `r.n, r."window", r.external_id, r.state, r.intent_id, r.transaction_id, r.recipient_id, r.currency,
  r.input_currency, r.code, r.why, r.found, r.cost, r.arrives, r.type, r.body, r.stands`;
const UNSETTLED_STATES = UNDER_WAY.map((state) => `'${state}'`).join(', ');
const BEGUN = (table: string): string => `
  SELECT ${ROW_COLUMNS}, (SELECT i.request FROM ${table} i WHERE i.id = r.intent_id) AS request FROM remit_payrun_rows r
  WHERE r.run = (SELECT seq FROM remit_payruns WHERE id = $1) AND r.n = $2 AND r.state IN (${UNSETTLED_STATES})`;
const RESUME = `SELECT 1 FROM remit_payruns p
    JOIN remit_payrun_windows w ON w.run = p.seq AND w."window" = $2 AND w.fence = $3 AND w.until > clock_timestamp()
    JOIN remit_payrun_rows r ON r.run = p.seq AND r.n = $4 AND r."window" = w."window"
  WHERE p.id = $1 AND r.state IN (${UNSETTLED_STATES})`;
const BY_EXTERNAL_ID = `SELECT ${ROW} FROM remit_payrun_rows r
  WHERE r.run = $1 AND r.external_id = ANY ($2::text[]) ORDER BY r.n FOR UPDATE`;
const TO_CLOSE = `SELECT ${ROW}, w.fence FROM remit_payrun_windows w
    JOIN remit_payrun_rows r ON r.run = $1 AND r.n = ANY ($3::bigint[]) AND r."window" = w."window"
  WHERE ${WINDOW} ORDER BY r.n FOR SHARE OF w FOR UPDATE OF r`;
const known = (table: string): string =>
  `SELECT id, state FROM ${table} WHERE id = ANY ($1::text[]) ORDER BY id FOR UPDATE`;

async function closeAll(
  within: PostgresQueries,
  group: readonly Closing[],
  { run: seq, shared }: SharedRound,
): Promise<RowState[]> {
  const found = await query(within, TO_CLOSE, [seq, windowsOf(group), group.map(({ n }) => n)]);
  const rows = new Map(found.map((row) => [Number(row.n), row]));
  const ids = group.map(({ intentId }) => intentId);
  const stands = new Map(
    (await query(within, known(shared.table), [ids])).map((row) => [row.id, row.state as IntentState]),
  );
  const said: Closing[] = [];
  const changes: RowProgress[] = [];
  const states = group.map((one): RowState => {
    const { n, lease, intentId, closing } = one;
    const row = rows.get(n);
    invariant(row && Number(row.window) === lease.window, `no row ${n} in window ${lease.window} to close`);
    const before = readRowProgress(row);
    const isHolder = Number(row.fence) === lease.fence;
    if (!mayClose(closing, isHolder)) return before.state;
    const stood = stands.get(intentId);
    invariant(stood, `no intent ${intentId} to close`);
    const isOpen = UNSETTLED.includes(stood);
    if (isOpen) said.push(one);
    const after = afterClosing(before, { ...one, standing: isOpen ? closing.state : stood, isHolder });
    if (after !== before) changes.push(after);
    return after.state;
  });
  await write(within, { seq, changes, said }, shared);
  return states;
}

const changed = PROGRESS_CHANGES.map(
  (name, i) => `$${3 + i}::${['cost', 'arrives'].includes(name) ? 'bigint' : 'text'}[]`,
);
const CHANGE = `UPDATE remit_payrun_rows r
  SET ${PROGRESS_CHANGES.map((name) => `${name} = ${name === 'why' ? keptWhy('changed.why') : `changed.${name}`}`).join(', ')}, updated_at = ${NOW_MS}
  FROM unnest($2::bigint[], ${changed.join(', ')}) AS changed (n, ${PROGRESS_CHANGES.join(', ')})
  WHERE r.run = $1 AND r.n = ANY ($2::bigint[]) AND r.n = changed.n`;
const CLOSE_FROM = 3 + PROGRESS_CHANGES.length;
const mark = (i: number): string => `$${CLOSE_FROM + i}`;
const close = (table: string): string => `
  UPDATE ${table} i SET state = said.state, updated_at = ${mark(0)}::bigint, result_id = COALESCE(said.result_id, i.result_id),
    note = COALESCE(said.note, i.note), empty_since = said.empty_since, request = CASE WHEN said.state = 'unknown' THEN i.request END,
    told_at = CASE WHEN said.state = 'applied' THEN COALESCE(i.told_at, ${mark(0)}::bigint) ELSE i.told_at END
  FROM unnest(${[1, 2, 3, 4].map((i) => `${mark(i)}::text[]`).join(', ')}, ${mark(5)}::bigint[]) AS said (id, state, result_id, note, empty_since)
  WHERE i.id = ANY (${mark(1)}::text[]) AND i.id = said.id`;
const REDIRECT = `UPDATE remit_payrun_rows SET ${REDIRECTED_COLUMNS.map((name, i) => `${name} = $${3 + i}`).join(', ')} WHERE run = $1 AND n = $2`;
const WRITE = (table: string): string => `
  WITH changed AS (${CHANGE} RETURNING 1), closed AS (${close(table)} RETURNING 1)
  SELECT (SELECT count(*)::int FROM changed) AS changed, (SELECT count(*)::int FROM closed) AS closed`;

/** Rows and intents that are locked. */
async function write(
  within: PostgresQueries,
  { seq, changes, said }: { seq: string; changes: readonly RowProgress[]; said: readonly Closing[] },
  { table, clock }: Shared,
): Promise<void> {
  if (changes.length === 0 && said.length === 0) return;
  const values = changes.map(progressValues);
  const [done] = await query(within, WRITE(table), [
    seq,
    changes.map(({ n }) => n),
    ...PROGRESS_CHANGES.map((_, column) => values.map((one) => one[column])),
    clock.now(),
    said.map(({ intentId }) => intentId),
    said.map(({ closing }) => closing.state),
    said.map(({ closing }) => closing.resultId ?? null),
    said.map(({ closing }) => closing.note ?? null),
    said.map(({ closing }) => closing.emptySince ?? null),
  ]);
  for (const { n, redirected } of changes)
    if (redirected) await query(within, REDIRECT, [seq, n, ...redirectedValues(redirected)]);
  invariant(
    done?.changed === changes.length && done.closed === said.length,
    'a row says what its intent says, and what was read is changed',
  );
}
