/**
 * Each personal member that the contract has, of every corridor, sender, document and payin, through the commands that show it, in every
 * format, at a terminal, in a pipe and in CI. Accounts and numbers show their end and no more; in CI names and addresses are masked too.
 */
import { expect, it } from 'vitest';
import { fieldsFor } from '../../src/contract/corridors/check.ts';
import type { PartyKind } from '../../src/contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor, loadOptionsOf } from '../../src/contract/corridors/index.ts';
import { payinTypes } from '../../src/contract/corridors/payins.ts';
import { sampleDetails } from '../../src/contract/corridors/sample.ts';
import { PERSONAL, type Personal, personalOf } from '../../src/contract/personal.ts';
import { senderTextFields } from '../../src/contract/resources/sender.ts';
import { maskData } from '../../src/payments/words/mask.ts';
import { type Bench, paymentFlags, type RunOptions, useBench } from '../support/cli.ts';
import { some } from '../support/long.ts';

const FORMATS = ['table', 'text', 'json', 'ndjson', 'csv', 'yaml'];
const PLACES: readonly [string, RunOptions][] = [
  ['a terminal', { tty: true, columns: 200 }],
  ['a pipe', {}],
  ['CI', { env: { CI: '1' } }],
];

/** Each personal value that the service has, by what it is. */
const secrets = new Map<string, Exclude<Personal, 'none'>>();
const note = (details: Readonly<Record<string, unknown>>): void => {
  for (const [name, value] of Object.entries(details)) {
    const personal = personalOf(name);
    if (personal === undefined || personal === 'none' || String(value).length < 8) continue;
    secrets.set(String(value), personal);
  }
};

const call = async (bench: Bench, operation: string[], body: unknown) => {
  const run = await bench.run(['api', ...operation, '-d', JSON.stringify(body)]);
  expect(run.code, `${operation} ${run.stdout.slice(0, 3000)}`).toBe(0);
  return JSON.parse(run.stdout).object as { id: string };
};

async function detailsOf(type: string, kind: PartyKind): Promise<Record<string, string> | undefined> {
  const corridor = await loadCorridor(type);
  if (corridor === undefined || (kind === 'business' && corridor.recipientKinds.business === undefined))
    return undefined;
  const options = await loadOptionsOf(corridor);
  const sample = sampleDetails(corridor, kind, options);
  const free = fieldsFor(corridor, kind).filter(
    ({ control, format, check, guard, judge, maxLength = 99 }) =>
      control === 'input' && !format && !check && !guard && !judge && maxLength > 30,
  );
  // A value for every optional member too, and each of its own.
  for (const { name } of free)
    if (name !== 'bank_account') sample[name] = `Zz ${type.replaceAll('::', ' ')} ${name}`;
  return sample;
}

const ids: Record<string, string> = {};
const bench = useBench({
  sender: true,
  once: true,
  async setUp(at) {
    for (const { type } of corridorTypes)
      for (const kind of ['person', 'business'] as const) {
        const details = await detailsOf(type, kind);
        if (details === undefined) continue;
        note(details);
        ids.method = (await call(at, ['payout_methods.create'], { payout_method: { type, details } })).id;
      }
    const texts = Object.fromEntries(
      senderTextFields.map((name) => [
        name,
        `Zz-${name}-${name.includes('email') ? '@example.com' : 'of-ada'}`,
      ]),
    );
    const person = { ...texts, ...PERSON, external_id: 'whole' };
    note(person);
    ids.sender = (await call(at, ['senders.create'], { sender: person })).id;
    const document = {
      upload: `data:image/png;base64,${Buffer.from('Zz made-up passport of Ada').toString('base64')}`,
      upload_file_name: 'zz-passport-ada-obi.png',
      document_type: 'passport',
      document_id: 'ZZ0012345',
    };
    note(document);
    ids.document = (await call(at, ['documents.create'], { document })).id;
    await at.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'paid']);
    note({ bank_account: '0123456700' });
  },
});

const PERSON = {
  type: 'person',
  country: 'PT',
  phone_country: 'PT',
  phone_number: '+351911876543',
  email: 'zz-ada@example.com',
  birth_date: '1990-12-31',
  identification_type: 'PP',
  identification_number: 'ZZ7654321',
  ip: '198.51.100.77',
  nationality: 'PT',
  country_of_birth: 'PT',
  trading_country: 'PT',
  registration_date: '2001-02-03',
  documents: [],
  metadata: {},
};

const shown = (): string[][] => [
  ['payout-method', 'list', '--all'],
  ['payout-method', 'show', ids.method ?? ''],
  ['sender', 'list'],
  ['sender', 'show', 'whole'],
  ['document', 'list'],
  ['document', 'show', ids.document ?? ''],
  ['recipient', 'list'],
  ['recipient', 'show', 'paid'],
  ['tx', 'show', 'paid'],
  ['tx', 'list'],
  ['history'],
  ['logs', 'api', '--all'],
];

/** What stands whole in the text and may not. */
function whole(text: string, place: string): string[] {
  const flat = text.replace(/\s+/g, ' ');
  return [...secrets].flatMap(([value, personal]) => {
    const isAllowed = (personal === 'name' || personal === 'contact') && place !== 'CI';
    return !isAllowed && flat.includes(value) ? [`${personal} ${value}`] : [];
  });
}

it.each(some(PLACES, 2))(
  'at %s no account, and in CI no name, stands whole in any format',
  async (place, options) => {
    expect(secrets.size).toBeGreaterThan(60);
    for (const argv of shown())
      for (const format of FORMATS) {
        const run = await bench.run([...argv, '-o', format], options);
        const said = `${argv.join(' ')} -o ${format}`;
        expect(run.code, `${said} ${run.stderr}`).toBe(0);
        expect({ said, whole: whole(run.stdout + run.stderr, place) }).toEqual({ said, whole: [] });
      }
  },
);

