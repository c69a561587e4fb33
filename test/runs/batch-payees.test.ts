/** Changed payees: whoever was paid at another account before, and accounts that were another payee's. Somebody says their number. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { payArgv, type Run, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);

type Payee = [key: string, first: string, account: string, amount?: string];
const OCTOBER: Payee[] = [
  ['E-1', 'Ada', '0000000100'],
  ['E-2', 'Kofi', '0000000200'],
  ['E-3', 'Zoë', '0000000300'],
];
function file(payees: readonly Payee[]): string {
  const path = join(bench.dir, 'wages.csv');
  const rows = payees.map(
    ([key, first, account, amount = '1000']) =>
      `${key},NGN::Bank,${amount},EUR,customer-1,${first},Obi,044,${account}`,
  );
  const header = 'key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account';
  writeFileSync(path, `${[header, ...rows].join('\n')}\n`);
  return path;
}
const plan = (name: string, payees: readonly Payee[], ...more: string[]): Promise<Run> =>
  batch('plan', file(payees), '--name', name, '--max-input', 'EUR=1000', '--repeat', 'october', ...more);
async function pay(name: string, payees: readonly Payee[], ...more: string[]): Promise<void> {
  const planned = await plan(name, payees, ...more);
  expect(planned.code, planned.stderr).toBe(0);
  expect((await batch('run', name)).code).toBe(0);
}
const october = () => pay('october', OCTOBER);
const status = async (name: string) =>
  (await batch('status', name, '-o', 'json')).data<{ changed_payees: number; digest: string }>();

describe('a plan names payees that are not as before', () => {
  it('the same people at the same accounts need no word, and neither do the first payments of all', async () => {
    await october();
    const planned = await plan('november', OCTOBER);
    expect([planned.code, (await status('november')).changed_payees]).toEqual([0, 0]);
    expect(planned.stderr).not.toContain('CHANGED');
    expect(planned.stderr).not.toContain('first time');
  });

  it.each<[string, Payee, string]>([
    [
      'another account under the key',
      ['E-1', 'Ada', '0000000999'],
      'last paid: Ada Obi, 044 ••••0100 (E-1 of october)',
    ],
    [
      'another account under the name',
      ['N-1', 'ADA', '0000000999'],
      'last paid: Ada Obi, 044 ••••0100 (E-1 of october)',
    ],
    [
      'an account of somebody else',
      ['N-9', 'Eve', '0000000100'],
      'the account was paid as: Ada Obi, 044 ••••0100 (E-1 of october)',
    ],
    [
      'an account of somebody else, under a known key',
      ['E-2', 'Kofi', '0000000100'],
      'last paid: Kofi Obi, 044 ••••0200 (E-2 of october); the account was paid as: Ada Obi',
    ],
    [
      'a name with an accent less',
      ['N-3', 'Zoe', '0000000999'],
      'last paid: Zoë Obi, 044 ••••0300 (E-3 of october)',
    ],
  ])('%s', async (_, payee, words) => {
    await october();
    const payees = [payee];
    const refused = await plan('november', payees);
    expect([refused.code, refused.stdout]).toEqual([10, '']);
    expect(refused.stderr).toContain('1 payee is not as before');
    expect(refused.stderr).toContain(words);
    expect(refused.stderr).toContain('--accept-changed 1');
    expect((await batch('status', 'november')).code).toBe(6);
    for (const number of ['2', '3'])
      expect((await plan('november', payees, '--accept-changed', number)).code).toBe(10);
    const planned = await plan('november', payees, '--accept-changed', '1');
    expect(planned.stderr.indexOf('LOOK AT 1 CHANGED PAYEE')).toBeLessThan(
      planned.stderr.indexOf('rate EUR'),
    );
    expect(planned.stderr).toContain('LOOK AT 1 CHANGED PAYEE');
    expect(await status('november')).toMatchObject({ changed_payees: 1 });
    const ran = await batch('run', 'november');
    expect(ran.stderr).toContain(words);
    const report = await batch('report', 'november', '-o', 'json');
    expect(report.stderr).toContain(words);
    expect(report.data<{ payee_changed: string | null }[]>().filter((row) => row.payee_changed)).toHaveLength(
      1,
    );
  });

  it('two accounts with one end are told apart, and the refusal names keys and nobody', async () => {
    await october();
    const refused = await plan('november', [['E-1', 'Ada', '9990000100']], '-o', 'json');
    expect(refused.stderr).toContain(
      'last paid: Ada Obi, 044 ••••0100, ANOTHER ACCOUNT WITH THE SAME END (E-1 of october)',
    );
    expect(refused.error().fields).toEqual([{ path: 'E-1', words: ['was paid at another account before'] }]);
  });

  it('a number without a changed payee is refused', async () => {
    await october();
    const refused = await plan('november', OCTOBER, '--accept-changed', '1');
    expect([refused.code, refused.stderr.includes('no payee is changed, and you said 1')]).toEqual([
      10,
      true,
    ]);
  });

  it('another name at the account under its key is a correction, and two of one name are told apart by nothing', async () => {
    await pay('october', [...OCTOBER, ['E-4', 'Ada', '0000000400']]);
    const payees: Payee[] = [
      ['E-1', 'Adaeze', '0000000100'],
      ['N-1', 'Ada', '0000000999'],
      ['N-2', 'Kofi', '0000000888'],
      ['N-3', 'Kofi', '0000000777'],
    ];
    expect((await plan('november', payees)).code).toBe(0);
  });

  it('whoever was not paid is not known: planned, refused and cancelled rows count for nothing', async () => {
    await plan('october', OCTOBER);
    await batch('cancel', 'october');
    const planned = await plan('november', [['E-1', 'Ada', '0000000999']]);
    expect(planned.code, planned.stderr).toBe(0);
    expect(planned.stderr).toContain('1 payee was paid in no earlier run here');
  });

  it('an account that went to another and came back is a change each time', async () => {
    await october();
    await pay('november', [['E-1', 'Ada', '0000000999']], '--accept-changed', '1');
    for (const account of ['0000000100', '0000000999'] as const) {
      const planned = await plan(`december-${account}`, [['E-1', 'Ada', account, '1001']]);
      expect(planned.code).toBe(account === '0000000100' ? 10 : 0);
    }
  });
});

describe('a first payment, and one of far more than usual', () => {
  const payees: Payee[] = [
    ['E-1', 'Ada', '0000000100', '3000'],
    ['E-2', 'Kofi', '0000000200', '3001'],
    ['N-1', 'Nina', '0000000900'],
  ];
  it('are shown, and count only with --strict-payees', async () => {
    await october();
    const planned = await plan('november', payees);
    expect(planned.code).toBe(0);
    expect(planned.stderr).toContain('1 payee was paid in no earlier run here');
    expect(planned.stderr).toContain('1 row is more than three times what is usual for the account: E-2');
    await batch('cancel', 'november');
    expect((await plan('strict', payees, '--strict-payees')).code).toBe(10);
    expect((await plan('strict', payees, '--strict-payees', '--accept-changed', '2')).code).toBe(0);
  });

  it('the median counts, not the greatest and not the mean', async () => {
    for (const [name, amount] of [
      ['one', '1000'],
      ['two', '1001'],
      ['three', '90000'],
    ] as const)
      await pay(name, [['E-1', 'Ada', '0000000100', amount]]);
    const planned = await plan('four', [['E-1', 'Ada', '0000000100', '3500']]);
    expect(planned.stderr).toContain('more than three times what is usual for the account: E-1');
  });
});

describe('a payee that changed between the plan and its payment', () => {
  const other: Payee[] = [['E-1', 'Ada', '0000000999']];

  it('is set aside by name, and the others are paid: 10', async () => {
    await october();
    expect((await plan('november', OCTOBER)).code).toBe(0);
    await pay('correction', other, '--accept-changed', '1');
    const ran = await batch('run', 'november');
    expect([ran.code, ran.stderr]).toEqual([
      10,
      expect.stringContaining('set aside: E-1: its payee was paid'),
    ]);
    expect((await batch('show', 'november', 'E-1', '-o', 'json')).data()).toMatchObject({
      state: 'refused',
      code: 'payee_changed',
    });
    const { states } = (await batch('status', 'november', '-o', 'json')).data<{
      states: Record<string, number>;
    }>();
    expect(states).toEqual({ created: OCTOBER.length - 1, refused: 1 });
    const again = await batch('run', 'november');
    expect([again.code, again.requests.filter(({ method }) => method === 'POST')]).toEqual([10, []]);
  });

  it('that was answered for in the plan is paid, and so is a run that nobody else paid beside', async () => {
    await october();
    await plan('november', other, '--accept-changed', '1');
    expect((await batch('run', 'november')).code).toBe(0);
  });
});

describe('who approves says the number again', () => {
  const payees: Payee[] = [['E-1', 'Ada', '0000000999'], ...OCTOBER.slice(1)];
  it('and the changed payees are in the digest', async () => {
    await october();
    await plan('november', payees, '--accept-changed', '1');
    const { digest } = await status('november');
    const approve = (...more: string[]) => batch('approve', 'november', '--digest', digest, ...more);
    const refused = await approve();
    expect([refused.code, refused.stderr.includes('--accept-changed 1')]).toEqual([10, true]);
    expect((await approve('--accept-changed', '2')).code).toBe(10);
    expect((await approve('--accept-changed', '1', '--reject', '--because', 'not asked yet')).code).toBe(2);
    expect((await plan('november', payees, '--accept-changed', '3')).code).toBe(10);
    expect((await plan('november', payees, '--accept-changed', '1')).code).toBe(0);
    const approved = await approve('--accept-changed', '1');
    expect(approved.code, approved.stderr).toBe(0);
    expect(approved.stderr).toContain('last paid: Ada Obi, 044 ••••0100');
    const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
    store.exec(
      "UPDATE payruns SET plan = json_set(plan, '$.payees.changed', json('[]')) WHERE name = 'november'",
    );
    store.close();
    const ran = await batch('run', 'november');
    expect([ran.code, ran.stderr.includes('is not what was planned')]).toEqual([10, true]);
  });
});

it('the books know who was paid without a run', async () => {
  const paid = await bench.run(payArgv('0000000100'));
  expect(paid.code, paid.stderr).toBe(0);
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await bench.run(['books', 'sync']);
  const planned = (payee: Payee) => plan(`p-${payee[2]}-${payee[1]}`, [payee]);
  expect((await planned(['N-1', 'Ada', '0000000100'])).code).toBe(0);
  const moved = await planned(['N-1', 'Ada', '0000000999']);
  expect(moved.stderr).toContain('last paid: payment ');
  expect(moved.code).toBe(10);
  const taken = await planned(['N-1', 'Eve', '0000000100', '1001']);
  expect([taken.code, taken.stderr.includes('the account was paid as: payment ')]).toEqual([10, true]);
});

it('what the bank says of the name is kept with its day, and stands beside the change', async () => {
  await october();
  const checked = await plan(
    'november',
    [['E-1', 'Ada', '0000000999']],
    '--check-accounts',
    '--accept-changed',
    '1',
  );
  expect(checked.code, checked.stderr).toBe(0);
  const [row] = (await batch('rows', 'november', '-o', 'json')).data<Record<string, string>[]>();
  expect(row).toMatchObject({
    payee_changed: 'account',
    holder_name: expect.stringMatching(/match|close|other|cannot_tell/),
    holder_asked_at: expect.stringMatching(/^2026-/),
  });
  expect(checked.stderr).toMatch(/the bank (has|cannot)|THE BANK HAS/);
});

it('a payment of the books that was never paid out is no evidence', async () => {
  await bench.run(payArgv('0000000119'));
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await bench.run(['books', 'sync']);
  const planned = await plan('november', [['N-1', 'Ada', '0000000999']]);
  expect(planned.code, planned.stderr).toBe(0);
});

it('of many first payments some are not looked for in the books, and that is said', async () => {
  const many = Array.from(
    { length: 203 },
    (_, i): Payee => [`N-${i}`, `F${i}`, String((1000 + i) * 100).padStart(10, '0')],
  );
  const said = 'were not looked for in the books';
  expect((await plan('october', many)).stderr).not.toContain(said);
  await batch('cancel', 'october');
  await bench.run(['books', 'sync']);
  expect((await plan('november', many)).stderr).toContain(`3 of them ${said}`);
});

it.each([
  ['Ada Obi', 'match'],
  ['OBI, ada', 'match'],
  ['Ada Nneka Obi', 'close'],
  ['Eve Doe', 'other'],
])('the holder %s is kept as %s', async (holder, word) => {
  await bench.run(['sandbox', 'settings', `holder_name=${holder}`]);
  await plan('november', [['E-1', 'Ada', '0000000100']], '--check-accounts');
  const [row] = (await batch('rows', 'november', '-o', 'json')).data<Record<string, string>[]>();
  expect(row?.holder_name).toBe(word);
});
