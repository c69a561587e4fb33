/**
 * Rows and their intents, in one transaction for all that a turn of the event loop wants, and a few statements for all of them: a
 * server at the other end of a network answers once for sixty rows. Locks are taken in one order: the run, windows, rows as they
 * stand in the file, intents, sums.
 */
import { groupCommit } from '../../core/group-commit.ts';
import { invariant } from '../../core/invariants.ts';
import {
  type Intent,
  type IntentClosing,
  type IntentState,
  type NewIntent,
  UNSETTLED,
} from '../../core/ports/intents.ts';
import type { PayRuns, RowNews, RowState, Taken } from '../../core/ports/payruns.ts';
import { INTENT_COLUMNS, valuesOf } from '../intent-row.ts';
import { drawIntent } from '../intent-writes.ts';
import { afterClosing, afterHearing, mayClose, UNDER_WAY } from '../payrun-outcomes.ts';
import { type RowStanding, readRowStanding, STANDING_CHANGES, standingValues } from '../payrun-records.ts';
import type { PostgresQueries } from '../postgres-transaction.ts';
import { atomically, NOW_MS, nothingStands, query, run, type Shared } from './connection.ts';
import { RUN_LOCKS } from './runs.ts';

type Paying = Pick<PayRuns, 'open' | 'resume' | 'close' | 'observe'>;
type Opened = Awaited<ReturnType<PayRuns['open']>>;

interface Opening {
  taken: Taken;
  n: number;
  intent: NewIntent;
}

interface Closing {
  taken: Taken;
  n: number;
  intentId: string;
  closing: IntentClosing;
  news: RowNews;
}

export function createPaying(shared: Shared): Paying {
  const { pool } = shared;
  const open = together<Opening, Opened>(shared, (within, group) => openAll(within, group, shared));
  const close = together<Closing, RowState>(shared, (within, group) => closeAll(within, group, shared));
  return {
    open: (taken, n, intent) => open({ taken, n, intent }),
    async resume({ runId, window, fence }, n) {
      return (await query(pool, RESUME, [runId, window, fence, n])).length > 0;
    },
    close: (taken, n, intentId, closing, news) => close({ taken, n, intentId, closing, news }),
    async observe(id, seen, mayBecome) {
      let changed = 0;
      for (let from = 0; from < seen.length; from += HEARD_AT_ONCE) {
        const some = new Map(seen.slice(from, from + HEARD_AT_ONCE).map((one) => [one.externalId, one.news]));
        changed += await atomically(pool, async (within) => {
          const rows = await query(within, BY_EXTERNAL_ID, [id, [...some.keys()]]);
          const changes = rows.flatMap((found) => {
            const row = readRowStanding(found);
            const after = afterHearing(row, some.get(row.externalId) ?? {}, mayBecome);
            return after === row ? [] : [{ runId: id, row: after }];
          });
          await changeRows(within, changes);
          return changes.length;
        });
      }
      return changed;
    },
  };
}

/** Of what is heard of at once. */
const HEARD_AT_ONCE = 500;

type Ended<R> = { value: R } | { error: unknown };

/** Of two for the same row the second is done after the first. Where one fails, each is done by itself, so that it fails alone. */
function together<T extends { taken: Taken; n: number }, R>(
  { pool }: Shared,
  work: (within: PostgresQueries, group: readonly T[]) => Promise<R[]>,
): (item: T) => Promise<R> {
  const inRounds = (items: readonly T[]): Promise<R[]> =>
    atomically(pool, async (within) => {
      const results = new Map<T, R>();
      for (const round of roundsOf(items)) {
        const done = await work(within, round);
        for (const [i, item] of round.entries()) results.set(item, done[i] as R);
      }
      return items.map((item) => results.get(item) as R);
    });
  const commit = groupCommit<T, Ended<R>>(async (items) => {
    try {
      return (await inRounds(items)).map((value) => ({ value }));
    } catch (error) {
      if (items.length === 1 || !nothingStands(error)) return items.map(() => ({ error }));
    }
    const ended: Ended<R>[] = [];
    for (const item of items)
      ended.push(
        await inRounds([item]).then(
          ([value]) => ({ value: value as R }),
          (error) => ({ error }),
        ),
      );
    return ended;
  });
  return async (item) => {
    const ended = await commit(item);
    if ('error' in ended) throw ended.error;
    return ended.value;
  };
}

