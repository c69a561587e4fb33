/**
 * A finance person's two months: October is closed, and November after it. Three runs (a changed payee that is caught, a row that is corrected
 * in place, one that is held until Friday), collections, a top-up, banks with charges and bundles, books closed in EUR and NGN, a journal
 * with the balances of the service, evidence that is read back, and a late refund that corrects the month before.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { MonthClosed } from '../../src/books/closing/close.ts';
import type { ClosingFile } from '../../src/books/closing/verify.ts';
import { eq } from '../../src/core/money.ts';
import { answering, only, payArgv, type Run, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench();
const ZONE = ['--zone', 'UTC'];
const put = (name: string, text: string): void => writeFileSync(join(bench.dir, name), text);
const text = (name: string): string => readFileSync(join(bench.dir, name), 'utf8');
const hasHledger =
  process.env.REMIT_REQUIRE_LEDGERS === '1' || spawnSync('sh', ['-c', 'command -v hledger']).status === 0;

/** Runs a line of words and ends as it should. */
async function ends(code: number, line: string, ...more: string[]): Promise<Run> {
  const run = await bench.run([...line.split(' '), ...more]);
  expect(run.code, `${line}: ${run.stderr}${run.stdout}`).toBe(code);
  return run;
}
const at = (moment: string) => ends(0, 'sandbox clock set', moment);
const sync = () => ends(0, 'books sync -o json');

const HEADER = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
const row = (key: string, amount: number, name: string, account: string, from = 'EUR'): string =>
  `${key},NGN::Bank,${amount},${from},customer-1,${name},044,${account}`;
const wages = (accountOfTwo: string): string =>
  [
    HEADER,
    row('E-1', 250_000, 'Ada,Obi', '0123456700'),
    row('E-2', 180_000, 'Chidi,Eze', accountOfTwo),
    row('E-3', 120_000, 'Bola,Ade', '0123456900'),
  ].join('\n');

interface BankRow {
  day: string;
  sign: 'C' | 'D';
  cents: number;
  reference: string;
  words?: string;
}
/** An account of the company at its bank, as MT940. */
function bank(account: string, currency: string, opening: number, rows: readonly BankRow[]): string {
  const amount = (cents: number): string =>
    `${Math.floor(cents / 100)},${String(cents % 100).padStart(2, '0')}`;
  const closing = rows.reduce((sum, { sign, cents }) => sum + (sign === 'C' ? cents : -cents), opening);
  const lines = rows.map(
    ({ day, sign, cents, reference, words }) =>
      `:61:${day}${day.slice(2)}${sign}${amount(cents)}NTRF${reference}\n${words === undefined ? '' : `:86:${words}\n`}`,
  );
  return `:20:S\n:25:${account}\n:28C:1\n:60F:C261101${currency}${amount(opening)}\n${lines.join('')}:62F:C261130${currency}${amount(closing)}\n`;
}

const ACCOUNTS = `balance: Assets:Remit:{currency}
payout: Expenses:Payouts:{currency}
conversion: Equity:Conversion:{currency}
margin: Expenses:Margin
collection: Income:Collections:{currency}
correction: Expenses:Corrections:{currency}
top_up: Assets:Bank:{currency}
unexplained: Expenses:Unexplained:{currency}
opening: Equity:Opening:{currency}
`;

it('goes from the first day to the evidence of both months', async () => {
  put('accounts.yaml', ACCOUNTS);
  await october();
  const closed = await closeOctober();
  await lateRefund();
  await topUpAndCollections();
  await changedPayee();
  await correctedInPlace();
  await heldUntilFriday();
  await closeNovember();
  await journal();
  await evidence(closed);
});

async function october(): Promise<void> {
  await at('2026-10-01T00:00:00Z');
  await ends(0, 'sender create', ...senderFlags('customer-1'));
  await sync();
  await at('2026-10-25T08:00:00Z');
  put('october.csv', wages('0123456800'));
  await ends(0, 'batch plan october.csv --name october --max-input EUR=500');
  await ends(0, 'batch run october');
  await at('2026-10-31T20:00:00Z');
  // The provider refuses this account: its money comes back a day later.
  await bench.run(payArgv('0123456708', '--external-id', 'advance-1'));
  await at('2026-11-01T08:00:00Z');
  await sync();
}

