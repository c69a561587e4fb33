/** Pay runs in the file of the journal: an intent and its row are written in one transaction. */

import { SUM_KEY, SUMMED } from '../../client/store/payrun-tables.ts';
import { isBeginning } from '../../core/ids.ts';
import { invariant } from '../../core/invariants.ts';
import type { Database } from '../../disk/driver.ts';
import type { PayRuns } from './port.ts';
import { ROW_COLUMNS, RUN_COLUMNS, readRow, readRun } from './records.ts';
import { HANDABLE, HOLDABLE } from './sql.ts';
import { createApproving } from './sqlite/approving.ts';
import { type PayRunDependencies, SEQ } from './sqlite/dependencies.ts';
import { createDraft, payeesOf } from './sqlite/drafts.ts';
import { createForgetting } from './sqlite/forgetting.ts';
import { createPaying, createWindows } from './sqlite/paying.ts';
import { FOUND_SUM_KEY, FOUND_SUMS, readFoundSum, readSum } from './sum-records.ts';

const SEEN = "state NOT IN ('draft', 'gone')";
const FIND = `SELECT ${RUN_COLUMNS} FROM payruns WHERE base_url = ? AND ${SEEN}`;
const HOLD = `UPDATE payruns SET hold = ?1, updated_at = ?2 WHERE id = ?3 AND ${HOLDABLE} AND (hold IS NULL) = (?1 IS NOT NULL)`;
const SUMS = `SELECT ${SUM_KEY}, ${SUMMED.map((name) => `CAST(${name} AS text) AS ${name}`).join(', ')}
  FROM payrun_sums WHERE run = ${SEQ} AND rows > 0 ORDER BY ${SUM_KEY}`;
const FOUND = `SELECT ${FOUND_SUMS} FROM payrun_rows WHERE run = ${SEQ} AND found IS NOT NULL
  GROUP BY ${FOUND_SUM_KEY} ORDER BY ${FOUND_SUM_KEY}`;
const ROW = `SELECT ${ROW_COLUMNS} FROM payrun_rows WHERE run = ${SEQ} AND (key = ? OR external_id = ?) ORDER BY key = ? DESC LIMIT 1`;
const MOVE = `UPDATE payruns SET state = ?, why = ?, updated_at = ?, approval = CASE ? WHEN 'planned' THEN NULL ELSE approval END
  WHERE id = ? AND ${SEEN} AND state IN (SELECT value FROM json_each(?)) AND (? <> 'approved' OR rejection IS NULL)`;
/** A few at a time, so that none wait long for the file. */
const CANCELLED_AT_ONCE = 2000;
const CANCEL = `UPDATE payrun_rows SET state = 'cancelled', updated_at = ? WHERE (run, n) IN (
  SELECT run, n FROM payrun_rows WHERE run = ${SEQ} AND state = 'planned' LIMIT ${CANCELLED_AT_ONCE})`;
const CANCEL_KEYS = `UPDATE payrun_rows SET state = 'cancelled', updated_at = ?
  WHERE run = ${SEQ} AND state = 'planned' AND key IN (SELECT value FROM json_each(?))`;

const HAND_ON = `UPDATE payrun_rows SET state = 'handed_on', updated_at = ?3, handed = json_object('file', ?1, 'as', ?2, 'from', state)
  WHERE run = (SELECT seq FROM payruns WHERE id = ?4 AND forgotten_at IS NULL) AND n = ?5 AND state IN (${HANDABLE})`;
const TAKE_BACK = `UPDATE payrun_rows SET state = json_extract(handed, '$.from'), handed = NULL, updated_at = ?
  WHERE run = (SELECT seq FROM payruns WHERE id = ? AND forgotten_at IS NULL) AND n IN (SELECT value FROM json_each(?))
    AND state = 'handed_on'`;
const CHANGED_AT_ONCE = 500;

/** How many changed, a few rows at a time. */
async function inPieces<T>(
  rows: readonly T[],
  change: (some: readonly T[]) => Promise<number>,
): Promise<number> {
  let changed = 0;
  for (let from = 0; from < rows.length; from += CHANGED_AT_ONCE)
    changed += await change(rows.slice(from, from + CHANGED_AT_ONCE));
  return changed;
}

