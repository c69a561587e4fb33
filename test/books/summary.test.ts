/** Payouts counted in groups, held against a second count from what the service lists. */
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { GROUPINGS, isRefused } from '../../src/books/summary/groups.ts';
import type { SummaryRow } from '../../src/books/summary/summary.ts';
import type { Recipient, Transaction } from '../../src/contract/resources/transaction.ts';
import { answering, collectionFlags, only, payArgv, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });

const sync = async (): Promise<void> => expect((await bench.run('books sync')).code).toBe(0);
const advance = (time: string) => bench.run(['sandbox', 'clock', 'advance', time]);
const summary = async (...argv: string[]) => {
  const run = await bench.run(['summary', '--zone', 'UTC', ...argv, '-o', 'json']);
  return { ...run, rows: run.stdout === '' ? [] : run.data<SummaryRow[]>() };
};
const pay = (ending: string, id: string) => bench.run(payArgv(`01234567${ending}`, '--external-id', id));

describe('against a second count of what the service lists', () => {
  it.each(GROUPINGS)('by %s', async (by) => {
    for (const fault of ['provider-outage', 'corridor-inactive'])
      await bench.run(['sandbox', 'fail', fault, '--times', '4']);
    for (let day = 0; day < 6; day++) {
      await bench.run(['sandbox', 'seed', '--rounds', '1']);
      await advance('1d');
      if (day % 2 === 0) await sync();
    }
    await sync();
    const { rows, requests } = await summary('--by', by, '--month', '2026-01');
    expect(requests).toEqual([]);
    const all = (await bench.run('tx list --all -o json')).data<Transaction[]>();
    const counts = rows.map(({ group, payouts, paid }) => ({ group, payouts, paid }));
    expect(inOrder(merged(counts))).toEqual(inOrder(merged(countedFrom(all, groupings[by]))));
    const sums = sumsFrom(all);
    expect(rows.length).toBeGreaterThan(0);
    for (const [name, currency] of [
      ['input_amount', 'input_currency'],
      ['refunded', 'input_currency'],
      ['output_amount', 'output_currency'],
    ] as const)
      expect(sumsOf(rows, name, currency)).toEqual(sums[name]);
    for (const row of rows) expect(cents(row.net)).toBe(cents(row.input_amount) - cents(row.refunded));
  });

  const day = ({ created_at: at }: Transaction): string => at?.slice(0, 10) ?? '';
  const groupings: Record<(typeof GROUPINGS)[number], (tx: Transaction, one: Recipient) => string | null> = {
    corridor: (_, one) => one.payout_method?.type ?? null,
    currency: (tx, one) =>
      `${one.input_currency ?? tx.input_currency} to ${one.output_currency ?? one.requested_currency}`,
    day,
    month: (tx) => day(tx).slice(0, 7),
    'corridor-month': (tx, one) => `${day(tx).slice(0, 7)} ${one.payout_method?.type}`,
    state: (_, one) => one.state ?? null,
    sender: (tx) => tx.sender?.external_id ?? tx.sender?.id ?? null,
    reason: (_, one) => {
      const { code, messages } = one.state_reason_details ?? {};
      return !code || code === '0' ? null : `${messages?.at(-1)} (${code})`;
    },
  };

  interface Count {
    group: string | null;
    payouts: number;
    paid: number;
  }
  const inOrder = (rows: readonly Count[]): string[] => rows.map((row) => JSON.stringify(row)).sort();
  const isPaid = ({ state }: Recipient): boolean => state === 'success' || state === 'overpaid';

  const countedFrom = (all: readonly Transaction[], of: (typeof groupings)['day']): Count[] =>
    all.flatMap((tx) =>
      (tx.recipients ?? []).map((one) => ({ group: of(tx, one), payouts: 1, paid: isPaid(one) ? 1 : 0 })),
    );

  /** Of all pairs of currencies together. */
  function merged(rows: readonly Count[]): Count[] {
    const found = new Map<string | null, Count>();
    for (const { group, payouts, paid } of rows) {
      const one = found.get(group) ?? { group, payouts: 0, paid: 0 };
      found.set(group, { group, payouts: one.payouts + payouts, paid: one.paid + paid });
    }
    return [...found.values()];
  }

  const PLACES = 8;
  function cents(amount: string): bigint {
    const [whole = '', fraction = ''] = amount.split('.');
    return BigInt(whole + fraction.padEnd(PLACES, '0'));
  }
  type Sums = Record<string, bigint>;
  const noted = (
    sums: Sums,
    currency: string | null | undefined,
    amount: string | null | undefined,
  ): void => {
    if (amount == null || cents(amount) === 0n) return;
    sums[currency ?? ''] = (sums[currency ?? ''] ?? 0n) + cents(amount);
  };
  function sumsOf(
    rows: readonly SummaryRow[],
    name: 'input_amount' | 'refunded' | 'output_amount',
    currency: 'input_currency' | 'output_currency',
  ): Sums {
    const sums: Sums = {};
    for (const row of rows) noted(sums, row[currency], row[name]);
    return sums;
  }
  const UNFUNDED = new Set(['initial', 'approved', 'canceled']);
  function sumsFrom(all: readonly Transaction[]) {
    const sums: Record<'input_amount' | 'refunded' | 'output_amount', Sums> = {
      input_amount: {},
      refunded: {},
      output_amount: {},
    };
    for (const tx of all) {
      if (UNFUNDED.has(tx.state ?? '') && Number(tx.paid_amount ?? 0) === 0) continue;
      for (const one of tx.recipients ?? []) {
        noted(sums.input_amount, tx.input_currency, one.input_amount);
        if (one.state === 'refunded') noted(sums.refunded, tx.input_currency, one.input_amount);
        if (isPaid(one)) noted(sums.output_amount, one.output_currency, one.output_amount);
      }
    }
    return sums;
  }
});

