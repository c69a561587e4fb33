/**
 * A row and its intent, in one transaction. Writes of a turn are committed together, with those of the journal: the disk is
 * waited for once.
 */

import { type IntentClosing, type NewIntent, UNSETTLED } from '../../../client/store/port.ts';
import { invariant } from '../../../core/invariants.ts';
import type { Database } from '../../../disk/driver.ts';
import { afterClosing, afterHearing, mayClose, TO_DO, UNDER_WAY } from '../outcomes.ts';
import type { Lease, PayRuns, PayRunWindows, RowNews, RowState } from '../port.ts';
import {
  PROGRESS_CHANGES,
  PROGRESS_COLUMNS,
  progressValues,
  ROW_COLUMNS,
  type RowProgress,
  readRow,
  readRowProgress,
  redirectedValues,
} from '../records.ts';
import { keptWhy, REDIRECTED_COLUMNS } from '../sql.ts';
import { learnTypes } from '../standing.ts';
import { type PayRunDependencies, SEQ } from './dependencies.ts';

type Paying = Pick<PayRuns, 'open' | 'begun' | 'resume' | 'close' | 'observe'>;

const HOLDS =
  'EXISTS (SELECT 1 FROM payrun_windows w WHERE w.run = payrun_rows.run AND w."window" = payrun_rows."window" AND w.fence = ?';
const OPEN = `UPDATE payrun_rows SET state = 'sending', intent_id = ?, tries = tries + 1, code = NULL, why = NULL, updated_at = ?
  WHERE run = (SELECT seq FROM payruns WHERE id = ? AND state = 'approved' AND hold IS NULL) AND n = ? AND "window" = ? AND state = 'planned'
    AND ${HOLDS} AND w.until > ?) RETURNING external_id`;
const UNSETTLED_STATES = UNDER_WAY.map((state) => `'${state}'`).join(', ');
const BEGUN = `SELECT ${ROW_COLUMNS}, (SELECT request FROM intents WHERE intents.id = payrun_rows.intent_id) AS request
  FROM payrun_rows
  WHERE run = ${SEQ} AND n = ? AND state IN (${UNSETTLED_STATES})`;
const RESUME = `SELECT 1 FROM payrun_rows WHERE run = ${SEQ} AND n = ? AND "window" = ?
  AND state IN (${UNSETTLED_STATES}) AND ${HOLDS} AND w.until > ?)`;
const READ = `SELECT ${PROGRESS_COLUMNS}, ${HOLDS}) AS holds FROM payrun_rows WHERE run = ${SEQ} AND n = ?`;
const READ_BY_EXTERNAL_ID = `SELECT ${PROGRESS_COLUMNS} FROM payrun_rows WHERE run = ${SEQ} AND external_id = ?`;
const CHANGE = `UPDATE payrun_rows SET ${PROGRESS_CHANGES.map((name) => `${name} = ${name === 'why' ? keptWhy('?') : '?'}`).join(', ')}, updated_at = ?
  WHERE run = ${SEQ} AND n = ?`;
const REDIRECT = `UPDATE payrun_rows SET ${REDIRECTED_COLUMNS.map((name) => `${name} = ?`).join(', ')} WHERE run = ${SEQ} AND n = ?`;
/** News of rows that are written in one transaction. */
const HEARD_AT_ONCE = 500;

function changeRow(database: Database, at: number, id: string, row: RowProgress): void {
  const changed = database.run(CHANGE, ...progressValues(row), at, id, row.n);
  invariant(changed === 1, 'a row that was read is changed');
  if (row.redirected) database.run(REDIRECT, ...redirectedValues(row.redirected), id, row.n);
}

