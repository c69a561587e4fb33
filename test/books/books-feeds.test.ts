/** What feeds the books beside their sync: webhooks in any order, a listener, and the answers of a pay run. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { bookEntryOf } from '../../src/books/entry.ts';
import { feedEvents } from '../../src/books/feed.ts';
import type { Books } from '../../src/books/store/port.ts';
import { openSqliteBooks } from '../../src/books/store/sqlite.ts';
import { seededRandom } from '../../src/core/random.ts';
import { storeAccountOf } from '../../src/payments/shared-store.ts';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import type { Inbox, ReceivedDelivery } from '../../src/webhooks/store/port.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { openBooksFile } from '../support/book-stores.ts';
import {
  baseUrl,
  controlToken,
  credentials,
  paymentFlags,
  type Run,
  type RunOptions,
  useBench,
  words,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { keepIn, received } from '../support/inboxes.ts';
import { isLong, some } from '../support/long.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

/** Everything that the sandbox sent since the test began, and where it goes on to. */
let sent: string[] = [];
let goesTo: ((url: string, headers: Record<string, string>, body: string) => Promise<number>) | undefined;
const bench = useBench({
  sender: true,
  sandbox: {
    transport: async ({ url, headers, body = '' }) => {
      sent.push(body);
      return { status: (await goesTo?.(url, headers, body)) ?? 200, headers: {}, body: '' };
    },
  },
  setUp: async (made) => {
    sent = [];
    goesTo = undefined;
    await made.run(['webhooks', 'add', 'http://127.0.0.1:9/hooks']);
  },
});

type Json = Record<string, unknown>;
const sync = (options: RunOptions = {}, ...argv: string[]) =>
  bench.run(['books', 'sync', ...argv, '-o', 'json'], options);
const seed = (rounds: number) => bench.run(['sandbox', 'seed', '--rounds', String(rounds)]);
const advance = (by: string) => bench.run(['sandbox', 'clock', 'advance', by]);
const status = async () => (await bench.run(['books', 'status', '-o', 'json'])).data<Json>();
const agrees = async (): Promise<void> => {
  const checked = await sync({}, '--check');
  expect([checked.code, checked.data()], checked.stderr).toEqual([0, []]);
};
const pay = (id: string, account: string) =>
  bench.run([
    'tx',
    'create',
    ...paymentFlags('customer-1', account),
    ...['--external-id', id, '--fund', '--max-input', '20'],
  ]);

/** Before there are books: a run would feed them. */
async function payMany(rows: number): Promise<void> {
  const path = join(bench.dir, 'many.csv');
  writeFileSync(path, fileOfRows(rows));
  await bench.run(['batch', 'plan', path, '--name', 'many', '--max-input', 'EUR=1000', '--offline']);
  expect((await bench.run('batch run many')).code).toBe(0);
}

const { id: account, short } = storeAccountOf({ baseUrl, credentials });
const booksPath = (): string => join(bench.dir, `remit-books-${short}.db`);

async function inBooks<T>(work: (books: Books) => Promise<T>): Promise<T> {
  const books = await openSqliteBooks(booksPath());
  try {
    return await work(books);
  } finally {
    books.close();
  }
}

async function inInbox<T>(work: (inbox: Inbox) => Promise<T>): Promise<T> {
  const path = join(bench.dir, `remit-webhooks-${short}.db`);
  const inbox = await openSqliteInbox(path, { account, clock: machine, random: seededRandom(7) });
  try {
    return await work(inbox);
  } finally {
    await inbox.close();
  }
}

const arrived = (body: string): ReceivedDelivery =>
  received({ event: JSON.parse(body).event, body: Buffer.from(body), receivedAt: machine.now() });
const arrive = (bodies: readonly string[]) =>
  inInbox((inbox) => keepIn(inbox, bodies.map(arrived), { handOn: false }));

const single = ({ requests }: Run): number =>
  requests.filter(({ path }) => /^\/transactions\/[0-9a-f-]{36}$/.test(path)).length;

