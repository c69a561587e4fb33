/** Each detail that routes money is a part of the account: the provider of a wallet, the country of a number. */
import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { knownCorridor } from '../../src/runs/files/corridors.ts';
import { payeePrints } from '../../src/runs/files/payment.ts';
import { knownBy } from '../../src/runs/payee.ts';
import { person, type Run, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);

const WALLET = {
  ...{ key: 'E-1', type: 'XOF::Mobile', amount: '5000', input_currency: 'EUR', sender: 'customer-1' },
  ...{ first_name: 'Awa', last_name: 'Ba', country: 'SN', mobile_provider: 'orange' },
  ...{ phone_number: '+221771234567', external_id: '' },
};
type Wallet = Partial<Record<string, string>>;
function file(name: string, changed: Wallet = {}): string {
  const row: Wallet = { ...WALLET, ...changed };
  const path = join(bench.dir, `${name}.csv`);
  writeFileSync(path, `${Object.keys(row).join(',')}\n${Object.values(row).join(',')}\n`);
  return path;
}
const plan = (name: string, changed?: Wallet): Promise<Run> =>
  batch('plan', file(name, changed), '--name', name, '--max-input', 'EUR=1000', '--repeat', 'october');

it('a wallet at another provider is another account: it is asked about, and is no repetition', async () => {
  expect((await plan('october')).code).toBe(0);
  expect((await batch('run', 'october')).code).toBe(0);
  const planned = await plan('november', { mobile_provider: 'wave' });
  expect([
    planned.code,
    planned.stderr.includes('last paid: Awa Ba, orange ••••4567 (E-1 of october)'),
  ]).toEqual([10, true]);
  expect((await plan('december')).code).toBe(0);
});

describe('batch diff tells', () => {
  const described = Object.entries(person).map(([name, value]) => [`sender.${name}`, String(value)]);
  const inline: Wallet = { sender: '', ...Object.fromEntries(described) };
  it.each<[string, Wallet, Wallet, object]>([
    [
      'account',
      {},
      { mobile_provider: 'wave' },
      { old_account: 'orange ••••4567', account: 'wave ••••4567' },
    ],
    ['account', {}, { country: 'CI' }, {}],
    [
      'account',
      { phone_number: '771234567', phone_country: 'SN' },
      { phone_number: '771234567', phone_country: 'CI' },
      {},
    ],
    ['input_currency', {}, { input_currency: 'USD' }, { old_input_currency: 'EUR', input_currency: 'USD' }],
    [
      'external_id',
      { external_id: 'a-1' },
      { external_id: 'a-2' },
      { old_external_id: 'a-1', external_id: 'a-2' },
    ],
    ['external_id', {}, { external_id: 'a-2' }, { old_external_id: null }],
    ['sender', inline, { ...inline, 'sender.first_name': 'Bea' }, { sender: `Bea ${person.last_name}` }],
  ])('%s', async (kind, old, now, told) => {
    const argv = [file('old', old), file('new', now)];
    const run = await batch('diff', ...argv, '-o', 'json');
    expect(run.code, run.stderr).toBe(10);
    expect(run.data()).toEqual([expect.objectContaining({ changes: [kind], ...told })]);
    expect((await batch('diff', ...argv, '--allow', kind)).code).toBe(0);
  });

  it('nothing of a run and its own file', async () => {
    for (const [name, row] of [
      ['plain', {}],
      ['described', { ...inline, amount: '6000' }],
    ] as const) {
      const planned = await plan(name, row);
      expect(planned.code, planned.stderr).toBe(0);
      const run = await batch('diff', name, file(name, row), '-o', 'json');
      expect([run.code, run.data()], name).toEqual([0, []]);
    }
  });
});

it('prints of accounts without such details are what they always were', async () => {
  const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0000001119' };
  const { account = [] } = (await knownCorridor('NGN::Bank')) ?? {};
  const { payee } = payeePrints('NGN::Bank', account, details, ['1000', 'NGN']);
  expect(payee).toBe(hash('sha256', ['NGN::Bank', '044', '0000001119'].join('\0'), 'hex').slice(0, 32));
});

it('of a type that nobody knows, all but the names tells accounts apart', async () => {
  const details = { last_name: 'Sow', wallet: 'x-1', network: 'a' };
  const { account } = await knownBy('GMD::Wallet', details);
  const same = await knownBy('GMD::Wallet', { network: 'A', wallet: 'X-1', last_name: 'Ba' });
  const other = await knownBy('GMD::Wallet', { ...details, network: 'b' });
  expect([same.account === account, other.account === account]).toEqual([true, false]);
});

describe('a number of another country than the one that the service takes where none is given', () => {
  const ivorian = { country: '', phone_number: '+2250701234567' };
  it.each(['XOF::Mobile', 'XOF::Cash'])(
    'is refused in a file of %s outside a sandbox, and named inside',
    async (type) => {
      const row = {
        ...ivorian,
        type,
        ...(type === 'XOF::Cash' ? { mobile_provider: '', cash_provider: 'wizall' } : {}),
      };
      const checked = await batch('check', file('ci', row));
      expect(checked.stderr + checked.stdout).toContain(
        'is of another country than SN, which the service takes',
      );
      const said = await batch('check', file('ci', { ...row, country: 'CI' }));
      expect(said.stderr + said.stdout).not.toContain('which the service takes');
      const senegal = await batch('check', file('sn', { ...row, phone_number: '+221771234567' }));
      expect(senegal.stderr + senegal.stdout).not.toContain('which the service takes');
    },
  );

  it('is asked about before a single payment too', async () => {
    const create = (...more: string[]): Promise<Run> =>
      bench.run([
        ...[
          'tx',
          'create',
          '--type',
          'XOF::Mobile',
          '--amount',
          '5000',
          '--input-currency',
          'EUR',
          '--sender',
          'customer-1',
        ],
        ...[
          'first_name=Awa',
          'last_name=Ba',
          'mobile_provider=orange',
          'phone_number=+2250701234567',
          ...more,
        ].flatMap((detail) => ['--detail', detail]),
      ]);
    const said = 'phone_number is of another country than SN';
    expect((await create()).stderr).toContain(said);
    expect((await create('country=CI')).stderr).not.toContain(said);
  });
});

it('a store of an earlier version gets the prints that this one compares', async () => {
  await plan('october');
  await batch('run', 'october');
  const path = join(bench.dir, 'remit.db');
  const store = await openDatabase(path, { newest: STORE_VERSION, steps: {} });
  store.exec(`UPDATE payrun_rows SET payee = 1, account = 1;
    ALTER TABLE payrun_rows DROP COLUMN stands; ALTER TABLE payrun_rows DROP COLUMN elsewhere; PRAGMA user_version = 17`);
  store.close();
  expect((await plan('november')).stderr).not.toContain('CHANGED');
  await batch('cancel', 'november');
  const planned = await plan('december', { mobile_provider: 'wave' });
  expect([planned.code, planned.stderr.includes('orange ••••4567')]).toEqual([10, true]);
  const again = await batch('plan', file('again'), '--name', 'again', '--max-input', 'EUR=1000');
  expect(again.code, again.stderr).toBe(10);
});
