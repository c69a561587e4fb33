/** A plan while it is written: a run in the state `draft`. What is removed becomes `gone` first, and then goes in pieces. */
import { uuid } from '../../../core/ids.ts';
import { invariant } from '../../../core/invariants.ts';
import type { PostgresQueries } from '../../../disk/postgres-queries.ts';
import {
  DIFFERENCES,
  DRAFT_AGE_MS,
  differences,
  inPieces,
  overtaken,
  PAID_NOBODY_LIST,
  REPEATED_OF_FOUND,
  type RunOfRows,
  repeatedIn,
  WindowCounter,
} from '../draft.ts';
import { payeeQueries, storedPayees } from '../payees.ts';
import type { NewRow, NewRun, RunDraft } from '../port.ts';
import { DRAFT_COLUMNS, draftValues, NEW_ROW_COLUMNS, RUN_COLUMNS, readRun, rowValues } from '../records.ts';
import { atomically, exec as change, NOW_MS, query, readAtOnce, type Shared } from './connection.ts';

const DRAFT = DRAFT_COLUMNS.length;
const INSERT_RUN = `INSERT INTO remit_payruns (${DRAFT_COLUMNS.join(', ')}, state, created_at, updated_at)
  VALUES (${DRAFT_COLUMNS.map((_, i) => `$${i + 1}`).join(', ')}, 'draft', ${NOW_MS}, ${NOW_MS}) RETURNING seq`;
const TYPES: Partial<Record<(typeof NEW_ROW_COLUMNS)[number], string>> = {
  n: 'bigint',
  amount: 'bigint',
  estimate: 'bigint',
  account: 'bigint',
  payee: 'bigint',
  person: 'bigint',
};
const INSERT_ROWS = `INSERT INTO remit_payrun_rows (run, updated_at, "window", ${NEW_ROW_COLUMNS.join(', ')})
  SELECT $1, ${NOW_MS}, given.* FROM unnest($2::int[], ${NEW_ROW_COLUMNS.map(
    (name, i) => `$${3 + i}::${TYPES[name] ?? 'text'}[]`,
  ).join(', ')}) AS given`;
const INSERT_WINDOWS = `INSERT INTO remit_payrun_windows (run, "window", first, last)
  SELECT $1, given.* FROM unnest($2::int[], $3::bigint[], $4::bigint[]) AS given
  ON CONFLICT (run, "window") DO UPDATE SET last = excluded.last`;
const ABANDON = `UPDATE remit_payruns SET state = 'gone'
  WHERE state = 'draft' AND ((base_url = $1 AND name = $2) OR created_at < ${NOW_MS} - ${DRAFT_AGE_MS})`;
/** Its removal waits for what is being appended. */
const STILL = "SELECT 1 FROM remit_payruns WHERE seq = $1 AND state = 'draft' FOR SHARE";
/**
 * Each row is looked up by its account, and OFFSET keeps the server to that order: left to
 * itself, with tables that were just filled, it took longer than a statement may.
 */
const REPEATED = `WITH found AS MATERIALIZED (SELECT d.n, r.name AS run, o.key, o.run AS seq, o.n AS place FROM remit_payrun_rows d
  CROSS JOIN LATERAL (SELECT * FROM remit_payrun_rows x WHERE x.account = d.account OFFSET 0) o
  JOIN remit_payruns r ON r.seq = o.run AND r.state NOT IN ('draft', 'gone') AND r.base_url = $2 AND r.created_at >= $3
  WHERE d.run = $1 AND d.n BETWEEN $4 AND $5 AND o.run <> d.run AND o.state NOT IN (${PAID_NOBODY_LIST})
    AND o.type = d.type AND o.amount = d.amount AND o.external_id <> d.external_id
    AND (o.handed::json ->> 'as') IS DISTINCT FROM d.external_id)${REPEATED_OF_FOUND}`;
const LATEST_FORGOTTEN = `SELECT max(created_at) AS at FROM remit_payruns
  WHERE base_url = $1 AND created_at >= $2 AND forgotten_at IS NOT NULL`;
const ONLY_IN_ONE = `SELECT a.key FROM remit_payrun_rows a WHERE a.run = $1 AND a.n BETWEEN $3 AND $4 AND NOT EXISTS (
    SELECT 1 FROM remit_payrun_rows b WHERE b.run = $2 AND b.key = a.key AND b.content = a.content
  ) ORDER BY a.n LIMIT ${DIFFERENCES}`;
const LOCK_NAME = 'SELECT pg_advisory_xact_lock(hashtext($1), hashtext($2))';
const STANDING = `SELECT seq, ${RUN_COLUMNS} FROM remit_payruns WHERE base_url = $1 AND name = $2 AND state NOT IN ('draft', 'gone')`;
const FINISH = `UPDATE remit_payruns SET state = 'planned', digest = $2, plan = $3, rows = $4, created_at = ${NOW_MS},
  updated_at = ${NOW_MS} WHERE seq = $1 AND state = 'draft' RETURNING ${RUN_COLUMNS}`;
const KEPT_ROWS = 'SELECT COALESCE(sum(rows), 0) AS rows FROM remit_payrun_sums WHERE run = $1';
const SENT_AT_ONCE = 1000;

const PAYEES = payeeQueries('remit_');