it('sync reads what the inbox received first, and asks the service for less', async () => {
  for (const id of ['old-1', 'old-2']) await pay(id, '0123456719');
  await advance('20m');
  await payMany(220);
  await advance('20m');
  await pay('new-1', '0123456700');
  // The same books where nobody listens.
  const deaf = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'deaf') } };
  await sync();
  await sync(deaf);
  expect(await status()).toMatchObject({ transactions: 223, open: 2 });
  sent = [];
  for (const id of ['old-1', 'old-2']) await bench.run(['sandbox', 'payout', id]);
  expect(sent.length).toBeGreaterThan(0);
  await arrive(sent);
  const [heard, asked] = [await sync(), await sync(deaf)];
  expect(heard.data<Json>()).toMatchObject({ open: 0, complete: true });
  expect(asked.data<Json>()).toMatchObject({ changed: 2, open: 0, complete: true });
  expect([single(heard), single(asked)]).toEqual([0, 2]);
  expect(Number(asked.data<Json>().calls) - Number(heard.data<Json>().calls)).toBe(2);
  await agrees();
});

/** The same for each seed. */
function shuffled<T>(given: readonly T[], by: string): T[] {
  const random = seededRandom(by);
  return given
    .map((one) => ({ one, at: random.next() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

/** A month with trouble: payouts that fail, are edited, refunded, expire. */
async function month(days: number, each: (day: number) => Promise<unknown> = async () => {}): Promise<void> {
  for (const fault of ['provider-outage', 'pending-loop', 'corridor-inactive'])
    await bench.run(['sandbox', 'fail', fault, '--times', '5']);
  for (let day = 0; day < days; day++) {
    await seed(1);
    await advance('8h');
    await each(day);
    await advance('16h');
  }
}

it('whatever comes late, again and in any order puts back no record', async () => {
  await month(isLong ? 12 : 7);
  await sync();
  await agrees();
  expect(sent.length).toBeGreaterThan(isLong ? 200 : 110);
  for (const by of some(['one', 'two', 'three'], 1)) {
    const order = shuffled([...sent, ...sent], by).map(arrived);
    await inBooks(async (books) => {
      for (let at = 0; at < order.length; at += 40) await feedEvents(books, order.slice(at, at + 40));
    });
    await agrees();
  }
});

it('events in any order end, with the next sync, in the same books as the service has', async () => {
  await seed(1);
  await sync();
  let told = sent.length;
  await month(9, async (day) => {
    await arrive(shuffled(sent.slice(told), `day ${day}`));
    told = sent.length;
    if (day % 3 === 2) {
      expect((await sync()).data<Json>()).toMatchObject({ complete: true });
      await agrees();
    }
  });
  await arrive(shuffled(sent, 'all of them once more'));
  await sync();
  await agrees();
});

it('a statement comes to the same, whether webhooks fed the books or not', async () => {
  const deaf = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'deaf') } };
  keepControlToken(deaf.env, baseUrl, controlToken);
  await sync();
  await sync(deaf);
  let told = sent.length;
  await month(9, async (day) => {
    const events = shuffled(sent.slice(told), `day ${day}`);
    told = sent.length;
    // Some come while nobody syncs, some are read out of the inbox by the next sync.
    if (day % 2 === 0) await inBooks((books) => feedEvents(books, events.map(arrived)));
    else await arrive(events);
    if (day % 3 !== 2) return;
    await sync();
    await sync(deaf);
  });
  await sync();
  await sync(deaf);
  const argv = words('statement --since 2026-01-01 --until 2026-01-31 --totals --from-first-seen -o json');
  const [fed, unfed] = [await bench.run(argv), await bench.run(argv, deaf)];
  expect([fed.code, unfed.code], fed.stderr).toEqual([0, 0]);
  expect(fed.data<Json[]>()).toEqual(unfed.data());
  expect(fed.data<Json[]>().length).toBeGreaterThan(0);
});

it('a payment that a listener keeps while a sync reads is no money that nothing explains', async () => {
  await pay('wages-1', '0123456700');
  await sync();
  await advance('1h');
  const elsewhere = { env: { REMIT_CONFIG_DIR: join(bench.dir, 'elsewhere') } };
  keepControlToken(elsewhere.env, baseUrl, controlToken);
  let isPaid = false;
  bench.intercept(async (request, next) => {
    // The balances were looked at; the pages are read after this.
    if (!isPaid && /\/transactions\?/.test(request.url)) {
      isPaid = true;
      await bench.run(['sandbox', 'clock', 'advance', '1m'], elsewhere);
      const argv = ['tx', 'create', ...paymentFlags('customer-1', '0123456700'), '--external-id', 'wages-2'];
      expect((await bench.run([...argv, '--fund', '--max-input', '20'], elsewhere)).code).toBe(0);
      await inBooks((books) => feedEvents(books, sent.map(arrived)));
    }
    return next(request);
  });
  expect((await sync()).data<Json>()).toMatchObject({ complete: true });
  bench.restore();
  await advance('1h');
  await sync();
  const argv = words(
    'statement --from-first-seen --since 2026-01-01 --until 2026-01-31 --totals --currency EUR',
  );
  const { code, data, stderr } = await bench.run([...argv, '-o', 'json']);
  expect([code, data<Json[]>()], stderr).toMatchObject([0, [{ unexplained: '0', difference: '0' }]]);
});

it('what an event makes final is as the service has it; a recipient alone makes nothing final', async () => {
  await pay('wages-1', '0123456719');
  await sync();
  sent = [];
  await bench.run(['sandbox', 'payout', 'wages-1']);
  const events = sent.map((body) => ({ event: JSON.parse(body).event as string, body }));
  expect(events.map(({ event }) => event)).toEqual(['recipient.paid_out', 'transaction.paid_out']);
  const [ofRecipient, ofTransaction] = sent.map(arrived);
  if (!ofRecipient || !ofTransaction) throw new Error('two events');
  const open = (books: Books) => books.open(Number.MAX_SAFE_INTEGER, 10);
  const found = async () => (await bench.run(['search', 'wages-1', '-o', 'json'])).data<Json[]>()[0];
  await inBooks(async (books) => {
    expect(await feedEvents(books, [ofRecipient])).toMatchObject({ changed: 1 });
    expect(await open(books)).toHaveLength(1);
  });
  expect(await found()).toMatchObject({ state: 'success', transaction_state: 'received' });
  await inBooks(async (books) => {
    expect(await feedEvents(books, [ofTransaction])).toMatchObject({ changed: 1 });
    expect(await open(books)).toHaveLength(0);
    expect(await feedEvents(books, [ofRecipient, ofTransaction])).toMatchObject({ changed: 0 });
  });
  await agrees();
});

it('nothing but transactions and recipients changes the books, nor what cannot be read, nor what was forgotten', async () => {
  await seed(2);
  await sync();
  const before = await status();
  const none = (event: string, object: unknown) => arrived(JSON.stringify({ webhook: 'w', event, object }));
  const kept = await inBooks((books) =>
    feedEvents(books, [
      none('sender.approved', { id: 's-1' }),
      none('recipient.paid_out', { id: 'r-1', transaction_id: 'nobody', state: 'success' }),
      none('transaction.paid_out', { id: 7 }),
      received({ event: 'transaction.created' }),
    ]),
  );
  expect(kept).toEqual({ added: 0, changed: 0, older: 0 });
  expect((await status()).transactions).toBe(before.transactions);
  await advance('3d');
  await bench.run(['books', 'forget', '--before', '2d']);
  await inBooks((books) => feedEvents(books, sent.map(arrived)));
  expect((await status()).transactions).toBe(0);
});

/** From now on nothing can be read from the books, or kept there. */
async function spoil(): Promise<void> {
  const database = await openBooksFile(booksPath());
  database.exec('ALTER TABLE entries RENAME TO elsewhere');
  database.close();
}

const listen = async (count: number, ...more: string[]) => {
  const stdout = new PassThrough();
  const lines: string[] = [];
  const ready = new Promise<Json>((resolve) => {
    stdout.on('data', (chunk: Buffer) => {
      lines.push(...chunk.toString('utf8').split('\n').filter(Boolean));
      const first = lines.map((line) => JSON.parse(line)).find(({ kind }) => kind === 'ready');
      if (first) resolve(first.data);
    });
  });
  const argv = [
    'webhooks',
    'listen',
    '--books',
    '--no-catch-up',
    '--count',
    String(count),
    '-o',
    'ndjson',
    ...more,
  ];
  const ended = bench.run(argv, { stdout });
  const { registered } = (await Promise.race([
    ready,
    ended.then(({ stderr }) => ({ registered: stderr })),
  ])) as Json;
  goesTo = async (url, headers, body) =>
    url === registered ? (await fetch(url, { method: 'POST', headers, body })).status : 200;
  return { registered, ended };
};

it('webhooks listen --books keeps what each delivery says, and books that fail cost no delivery', async () => {
  const none = await bench.run(['webhooks', 'listen', '--books']);
  expect([none.code, none.stderr]).toMatchObject([6, expect.stringContaining('remit books sync')]);
  await pay('wages-1', '0123456719');
  await sync();
  const first = await listen(2);
  await bench.run(['sandbox', 'payout', 'wages-1']);
  const run = await first.ended;
  expect([run.code, run.stderr]).toEqual([0, expect.not.stringContaining('books')]);
  expect(await status()).toMatchObject({ open: 0 });
  await agrees();
  await pay('wages-2', '0123456719');
  await sync();
  await spoil();
  const before = (await bench.run(['webhooks', 'events', '-o', 'json'])).data<Json[]>().length;
  const second = await listen(2);
  await bench.run(['sandbox', 'payout', 'wages-2']);
  const failed = await second.ended;
  expect(failed.code).toBe(0);
  expect(failed.stderr.match(/the books were not brought up to date/g)).toHaveLength(1);
  expect((await bench.run(['webhooks', 'events', '-o', 'json'])).data<Json[]>()).toHaveLength(before + 2);
});

const plan = async (rows: number, name: string) => {
  writeFileSync(join(bench.dir, 'wages.csv'), fileOfRows(rows));
  const made = await bench.run(
    `batch plan wages.csv --name ${name} --max-input EUR=1000 --repeat wages-1 --repeat wages-2`,
  );
  expect(made.code, made.stderr).toBe(0);
};
const paid = ({ requests }: Run): number =>
  requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

it('batch run keeps what it paid in the books that are there, makes none, and is not stopped by them', async () => {
  await plan(3, 'wages-1');
  expect((await bench.run(['batch', 'run', 'wages-1'])).code).toBe(0);
  expect(readdirSync(bench.dir).some((name) => name.includes('-books-'))).toBe(false);
  await sync();
  expect(await status()).toMatchObject({ transactions: 3 });
  await bench.run(['batch', 'cancel', 'wages-1']);
  writeFileSync(join(bench.dir, 'wages.csv'), '');
  await plan(30, 'wages-2');
  const ran = await bench.run(['batch', 'run', 'wages-2']);
  expect([ran.code, paid(ran)], ran.stderr).toEqual([0, 30]);
  expect(await status()).toMatchObject({ transactions: 33 });
  await sync();
  await agrees();
  await spoil();
  await plan(2, 'wages-3');
  const without = await bench.run(['batch', 'run', 'wages-3']);
  expect([without.code, paid(without)]).toEqual([0, 2]);
  expect(without.stderr).toContain('The payments are not touched by it');
});

it('an entry of an event is as certain as the moment at which its record last changed', async () => {
  await seed(1);
  const body = sent.find((one) => JSON.parse(one).event === 'transaction.created') ?? '';
  const late = { ...arrived(body), receivedAt: machine.now() + 8 * 3_600_000 };
  await sync();
  await inBooks(async (books) => {
    await books.forget(undefined);
    await feedEvents(books, [late]);
    const [only] = await books.open(Number.MAX_SAFE_INTEGER, 10);
    const entry = bookEntryOf(JSON.parse(body).object, 0);
    expect(only?.heardAt).toBe(Math.min(entry?.changedAt ?? 0, late.receivedAt));
  });
});
