/** Without a terminal a refused choice names what is near it, and how to see all. */
import { expect, it } from 'vitest';
import { createArgv, paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const SEE_ALL = 'see all: remit corridors NGN::Bank --options bank_code';
const withBank = (code: string) =>
  paymentFlags('customer-1').map((flag) => flag.replace('bank_code=044', `bank_code=${code}`));

it.each([
  ['a zero left out', '44', /near it: 044 \(Access Bank\)\n/],
  ['the name of the bank', 'Access', /near it: 044 \(Access Bank\)/],
  ['the name misspelt', 'zenit bank', /near it: 057 \(Zenith/],
])('tx create: %s', async (_, code, near) => {
  const run = await bench.run(['tx', 'create', ...withBank(code)]);
  expect(run.code, run.stderr).toBe(5);
  expect(run.stderr).toMatch(near);
  expect(run.stderr).toContain(SEE_ALL);
  expect((await bench.run(SEE_ALL.replace('see all: remit ', '').split(' '))).code).toBe(0);
});

it.each(['045', '0044', '440', '04', '035a'])(
  'the next code is another bank: %s has no neighbour',
  async (code) => {
    const run = await bench.run(['tx', 'create', ...withBank(code)]);
    expect(run.code, run.stderr).toBe(5);
    expect(run.stderr).not.toContain('near it');
    expect(run.stderr).toContain(SEE_ALL);
  },
);

it('keeps the word of the service for programs, and names what it can be where that is little', async () => {
  const details = [
    'first_name=Ada',
    'last_name=Obi',
    'phone_number=+233302123400',
    'mobile_provider=verizonwireless',
  ];
  const run = await bench.run([
    ...['payout-method', 'create', '--type', 'GHS::Mobile', '-o', 'json'],
    ...[...details, 'transfer_reason=personal_account', 'gender=F'].flatMap((pair) => ['--detail', pair]),
  ]);
  expect(run.code, run.stderr).toBe(5);
  const error = run.error();
  expect(error.fields[0]?.words).toEqual(['invalid', 'one of: airteltigo, mtn, vodafone']);
  expect(error.hint).toBe('see all: remit corridors GHS::Mobile --options mobile_provider');
});

it('recipient edit alike', async () => {
  const made = await bench.run(createArgv());
  const id = made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
  const run = await bench.run(['recipient', 'edit', id, '--detail', 'bank_code=44', '--skip-validation']);
  expect(run.code, run.stderr).toBe(5);
  expect(run.stderr).toMatch(/near it: 044 \(Access Bank\)\n/);
  expect(run.stderr).toContain(SEE_ALL);
});