/** Wages and the advance are in the company's ledger, as the operator booked them. */
async function closeOctober(): Promise<MonthClosed> {
  const lines = (await ends(0, 'statement --month 2026-10 --currency EUR -o json', ...ZONE)).data<
    { kind: string; external_id: string; amount: string; at: string }[]
  >();
  const report = (await ends(0, 'batch report october -o json')).data<
    { cost: string; external_id: string }[]
  >();
  const booked = report.map(({ cost, external_id: id }) => `${id},2026-10-25,${cost},EUR`);
  const advance = lines.find(({ external_id: id }) => id === 'advance-1');
  const ledger = ['reference,date,amount,currency', ...booked];
  put('october-ledger.csv', `${ledger.slice(0, -1).join('\n')}\n`);
  const open = await ends(10, 'books close 2026-10 --ledger october-ledger.csv -o json', ...ZONE);
  expect(open.data<{ what: string }[]>()).toMatchObject([{ what: expect.stringContaining('E-3') }]);
  put('october-ledger.csv', `${ledger.join('\n')}\nadvance-1,2026-10-31,${advance?.amount.slice(1)},EUR\n`);
  const closed = await ends(0, 'books close 2026-10 --ledger october-ledger.csv -o json', ...ZONE);
  return closed.data<MonthClosed>();
}

async function lateRefund(): Promise<void> {
  const before = (await ends(0, 'statement --month 2026-10 --totals -o csv', ...ZONE)).stdout;
  await at('2026-11-02T08:00:00Z');
  const synced = await sync();
  expect(synced.stderr).toContain('1 movement corrects 2026-10, which is closed: 14.99 EUR.');
  expect((await ends(0, 'statement --month 2026-10 --totals -o csv', ...ZONE)).stdout).toBe(before);
}

async function topUpAndCollections(): Promise<void> {
  await ends(0, 'sandbox balance EUR +5000');
  await at('2026-11-05T08:00:00Z');
  await sync();
  for (const [id, amount] of [
    ['shop-1', '5000'],
    ['shop-2', '7000'],
  ] as const) {
    await ends(
      0,
      `tx create --payin NGN::Bank --amount ${amount} --type NGN::Balance --sender customer-1 --external-id ${id}`,
    );
    await ends(0, `sandbox payin ${id}`);
  }
  await at('2026-11-06T08:00:00Z');
  await sync();
}

/** Somebody wrote a letter with a new account for Chidi: it is caught, he is asked, and the old one is paid. */
async function changedPayee(): Promise<void> {
  await at('2026-11-24T08:00:00Z');
  put('november.csv', wages('0999457200'));
  const caught = await ends(10, 'batch plan november.csv --name november --max-input EUR=500');
  expect(caught.stderr + caught.stdout).toMatch(/1 CHANGED PAYEE/i);
  put('november.csv', wages('0123456800'));
  await ends(0, 'batch plan november.csv --name november --max-input EUR=500');
  await ends(0, 'batch run november');
}

async function correctedInPlace(): Promise<void> {
  const refused =
    '{"object":{"errors":{"recipients.0.payout_method.bank_account":[{"error":"invalid"}]}},"meta":{}}';
  bench.intercept(only(({ body }) => body?.includes('"0123457900"') === true, answering(422, refused)));
  put(
    'bonus.csv',
    [HEADER, row('B-1', 50_000, 'Ada,Obi', '0123456700'), row('B-2', 60_000, 'Femi,Oni', '0123457900')].join(
      '\n',
    ),
  );
  await ends(0, 'batch plan bonus.csv --name bonus --max-input EUR=500');
  await ends(10, 'batch run bonus');
  await ends(0, 'batch fix bonus B-2 --set bank_account=0123457700 --yes');
  await ends(0, 'batch run bonus');
}

/** From the balance in NGN; the bank asks a question on Wednesday, and on Friday it is answered. */
async function heldUntilFriday(): Promise<void> {
  await at('2026-11-25T08:00:00Z');
  put('local.csv', [HEADER, row('L-1', 9_000, 'Ngozi,Ike', '0123456600', 'NGN')].join('\n'));
  await ends(
    0,
    'batch plan local.csv --name local --max-input NGN=10000 --not-before 2026-11-27T08:00',
    ...ZONE,
  );
  await ends(0, 'batch hold local --because', 'the bank asks about L-1');
  await ends(8, 'batch run local');
  await at('2026-11-27T08:00:00Z');
  await ends(8, 'batch run local');
  await ends(0, 'batch release local --yes');
  await ends(0, 'batch run local');
  await at('2026-12-01T08:00:00Z');
  await sync();
}