export function createPayRuns(database: Database, dependencies: PayRunDependencies): PayRuns {
  const { clock, write } = dependencies;
  return {
    isShared: false,
    draft: (run) => createDraft(database, dependencies, run),
    ...createReading(database),
    ...createApproving(database, dependencies),
    move: (id, from, to, why) =>
      write(() => database.run(MOVE, to, why ?? null, clock.now(), to, id, JSON.stringify(from), to) === 1),
    hold: (id, hold) =>
      write(
        () => database.run(HOLD, hold === undefined ? null : JSON.stringify(hold), clock.now(), id) === 1,
      ),
    async cancelRows(id, keys) {
      if (keys) return write(() => database.run(CANCEL_KEYS, clock.now(), id, JSON.stringify(keys)));
      for (let cancelled = 0; ; ) {
        const some = await write(() => database.run(CANCEL, clock.now(), id));
        cancelled += some;
        if (some < CANCELLED_AT_ONCE) return cancelled;
      }
    },
    handOn: (id, rows, file) =>
      inPieces(rows, (some) =>
        write(() =>
          some.reduce((all, { n, as }) => all + database.run(HAND_ON, file, as, clock.now(), id, n), 0),
        ),
      ),
    takeBack: (id, rows) =>
      inPieces(rows, (some) => write(() => database.run(TAKE_BACK, clock.now(), id, JSON.stringify(some)))),
    ...createWindows(database, dependencies),
    ...createPaying(database, dependencies),
    ...createForgetting(database, dependencies),
    async keepRates(id, rates) {
      const sql = 'UPDATE payruns SET rates = ?, rates_at = ? WHERE id = ?';
      const kept = await write(() => database.run(sql, rates, clock.now(), id));
      invariant(kept === 1, `no run ${id} to keep rates for`);
    },
    async acceptBefore(id, rows) {
      await write(() => database.run('UPDATE payruns SET accepted_before = ? WHERE id = ?', rows, id));
    },
    async keepChecked(id) {
      const sql = 'UPDATE payruns SET checked_at = ? WHERE id = ?';
      await write(() => database.run(sql, clock.now(), id));
    },
    now: async () => clock.now(),
  };
}

function createReading(
  database: Database,
): Pick<PayRuns, 'find' | 'list' | 'sums' | 'found' | 'payees' | 'rows' | 'row'> {
  return {
    async find(baseUrl, idOrName) {
      const exact = database.all(`${FIND} AND (name = ? OR id = ?)`, baseUrl, idOrName, idOrName);
      if (exact.length > 0 || !isBeginning(idOrName)) return exact.map(readRun);
      const beginning = idOrName.toLowerCase();
      const found = database.all(
        `${FIND} AND substr(id, 1, ?) = ? ORDER BY seq DESC`,
        baseUrl,
        beginning.length,
        beginning,
      );
      return found.map(readRun);
    },
    async list({ baseUrl, states, limit = 100 } = {}) {
      const terms = [SEEN];
      const values: string[] = [];
      if (baseUrl !== undefined) {
        terms.push('base_url = ?');
        values.push(baseUrl);
      }
      if (states) {
        terms.push('state IN (SELECT value FROM json_each(?))');
        values.push(JSON.stringify(states));
      }
      const sql = `SELECT ${RUN_COLUMNS} FROM payruns WHERE ${terms.join(' AND ')} ORDER BY seq DESC LIMIT ?`;
      return database.all(sql, ...values, limit).map(readRun);
    },
    sums: async (id) => database.all(SUMS, id).map(readSum),
    found: async (id) => database.all(FOUND, id).map(readFoundSum),
    async payees({ id, account: { baseUrl } }, from, to) {
      const seq = Number(database.get('SELECT seq FROM payruns WHERE id = ?', id)?.seq);
      return payeesOf(database, { seq, baseUrl, from, to });
    },
    async rows(id, { states, window, after = 0, limit = 1000 } = {}) {
      if (window !== undefined) {
        const wanted = states === undefined ? null : JSON.stringify(states);
        return database
          .all(ROWS_OF_WINDOW, id, after, id, window, id, window, wanted, wanted, limit)
          .map(readRow);
      }
      const part = (state: string) =>
        `SELECT * FROM (SELECT * FROM payrun_rows WHERE run = ${SEQ} AND n > ?${state} ORDER BY n LIMIT ?)`;
      /* One walk along an index for each state: few refused of a million are found at once. */
      const parts = states?.map(() => part(' AND state = ?')) ?? [part('')];
      if (parts.length === 0) return [];
      const given = states?.flatMap((state) => [id, after, state, limit]) ?? [id, after, limit];
      const sql = `SELECT ${ROW_COLUMNS} FROM (${parts.join(' UNION ALL ')}) ORDER BY n LIMIT ?`;
      return database.all(sql, ...given, limit).map(readRow);
    },
    async row(id, key) {
      return database.all(ROW, id, key, key, key).map(readRow)[0];
    },
  };
}

const bound = (which: string): string =>
  `(SELECT ${which} FROM payrun_windows WHERE run = ${SEQ} AND "window" = ?)`;
const FIRST = bound('first');
const LAST = bound('last');
/** A window is short: it is read from its first row to its last, whatever their states. */
const ROWS_OF_WINDOW = `SELECT ${ROW_COLUMNS} FROM payrun_rows
  WHERE run = ${SEQ} AND n > ? AND n BETWEEN ${FIRST} AND ${LAST} AND (? IS NULL OR +state IN (SELECT value FROM json_each(?)))
  ORDER BY n LIMIT ?`;
