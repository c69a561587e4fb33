/** A plan while it is written: a run in the state `draft`. What is removed becomes `gone` first, and then goes in pieces. */

import { SUM_KEY } from '../../../client/store/payrun-tables.ts';
import { uuid } from '../../../core/ids.ts';
import { invariant } from '../../../core/invariants.ts';
import type { Database } from '../../../disk/driver.ts';
import {
  DIFFERENCES,
  DRAFT_AGE_MS,
  differences,
  overtaken,
  PAID_NOBODY_LIST,
  REPEATED_OF_FOUND,
  type RunOfRows,
  repeatedIn,
  WindowCounter,
} from '../draft.ts';
import { payeeQueries, storedPayees } from '../payees.ts';
import type { NewRow, NewRun, PayRun, RunDraft } from '../port.ts';
import { DRAFT_COLUMNS, draftValues, NEW_ROW_COLUMNS, RUN_COLUMNS, readRun, rowValues } from '../records.ts';
import type { PayRunDependencies } from './dependencies.ts';

const marks = (columns: readonly unknown[]): string => columns.map(() => '?').join(', ');
const INSERT_RUN = `INSERT INTO payruns (${DRAFT_COLUMNS.join(', ')}, state, created_at, updated_at)
  VALUES (${marks(DRAFT_COLUMNS)}, 'draft', ?, ?) RETURNING seq`;
const INSERT_ROW = `INSERT INTO payrun_rows (run, "window", updated_at, ${NEW_ROW_COLUMNS.join(', ')})
  VALUES (?, ?, ?, ${marks(NEW_ROW_COLUMNS)})`;
const INSERT_WINDOW = `INSERT INTO payrun_windows (run, "window", first, last) VALUES (?, ?, ?, ?)
  ON CONFLICT DO UPDATE SET last = excluded.last`;
/** Sums up new rows as the trigger does for a row that changes, and six times as fast for thousands of them. */
const SUM_ROWS = `INSERT INTO payrun_sums (run, ${SUM_KEY}, rows, amount, estimate, cost, arrives)
  SELECT run, ${SUM_KEY}, count(*), sum(amount), sum(estimate), 0, 0 FROM payrun_rows
    WHERE run = ? AND n BETWEEN ? AND ? GROUP BY run, ${SUM_KEY}
  ON CONFLICT DO UPDATE SET rows = rows + excluded.rows, amount = amount + excluded.amount,
    estimate = estimate + excluded.estimate`;
/** Indexes are written once for so many rows, and none waits long for the file. */
const APPENDED_AT_ONCE = 5000;
const ABANDON = `UPDATE payruns SET state = 'gone' WHERE state = 'draft' AND ((base_url = ? AND name = ?) OR created_at < ?)`;
/**
 * Finds rows of other runs that repeat one of the draft. A row that was cancelled or refused was not paid, and is
 * left out; so is one that has the same external id, here or in the file that it was handed on to.
 */
const REPEATED = `WITH found AS MATERIALIZED (
  SELECT d.n AS n, r.name AS run, o.key AS key, o.run AS seq, o.n AS place FROM payrun_rows d
    JOIN payrun_rows o ON o.account = d.account AND o.type = d.type AND o.amount = d.amount AND o.external_id <> d.external_id
      AND o.run <> d.run AND o.state NOT IN (${PAID_NOBODY_LIST}) AND (o.handed ->> '$.as') IS NOT d.external_id
    JOIN payruns r ON r.seq = o.run AND r.state NOT IN ('draft', 'gone') AND r.base_url = ? AND r.created_at >= ?
    WHERE d.run = ? AND d.n BETWEEN ? AND ?)${REPEATED_OF_FOUND}`;
const LATEST_FORGOTTEN = `SELECT max(created_at) AS at FROM payruns
  WHERE base_url = ? AND created_at >= ? AND forgotten_at IS NOT NULL`;
const ONLY_IN_ONE = `SELECT a.key AS key FROM payrun_rows a WHERE a.run = ? AND NOT EXISTS (
    SELECT 1 FROM payrun_rows b WHERE b.run = ? AND b.key = a.key AND b.content = a.content
  ) ORDER BY a.n LIMIT ${DIFFERENCES}`;
const FINISH = `UPDATE payruns SET state = 'planned', digest = ?, plan = ?, rows = ?, created_at = ?, updated_at = ?
  WHERE seq = ? AND state = 'draft' RETURNING ${RUN_COLUMNS}`;
const STANDING = `SELECT seq, ${RUN_COLUMNS} FROM payruns WHERE base_url = ? AND name = ? AND state NOT IN ('draft', 'gone')`;

const PAYEES = payeeQueries('');

export const payeesOf = (
  database: Database,
  { seq, baseUrl, from, to }: { seq: number; baseUrl: string; from: number; to: number },
) =>
  storedPayees(
    to,
    PAYEES,
    (sql, given) => database.all(sql.replaceAll('$', '?'), seq, baseUrl, ...given),
    from - 1,
  );

