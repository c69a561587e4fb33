/** A page of records costs what is in it, however many there are beside it, and also before the server has counted them. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { BookEntry } from '../../src/core/ports/books.ts';
import { createKeeping } from '../../src/store/postgres-books/keeping.ts';
import { openPostgresBooks } from '../../src/store/postgres-books.ts';
import type { PostgresPool } from '../../src/store/postgres-queries.ts';
import { bookEntry } from '../support/book-stores.ts';
import { usePostgres } from '../support/one-postgres.ts';
import { openPool } from '../support/postgres.ts';

const BESIDE = 8_000;
const PAGE = 200;

const database = usePostgres();
let pool: ReturnType<typeof openPool>;
/** How each statement on records was carried out. */
const plans: Record<string, Node> = {};

beforeAll(async () => {
  const books = await openPostgresBooks(database(), { account: 'one', make: true });
  pool = openPool(database(), 2);
  // The server counts a table a while after it has grown: here it never does.
  await pool.query('ALTER TABLE remit_books.entries SET (autovacuum_enabled = off)');
  // Bodies that do not shrink stand outside the table.
  await pool.query('ALTER TABLE remit_books.entries ALTER body SET STORAGE EXTERNAL');
  await books?.keep(Array.from({ length: PAGE }, (_, n) => entry(n)));
  await pool.query(
    `INSERT INTO remit_books.entries (account, id, state, is_final, created_at, changed_at, heard_at, recipients, body, finds)
     SELECT account, 'beside-' || n, state, is_final, created_at, changed_at, heard_at, recipients, body, finds
     FROM generate_series(1, $1::integer) n, (SELECT * FROM remit_books.entries LIMIT 1) one`,
    [BESIDE],
  );
  await books?.close();
});
afterAll(() => pool.end());

const entry = (n: number, heardAt = 1_000): BookEntry =>
  bookEntry(n, { heardAt, body: `"${n} ${'long '.repeat(500)}"` });

interface Node {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Hash Cond'?: string;
  Plans?: Node[];
}

/** The rows that its scans of a table read, whether they were wanted or not. */
const rowsRead = (node: Node): number =>
  (node.Plans ?? []).reduce((sum, plan) => sum + rowsRead(plan), 0) +
  (node['Node Type'].includes('Scan') && node['Relation Name'] !== undefined
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0);

const STATEMENT = /\b(?:INSERT INTO|UPDATE) remit_books\.entries/;

/** Asks of each statement, before it is carried out and as if it were, how many rows it reads. */
const explaining = (): PostgresPool => ({
  query: (text, values) => pool.query(text, values),
  async connect() {
    const connection = await pool.connect();
    return {
      async query(text: string, values: unknown[] = []) {
        const [statement] = STATEMENT.exec(text) ?? [];
        if (statement !== undefined) {
          await connection.query('SAVEPOINT before');
          const { rows } = await connection.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
          await connection.query('ROLLBACK TO SAVEPOINT before');
          plans[statement] = rows[0]['QUERY PLAN'][0].Plan;
        }
        return connection.query(text, values);
      },
      release: (error) => connection.release(error),
      on: (event, listener) => connection.on(event, listener),
      off: (event, listener) => connection.off(event, listener),
    };
  },
});

const hashConditions = (node: Node): string =>
  [node['Hash Cond'] ?? '', ...(node.Plans ?? []).map(hashConditions)].join(' ');

async function keepAgain(size: number): Promise<void> {
  const page = Array.from({ length: size }, (_, n) => entry(n, 2_000));
  const kept = await createKeeping({ pool: explaining(), name: 'here', account: 1 }).keep(page);
  expect(kept).toEqual({ added: 0, changed: 0, older: 0 });
  expect(Object.keys(plans)).toEqual(['INSERT INTO remit_books.entries', 'UPDATE remit_books.entries']);
}

it('a page that is unchanged reads its own records, once', async () => {
  await keepAgain(10);
  expect(Object.values(plans).map(rowsRead)).toEqual([0, 10]);
});

it('and where a big one goes through the table, it fetches no bodies', async () => {
  await keepAgain(PAGE);
  expect(Object.values(plans).map(hashConditions).join(' ')).not.toContain('body');
});
