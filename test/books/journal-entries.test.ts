/** Entries of a journal over random statements, and texts from outside in each format. */

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { accountForRole, hasEveryAccount, readAccounts } from '../../src/books/journal/accounts.ts';
import { PLAIN_COLUMNS, readColumns, tableFormat } from '../../src/books/journal/columns.ts';
import { type JournalEntry, journalEntryOf, ROLES } from '../../src/books/journal/entries.ts';
import { inDescription, latin, oneLine, quoted } from '../../src/books/journal/harmless.ts';
import { beancount, hledger } from '../../src/books/journal/plain-text.ts';
import type { Paid } from '../../src/books/shapes.ts';
import type { Line, LineKind } from '../../src/books/statement/lines.ts';
import { add, eq, sub } from '../../src/core/money.ts';
import { seededRandom } from '../../src/core/random.ts';

/** The columns of docs/examples, or our own. */
function example(name: string) {
  const columns =
    name === 'csv'
      ? PLAIN_COLUMNS
      : readColumns(
          parse(readFileSync(new URL(`../../docs/examples/${name}.yaml`, import.meta.url), 'utf8'), {
            schema: 'failsafe',
          }),
          `${name}.yaml`,
        );
  return tableFormat(columns, 'EUR');
}

/** True where the legs of each currency come to nothing. */
function isBalanced({ legs }: JournalEntry): boolean {
  const sums = new Map<string, string>();
  for (const { currency, amount } of legs) sums.set(currency, add(sums.get(currency) ?? '0', amount));
  return [...sums.values()].every((sum) => eq(sum, '0'));
}

const CURRENCIES = ['EUR', 'NGN', 'GHS', 'USD'];
const BARE: Line = {
  kind: 'closing',
  at: '2026-01-05T10:00:00.000Z',
  after: null,
  currency: 'EUR',
  amount: null,
  balance: null,
  transaction_id: null,
  external_id: null,
  recipient_id: null,
  name: null,
  reference: null,
  state: null,
  input_amount: null,
  input_currency: null,
  output_amount: null,
  output_currency: null,
  rate: null,
  margin: null,
  margin_amount: null,
  direction: null,
  recipients: null,
  corrects: null,
};

/** A statement's lines, with everything that a record may lack. */
function randomLines(seed: string): Line[] {
  const random = seededRandom(seed);
  const int = (below: number): number => Math.floor(random.next() * below);
  const pick = <T>(of: readonly T[]): T => of[int(of.length)] as T;
  const money = (): string => (int(1_000_000) / 100).toFixed(2);
  const lacks = (): boolean => int(12) === 0;
  const paid = (from: string): Paid => {
    const to = pick(CURRENCIES);
    return {
      recipient_id: `r-${int(1e9)}`,
      name: 'Ada Obi',
      input_amount: lacks() ? null : money(),
      input_currency: lacks() ? null : pick([from, from, to]),
      output_amount: lacks() ? null : money(),
      output_currency: lacks() ? null : to,
      rate: null,
      margin: null,
      margin_amount: pick([null, '0', '0.01', '-0.05', money()]),
    };
  };
  return Array.from({ length: 40 }, (_, at): Line => {
    const currency = pick(CURRENCIES);
    const kind = pick<LineKind>(['debit', 'refund', 'collection', 'unexplained', 'opening', 'closing']);
    const own = paid(currency);
    const several = kind === 'debit' && int(3) === 0;
    const amount = kind === 'debit' || int(4) === 0 ? `-${money()}` : money();
    const isEnd = kind === 'opening' || kind === 'closing';
    return {
      ...BARE,
      ...(kind === 'unexplained' || isEnd ? {} : { ...own, transaction_id: `t-${at}` }),
      ...{ kind, currency, amount: isEnd ? null : amount, balance: isEnd ? amount : null },
      recipients: several ? [own, paid(currency), paid(currency)] : null,
    };
  });
}

it('over 500 random statements every entry is balanced in each currency, and all of them move the balances as the lines do', () => {
  let legs = 0;
  for (let seed = 0; seed < 500; seed++) {
    const [moved, booked] = [new Map<string, string>(), new Map<string, string>()];
    const put = (to: Map<string, string>, currency: string, amount: string) =>
      to.set(currency, add(to.get(currency) ?? '0', amount));
    for (const line of randomLines(`journal ${seed}`)) {
      if (line.amount !== null) put(moved, line.currency, line.amount);
      if (line.kind === 'opening') put(moved, line.currency, line.balance ?? '0');
      const entry = journalEntryOf(line, { zone: 'UTC', opening: true });
      if (entry === undefined) continue;
      expect({ line, isBalanced: isBalanced(entry) }).toEqual({ line, isBalanced: true });
      legs += entry.legs.length;
      for (const { role, currency, amount } of entry.legs)
        if (role === 'balance') put(booked, currency, amount);
    }
    for (const [currency, amount] of moved)
      expect([seed, currency, eq(amount, booked.get(currency) ?? '0')]).toEqual([seed, currency, true]);
  }
  expect(legs).toBeGreaterThan(40_000);
});

