/**
 * A sandbox over a data file with so many recipients, four to a transaction and one in a hundred in error. They are put in through
 * the durable store itself, twenty thousand a commit: copies of a payment that a sandbox made.
 */
import { gunzipSync } from 'node:zlib';
import { uuid } from '../src/core/ids.ts';
import type { RecordDatabase } from '../src/core/ports/records.ts';
import { seededRandom } from '../src/core/random.ts';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { durableStore } from '../src/sandbox/store/durable.ts';
import type { RecipientRecord, SenderRecord, TransactionRecord } from '../src/sandbox/store/records.ts';
import { serveParent } from './support/children.ts';
import { openData } from './support/data-file.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials } from './support/signed.ts';
import { median } from './support/statistics.ts';

const EACH = 4;
const IN_ERROR = 100;
const AT_ONE_COMMIT = 20_000;

interface Payment {
  sender: SenderRecord;
  transaction: TransactionRecord;
  recipient: RecipientRecord;
}

async function onePayment(): Promise<Payment> {
  const sandbox = await createSandbox({ credentials });
  const { headers, body } = prepare('127.0.0.1:1', 'one', 1);
  await sandbox.handle({ method: 'POST', url: PATH, headers, body });
  await sandbox.settle();
  const lines = gunzipSync(sandbox.snapshot()).toString().split('\n');
  const rows = lines.filter((line) => line.startsWith('["row"')).map((line) => JSON.parse(line));
  const first = (name: string) => rows.find((row) => row[1] === name)[2];
  return { sender: first('senders'), transaction: first('transactions'), recipient: first('recipients') };
}

function fill(data: RecordDatabase, { sender, transaction, recipient }: Payment, count: number): void {
  const store = durableStore(data);
  const random = seededRandom('fill');
  store.senders.insert(sender);
  for (let i = 0; i < count; i += EACH) {
    const id = uuid(random);
    const own = Array.from({ length: EACH }, (_, k): RecipientRecord => {
      const state = (i + k) % IN_ERROR === 0 ? 'error' : 'success';
      return { ...recipient, id: uuid(random), transactionId: id, payoutMethodId: uuid(random), state };
    });
    for (const each of own) store.recipients.insert(each);
    const recipientIds = own.map((each) => each.id);
    store.transactions.insert({ ...transaction, id, externalId: `fill-${i}`, recipientIds });
    if (i % AT_ONE_COMMIT === 0) store.durable.commit([]);
  }
  store.durable.commit([]);
}

serveParent<{ recipients: number }, { path: string; count: number }>(async ({ recipients }) => {
  const data = await openData();
  fill(data, await onePayment(), recipients);
  const sandbox = await createSandbox({ credentials, data });
  const headers = {
    host: '127.0.0.1:1',
    'authorization-key': credentials.key,
    'authorization-secret': credentials.secret,
  };
  return async ({ path, count }) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      const before = performance.now();
      const answer = await sandbox.handle({ method: 'GET', url: `/v1${path}`, headers });
      times.push(performance.now() - before);
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status}`);
    }
    return { ms: median(times) };
  };
});
