/** A statement against the sandbox's own ledger, which knows every movement to the millisecond. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openBooksFile } from '../support/book-stores.ts';
import { camtErrors } from '../support/camt-rules.ts';
import { collectionFlags, type Intercept, only, payArgv, paymentJson, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });

type Json = Record<string, string | null>;
const json = async (...argv: string[]) => {
  const made = await bench.run([...argv, '-o', 'json']);
  return { ...made, rows: made.stdout === '' ? [] : made.data<Json[]>() };
};
const sync = () => bench.run(['books', 'sync']);
const advance = (time: string) => bench.run(['sandbox', 'clock', 'advance', time]);
/** What the service says that a balance did, in the order of its own ledger. */
async function ledger(
  month: string,
): Promise<{ kind: string; currency: string; amount: string; of: string }[]> {
  const made = await bench.run(`reports download --month ${month} --type account --to ${month}.csv --force`);
  expect(made.code, made.stderr).toBe(0);
  const [head = '', ...lines] = readFileSync(join(bench.dir, `${month}.csv`), 'utf8')
    .trim()
    .split('\n');
  const names = head.split(',');
  return lines
    .map(
      (line) =>
        Object.fromEntries(line.split(',').map((cell, at) => [names[at], cell])) as Record<string, string>,
    )
    .map(
      ({
        kind = '',
        currency = '',
        amount = '',
        recipient_id: recipient = '',
        transaction_id: transaction = '',
      }) => ({
        kind: kind === 'credit' ? 'collection' : kind,
        currency,
        amount: String(Number(amount)),
        of: recipient === '' ? transaction : recipient,
      }),
    );
}
const inOrder = <Row>(rows: Row[]): string[] => rows.map((row) => JSON.stringify(row)).sort();

const zoneless = ['--zone', 'UTC'];
const statement = (...argv: string[]) => json('statement', ...zoneless, ...argv);

it('has every movement of the service and no other, and ends with each balance that was seen', async () => {
  for (const fault of ['provider-outage', 'corridor-inactive'])
    await bench.run(['sandbox', 'fail', fault, '--times', '4']);
  for (let day = 0; day < 20; day++) {
    await bench.run(['sandbox', 'seed', '--rounds', '1']);
    await collect(`c-${day}`);
    await payTwo(`two-${day}`);
    await advance('1d');
    if (day % 4 > 0) continue;
    await sync();
    await endsAsSeen();
  }
  await sync();
  await endsAsSeen();
  const { rows, code, stderr } = await statement('--month', '2026-01');
  expect([code, stderr]).toEqual([10, expect.stringContaining('in the time zone UTC')]);
  expect(rows.filter(({ kind }) => kind === 'opening')).toEqual([]);
  const moved = rows.filter(({ amount }) => amount !== null);
  const wanted = (await ledger('2026-01')).filter(({ kind }) => kind !== 'opening');
  expect(wanted.length).toBeGreaterThan(100);
  const ours = moved.map(({ kind, currency, amount, recipient_id: recipient, transaction_id: id }) => ({
    kind,
    currency,
    amount: String(Number(amount)),
    of: recipient ?? id,
  }));
  expect(inOrder(ours)).toEqual(inOrder(wanted));
  for (const kind of ['debit', 'refund', 'collection'])
    expect([kind, moved.some((row) => row.kind === kind)]).toEqual([kind, true]);
});

/** What the service says that there is now is what the statement ends with. */
async function endsAsSeen(): Promise<void> {
  const { rows: balances } = await json('balance');
  const { rows } = await statement('--totals', '--since', '2026-01-01');
  const left = Object.fromEntries(rows.map((row) => [row.currency, Number(row.closing)]));
  expect(left).toEqual(Object.fromEntries(balances.map((row) => [row.currency, Number(row.amount)])));
  for (const { currency, difference, unexplained } of rows)
    expect([currency, difference, unexplained]).toEqual([currency, '0', '0']);
}