function roundsOf<T extends { taken: Taken; n: number }>(items: readonly T[]): T[][] {
  const rounds: T[][] = [];
  const seen = new Map<string, number>();
  for (const item of items) {
    const row = `${item.taken.runId} ${item.n}`;
    const round = seen.get(row) ?? 0;
    seen.set(row, round + 1);
    rounds[round] ??= [];
    rounds[round].push(item);
  }
  return rounds;
}

/** Whoever stops a run waits for those who write for it, and they for whoever came before: nobody is passed by for ever. */
const LOCK_RUNS = `SELECT pg_advisory_xact_lock_shared(${RUN_LOCKS}, hashtext(id))
  FROM (SELECT DISTINCT unnest($1::text[]) AS id ORDER BY 1) AS wanted`;

const GIVEN = 'unnest($1::text[], $2::int[], $3::bigint[], $4::bigint[], $5::text[])';
const open = (table: string): string => `
  WITH given AS MATERIALIZED (
    SELECT * FROM ${GIVEN} WITH ORDINALITY AS given (run_id, "window", fence, n, intent_id, place)
  ), free AS MATERIALIZED (
    SELECT r.run, r.n, given.intent_id, given.place
    FROM given
      JOIN remit_payruns p ON p.id = given.run_id AND p.state = 'approved'
      JOIN remit_payrun_windows w ON w.run = p.seq AND w."window" = given."window" AND w.fence = given.fence
        AND w.until > clock_timestamp()
      JOIN remit_payrun_rows r ON r.run = p.seq AND r.n = given.n AND r."window" = w."window" AND r.state = 'planned'
    ORDER BY r.run, r.n FOR SHARE OF w FOR UPDATE OF r
  ), opened AS (
    UPDATE remit_payrun_rows r SET state = 'sending', intent_id = free.intent_id, tries = r.tries + 1, code = NULL, why = NULL,
      updated_at = ${NOW_MS}
    FROM free WHERE r.run = free.run AND r.n = free.n RETURNING free.place, r.external_id
  ), written AS (
    INSERT INTO ${table} (${INTENT_COLUMNS.join(', ')})
    SELECT ${INTENT_COLUMNS.map((name) => `intent.${name}`).join(', ')}
    FROM opened JOIN ${INTENTS} USING (place) ORDER BY place
    RETURNING id
  )
  SELECT place::int AS place, external_id, (SELECT count(*)::int FROM written) AS written FROM opened`;
const TYPES: Readonly<Record<string, string>> = {
  created_at: 'bigint',
  updated_at: 'bigint',
  about: 'jsonb',
};
const INTENTS = `unnest(${INTENT_COLUMNS.map((name, i) => `$${6 + i}::${TYPES[name] ?? 'text'}[]`).join(', ')})
  WITH ORDINALITY AS intent (${INTENT_COLUMNS.join(', ')}, place)`;

async function openAll(
  within: PostgresQueries,
  group: readonly Opening[],
  { table, ...dependencies }: Shared,
): Promise<Opened[]> {
  const intents: Intent[] = group.map(({ intent }) => drawIntent(dependencies, intent));
  await query(within, LOCK_RUNS, [group.map(({ taken }) => taken.runId)]);
  const values = intents.map(valuesOf);
  const found = await query(within, open(table), [
    ...placesOf(group),
    intents.map(({ id }) => id),
    ...INTENT_COLUMNS.map((_, column) => values.map((one) => one[column])),
  ]);
  const opened = new Map(found.map((row) => [Number(row.place) - 1, row.external_id]));
  invariant(
    found.every(({ written }) => written === found.length),
    'a row that is sending has its intent in the journal, before anything is sent',
  );
  return group.map(({ intent }, i) => {
    if (!opened.has(i)) return 'lost';
    invariant(opened.get(i) === intent.externalId, 'an intent has the external id of its row');
    return { opened: intents[i] as Intent };
  });
}

const placesOf = (group: readonly { taken: Taken; n: number }[]): unknown[][] => [
  group.map(({ taken }) => taken.runId),
  group.map(({ taken }) => taken.window),
  group.map(({ taken }) => taken.fence),
  group.map(({ n }) => n),
];

const ROW = `r.n, r."window", r.external_id, r.state, r.intent_id, r.transaction_id, r.recipient_id, r.currency,
  r.input_currency, r.code, r.why, r.cost, r.arrives`;
