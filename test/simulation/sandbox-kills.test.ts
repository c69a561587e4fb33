/**
 * A sandbox that keeps its data, killed with SIGKILL while a dozen partners write to it. Afterwards the file is read by itself,
 * record by record, and then opened again: every answered write is there, and no half of one.
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import type { RecordDatabase } from '../../src/disk/record-database.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { createSandbox } from '../../src/sandbox/sandbox.ts';
import type { PostingRecord, RecipientRecord, TransactionRecord } from '../../src/sandbox/store/records.ts';
import { real } from '../support/clock.ts';
import { isLong } from '../support/long.ts';
import { startRemit } from '../support/program.ts';
import { credentials } from '../support/sandbox.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';
import { PARTNERS, type Write, writeUntilItEnds } from '../support/write-load.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? (isLong ? 50 : 3));
/** Each file is opened again this often, with what the kills before it left. */
const KILLS_A_FILE = 10;
const SEED = process.env.REMIT_SEED ?? String(process.hrtime.bigint() % 1_000_000n);

const open = (path: string) => openRecords(path);

/** With a key and a secret that we know, and money enough for all. */
async function makeFile(): Promise<string> {
  const path = join(temporaryFolder(), 'sandbox.db');
  const data = await open(path);
  const clock = { mode: 'running', machine: real } as const;
  const sandbox = await createSandbox({ credentials, data, clock, seed: SEED, balances: { EUR: '1000000' } });
  await sandbox.close();
  data.close();
  return path;
}

interface Kept {
  transactions: Map<string, TransactionRecord>;
  recipients: Map<string, RecipientRecord>;
  postings: Map<string, PostingRecord>;
  balances: Record<string, string>;
}

function readFile(data: RecordDatabase): Kept {
  const records = [...data.all()].map(({ kind, body }) => ({ kind, value: JSON.parse(body) }));
  const rows = <R>(name: string): Map<string, R> =>
    new Map(records.flatMap(({ kind, value }) => (kind === name ? [[value.id, value as R] as const] : [])));
  const balances = records.find(({ kind, value }) => kind === 'pieces' && value.name === 'balances');
  return {
    transactions: rows('transactions'),
    recipients: rows('recipients'),
    postings: rows('postings'),
    balances: balances?.value.value ?? {},
  };
}

/** What a crash must never leave behind, as sentences. */
function halves({ transactions, recipients, postings, balances }: Kept): string[] {
  const found: string[] = [];
  if (Object.keys(balances).length === 0) found.push('there are no balances');
  const names = [...transactions.values()].map(({ externalId }) => externalId);
  if (new Set(names).size < names.length) found.push('two transactions of one external_id');
  for (const { id, recipientIds, fundedAt } of transactions.values()) {
    const own = recipientIds.filter((each) => recipients.get(each)?.transactionId === id);
    if (own.length !== 2) found.push(`${id} has ${own.length} of its 2 recipients`);
    if ((fundedAt !== null) !== postings.has(`debit:${id}`)) found.push(`${id} is half funded`);
  }
  for (const { id, state, transactionId } of recipients.values()) {
    if (!transactions.has(transactionId)) found.push(`recipient ${id} has no transaction`);
    if ((state === 'success') !== postings.has(`payout:${id}`)) found.push(`${id} is ${state}, half paid`);
    if ((state === 'refunded') !== postings.has(`refund:${id}`))
      found.push(`${id} is ${state}, half refunded`);
  }
  const sums = new Map<string, bigint>();
  for (const entry of [...postings.values()].flatMap(({ entries }) => String(entries).split(';'))) {
    const [book, currency, minor = ''] = entry.split(' ');
    const account = `${book}:${currency}`;
    sums.set(account, (sums.get(account) ?? 0n) + BigInt(minor));
  }
  for (const [account, sum] of sums) {
    if (BigInt(balances[account] ?? 0) !== sum) found.push(`${account} is not the sum of its entries`);
  }
  return found;
}

/** Whether a write did what it says, by what is on disk. */
function isThere(write: Write, { transactions, recipients, postings }: Kept): boolean {
  const made = [...transactions.values()].find(({ externalId }) => externalId === write.externalId);
  const recipient = recipients.get(write.recipientId ?? made?.recipientIds[0] ?? '');
  switch (write.kind) {
    case 'create':
      return made !== undefined;
    case 'create_and_fund':
    case 'fund':
      return made !== undefined && postings.has(`debit:${made.id}`);
    case 'edit':
      return recipient?.details.bank_account === write.number;
    case 'cancel':
      return recipient?.state === 'canceled' || recipient?.state === 'refunded';
  }
}

async function killOnce(path: string, number: number): Promise<Write[]> {
  const random = seededRandom(`${SEED} ${number}`);
  const env = { REMIT_CONFIG_DIR: temporaryFolder(), HOME: temporaryFolder() };
  const program = startRemit(['sandbox', 'start', '--port', '0', '--data', path, '-o', 'json'], env);
  const { url } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
  const log: Write[] = [];
  // So many answers, and a moment more: how quick the machine is does not decide what is killed.
  const answers = 15 + Math.floor(random.next() * 60);
  let answered = 0;
  const onAnswer = (): void => {
    answered += 1;
    if (answered === answers) setTimeout(() => program.signal('SIGKILL'), random.next() * 5);
  };
  const written = writeUntilItEnds({ url, credentials, random, mark: `k${number}`, onAnswer }, log);
  expect((await program.ended).signal).toBe('SIGKILL');
  await written;
  return log;
}

/** Opened again: the books agree, what was due happens, and nothing is left half done then either. */
async function openAgain(path: string): Promise<void> {
  const data = await open(path);
  const sandbox = await createSandbox({ credentials, data, clock: { mode: 'running', machine: real } });
  await sandbox.advance(60_000);
  sandbox.audit();
  await sandbox.close();
  expect(halves(readFile(data))).toEqual([]);
  data.close();
}

test(
  `${KILLS} kills, seed ${SEED}`,
  async () => {
    const count = { answered: 0, 'unanswered, but there': 0, lost: 0, 'fewest in flight': PARTNERS };
    let path = '';
    for (let number = 0; number < KILLS; number++) {
      if (number % KILLS_A_FILE === 0) path = await makeFile();
      const log = await killOnce(path, number);
      const data = await open(path);
      const kept = readFile(data);
      data.close();
      expect(halves(kept), `kill ${number}, seed ${SEED}`).toEqual([]);
      const answered = log.filter(({ status }) => status >= 200 && status < 300);
      const missing = answered.filter((write) => !isThere(write, kept));
      expect(missing, `kill ${number}, seed ${SEED}`).toEqual([]);
      const open_ = log.filter(({ status }) => status === 0);
      const there = open_.filter((write) => isThere(write, kept)).length;
      count.answered += answered.length;
      count['unanswered, but there'] += there;
      count.lost += open_.length - there;
      count['fewest in flight'] = Math.min(count['fewest in flight'], open_.length);
      await openAgain(path);
    }
    process.stdout.write(`sandbox kills: ${JSON.stringify({ seed: SEED, kills: KILLS, ...count })}\n`);
    expect(count.answered).toBeGreaterThan(KILLS * 10);
    expect(count['fewest in flight']).toBeGreaterThanOrEqual(10);
  },
  KILLS * 10_000,
);