async function collect(id: string): Promise<void> {
  await bench.run(['tx', 'create', ...collectionFlags(), '--external-id', id]);
  await bench.run(['sandbox', 'payin', id]);
}

/** One of the two is refunded by itself after a day. */
async function payTwo(id: string): Promise<void> {
  writeFileSync(join(bench.dir, 'two.json'), JSON.stringify(paymentJson('0123456700', '0123456709')));
  const made = await bench.run(`tx create -f two.json --external-id ${id} --fund --max-input 40`);
  expect(made.code, made.stderr).toBe(0);
}

it('calls what no payment explains by its name, and ends with 10 where money left so', async () => {
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await sync();
  const cost = (await json('tx', 'show', 'p-1')).data<Json>().input_amount;
  await advance('2h');
  // Of a top-up the service says nothing but the balance.
  await bench.run(['sandbox', 'balance', 'EUR', '+500']);
  await sync();
  await advance('1m');
  await bench.run(payArgv('0123456700', '--external-id', 'p-2'));
  await advance('2h');
  await sync();
  const topped = await statement('--currency', 'eur', '--month', '2026-01', '--from-first-seen');
  expect(topped.code, topped.stderr).toBe(0);
  expect(topped.rows.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
    ['opening', null, '250000'],
    ['debit', `-${cost}`, String(250000 - Number(cost))],
    ['unexplained', '500', String(250500 - Number(cost))],
    ['debit', `-${cost}`, String(250500 - 2 * Number(cost))],
    ['closing', null, String(250500 - 2 * Number(cost))],
  ]);
  expect(topped.stderr).toMatch(/500\.00 EUR came in, and no payment explains it: perhaps a top-up\./);
  expect(topped.stderr).toMatch(/It happened between 2026-\S+ and 2026-/);
  bench.intercept(only(isAccounts, movedBy(-1)));
  await advance('1h');
  await sync();
  const lost = await statement('--currency', 'EUR', '--totals');
  expect([lost.code, lost.rows[0]?.unexplained]).toEqual([10, '499']);
  expect(lost.stderr).toContain('1.00 EUR left, and no payment explains it');
  // Where the lines prove themselves, the money that left is alone what is wrong.
  const proven = await statement('--currency', 'EUR', '--from-first-seen', '--totals');
  expect([proven.code, proven.rows[0]?.difference]).toEqual([10, '0']);
});

const isAccounts = ({ url }: { url: string }): boolean => /\/accounts$/.test(url);
const movedBy =
  (more: number): Intercept =>
  async (request, next) => {
    const answer = await next(request);
    const body = JSON.parse(answer.body) as { object: { currency: string; amount: number }[] };
    for (const one of body.object) if (one.currency === 'EUR') one.amount = Number(one.amount) + more;
    return { ...answer, body: JSON.stringify(body) };
  };

it('does not take a balance for seen while payments move it', async () => {
  await sync();
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    if (!isAccounts(request)) return answer;
    bench.restore();
    // It is funded behind the look at the balance, and before the list is read.
    await advance('1m');
    await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
    return answer;
  });
  await sync();
  await sync();
  const { code, rows } = await statement('--currency', 'EUR', '--totals', '--from-first-seen');
  expect([code, rows[0]?.unexplained, rows[0]?.difference]).toEqual([0, '0', '0']);
});

it('says a day by the zone that it prints, and what is near an end', async () => {
  await advance('13h30m');
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await advance('2d');
  await sync();
  const [first = ''] = (await json('tx', 'show', 'p-1')).data<Json>().created_at?.split('T') ?? [];
  const of = async (zone: string) => {
    const { rows, stderr } = await json('statement', '--since', first, '--until', first, '--zone', zone);
    expect(stderr).toContain(`in the time zone ${zone}`);
    return [
      rows.filter(({ kind }) => kind === 'debit').length,
      /1 debit may belong to the time before or after/.test(stderr),
    ];
  };
  expect(await of('UTC')).toEqual([1, false]);
  // It is 23:30 there, and the debit may be of the next day.
  const at = new Date(String((await json('tx', 'show', 'p-1')).data<Json>().created_at));
  const hours = 23 - at.getUTCHours();
  expect(await of(`Etc/GMT-${hours}`)).toEqual([1, true]);
  expect(await of(`Etc/GMT-${hours + 1}`)).toEqual([0, false]);
});