export function createPaying(database: Database, { clock, intents, write }: PayRunDependencies): Paying {
  const change = (id: string, row: RowProgress): void => changeRow(database, clock.now(), id, row);

  function open({ runId, window, fence }: Lease, n: number, intent: NewIntent) {
    const opened = intents.draw(intent);
    const row = database.get(OPEN, opened.id, opened.createdAt, runId, n, window, fence, opened.createdAt);
    if (!row) return 'lost' as const;
    invariant(row.external_id === intent.externalId, 'an intent has the external id of its row');
    intents.insert(opened);
    return { opened };
  }

  function close(
    { runId, window, fence }: Lease,
    n: number,
    intentId: string,
    closing: IntentClosing,
    news: RowNews,
  ): RowState {
    const found = database.get(READ, fence, runId, n);
    invariant(found && Number(found.window) === window, `no row ${n} in window ${window} to close`);
    const row = readRowProgress(found);
    const isHolder = found.holds === 1;
    if (!mayClose(closing, isHolder)) return row.state;
    const known = intents.stateOf(intentId);
    const standing = UNSETTLED.includes(known) ? closing.state : known;
    const after = afterClosing(row, { intentId, closing, standing, news, isHolder });
    if (after !== row) change(runId, after);
    const { state } = intents.close(intentId, closing, standing === 'applied');
    invariant(state === standing, 'a row says what its intent says');
    return after.state;
  }

  return {
    open: (lease, n, intent) => write(() => open(lease, n, intent)),
    async begun(id, n) {
      const found = database.get(BEGUN, id, n);
      if (!found) return undefined;
      return { row: readRow(found), request: found.request === null ? undefined : String(found.request) };
    },
    async resume({ runId, window, fence }, n) {
      return database.get(RESUME, runId, n, window, fence, clock.now()) !== undefined;
    },
    async close(lease, n, intentId, closing, news) {
      await learnTypes([news]);
      return write(() => close(lease, n, intentId, closing, news));
    },
    async observe(id, seen, mayBecome, onUnexplained) {
      await learnTypes(seen.map(({ news }) => news));
      let changed = 0;
      for (let from = 0; from < seen.length; from += HEARD_AT_ONCE) {
        const some = seen.slice(from, from + HEARD_AT_ONCE);
        changed += await write(() => {
          let heard = 0;
          for (const { externalId, news } of some) {
            const found = database.get(READ_BY_EXTERNAL_ID, id, externalId);
            if (!found) continue;
            const row = readRowProgress(found);
            const after = afterHearing(row, news, mayBecome, onUnexplained);
            if (after === row) continue;
            change(id, after);
            heard++;
          }
          return heard;
        });
      }
      return changed;
    },
  };
}

/** Tells who has which window of a run, and until when. */
const WORKERS = `SELECT DISTINCT worker FROM payrun_windows WHERE run = ${SEQ} AND worker IS NOT NULL AND until > ?`;
const NEXT = `SELECT w."window" AS "window" FROM payrun_windows w
  WHERE w.run = ${SEQ} AND w."window" > ?
    AND (w.worker IS NULL OR w.until <= ? OR w.worker IN (SELECT value FROM json_each(?)))
    AND EXISTS (SELECT 1 FROM payrun_rows r INDEXED BY payrun_rows_state
      WHERE r.run = w.run AND r.state IN (${TO_DO.map((state) => `'${state}'`).join(', ')}) AND r.n BETWEEN w.first AND w.last)
  ORDER BY w."window" LIMIT 1`;
const FENCE = 'UPDATE payruns SET fence = fence + 1 WHERE id = ? RETURNING fence';
const TAKE = `UPDATE payrun_windows SET worker = ?, until = ?, fence = ? WHERE run = ${SEQ} AND "window" = ? AND fence < ?`;
const IS_TAKEN = `SELECT 1 FROM payrun_windows WHERE run = ${SEQ} AND worker IS NOT NULL AND worker <> ? AND until > ? LIMIT 1`;
const HELD = `WHERE run = ${SEQ} AND "window" = ? AND fence = ? AND worker IS NOT NULL`;

export function createWindows(database: Database, { clock, write }: PayRunDependencies): PayRunWindows {
  return {
    take: (id, worker, { after, leaseMs, isDead = () => false }) =>
      write(() => {
        const now = clock.now();
        const workers = database.all(WORKERS, id, now).map((row) => String(row.worker));
        const next = database.get(NEXT, id, after, now, JSON.stringify(workers.filter(isDead)));
        if (!next) return undefined;
        const window = Number(next.window);
        const fence = Number(database.get(FENCE, id)?.fence);
        const until = now + leaseMs;
        const taken = database.run(TAKE, worker, until, fence, id, window, fence);
        invariant(taken === 1, 'a fence is greater than any before it');
        return { runId: id, window, fence, until };
      }),
    isTaken: async (id, worker) => database.get(IS_TAKEN, id, worker, clock.now()) !== undefined,
    renew: (lease, leaseMs) =>
      write(() => {
        const until = clock.now() + leaseMs;
        const held = database.run(`UPDATE payrun_windows SET until = ? ${HELD}`, until, ...placeOf(lease));
        return held === 1 ? { ...lease, until } : undefined;
      }),
    async giveBack(lease) {
      const sql = `UPDATE payrun_windows SET worker = NULL, until = NULL ${HELD}`;
      await write(() => database.run(sql, ...placeOf(lease)));
    },
  };
}

const placeOf = ({ runId, window, fence }: Lease): [string, number, number] => [runId, window, fence];