async function closeNovember(): Promise<void> {
  put(
    'eur.sta',
    bank('100/2000EUR', 'EUR', 900_000, [
      { day: '261104', sign: 'D', cents: 500_150, reference: 'TOPUP-11' },
      { day: '261112', sign: 'D', cents: 7_000, reference: 'NONREF', words: 'INVOICES TOTAL' },
      { day: '261130', sign: 'D', cents: 300, reference: 'NONREF', words: 'MONTHLY ACCOUNT FEE NOVEMBER' },
    ]),
  );
  put(
    'ngn.sta',
    bank('300/4000NGN', 'NGN', 5_000_000, [
      { day: '261118', sign: 'D', cents: 120_000, reference: 'RENT-11' },
    ]),
  );
  put(
    'bank.csv',
    `reference,date,amount,currency
TOPUP-11,2026-11-04,5000.00,EUR
I-1,2026-11-12,10.00,EUR
I-2,2026-11-12,20.00,EUR
I-3,2026-11-12,40.00,EUR
RENT-11,2026-11-18,1200,NGN
`,
  );
  put(
    'rules.yaml',
    `tolerances:
  EUR: 2.00
counterparties:
  - { name: bank fees, text: account fee, kind: charge, account: "4970" }
bundles: { rows: 10, days: 3 }
`,
  );
  const banks = '--against eur.sta --against ngn.sta --rules rules.yaml';
  const open = await ends(10, `books close 2026-11 --ledger bank.csv ${banks}`, ...ZONE);
  expect(open.stderr).toContain('2026-11 is not closed');
  const seen = await ends(10, `reconcile bank.csv ${banks} --month 2026-11`, ...ZONE);
  const [, count = '?'] = /(\d+) suggestions \(/.exec(seen.stderr) ?? [];
  expect(count).toBe('3');
  await ends(
    0,
    `reconcile bank.csv ${banks} --month 2026-11 --accept 3`,
    '--because',
    'seen with the bank',
    ...ZONE,
  );
  const closed = await ends(0, `books close 2026-11 --ledger bank.csv ${banks} -o json`, ...ZONE);
  expect(closed.data<MonthClosed>()).toMatchObject({ month: '2026-11', open: 0 });
  expect(text('books-2026-11/decisions.csv')).toContain('seen with the bank');
  expect(text('books-2026-11/accounts.csv').split('\n')).toHaveLength(4);
  const statement = text('books-2026-11/statement.csv').trim().split('\n');
  const corrects = statement.filter((line) => line.endsWith(',2026-10'));
  expect(corrects).toHaveLength(1);
  expect(corrects[0]).toMatch(/,refund,EUR,14\.99,.*advance-1/);
  const totals = text('books-2026-11/statement-totals.csv');
  expect(totals).toMatch(/^EUR,/m);
  expect(totals).toMatch(/^NGN,50000000,9000,0,9000,12000,/m);
  const manifest = JSON.parse(text('books-2026-11/manifest.json')).data;
  expect(manifest.corrections).toEqual([
    { month: '2026-10', currency: 'EUR', movements: 1, amount: '14.99' },
  ]);
  // Nobody is paid twice, and nobody by the account of the letter.
  const paid = statement.filter((line) => line.includes(',debit,'));
  expect(paid).toHaveLength(6);
}

/** Two files of a ledger, one for each month, have what the service says that it has. */
async function journal(): Promise<void> {
  const month = async (name: string, ...more: string[]): Promise<string> =>
    (await ends(0, `statement --month ${name} --journal hledger --accounts accounts.yaml`, ...ZONE, ...more))
      .stdout;
  put('all.journal', `${await month('2026-10', '--opening')}\n${await month('2026-11')}`);
  if (!hasHledger) return;
  const hledger = (...argv: string[]): string =>
    execFileSync('hledger', ['-f', join(bench.dir, 'all.journal'), ...argv], { encoding: 'utf8' });
  hledger('check', 'ordereddates', 'accounts', 'commodities');
  const csv = hledger('balance', 'Assets:Remit', '--flat', '-N', '-O', 'csv');
  const found = [...csv.matchAll(/"Assets:Remit:(\w+)","(-?[\d.]+) \w+"/g)];
  const service = (await ends(0, 'balance --fresh -o json')).data<{ currency: string; amount: string }[]>();
  for (const { currency, amount } of service) {
    const own = found.find(([, name]) => name === currency)?.[2] ?? '0';
    expect(eq(own, amount), `${currency}: ${own} and ${amount}`).toBe(true);
  }
}

async function evidence({ manifest }: MonthClosed): Promise<void> {
  const october = await ends(0, `books verify books-2026-10 --manifest ${manifest} -o json`);
  expect(october.stderr).toContain('as you kept it');
  const november = await ends(0, 'books verify books-2026-11 -o json');
  expect(november.data<ClosingFile[]>().every(({ state }) => state === 'same')).toBe(true);
  const status = (await ends(0, 'books status -o json')).data<{
    closed: { month: string; corrections: object[] }[];
  }>();
  expect(status.closed.map(({ month, corrections }) => [month, corrections.length])).toEqual([
    ['2026-10', 1],
    ['2026-11', 0],
  ]);
}
