/** Money in flight at the end of a day, against what the sandbox and its own ledger said at that moment. */
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { DayBalance, InFlightRow } from '../../src/books/summary/in-flight.ts';
import type { Recipient, Transaction } from '../../src/contract/resources/transaction.ts';
import { openBooksFile } from '../support/book-stores.ts';
import { collectionFlags, createArgv, payArgv, paymentJson, useBench, words } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { isLong } from '../support/long.ts';

const bench = useBench({ sender: true });

const sync = async (): Promise<void> => expect((await bench.run('books sync')).code).toBe(0);
const advance = (time: string) => bench.run(['sandbox', 'clock', 'advance', time]);
/** The sandbox stands at 9:00 UTC when a test begins: there it is midnight. */
const ZONE = ['--zone', 'Etc/GMT+9'];
async function asOf<Row>(day: string, ...argv: string[]) {
  const run = await bench.run(['summary', '--as-of', day, ...ZONE, ...argv, '-o', 'json']);
  return { ...run, rows: run.stdout === '' ? [] : run.data<Row[]>() };
}
const pay = (ending: string, id: string) => bench.run(payArgv(`01234567${ending}`, '--external-id', id));

async function collect(id: string, ...outcome: string[]): Promise<void> {
  const flags = [...collectionFlags(), '--payin-detail', 'mobile_provider=mtn', '--external-id', id];
  await bench.run(['tx', 'create', ...flags]);
  const paid = await bench.run(['sandbox', 'payin', id, ...outcome]);
  expect(paid.code, paid.stderr).toBe(0);
}

/** One of the two is paid at once, the other when its day comes, or never. */
async function payTwo(id: string): Promise<void> {
  writeFileSync(join(bench.dir, 'two.json'), JSON.stringify(paymentJson('0123456700', '0123456708')));
  const argv = ['tx', 'create', '-f', 'two.json', '--external-id', id, '--fund', '--max-input', '40'];
  const made = await bench.run(argv);
  expect(made.code, made.stderr).toBe(0);
}

/** Somebody paid it in, and the operator gives that back by hand. */
async function payFromPayin(id: string): Promise<void> {
  const payin = words('--payin GHS::Mobile --payin-flow ussd_popup --payin-detail mobile_provider=mtn');
  const phone = ['--payin-detail', 'phone_number=+233302123400', '--input-currency', 'GHS'];
  const made = await bench.run(createArgv('0123456708', ...payin, ...phone, '--external-id', id));
  expect(made.code, made.stderr).toBe(0);
  expect((await bench.run(['sandbox', 'payin', id])).code).toBe(0);
}

type Sums = Record<string, string>;
/** To the thousandth, so that sums of several ways compare. */
const plain = (amount: bigint): string => (Number(amount) / 1_000).toFixed(3);
const thousandths = (amount: string): bigint => {
  const [whole = '', fraction = ''] = amount.split('.');
  return BigInt(`${whole}${fraction.padEnd(3, '0')}`);
};
function summed(amounts: readonly (readonly [key: string, amount: string])[]): Sums {
  const sums = new Map<string, bigint>();
  for (const [key, amount] of amounts) sums.set(key, (sums.get(key) ?? 0n) + thousandths(amount));
  return Object.fromEntries([...sums].filter(([, sum]) => sum !== 0n).map(([key, sum]) => [key, plain(sum)]));
}

interface Truth {
  day: string;
  /** By currency, kind and source, from the states that the service listed at the end of that day. */
  inFlight: Sums;
  /** From its ledger: what it held for payouts, and the balances. */
  held: Sums;
  wallet: Sums;
}

const CAME_IN = ['success', 'mispaid', 'processing', 'canceled'];

async function truthOf(day: string): Promise<Truth> {
  const all = (await bench.run('tx list --all -o json')).data<Transaction[]>();
  const rows = all.flatMap((tx) => (tx.recipients ?? []).flatMap((one) => standing(tx, one)));
  const { ledger } = (await bench.run('sandbox state -o json')).data<{
    ledger: Record<string, Sums>;
  }>();
  return {
    day,
    inFlight: summed(rows),
    held: summed(Object.entries(ledger.held ?? {})),
    wallet: summed(Object.entries(ledger.wallet ?? {})),
  };
}

