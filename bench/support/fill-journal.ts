/** A journal of so many intents: a few that the store itself wrote, and copies of them with ids, digests and times of their own. */
import { DatabaseSync } from '@photostructure/sqlite';
import { seededRandom } from '../../src/core/random.ts';
import { openStore } from '../../test/support/open-store.ts';

/** Each so many copies are a round: one payment, and what else is done in between. */
const COMMANDS = ['tx create', 'recipient edit', 'tx fund', 'recipient cancel', 'sender create'];
const STARTS_AT = 1_790_000_000_000;
const EVERY_MS = 1_000;

export const openedAt = (number: number): number => STARTS_AT + number * EVERY_MS;

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0');
/** Its first eight characters name one intent alone. */
export const intentId = (number: number): string => `${hex(number, 8)}-0000-4000-8000-${hex(number, 12)}`;

export async function fillJournal(path: string, count: number): Promise<void> {
  const store = await openStore(path, { clock: { now: () => STARTS_AT }, random: seededRandom('journal') });
  for (const [number, command] of COMMANDS.entries()) {
    const opened = await store.intents.open(intentOf(number, command));
    if (!('opened' in opened)) throw new Error('the journal refused the first intents');
    await store.intents.close(opened.opened.id, {
      state: 'applied',
      resultId: intentId(number),
      note: 'answered',
    });
    await store.intents.told(opened.opened.id);
  }
  store.close();
  copy(path, count);
}

const intentOf = (number: number, command: string) => ({
  command,
  operation: 'transactions.create_and_fund',
  profile: 'live',
  environment: 'production',
  baseUrl: 'https://api.example.com/v1',
  keyLast4: '77aa',
  digest: hex(number, 64),
  externalId: `wages-${number}`,
  payer: 'ext:customer-1',
  transactionId: intentId(number),
  summary: '10.00 EUR, 16680 NGN to A••• (NGN::Bank)',
  request: '{"input_currency":"EUR"}',
});

/** Whatever columns the table has: those that tell intents apart are made anew. */
function copy(path: string, count: number): void {
  const database = new DatabaseSync(path);
  const columns = database
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all('intents')
    .map((row) => String((row as { name: unknown }).name))
    .filter((name) => name !== 'seq');
  const at = `${STARTS_AT} + n * ${EVERY_MS}`;
  const anew: Record<string, string> = {
    id: `printf('%08x-0000-4000-8000-%012x', n, n)`,
    digest: `printf('%064x', n)`,
    created_at: at,
    updated_at: at,
    told_at: at,
  };
  const values = columns.map((name) => anew[name] ?? `i.${name}`);
  database.exec(`WITH RECURSIVE numbers(n) AS (VALUES (${COMMANDS.length}) UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ${count})
    INSERT INTO intents (${columns.join(', ')})
    SELECT ${values.join(', ')} FROM numbers JOIN intents i ON i.seq = 1 + n % ${COMMANDS.length} ORDER BY n`);
  database.close();
}