it('the first try is what the books saw; the median is from creation until paid', async () => {
  await pay('00', 'at-once');
  await pay('19', 'seen');
  await sync();
  await advance('30m');
  await bench.run('recipient edit seen --detail bank_account=0123456700 --yes --name-as-given');
  await advance('10m');
  await sync();
  const [row] = (await summary()).rows;
  expect(row).toMatchObject({ payouts: 2, paid: 2, refused: 1, first_try: '0.5000' });
  expect(row?.median_seconds).toBeGreaterThanOrEqual(900);
  expect(row?.median_seconds).toBeLessThanOrEqual(1_200);
  // Refused and put right between two syncs: nobody saw it.
  await pay('19', 'unseen');
  await bench.run('recipient edit unseen --detail bank_account=0123456700 --yes --name-as-given');
  await advance('10m');
  await sync();
  const after = await summary();
  expect(after.rows[0]).toMatchObject({ payouts: 3, paid: 3, refused: 1, first_try: '0.6667' });
  expect(after.stderr).toContain('counts as paid at the first try: the books did not see the refusal');
});

it('what was never funded costs nothing; what came back is refunded; a refusal is counted by its reason', async () => {
  await pay('00', 'p-1');
  await pay('19', 'p-2');
  await bench.run('tx cancel p-2 --yes');
  await bench.run(['tx', 'create', '--from', 'p-1', '--external-id', 'p-3']);
  await sync();
  const { rows, stderr } = await summary();
  expect(rows).toMatchObject([
    {
      group: 'NGN::Bank',
      payouts: 3,
      funded: 2,
      input_amount: '29.98',
      refunded: '14.99',
      net: '14.99',
      paid: 1,
      output_amount: '25000',
      refused: 1,
      first_try: '0.5000',
    },
  ]);
  expect(stderr).toContain(
    'EUR: 3 payouts, cost 29.98 EUR, refunded 14.99 EUR, net 14.99 EUR. Margin 0.15 EUR, fees 0.00 EUR.',
  );
  const reasons = (await summary('--by', 'reason')).rows.map(({ group, payouts }) => [group, payouts]);
  expect(reasons).toEqual([
    [null, 2],
    ['Invalid account number (416)', 1],
  ]);
});