function standing(tx: Transaction, one: Recipient): [string, string][] {
  const source = (tx.payin_methods ?? []).length > 0 ? 'payin' : 'balance';
  const cameIn = (tx.payin_methods ?? []).some(({ state }) => CAME_IN.includes(state ?? ''));
  const isFunded = Number(tx.paid_amount ?? 0) > 0;
  if (one.state === 'success' || one.state === 'refunded') return [];
  if (one.payout_method?.type === 'GHS::Balance' && one.state !== 'canceled')
    return isFunded || cameIn ? [[`GHS not_credited ${source}`, one.output_amount ?? '']] : [];
  if (!isFunded) return [];
  const kind = one.state === 'canceled' ? 'refund_due' : 'not_paid';
  return [[`${tx.input_currency} ${kind} ${source}`, one.input_amount ?? '']];
}

const inFlightSums = (rows: readonly InFlightRow[]): Sums =>
  summed(rows.map(({ currency, kind, source, amount }) => [`${currency} ${kind} ${source}`, amount]));

/** Lives through a month, and notes at the end of each day what the service says then. */
async function live({ days, syncs }: { days: number; syncs: boolean }): Promise<Truth[]> {
  const truths: Truth[] = [];
  await bench.run(['sandbox', 'fail', 'provider-outage', '--times', '6']);
  await sync();
  for (let day = 0; day < days; day++) {
    await advance('1h');
    await bench.run(['sandbox', 'seed', '--rounds', '1']);
    await collect(`c-${day}`);
    await collect(`late-${day}`, '--outcome', 'processing');
    if (day > 0) await bench.run(['sandbox', 'payin', `late-${day - 1}`]);
    if (day % 3 === 1) await bench.run(['sandbox', 'balance', 'EUR', '+500']);
    if (syncs) await sync();
    await payTwo(`two-${day}`);
    await pay('01', `slow-${day}`);
    await bench.run(['sandbox', 'payout', `slow-${day}`, '--outcome', 'stuck']);
    if (day > 1) await bench.run(['sandbox', 'payout', `slow-${day - 2}`]);
    await payFromPayin(`payin-${day}`);
    if (day % 2 === 1) await bench.run(['tx', 'cancel', `payin-${day}`, '--yes']);
    if (day > 2) await bench.run(['sandbox', 'refund', `payin-${day - 2}`]);
    await advance('23h');
    truths.push(await truthOf(`2026-01-${String(5 + day).padStart(2, '0')}`));
    if (syncs) await sync();
  }
  await sync();
  return truths;
}

it('is what the service said at the end of each day, by its states and by its ledger', async () => {
  const truths = await live({ days: isLong ? 12 : 7, syncs: true });
  const kinds = new Set<string>();
  for (const { day, inFlight, held: inLedger, wallet } of truths) {
    const { rows, code, stderr } = await asOf<InFlightRow>(day);
    expect([code, stderr], day).toEqual([
      0,
      expect.stringContaining(`until the end of ${day}, in the time zone`),
    ]);
    expect([day, inFlightSums(rows)]).toEqual([day, inFlight]);
    for (const { kind } of rows) kinds.add(kind);
    // The ledger knows no kinds: it holds what is neither paid nor back. Money that waits to clear is not in it.
    const notClearing = rows.filter(({ kind }) => kind !== 'not_credited');
    const ours = summed(notClearing.map(({ currency, amount }) => [currency, amount]));
    expect([day, ours]).toEqual([day, inLedger]);
    const { rows: balances, code: proved } = await asOf<DayBalance>(day, '--totals');
    expect([proved, summed(balances.map((one) => [one.currency, one.balance ?? '']))]).toEqual([0, wallet]);
    for (const one of balances) expect([day, one.currency, one.difference]).toEqual([day, one.currency, '0']);
  }
  expect([...kinds].sort()).toEqual(['not_credited', 'not_paid', 'refund_due']);
});