export async function createDraft(
  database: Database,
  dependencies: PayRunDependencies,
  run: NewRun,
): Promise<RunDraft> {
  const { clock, random, write } = dependencies;
  const { name, account } = run;
  const counter = new WindowCounter(run.windowSize);
  const id = uuid(random);
  const seq = await write(() => {
    const now = clock.now();
    database.run(ABANDON, account.baseUrl, name, now - DRAFT_AGE_MS);
    const kept = database.get(INSERT_RUN, ...draftValues(id, run), now, now);
    return Number(kept?.seq);
  });
  await removeGone(database, dependencies);

  let gathered: NewRow[] = [];
  const flush = (): void =>
    database.transaction(() => {
      refuseOvertaken(database, seq, name);
      const rows = gathered;
      gathered = [];
      append(database, { seq, rows, counter, now: clock.now() });
    });
  const discard = async (): Promise<void> => {
    await write(() =>
      database.run("UPDATE payruns SET state = 'gone' WHERE seq = ? AND state = 'draft'", seq),
    );
    await removeGone(database, dependencies);
  };
  return {
    async append(rows) {
      refuseOvertaken(database, seq, name);
      gathered.push(...rows);
      if (gathered.length >= APPENDED_AT_ONCE) flush();
    },
    async keep() {
      flush();
      return id;
    },
    ...comparing(database, {
      seq,
      baseUrl: account.baseUrl,
      last: () => {
        flush();
        return counter.last;
      },
    }),
    async finish({ digest, plan }) {
      flush();
      const ended = await write(() => {
        refuseOvertaken(database, seq, name);
        const standing = database.get(STANDING, account.baseUrl, name);
        if (standing) return { kind: 'stands' as const, seq: String(standing.seq), run: readRun(standing) };
        const now = clock.now();
        const made = database.get(FINISH, digest, plan, counter.rows, now, now, seq);
        invariant(made, 'a draft that is finished is a run');
        checkRows(database, seq, counter.rows);
        return { kind: 'made' as const, run: readRun(made) };
      });
      if (ended.kind === 'made') return ended;
      const differs = await differing(database, { seq: String(seq), rows: counter.rows }, ended);
      await discard();
      return { kind: 'stands', run: ended.run, differs };
    },
    discard,
  };
}

/** Reads of what other runs have, beside all that was appended: `last` writes it, and says the number of the last row. */
function comparing(
  database: Database,
  { seq, baseUrl, last }: { seq: number; baseUrl: string; last: () => number },
): Pick<RunDraft, 'repeated' | 'payees'> {
  return {
    async repeated(since) {
      return repeatedIn(
        last(),
        (from, to) => database.all(REPEATED, baseUrl, since, seq, from, to),
        database.get(LATEST_FORGOTTEN, baseUrl, since),
      );
    },
    async payees() {
      return payeesOf(database, { seq, baseUrl, from: 1, to: last() });
    },
  };
}

/** Rows of a run never change in content: they are compared without keeping others from the file. */
const differing = (database: Database, draft: RunOfRows, { seq, run }: { seq: string; run: PayRun }) =>
  differences([draft, { seq, rows: run.rows }], (a, b) =>
    database.all(ONLY_IN_ONE, Number(a.seq), Number(b.seq)).map(({ key }) => String(key)),
  );

function refuseOvertaken(database: Database, seq: number, name: string): void {
  if (!database.get("SELECT 1 FROM payruns WHERE seq = ? AND state = 'draft'", seq)) throw overtaken(name);
}

function append(
  database: Database,
  { seq, rows, counter, now }: { seq: number; rows: readonly NewRow[]; counter: WindowCounter; now: number },
): void {
  const { windows, spans } = counter.next(rows);
  for (const { window, first, last } of spans) database.run(INSERT_WINDOW, seq, window, first, last);
  for (const [i, row] of rows.entries())
    database.run(INSERT_ROW, seq, windows[i] ?? 0, now, ...rowValues(row));
  const [first, last] = [spans[0]?.first, spans.at(-1)?.last];
  if (first !== undefined && last !== undefined) database.run(SUM_ROWS, seq, first, last);
}

/** The sums are those of the rows that were appended. */
function checkRows(database: Database, seq: number, rows: number): void {
  const kept = database.get('SELECT COALESCE(sum(rows), 0) AS rows FROM payrun_sums WHERE run = ?', seq);
  invariant(Number(kept?.rows) === rows, 'a run has every row that was appended to its draft');
}

/** A few at a time, so that none wait long for the file. */
const REMOVED_AT_ONCE = 2000;
const REMOVE = `DELETE FROM payrun_rows WHERE (run, n) IN (SELECT run, n FROM payrun_rows WHERE run = ? LIMIT ${REMOVED_AT_ONCE})`;

async function removeGone(database: Database, { write }: PayRunDependencies): Promise<void> {
  for (const { seq } of database.all("SELECT seq FROM payruns WHERE state = 'gone'")) {
    const run = Number(seq);
    while ((await write(() => database.run(REMOVE, run))) > 0);
    await write(() => {
      for (const table of ['payrun_sums', 'payrun_windows'])
        database.run(`DELETE FROM ${table} WHERE run = ?`, run);
      database.run("DELETE FROM payruns WHERE seq = ? AND state = 'gone'", run);
    });
  }
}