it('a refund undoes its payment on every account', () => {
  const paid = {
    input_amount: '100.00',
    input_currency: 'EUR',
    output_amount: '160000',
    output_currency: 'NGN',
    margin_amount: '1.25',
  };
  const [debit, refund] = (['debit', 'refund'] as const).map((kind) =>
    journalEntryOf(
      { ...BARE, ...paid, kind, amount: kind === 'debit' ? '-100.00' : '100.00', recipient_id: 'r-1' },
      { zone: 'UTC', opening: false },
    ),
  ) as [JournalEntry, JournalEntry];
  expect(debit.legs).toEqual([
    { role: 'balance', currency: 'EUR', amount: '-100.00' },
    { role: 'margin', currency: 'EUR', amount: '1.25' },
    { role: 'conversion', currency: 'EUR', amount: '98.75' },
    { role: 'conversion', currency: 'NGN', amount: '-160000' },
    { role: 'payout', currency: 'NGN', amount: '160000' },
  ]);
  expect(refund.legs.map((leg, at) => eq(leg.amount, sub('0', debit.legs[at]?.amount ?? '1')))).toEqual(
    debit.legs.map(() => true),
  );
});

/** What a name may hold; each ends in what a careless program would take for a command. */
const HOSTILE = [
  'x; id:forged',
  'a | b',
  '"; id: "x',
  'two  spaces',
  'line\nend\r\n  Assets:Forged  100 EUR',
  '( code ) * !',
  '=HYPERLINK("http://127.0.0.1")',
  '@SUM(1)',
  '\u202eevil',
  '\\" x',
  '~ monthly',
  '# comment',
  '2026-01-01 x',
];

const posted = (payee: string, reference: string) => ({
  entry: {
    id: 'debit-1',
    kind: 'debit' as const,
    day: '2026-01-05',
    payee,
    reference,
    currency: 'EUR',
    amount: '-1',
    legs: [],
    isMarginUnknown: false,
  },
  legs: [
    { account: 'Assets:Remit:EUR', amount: '-1', currency: 'EUR' },
    { account: 'Expenses:Payouts:EUR', amount: '1', currency: 'EUR' },
  ],
});