it('as camt.053 keeps the rules of its schema, is the same in bytes each time, and can be reconciled with', async () => {
  await sync();
  await bench.run(['sandbox', 'seed', '--rounds', '2']);
  await collect('c-1');
  await payTwo('two-1');
  await advance('3d');
  await sync();
  await advance('1h');
  bench.intercept(only(isAccounts, movedBy(500)));
  await sync();
  const print = () =>
    bench.run(['statement', '--month', '2026-01', '--camt053', '--from-first-seen', ...zoneless]);
  const [one, two] = [await print(), await print()];
  expect([one.code, camtErrors(one.stdout)]).toEqual([0, []]);
  expect(two.stdout).toBe(one.stdout);
  expect(one.stdout).toContain('<XchgRate>');
  expect(one.stdout).toContain('No payment explains this difference');
  // The checker itself finds what is wrong.
  for (const [right, wrong] of [
    ['<Sts><Cd>BOOK</Cd></Sts>', ''],
    ['<CdtDbtInd>DBIT</CdtDbtInd><Sts>', '<CdtDbtInd>OUT</CdtDbtInd><Sts>'],
    [/<Amt Ccy="EUR">[\d.]+/, '<Amt Ccy="EUR">-1.000001'],
    [/(<BookgDt>.*?<\/BookgDt>)(<ValDt>.*?<\/ValDt>)/, '$2$1'],
  ] as const)
    expect(camtErrors(one.stdout.replace(right, wrong)), String(right)).not.toEqual([]);
  writeFileSync(join(bench.dir, 'balance.xml'), one.stdout);
  const { rows } = await statement('--month', '2026-01', '--limit', '5000');
  const ledgerOf = rows
    .filter(({ kind }) => kind === 'debit' || kind === 'refund')
    .map((row) =>
      [row.external_id ?? row.transaction_id, row.at?.slice(0, 10), row.amount, row.currency].join(','),
    );
  writeFileSync(join(bench.dir, 'ledger.csv'), `reference,date,amount,currency\n${ledgerOf.join('\n')}\n`);
  const compared = await bench.run(
    'reconcile ledger.csv --against balance.xml --month 2026-01 --payments minus --ending matched -o json',
  );
  expect(compared.data<Json[]>().length, compared.stderr).toBeGreaterThan(20);
});

it('is empty of claims where the books do not reach', async () => {
  const none = await bench.run(['statement']);
  expect([none.code, none.stderr]).toEqual([6, expect.stringContaining('no books of this account yet')]);
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await sync();
  expect((await bench.run(['statement', '--currency', 'KES'])).stderr).toContain(
    'there is no balance in KES',
  );
  expect((await bench.run(['statement', '--month', '2026-02', '--since', '2026-01-01'])).code).toBe(2);
  expect((await bench.run(['statement', '--since', '2026-02-01', '--until', '2026-01-01'])).code).toBe(2);
  // The sandbox stands in January of 2026, and this machine does too: of a day that is over more could be known.
  await machine.sleep(40 * 86_400_000);
  const early = await statement('--month', '2026-01', '--totals', '--from-first-seen');
  expect([early.code, early.stderr]).toEqual([
    8,
    expect.stringContaining('the closing balance is the balance at that time'),
  ]);
  await bench.run(['books', 'forget', '--before', '1d']);
  expect((await bench.run(['statement', '--month', '2026-01'])).stderr).toContain(
    'was removed from the books',
  );
  expect((await bench.run(['statement', '--month', '2026-01'])).code).toBe(2);
});