export const payeesOf = (
  pool: Shared['pool'],
  { seq, baseUrl, from, to }: { seq: string; baseUrl: string; from: number; to: number },
) =>
  storedPayees(
    to,
    PAYEES,
    (sql, given) => readAtOnce(pool, (within) => query(within, sql, [seq, baseUrl, ...given])),
    from - 1,
  );

export async function createDraft(shared: Shared, run: NewRun): Promise<RunDraft> {
  const { pool, random } = shared;
  const { name, account } = run;
  const counter = new WindowCounter(run.windowSize);
  const id = uuid(random);
  const seq = await atomically(pool, async (within) => {
    await query(within, ABANDON, [account.baseUrl, name]);
    const values = draftValues(id, run);
    invariant(values.length === DRAFT, 'a draft has a value for each of its columns');
    return String((await query(within, INSERT_RUN, values))[0]?.seq);
  });
  await removeGone(shared);

  const discard = async (): Promise<void> => {
    await change(pool, "UPDATE remit_payruns SET state = 'gone' WHERE seq = $1 AND state = 'draft'", [seq]);
    await removeGone(shared);
  };
  return {
    async append(rows) {
      for (let from = 0; from < rows.length; from += SENT_AT_ONCE) {
        const some = rows.slice(from, from + SENT_AT_ONCE);
        const places = counter.next(some);
        await atomically(pool, async (within) => {
          await refuseOvertaken(within, seq, name);
          await append(within, { seq, rows: some, ...places });
        });
      }
    },
    keep: async () => id,
    async repeated(since) {
      const [forgotten] = await query(pool, LATEST_FORGOTTEN, [account.baseUrl, since]);
      return repeatedIn(
        counter.last,
        (from, to) =>
          readAtOnce(pool, (within) => query(within, REPEATED, [seq, account.baseUrl, since, from, to])),
        forgotten,
      );
    },
    payees: () => payeesOf(pool, { seq, baseUrl: account.baseUrl, from: 1, to: counter.last }),
    async finish({ digest, plan }) {
      const ended = await atomically(pool, async (within) => {
        await query(within, LOCK_NAME, [account.baseUrl, name]);
        await refuseOvertaken(within, seq, name);
        const [standing] = await query(within, STANDING, [account.baseUrl, name]);
        if (standing) return { kind: 'stands' as const, seq: String(standing.seq), run: readRun(standing) };
        const [kept] = await query(within, KEPT_ROWS, [seq]);
        invariant(Number(kept?.rows) === counter.rows, 'a run has every row that was appended to its draft');
        const [made] = await query(within, FINISH, [seq, digest, plan, counter.rows]);
        invariant(made, 'a draft that is finished is a run');
        return { kind: 'made' as const, run: readRun(made) };
      });
      if (ended.kind === 'made') return ended;
      const { run: other } = ended;
      const pair = [
        { seq, rows: counter.rows },
        { seq: ended.seq, rows: other.rows },
      ] as const;
      const differs = await differences(pair, (a, b) => onlyIn(shared, a, b));
      await discard();
      return { kind: 'stands', run: other, differs };
    },
    discard,
  };
}

async function refuseOvertaken(within: PostgresQueries, seq: string, name: string): Promise<void> {
  if ((await query(within, STILL, [seq])).length === 0) throw overtaken(name);
}

type Places = ReturnType<WindowCounter['next']>;

async function append(
  within: PostgresQueries,
  { seq, rows, windows, spans }: { seq: string; rows: readonly NewRow[] } & Places,
): Promise<void> {
  await query(within, INSERT_WINDOWS, [
    seq,
    spans.map(({ window }) => window),
    spans.map(({ first }) => first),
    spans.map(({ last }) => last),
  ]);
  const values = rows.map(rowValues);
  const columns = NEW_ROW_COLUMNS.map((_, column) => values.map((one) => one[column]));
  const kept = await change(within, INSERT_ROWS, [seq, windows, ...columns]);
  invariant(kept === rows.length, 'every row that is appended is kept');
}

async function onlyIn({ pool }: Shared, one: RunOfRows, other: RunOfRows): Promise<string[]> {
  const [end] = await query(pool, 'SELECT max(last) AS last FROM remit_payrun_windows WHERE run = $1', [
    one.seq,
  ]);
  const found = await inPieces(Number(end?.last ?? 0), (from, to) =>
    readAtOnce(pool, (within) => query(within, ONLY_IN_ONE, [one.seq, other.seq, from, to])),
  );
  return found
    .flat()
    .map(({ key }) => String(key))
    .slice(0, DIFFERENCES);
}

const REMOVED_AT_ONCE = 5000;
const REMOVE = `DELETE FROM remit_payrun_rows WHERE run = $1
  AND n IN (SELECT n FROM remit_payrun_rows WHERE run = $1 ORDER BY n LIMIT ${REMOVED_AT_ONCE})`;

async function removeGone({ pool }: Shared): Promise<void> {
  for (const { seq } of await query(pool, "SELECT seq FROM remit_payruns WHERE state = 'gone'")) {
    while ((await atomically(pool, (within) => change(within, REMOVE, [seq]))) > 0);
    for (const table of ['remit_payrun_sums', 'remit_payrun_windows'])
      await change(pool, `DELETE FROM ${table} WHERE run = $1`, [seq]);
    await change(pool, "DELETE FROM remit_payruns WHERE seq = $1 AND state = 'gone'", [seq]);
  }
}
