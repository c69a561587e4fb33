/** Payout types as data: fields, choices, decimals, and a payment to fill in that the sandbox then takes. */
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { corridorTypes, loadCorridor } from '../../src/contract/corridors/index.ts';
import { createBench, noAccount, paymentFlags, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench({
  once: true,
  setUp: async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-17')]);
  },
});
const offline = {
  env: noAccount,
};

describe('remit corridors', () => {
  it('lists all of them with their decimals, offline', async () => {
    const run = await bench.run(['corridors', '-o', 'json'], offline);
    expect(run).toMatchObject({ code: 0, stderr: '', requests: [] });
    const { data } = run.json<{ data: { type: string; decimals: number }[] }>();
    expect(data.map(({ type }) => type)).toEqual(corridorTypes.map(({ type }) => type));
    expect(data.find(({ type }) => type === 'NGN::Bank')?.decimals).toBe(0);
    expect(data.find(({ type }) => type === 'GHS::Bank')?.decimals).toBe(2);
  });

  it('takes a currency, and searches', async () => {
    const ghs = await bench.run(['corridors', 'ghs'], offline);
    expect(ghs.stdout.split('\n').filter(Boolean)).toHaveLength(2);
    expect((await bench.run(['corridors', '--search', 'senegal'], offline)).stdout).toMatch(/^XOF::Cash\t/);
  });

  it('shows the fields of one, with what is rounded', async () => {
    const run = await bench.run(['corridors', 'ngn::bank', '-o', 'table'], { ...offline, tty: true });
    expect(run.stdout).toMatch(/bank_code +yes +\S.* to choose from/);
    expect(run.stderr).toContain('NGN has no decimals: amounts are rounded up to whole NGN');
  });

  it('says what the sender must have', async () => {
    const run = await bench.run(['corridors', 'MAD::Cash'], offline);
    expect(run.stderr).toMatch(/a person that sends needs identification_type/);
  });

  it('searches the choices of a field by code and label', async () => {
    const run = await bench.run(
      ['corridors', 'NGN::Bank', '--options', 'bank_code', '--search', 'access'],
      offline,
    );
    expect(run.stdout).toContain('044\tAccess Bank');
    const all = await bench.run(['corridors', 'NGN::Bank', '--options', 'bank_code'], offline);
    expect(all.stdout.split('\n').length).toBeGreaterThan(run.stdout.split('\n').length + 10);
  });

  it.each([
    [['corridors', 'NGN::Bnak'], 6, 'did you mean NGN::Bank?'],
    [['corridors', 'NGN::Bank', '--options', 'first_name'], 6, 'it has for bank_code'],
    [['corridors', '--skeleton'], 2, 'which payout type?'],
  ])('%s ends with %i', async (argv, code, words) => {
    const run = await bench.run(argv, offline);
    expect(run).toMatchObject({ code, stdout: '', requests: [] });
    expect(run.stderr).toContain(words);
  });
});

describe('a payment to fill in', () => {
  it.each([[], ['-o', 'json']])(
    'is refused as long as it is empty, and every gap is named at once %j',
    async (...flags) => {
      const { stdout } = await bench.run(['corridors', 'NGN::Bank', '--skeleton', ...flags], offline);
      const created = await bench.run(['tx', 'create', '--file', '-'], { stdin: stdout });
      expect(created).toMatchObject({ code: 2, stdout: '', requests: [] });
      expect(created.stderr).toContain(
        'remit: 8 places are still empty: the currency you pay in, your reference for the payment, the sender, the amount, ' +
          'First name (first_name), Last name (last_name), Bank (bank_code), Account number (bank_account)',
      );
      expect(created.stderr).toContain('recipients.0.payout_method.details.bank_account  is empty');
    },
  );

  it('flags fill in what the file leaves empty', async () => {
    const { stdout } = await bench.run(['corridors', 'NGN::Bank', '--skeleton'], offline);
    const flags = paymentFlags('customer-17');
    const made = await bench.run(['tx', 'create', '--file', '-', ...flags, '--external-id', 'filled-1'], {
      stdin: stdout,
    });
    expect(made).toMatchObject({ code: 0 });
  });

  it.each(corridorTypes.map(({ type }) => [type]))(
    '%s has every required field, of a business too',
    async (type) => {
      const corridor = await loadCorridor(type);
      for (const kind of corridor?.recipientKinds.business
        ? (['person', 'business'] as const)
        : (['person'] as const)) {
        const flags = kind === 'business' ? ['--business'] : [];
        const { stdout } = await bench.run(
          ['corridors', type, '--skeleton', '-o', 'json', ...flags],
          offline,
        );
        const { recipients } = JSON.parse(stdout) as {
          recipients: { type: string; payout_method: { details: Record<string, string> } }[];
        };
        const required = (corridor?.recipientKinds[kind] ?? []).filter((field) => field.required);
        expect(Object.keys(recipients[0]?.payout_method.details ?? {})).toEqual(
          expect.arrayContaining(required.map(({ name }) => name)),
        );
        expect(recipients[0]?.type).toBe(kind);
        const commented = await bench.run(['corridors', type, '--skeleton', ...flags], offline);
        expect(parse(commented.stdout)).toEqual(JSON.parse(stdout));
        for (const { label } of required) expect(commented.stdout).toContain(label);
      }
    },
  );

  it.each([['NGN::Bank'], ['GHS::Mobile'], ['XOF::Mobile'], ['GBP::Bank'], ['EUR::Bank']])(
    '--sample of %s is taken by the sandbox as it is, as JSON and as YAML',
    async (type) => {
      for (const format of ['json', 'yaml']) {
        const { stdout } = await bench.run(['corridors', type, '--sample', '-o', format], offline);
        const id = `sample-${type}-${format}`;
        const created = await bench.run(['tx', 'create', '--file', '-', '--external-id', id], {
          stdin: stdout,
        });
        expect(`${created.code} ${created.stderr}`).toMatch(/^0 /);
      }
    },
  );
});

it('--search without --options looks among the fields', async () => {
  const bench = await createBench();
  const run = await bench.run(['corridors', 'NGN::Bank', '--search', 'BANK_', '--fields', 'field']);
  expect(run.stdout.trimEnd().split('\n').sort()).toEqual(['bank_account', 'bank_account_type', 'bank_code']);
  await bench.close();
});