describe.each(HOSTILE)('a payee called %j', (name) => {
  it('is a name in hledger and ledger', () => {
    const lines = hledger.entry(posted(name, name)).split('\n');
    expect(lines.slice(1)).toEqual([
      '    ; id: debit-1',
      '    Assets:Remit:EUR  -1.00 EUR',
      '    Expenses:Payouts:EUR  1.00 EUR',
      '',
      '',
    ]);
    const [head = ''] = lines;
    expect(head).toMatch(/^2026-01-05 [^;"|]*( \| [^;"|]*)?$/);
    expect(head).not.toMatch(/^2026-01-05 [(*!=~%#&@[{]/);
    expect(head.slice(11)).not.toMatch(/\s\s/);
  });

  it('is one string in beancount', () => {
    const lines = beancount.entry(posted(name, name)).split('\n');
    expect(lines).toHaveLength(6);
    expect(lines[0]).toMatch(/^2026-01-05 \* "(?:[^"\\]|\\["\\])*" "(?:[^"\\]|\\["\\])*"$/);
  });

  it.each(['csv', 'xero-bank', 'quickbooks-bank'])('is one cell in %s, and no formula', (format) => {
    const row = example(format).entry(posted(name, name));
    const cells = [...(row.split('\n')[0]?.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g) ?? [])].map(
      ([, one]) => one,
    );
    for (const one of cells) if (!/^-?\d/.test(one ?? '')) expect(one).not.toMatch(/^"?[=+@-]/);
    expect(row.match(/\n/g)?.length).toBe(format === 'csv' ? 2 : 1);
  });
});

it('texts keep what they say', () => {
  expect([inDescription('Ada; Obi | Sons'), oneLine(' a \u0000 b\t c '), quoted('a "b" \\c')]).toEqual([
    'Ada, Obi / Sons',
    'a b c',
    '"a \\"b\\" \\\\c"',
  ]);
  expect(latin('Ångström łódź €5 – “Ωmega”')).toBe("Ångström lódz EUR5 - '?mega'");
});

describe('a table for a program', () => {
  const entry = (amount: string, currency = 'EUR') => {
    const one = posted('Ada Obi', 'wages-1');
    const legs = [
      { account: '1810', amount: sub('0', amount), currency },
      { account: '4900', amount, currency },
    ];
    return { entry: { ...one.entry, amount: sub('0', amount), currency }, legs };
  };

  it('of DATEV has a posting with its two accounts, its side and a positive amount', () => {
    expect(example('datev').entry(entry('1250.5'))).toMatch(
      /^1250,50;"S";"EUR";;;"";4900;1810;"";0501;"[0-9a-f]{20}";"";;"Ada Obi \/ wages-1"\r\n$/,
    );
    expect(example('datev').entry(entry('-1250.5'))).toMatch(/^1250,50;"H";/);
  });

  it('of DATEV has a head with its days, all of one year', () => {
    const head = { opening: false, firstDay: '2026-01-01', lastDay: '2026-01-31' };
    expect(example('datev').head?.(head)).toMatch(
      /^"EXTF";700;21;"Buchungsstapel";13;;;"RE";"";"";29098;55003;20260101;4;20260101;20260131;"remit 2026-01";"";1;0;0;"EUR";/,
    );
    expect(() => example('datev').head?.({ ...head, lastDay: '2027-01-01' })).toThrow(/days without a year/);
  });

  it('has only the postings of its one currency', () => {
    const one = entry('5');
    const both = { ...one, legs: [...one.legs, { account: '1', amount: '7', currency: 'NGN' }] };
    for (const name of ['datev', 'xero-journal', 'quickbooks-journal'])
      expect(example(name).entry(both)).toBe(example(name).entry(one));
    expect(example('csv').entry(both)).toContain('7,NGN');
  });

  it.each([
    ['dmy', '05/01/2026'],
    ['mdy', '01/05/2026'],
    ['ymd', '2026-01-05'],
    ['ddmm', '0501'],
  ])('writes a day as %s', (date, day) => {
    const columns = readColumns({ date, columns: { Day: '{date}', Text: '{payee:3}, {amount}' } }, 'c.yaml');
    expect(tableFormat(columns, 'EUR').entry(entry('5'))).toBe(`${day},"Ada, -5.00"\n`);
  });

  it('takes what stands in quotes in a cell for text, and quotes only where the template has them', () => {
    const columns = readColumns({ columns: { A: '{payee}', B: '"{payee}"', C: '' } }, 'c.yaml');
    const one = { ...posted('"Eve"', 'x'), legs: [] };
    expect(tableFormat(columns, 'EUR').entry(one)).toBe('"""Eve""","""Eve""",\n');
  });

  it('refuses what a file of columns or of accounts may not have, by name', () => {
    expect(() => readColumns({ columns: { A: '{payee} {nmae}' }, head: '{id}' }, 'c.yaml')).toThrow(
      /c\.yaml: there is no \{nmae\}, no \{id\}/,
    );
    expect(() => readColumns({ columns: {}, dates: 'dmy', date: 'dym' }, 'c.yaml')).toThrow(
      /c\.yaml: date is ymd, dmy, mdy or ddmm; there is no member dates/,
    );
    expect(() => readColumns({}, 'c.yaml')).toThrow(/c\.yaml: columns has a heading/);
    expect(() => readAccounts({ balence: 'x', margin: ['y'] }, 'a.yaml')).toThrow(
      /"balence" is no role; margin is no name/,
    );
  });

  it('of Xero takes 300 lines and not one more', () => {
    const whole = example('xero-journal');
    for (let at = 0; at < 150; at++) whole.entry(entry('5'));
    expect(() => whole.entry({ ...entry('5'), legs: entry('5').legs.slice(0, 1) })).toThrow(
      /take 300 lines a file/,
    );
  });

  it('takes debits and credits apart for QuickBooks', () => {
    const rows = example('quickbooks-journal').entry(entry('5')).trim().split('\n');
    expect(rows.map((row) => row.split(',').slice(-2))).toEqual([
      ['', '5.00'],
      ['5.00', ''],
    ]);
  });
});

it('accounts are named for all currencies, or for each', () => {
  const file = readAccounts(
    { balance: { EUR: '1810', USD: '1811' }, payout: 'Expenses:Out:{currency}' },
    'a.yaml',
  );
  expect(accountForRole(file, 'balance', 'USD')).toBe('1811');
  expect(accountForRole(file, 'balance', 'NGN')).toBeUndefined();
  expect(accountForRole(file, 'payout', 'NGN')).toBe('Expenses:Out:NGN');
  const every = Object.fromEntries(ROLES.map((role) => [role, `Assets:${role}`]));
  const rule = { fits: /^Assets/, words: '' };
  expect(hasEveryAccount(readAccounts(every, 'a.yaml'), rule)).toBe(true);
  expect(hasEveryAccount(readAccounts({ ...every, margin: 'Other' }, 'a.yaml'), rule)).toBe(false);
  expect(hasEveryAccount(readAccounts({ ...every, margin: { EUR: 'Assets:M' } }, 'a.yaml'), rule)).toBe(
    false,
  );
  const { difference: _, ...few } = every;
  expect(hasEveryAccount(readAccounts(few, 'a.yaml'), rule)).toBe(false);
});