it('with --reveal they are there, so that the test before looks at what is shown', async () => {
  const run = await bench.run(['payout-method', 'list', '--all', '-o', 'json', '--reveal']);
  const accounts = [...secrets].filter(
    ([value, personal]) => personal === 'account' && run.stdout.includes(value),
  );
  expect(accounts.length).toBeGreaterThan(5);
});

it('debug output masks names and accounts everywhere', async () => {
  const env = { REMIT_DEBUG: 'api' };
  for (const argv of [
    ['payout-method', 'list', '--all'],
    ['sender', 'show', 'whole'],
    ['document', 'show', ids.document ?? ''],
  ]) {
    const run = await bench.run([...argv, '-o', 'json'], { env });
    expect(run.stderr).toContain('GET');
    expect({ argv, whole: whole(run.stderr, 'CI') }).toEqual({ argv, whole: [] });
  }
});

const PAYIN_FIELDS = payinTypes.flatMap(({ type, flows }) =>
  Object.entries(flows).flatMap(([flow, { inDetails, outDetails }]) => [
    ...inDetails.map(({ name }) => [type, flow, 'in_details', name] as const),
    ...Object.keys(outDetails).map((name) => [type, flow, 'out_details', name] as const),
  ]),
);

it.each(PAYIN_FIELDS)('%s by %s: %s.%s is masked as it is declared', (_, __, where, name) => {
  const value = 'Zz-made-up-0012345';
  const at = (level: 'accounts' | 'all') => JSON.stringify(maskData({ [where]: { [name]: value } }, level));
  const isOurs = where === 'out_details';
  const personal = name === 'otp' ? 'number' : personalOf(name);
  expect(at('all').includes(value)).toBe(personal === 'none');
  expect(at('accounts').includes(value)).toBe(isOurs || !['account', 'number'].includes(personal ?? ''));
});

it.each([
  ['a detail of a type that the contract does not have', { details: { cci: '00219300112345678901' } }],
  ['a Bitcoin address', { details: { address: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4' } }],
  ['the passport of a sender in an older detail', { details: { sender_identity_card_id: 'ZZ00219300112' } }],
  ['a number that is no text', { details: { bank_account: 1234567890123 } }],
])('%s shows its end alone', (_, record) => {
  const [value] = Object.values(record.details);
  const text = JSON.stringify(maskData(record, 'accounts'));
  expect(text).not.toContain(String(value));
  expect(text).toContain(`••••${String(value).slice(-4)}`);
});

it.each([
  ['a sender', { sender: { name: 'Obi Trading' } }],
  ['a recipient', { recipient: { name: 'Obi Trading' } }],
  ['a business by itself', { type: 'business', name: 'Obi Trading' }],
  ['a person by itself', { type: 'person', name: 'Obi Trading' }],
  [
    'who is politically exposed',
    { politically_exposed_people: [{ name: 'Obi Trading', position: 'minister' }] },
  ],
  ['the payee of a detail', { details: { name: 'Obi Trading' } }],
  ['a payer', { in_details: { name: 'Obi Trading' } }],
])('the name of %s is masked in CI, and shown elsewhere', (_, record) => {
  expect(JSON.stringify(maskData(record, 'all'))).toContain('O•••');
  expect(JSON.stringify(maskData(record, 'all'))).not.toContain('Trading');
  expect(maskData(record, 'accounts')).toEqual(record);
});

it.each([
  ['a run', { name: 'wages-2026-11', rows: 3 }],
  ['a profile', { name: 'acme', key: '…7f3c' }],
  ['an approver', { name: 'grace', fingerprint: '5d1f0c9a-31be77e2' }],
  ['a listener', { address: '127.0.0.1:4010' }],
])('our own records keep their names: %s', (_, record) => expect(maskData(record, 'all')).toEqual(record));

/** By its name a member looks like one of a person, and is not: its reason. */
const OF_NOBODY: Readonly<Record<string, string>> = {
  account_status: 'whether an account can be paid',
  aml_officer_phone_country: 'a country',
  bank_account_type: 'savings or current',
  'Bank Address': 'of the service’s own bank',
  'Beneficiary Address': 'of the service',
  bank_name: 'of a bank',
  'Bank Name': 'of a bank',
  company_office_number_country: 'a country',
  document_type: 'a kind of document',
  file_name: 'the service names its proofs itself',
  documents: 'a list, of which each member is looked at',
  identification_type: 'a kind of document',
  identity_card_type: 'a kind of document',
  pix_key_type: 'a kind of key',
  phone_country: 'a country',
  purpose_of_opening_account: 'a purpose',
  registration_number: 'public, in the register of companies',
  vat_registration_number: 'public, in the register of companies',
  regulatory_licence_number: 'public, in the register of companies',
  routing_number: 'of a bank',
  sender_identity_card_type: 'a kind of document',
  number_of_employees_in_company: 'a count',
  number_monthly_transactions: 'a count',
  country_of_birth: 'a country',
  sender_country_of_birth: 'a country',
};

it('a member that is called like one of a person is declared so, or it is said why not', () => {
  const looks =
    /phone|email|account|iban|birth|street|postal|address|document|identi|_card|name$|number|pix|ip$|office/i;
  const undeclared = Object.entries(PERSONAL)
    .filter(([name, personal]) => personal === 'none' && looks.test(name))
    .map(([name]) => name);
  expect(undeclared.sort()).toEqual(Object.keys(OF_NOBODY).sort());
});