it('of books that were made at the end it has the same payments, and says what they cannot know', async () => {
  const truths = await live({ days: 4, syncs: false });
  for (const { day, wallet } of truths) {
    const { rows, code, stderr } = await asOf<DayBalance>(day, '--totals');
    // Everything came in before anybody looked again: top-ups since are in each day's balance.
    expect([code, rows.map(({ difference }) => difference)]).toEqual([0, rows.map(() => '0')]);
    expect(stderr).toMatch(
      /\d payouts? ended by what the books saw within a day before the end of that day, or later/,
    );
    // The top-up of the second day was found at the end alone.
    expect(stderr).toMatch(/500\.00 EUR came in, and no payment explains it: .* perhaps within this time\./);
    expect(Object.keys(wallet)).toEqual(rows.map(({ currency }) => currency));
  }
});

it('counts a payment that was paid after the day, and ages from when it was funded', async () => {
  await sync();
  await pay('01', 'p-1');
  await bench.run('sandbox payout p-1 --outcome stuck');
  await advance('3d');
  await sync();
  await pay('01', 'p-2');
  await advance('2h');
  await sync();
  for (const id of ['p-1', 'p-2']) await bench.run(['sandbox', 'payout', id]);
  await advance('1h');
  await sync();
  const { rows } = await asOf<InFlightRow>('2026-01-08T10:00:00Z');
  const row = { currency: 'EUR', kind: 'not_paid', source: 'balance', payouts: 1, amount: '14.99' };
  expect(rows).toEqual([
    { ...row, age: 'under_1_day', oldest_at: expect.stringMatching(/^2026-01-08/) },
    { ...row, age: '1_to_7_days', oldest_at: expect.stringMatching(/^2026-01-05/) },
  ]);
  expect((await asOf('2026-01-08T13:00:00Z')).rows).toEqual([]);
  const table = await bench.run(['summary', '--as-of', '2026-01-08T10:00:00Z'], { tty: true, columns: 80 });
  expect(table.stdout).toMatch(/^EUR +not paid +balance +1 to 7 days +1 +14\.99/m);
  expect(table.stderr.replace(/\s+/g, ' ')).toContain(
    'EUR: came in 250000.00, collected 0.00, paid out 0.00, in flight 29.98: that leaves 249970.02, the balance of that day.',
  );
});

it('ends with 10 where the records do not come to the balance, and where nobody had seen it', async () => {
  await advance('1h');
  await pay('00', 'p-1');
  await sync();
  const unseen = await asOf<DayBalance>('2026-01-04', '--totals');
  expect([unseen.code, unseen.rows[0]?.balance]).toEqual([10, null]);
  expect(unseen.stderr).toContain('nobody saw the balance before the end of that day');
  await advance('1d');
  await sync();
  expect((await asOf('2026-01-05')).code).toBe(0);
  const [file = ''] = readdirSync(bench.dir).filter((name) => /-books-.*\.db$/.test(name));
  const database = await openBooksFile(join(bench.dir, file));
  database.run("UPDATE moved SET amount = '-13.99'");
  database.close();
  const wrong = await asOf<DayBalance>('2026-01-05', '--totals');
  expect([wrong.code, wrong.rows.find(({ currency }) => currency === 'EUR')?.difference]).toEqual([10, '1']);
  expect(wrong.stderr).toContain('1.00 EUR apart');
});

it('ends with 8 where the books do not reach the end of a day that is over, and refuses a time beside it', async () => {
  await pay('00', 'p-1');
  await sync();
  await machine.sleep(40 * 86_400_000);
  const early = await asOf('2026-01-31');
  expect([early.code, early.stderr]).toEqual([8, expect.stringContaining('nothing later is counted')]);
  for (const more of ['--month=2026-01', '--since=2026-01-01', '--by=day', '--svg=a.svg'])
    expect([more, (await asOf('2026-01-31', more)).code]).toEqual([more, 2]);
  expect((await bench.run('summary --totals')).code).toBe(2);
  expect((await bench.run('summary --as-of never')).stderr).toContain('--as-of never is not a day');
});