it('ends with 10 where the lines do not add up', async () => {
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await sync();
  const [file = ''] = readdirSync(bench.dir).filter((name) => /-books-.*\.db$/.test(name));
  const database = await openBooksFile(join(bench.dir, file));
  database.run("UPDATE marks SET amount = '-1' WHERE kind = 'debit'");
  database.close();
  const wrong = await statement('--currency', 'EUR');
  expect([wrong.code, wrong.stderr]).toEqual([10, expect.stringContaining('The lines of EUR do not add up')]);
});

it('has the rate and the margin of the day', async () => {
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await sync();
  const rate = (await json('rates', 'EUR', 'NGN')).data<Json>();
  const { rows } = await statement('--currency', 'EUR');
  expect(rows.find(({ kind }) => kind === 'debit')).toMatchObject({
    rate: rate.rate,
    margin: rate.margin,
    output_amount: '25000',
    output_currency: 'NGN',
    name: 'Ada Obi',
  });
});

it('prints no opening balance that nobody saw, says from when it proves itself, and begins there if asked', async () => {
  await bench.run(payArgv('0123456700', '--external-id', 'p-1'));
  await advance('2h');
  await sync();
  await advance('3h');
  await bench.run(payArgv('0123456700', '--external-id', 'p-2'));
  await advance('2h');
  await sync();
  const cost = Number((await json('tx', 'show', 'p-1')).data<Json>().input_amount);
  const argv = ['--currency', 'EUR', '--month', '2026-01'];
  const { code, rows, stderr } = await statement(...argv);
  expect([code, stderr]).toEqual([10, expect.stringContaining('nobody saw the opening balance')]);
  expect(stderr).toMatch(
    /EUR: opening not seen, paid .* From then on the lines prove themselves: --from-first-seen/s,
  );
  const [, seen] = /was first seen at (\S+): /.exec(stderr) ?? [];
  expect(rows.map(({ kind, balance }) => [kind, balance])).toEqual([
    ['opening_not_seen', null],
    ['debit', null],
    ['debit', String(250000 - 2 * cost)],
    ['closing', String(250000 - 2 * cost)],
  ]);
  const totals = await statement(...argv, '--totals');
  expect([totals.code, totals.rows]).toMatchObject([10, [{ opening: null, first_seen: seen }]]);
  const csv = await bench.run(['statement', ...argv, ...zoneless, '-o', 'csv']);
  expect([csv.code, /^[^,]*,,opening_not_seen,EUR,,,/m.test(csv.stdout)]).toEqual([10, true]);
  const camt = await bench.run(['statement', ...argv, ...zoneless, '--camt053']);
  expect([camt.code, camtErrors(camt.stdout), camt.stdout.includes('OPBD')]).toEqual([10, [], false]);
  expect(camt.stdout).toContain(`The opening balance was not seen: the balance was first seen at ${seen}.`);
  const proven = await statement(...argv, '--from-first-seen');
  expect([proven.code, proven.rows.map(({ kind, balance }) => [kind, balance])]).toEqual([
    0,
    [
      ['opening', String(250000 - cost)],
      ['debit', String(250000 - 2 * cost)],
      ['closing', String(250000 - 2 * cost)],
    ],
  ]);
  expect(proven.rows[0]?.at).toBe(seen);
  const whole = await bench.run(['statement', ...argv, ...zoneless, '--camt053', '--from-first-seen']);
  expect([whole.code, camtErrors(whole.stdout), whole.stdout.includes('OPBD')]).toEqual([0, [], true]);
  // Of a day before the first look nothing is known but what payments moved.
  const before = ['--currency', 'EUR', '--since', '2026-01-01', '--until', '2026-01-02'];
  const none = await statement(...before);
  expect([none.code, none.rows.map(({ kind, balance }) => [kind, balance])]).toEqual([
    10,
    [
      ['opening_not_seen', null],
      ['closing_not_seen', null],
    ],
  ]);
  for (const more of ['--camt053', '--from-first-seen'])
    expect((await bench.run(['statement', ...before, ...zoneless, more])).code, more).toBe(2);
});