it('cash that waits to be picked up is not refused, and counts as paid at the first try once it is collected', async () => {
  const papers = ['identification_type=ID', 'identification_number=AB12345678'].flatMap((one) => [
    '--set',
    one,
  ]);
  expect((await bench.run(['sender', 'edit', 'customer-1', ...papers])).code).toBe(0);
  const details = ['first_name=Amina', 'last_name=Idrissi', 'phone_number=+212600000001'];
  const paid = await bench.run([
    ...['tx', 'create', '--input-currency', 'EUR', '--amount', '100', '--type', 'MAD::Cash'],
    ...['--sender', 'customer-1', ...details.flatMap((pair) => ['--detail', pair])],
    ...['--external-id', 'cash', '--fund', '--max-input', '20'],
  ]);
  expect(paid.code, paid.stderr).toBe(0);
  await sync();
  const [waiting] = (await bench.run('recipient list -o json')).data<Recipient[]>();
  expect(waiting).toMatchObject({ state: 'pending', state_reason_details: { code: '21' } });
  expect((await summary()).rows).toMatchObject([{ payouts: 1, paid: 0, refused: 0, first_try: null }]);
  await bench.run(['sandbox', 'payout', 'cash']);
  await sync();
  expect((await summary()).rows).toMatchObject([{ paid: 1, refused: 0, first_try: '1.0000' }]);
});

it.each([
  [[null, '0', '1', '11', '12', '13', '18', '2', '21', '22', '23'], false],
  [['3', '34', '416', '541'], true],
] as const)('of the codes %j it is said that they refuse: %s', (codes, refuses) => {
  for (const code of codes)
    expect([code, isRefused({ state_reason_details: { code } })]).toEqual([code, refuses]);
});

it('a code that nobody knows is what its category says', () => {
  const of = (category: string) => isRefused({ state_reason_details: { code: '299', category } });
  expect([of('pickupable'), of('unknown'), of('recipient_error')]).toEqual([false, false, true]);
});

it('has the rate, the margin in money and the fees of each corridor in each month', async () => {
  await sync();
  await pay('00', 'p-1');
  await advance('1h');
  await sync();
  await advance('28d');
  for (const id of ['p-2', 'p-3']) await pay('00', id);
  await pay('19', 'p-4');
  await bench.run('tx cancel p-4 --yes');
  // The sandbox takes no fee.
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    return { ...answer, body: answer.body.replaceAll('"fee_fractional":0', '"fee_fractional":125') };
  });
  await sync();
  const { rows, stderr } = await summary('--by', 'corridor-month', '--since', '2026-01-01');
  const cost = { rate: '1667.7785190127', margin: '0.010007', margin_unknown: 0 };
  expect(rows).toMatchObject([
    { group: '2026-01 NGN::Bank', payouts: 1, ...cost, margin_amount: '0.15', fee_amount: '1.25' },
    {
      group: '2026-02 NGN::Bank',
      payouts: 3,
      net: '29.98',
      ...cost,
      margin_amount: '0.3',
      fee_amount: '2.5',
    },
  ]);
  expect(stderr).toContain('Margin 0.45 EUR, fees 3.75 EUR.');
  const [total] = (
    await bench.run('statement --totals --currency EUR --since 2026-01-01 --zone UTC -o json')
  ).data<object[]>();
  expect(total).toMatchObject({ net: '44.97', margin_amount: '0.45', fee_amount: '3.75', rate: cost.rate });
  const listed = (await bench.run('tx list --all -o json')).data<object[]>();
  const cheap = { fee_amount: '1.25', from_books: { margin_amount: '0.15' } };
  const back = { fee_amount: null, from_books: { margin_amount: null } };
  // Of two months: p-4, p-3, p-2, p-1.
  expect(listed).toMatchObject([back, cheap, cheap, cheap]);
});

it('says how many payouts have no margin, where no sync saw the rates of their day', async () => {
  await pay('00', 'p-1');
  await advance('2d');
  await sync();
  const { rows, stderr } = await summary();
  expect(rows).toMatchObject([{ margin: null, margin_amount: null, margin_unknown: 1 }]);
  expect(stderr).toContain('1 payout to another currency is not in the margin');
  const totals = await bench.run('statement --totals --currency EUR --zone UTC');
  expect(totals.stderr).toContain('1 payout to another currency is not in the margin');
});