const RESUME = `SELECT 1 FROM remit_payruns p
    JOIN remit_payrun_windows w ON w.run = p.seq AND w."window" = $2 AND w.fence = $3 AND w.until > clock_timestamp()
    JOIN remit_payrun_rows r ON r.run = p.seq AND r.n = $4 AND r."window" = w."window"
  WHERE p.id = $1 AND r.state IN (${UNDER_WAY.map((state) => `'${state}'`).join(', ')})`;
const BY_EXTERNAL_ID = `SELECT ${ROW} FROM remit_payrun_rows r
  WHERE r.run = (SELECT seq FROM remit_payruns WHERE id = $1) AND r.external_id = ANY ($2::text[]) ORDER BY r.n FOR UPDATE`;
const toClose = (table: string): string => `
  SELECT ${ROW}, given.place::int AS place, w.fence = given.fence AS holds, i.state AS known
  FROM ${GIVEN} WITH ORDINALITY AS given (run_id, "window", fence, n, intent_id, place)
    JOIN remit_payruns p ON p.id = given.run_id
    JOIN remit_payrun_windows w ON w.run = p.seq AND w."window" = given."window"
    JOIN remit_payrun_rows r ON r.run = p.seq AND r.n = given.n AND r."window" = w."window"
    JOIN ${table} i ON i.id = given.intent_id
  ORDER BY r.run, r.n FOR SHARE OF w FOR UPDATE OF r, i`;
const closeIntents = (table: string): string => `
  UPDATE ${table} i SET state = said.state, updated_at = $1, result_id = COALESCE(said.result_id, i.result_id),
    note = COALESCE(said.note, i.note), request = CASE WHEN said.state = 'unknown' THEN i.request END
  FROM unnest($2::text[], $3::text[], $4::text[], $5::text[]) AS said (id, state, result_id, note)
  WHERE i.id = said.id`;

async function closeAll(
  within: PostgresQueries,
  group: readonly Closing[],
  { table, clock }: Shared,
): Promise<RowState[]> {
  const values = [...placesOf(group), group.map(({ intentId }) => intentId)];
  const found = new Map(
    (await query(within, toClose(table), values)).map((row) => [Number(row.place) - 1, row]),
  );
  const said: Closing[] = [];
  const changes: Change[] = [];
  const states = group.map((one, i): RowState => {
    const row = found.get(i);
    invariant(row, `no row ${one.n} in window ${one.taken.window} to close, or no intent ${one.intentId}`);
    const before = readRowStanding(row);
    const isHolder = row.holds === true;
    if (!mayClose(one.closing, isHolder)) return before.state;
    const known = row.known as IntentState;
    const isOpen = UNSETTLED.includes(known);
    if (isOpen) said.push(one);
    const after = afterClosing(before, { ...one, standing: isOpen ? one.closing.state : known, isHolder });
    if (after !== before) changes.push({ runId: one.taken.runId, row: after });
    return after.state;
  });
  await changeRows(within, changes);
  if (said.length === 0) return states;
  const closed = await run(within, closeIntents(table), [
    clock.now(),
    said.map(({ intentId }) => intentId),
    said.map(({ closing }) => closing.state),
    said.map(({ closing }) => closing.resultId ?? null),
    said.map(({ closing }) => closing.note ?? null),
  ]);
  invariant(closed === said.length, 'a row says what its intent says');
  return states;
}

interface Change {
  runId: string;
  row: RowStanding;
}

const CHANGE = `UPDATE remit_payrun_rows r
  SET ${STANDING_CHANGES.map((name) => `${name} = changed.${name}`).join(', ')}, updated_at = ${NOW_MS}
  FROM unnest($1::text[], $2::bigint[], ${STANDING_CHANGES.map(
    (name, i) => `$${3 + i}::${['cost', 'arrives'].includes(name) ? 'bigint' : 'text'}[]`,
  ).join(', ')}) AS changed (run_id, n, ${STANDING_CHANGES.join(', ')})
    JOIN remit_payruns p ON p.id = changed.run_id
  WHERE r.run = p.seq AND r.n = changed.n`;

/** They are locked. */
async function changeRows(within: PostgresQueries, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const values = changes.map(({ row }) => standingValues(row));
  const changed = await run(within, CHANGE, [
    changes.map(({ runId }) => runId),
    changes.map(({ row }) => row.n),
    ...STANDING_CHANGES.map((_, column) => values.map((one) => one[column])),
  ]);
  invariant(changed === changes.length, 'a row that was read is changed');
}