it('a debit to several recipients has the name, the output and the rate of each, in every format; in CI the names are masked', async () => {
  const recipient = (name: string, amount: string) => ({
    type: 'person',
    requested_amount: amount,
    requested_currency: 'NGN',
    payout_method: {
      type: 'NGN::Bank',
      details: { first_name: name, last_name: 'Obi', bank_code: '044', bank_account: '0123456700' },
    },
  });
  const ghs = {
    type: 'person',
    requested_amount: '100',
    requested_currency: 'GHS',
    payout_method: {
      type: 'GHS::Mobile',
      details: {
        first_name: 'Kofi',
        last_name: 'Mensah',
        phone_number: '+233302123400',
        mobile_provider: 'mtn',
        gender: 'M',
        transfer_reason: 'personal_account',
      },
    },
  };
  const pay = async (externalId: string, recipients: unknown[]): Promise<void> => {
    const body = {
      input_currency: 'EUR',
      sender: { external_id: 'customer-1' },
      recipients,
      external_id: externalId,
    };
    writeFileSync(join(bench.dir, 'several.json'), JSON.stringify(body));
    const made = await bench.run('tx create --file several.json --fund --max-input 1000');
    expect(made.code, made.stderr).toBe(0);
  };
  await sync();
  await pay('two', [recipient('Ada', '25000'), recipient('Eve', '50000')]);
  await advance('1m');
  await pay('mixed', [recipient('Ada', '25000'), ghs]);
  await advance('1h');
  await sync();
  const argv = ['statement', '--month', '2026-01', '--currency', 'EUR', '--from-first-seen'];
  const debits = (await json(...argv)).rows.filter(({ kind }) => kind === 'debit');
  expect(debits).toMatchObject([
    {
      external_id: 'two',
      name: 'Ada Obi, Eve Obi',
      output_amount: '75000',
      output_currency: 'NGN',
      rate: expect.stringMatching(/^1667\./),
      recipients: [
        { name: 'Ada Obi', output_amount: '25000', output_currency: 'NGN' },
        { name: 'Eve Obi', output_amount: '50000', output_currency: 'NGN' },
      ],
    },
    {
      external_id: 'mixed',
      name: 'Ada Obi, Kofi Mensah',
      output_amount: null,
      output_currency: null,
      rate: null,
      recipients: [
        { name: 'Ada Obi', output_currency: 'NGN', rate: expect.stringMatching(/^1667\./) },
        { name: 'Kofi Mensah', output_amount: '100', output_currency: 'GHS', rate: expect.any(String) },
      ],
    },
  ]);
  const csv = await bench.run([...argv, '-o', 'csv']);
  expect(csv.stdout).toMatch(/Ada Obi 25000 NGN at 1667\.\d+; Eve Obi 50000 NGN at 1667\.\d+",payout,$/m);
  const table = await bench.run(argv, { tty: true, columns: 200 });
  expect(table.stdout).toMatch(/Ada Obi, Kofi Mensah.*25000 NGN \+ 100\.00 GHS/);
  const camt = (await bench.run([...argv, '--camt053'])).stdout;
  expect(await camtErrors(camt)).toEqual([]);
  expect(camt.match(/<TxDtls>/g)).toHaveLength(4);
  expect(camt.match(/<Nm>[^<]*<\/Nm>/g)).toEqual(
    expect.arrayContaining(['<Nm>Eve Obi</Nm>', '<Nm>Kofi Mensah</Nm>']),
  );
  for (const form of [['-o', 'json'], ['-o', 'csv'], ['-o', 'yaml'], [], ['--camt053']]) {
    const { stdout } = await bench.run([...argv, ...form], { env: { CI: '1' } });
    expect(stdout, form.join(' ')).not.toMatch(/Ada|Kofi|Mensah/);
  }
});