it('days are those of the zone, and stand in their order', async () => {
  await pay('00', 'p-1');
  await advance('16h');
  for (const id of ['p-2', 'p-3']) await pay('00', id);
  await sync();
  const days = async (zone: string) => {
    const run = await bench.run(['summary', '--by', 'day', '--zone', zone, '-o', 'json']);
    return run.data<SummaryRow[]>().map(({ group, payouts }) => [group, payouts]);
  };
  const utc = await days('UTC');
  expect(utc.map(([, payouts]) => payouts)).toEqual([1, 2]);
  expect(utc.map(([day]) => day)).toEqual(['2026-01-05', '2026-01-06']);
  expect(await days('Pacific/Honolulu')).toEqual([
    ['2026-01-04', 1],
    ['2026-01-05', 2],
  ]);
});

describe('in each form', () => {
  const made = async () => {
    for (const id of ['p-1', 'p-2', 'p-3']) await pay('00', id);
    await pay('01', 'p-4');
    await sync();
  };

  it('a table has bars, down to sixty columns', async () => {
    await made();
    const wide = await bench.run('summary --by state', { tty: true, columns: 140 });
    expect(wide.stdout).toMatch(/^GROUP +PAYOUTS +COST/);
    expect(wide.stdout).toMatch(/^success +3 {2}█{12} /m);
    expect(wide.stdout).toMatch(/^pending +1 {2}████ /m);
    for (const columns of [40, 60, 80]) {
      const { stdout, stderr } = await bench.run('summary --by state', { tty: true, columns });
      expect(stdout.includes('█'), String(columns)).toBe(columns >= 60);
      for (const line of `${stdout}${stderr}`.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    }
  });

  it('CSV and JSON have columns that stay, and no bar', async () => {
    await made();
    const csv = await bench.run('summary --by state -o csv');
    expect(csv.stdout).toBe(
      'group,input_currency,output_currency,payouts,funded,paid,refused,input_amount,refunded,net,output_amount,first_try,median_seconds,direction,rate,margin,margin_amount,margin_unknown,fee_amount\n' +
        'success,EUR,NGN,3,3,3,0,44.97,0.00,44.97,75000,1.0000,0,payout,1667.7785190127,0.010007,0.45,0,0.00\n' +
        'pending,EUR,NGN,1,1,0,0,14.99,0.00,14.99,0,,,payout,1667.7785190127,0.010007,0.15,0,0.00\n',
    );
    const { json } = await bench.run('summary --by state -o json');
    expect(json()).toMatchObject({ version: 1, kind: 'summary', meta: { complete: true, total: 2 } });
    expect((await bench.run('summary --by state')).stdout).not.toContain('█');
  });

  it('the same books give the same bytes', async () => {
    await made();
    const once = await bench.run('summary --by sender -o json');
    expect((await bench.run('summary --by sender -o json')).stdout).toBe(once.stdout);
    for (const name of ['a.svg', 'b.svg']) {
      const run = await bench.run(['summary', '--by', 'day', '--svg', name]);
      expect([run.code, run.stderr]).toEqual([0, expect.stringContaining(`The picture is in ${name}.`)]);
    }
    const [a, b] = ['a.svg', 'b.svg'].map((name) => readFileSync(join(bench.dir, name), 'utf8'));
    expect(a).toBe(b);
    expect(a).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
    expect(a).toContain('Payouts by day');
    expect(statSync(join(bench.dir, 'a.svg')).mode & 0o777).toBe(0o600);
    const again = await bench.run('summary --svg a.svg');
    expect([again.code, again.stderr]).toEqual([2, expect.stringContaining('a.svg is there already')]);
    expect(readFileSync(join(bench.dir, 'a.svg'), 'utf8')).toBe(a);
  });

  it('an unknown grouping names those that there are', async () => {
    const run = await bench.run('summary --by week');
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.stderr.replace(/\s+/g, ' ')).toContain(
      'corridor, currency, day, month, corridor-month, state, sender, reason',
    );
  });
});

