/**
 * Many recipients, four to a transaction: copies of a payment that a sandbox made, put in through the durable store's own insert,
 * twenty thousand a commit.
 */
import { gunzipSync } from 'node:zlib';
import { uuid } from '../../src/core/ids.ts';
import { seededRandom } from '../../src/core/random.ts';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import { durableStore } from '../../src/sandbox/store/durable.ts';
import type { RecipientRecord, SenderRecord, TransactionRecord } from '../../src/sandbox/store/records.ts';
import { PATH, prepare } from './request.ts';
import { credentials } from './signed.ts';

const EACH = 4;
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
  await sandbox.drain();
  const lines = gunzipSync(sandbox.snapshot()).toString().split('\n');
  const rows = lines.filter((line) => line.startsWith('["row"')).map((line) => JSON.parse(line));
  const first = (name: string) => rows.find((row) => row[1] === name)[2];
  return { sender: first('senders'), transaction: first('transactions'), recipient: first('recipients') };
}

export async function fill(
  data: RecordDatabase,
  count: number,
  stateOf: (index: number) => RecipientRecord['state'],
): Promise<void> {
  const { sender, transaction, recipient } = await onePayment();
  const store = durableStore(data);
  const random = seededRandom('fill');
  store.senders.insert(sender);
  for (let i = 0; i < count; i += EACH) {
    const id = uuid(random);
    const own = Array.from(
      { length: EACH },
      (_, k): RecipientRecord => ({
        ...recipient,
        id: uuid(random),
        transactionId: id,
        payoutMethodId: uuid(random),
        state: stateOf(i + k),
      }),
    );
    for (const each of own) store.recipients.insert(each);
    const recipientIds = own.map((each) => each.id);
    store.transactions.insert({ ...transaction, id, externalId: `fill-${i}`, recipientIds });
    if (i % AT_ONE_COMMIT === 0) store.durable.commit([]);
  }
  store.durable.commit([]);
}