describe('what the books do not know is not counted, and said', () => {
  it('no books, or books that are not complete, end with 6', async () => {
    const none = await bench.run('summary');
    expect([none.code, none.stdout, none.requests]).toEqual([6, '', []]);
    expect(none.stderr).toContain('remit books sync');
    await bench.run('sandbox seed --rounds 15');
    bench.intercept(only(({ url }) => url.includes('page=2'), answering(500, '{}')));
    await bench.run('books sync');
    const cut = await bench.run('summary');
    expect([cut.code, cut.stdout]).toEqual([6, '']);
  });

  it('a time that is over, and whose end they do not reach, ends with 8', async () => {
    await pay('00', 'p-1');
    await sync();
    const now = await summary('--month', '2026-01');
    expect([now.code, now.stderr]).toEqual([0, expect.stringContaining('nothing later is counted')]);
    await machine.sleep(40 * 86_400_000);
    const later = await summary('--month', '2026-01');
    expect([later.code, later.rows.length]).toEqual([8, 1]);
  });

  it('a time of which something was removed is refused', async () => {
    await pay('00', 'p-1');
    await advance('3d');
    await machine.sleep(3 * 86_400_000);
    await sync();
    await bench.run('books forget --before 1d');
    const run = await summary('--month', '2026-01');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('was removed from the books')]);
  });

  it('a time without a payment says so', async () => {
    await sync();
    const run = await bench.run('summary', { tty: true });
    expect([run.code, run.stdout]).toEqual([0, 'No payment of this time is in the books.\n']);
  });
});

it('books without names count the same', async () => {
  await pay('00', 'p-1');
  await pay('19', 'p-2');
  await bench.run('tx cancel p-2 --yes');
  expect((await bench.run('books sync --no-names')).code).toBe(0);
  const hidden: SummaryRow[][] = [];
  for (const by of GROUPINGS) hidden.push((await summary('--by', by)).rows);
  expect(hidden[0]).toMatchObject([{ group: 'NGN::Bank', payouts: 2, refunded: '14.99' }]);
  await bench.run('books forget --all');
  await sync();
  for (const [at, by] of GROUPINGS.entries()) expect((await summary('--by', by)).rows).toEqual(hidden[at]);
});

it('a collection has a row and a total of its own', async () => {
  await pay('00', 'p-1');
  await bench.run(['tx', 'create', ...collectionFlags(), '--external-id', 'c-1']);
  await bench.run(['sandbox', 'payin', 'c-1']);
  await sync();
  const { rows, stderr } = await summary('--by', 'month');
  const found = rows.map(({ direction, input_currency, payouts }) => [direction, input_currency, payouts]);
  expect(found.sort()).toEqual([
    ['collection', 'GHS', 1],
    ['payout', 'EUR', 1],
  ]);
  expect(stderr).toMatch(/GHS: 1 collection, paid in /);
  expect(stderr).toMatch(/EUR: 1 payout, cost /);
});

it('a collection and a payout say their direction in every list, as in the summary', async () => {
  await bench.run(['tx', 'create', ...collectionFlags(), '--external-id', 'c-1']);
  await bench.run(['sandbox', 'payin', 'c-1']);
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await bench.run(['books', 'sync']);
  for (const argv of [
    ['tx', 'list'],
    ['recipient', 'list'],
    ['search', 'GHS::Balance'],
    ['search', 'NGN::Bank'],
  ]) {
    const { stdout } = await bench.run([...argv, '-o', 'csv']);
    const [head = '', ...lines] = stdout.trim().split('\n');
    const at = head.split(',').indexOf('direction');
    expect(at, argv.join(' ')).toBeGreaterThan(0);
    for (const line of lines)
      expect(line.split(',')[at]).toBe(line.includes('c-1') ? 'collection' : 'payout');
  }
  const listed = await bench.run(['tx', 'list', '-o', 'json', '--fields', 'external_id,direction']);
  expect(listed.data()).toEqual([
    { external_id: 'p-1', direction: 'payout' },
    { external_id: 'c-1', direction: 'collection' },
  ]);
  const lines = (await bench.run(['statement', '-o', 'csv'])).stdout.trim().split('\n');
  expect(lines[0]?.split(',').at(-2)).toBe('direction');
  const told = lines.slice(1).map((line) => line.split(','));
  expect(told.filter((cells) => cells[2] === 'collection').map((cells) => cells.at(-2))).toEqual([
    'collection',
  ]);
  expect(told.filter((cells) => cells[2] === 'debit').map((cells) => cells.at(-2))).toEqual(['payout']);
  expect(told.filter((cells) => cells[2] === 'opening').every((cells) => cells.at(-2) === '')).toBe(true);
});
