/**
 * The check of a file against a real sandbox. A row that passes is refused only for what only the service can know; a row that is
 * refused for its details is refused by the service too, but for what a spreadsheet destroyed.
 */
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { fieldsFor } from '../../src/contract/corridors/check.ts';
import type { CorridorBook, PartyKind } from '../../src/contract/corridors/corridor.ts';
import { loadAllCorridors } from '../../src/contract/corridors/index.ts';
import { sampleDetails } from '../../src/contract/corridors/sample.ts';
import { transactionWrite } from '../../src/contract/resources/transaction.ts';
import { type CheckedRows, checkRows } from '../../src/runs/files/check.ts';
import { type Bench, type Json, person, startBench } from '../support/sandbox.ts';

type Cells = Record<string, string>;

let bench: Bench;
let book: CorridorBook;
let sent = 0;

const SENDER = {
  ...person,
  identification_type: 'PP',
  identification_number: 'A1234567',
  source_of_funds: 'salary',
  nationality: 'PT',
  birth_date: '1990-04-12',
};
const balances = { EUR: '100000000', GBP: '100000000', NGN: '100000000' };

beforeAll(async () => {
  bench = await startBench({ balances });
  book = await loadAllCorridors();
  const made = await bench.call('POST', '/senders', { sender: { ...SENDER, external_id: 'customer-1' } });
  expect(made.status).toBe(201);
});

async function checkedCells(cells: Cells): Promise<CheckedRows> {
  const given = Object.entries(cells).filter(([, text]) => text.trim() !== '');
  async function* rows() {
    yield [{ n: 1, at: 'line 2', cells: Object.fromEntries(given) }];
  }
  for await (const checked of checkRows(rows(), { allowDuplicates: false, accounts: 'sandbox' }))
    return checked;
  throw new Error('nothing came of the row');
}

/** What the service says of a body; undefined where it took it. */
async function refusal(body: object): Promise<Record<string, Json> | undefined> {
  const transaction = { ...body, external_id: `row-${++sent}` };
  const answer = await bench.call('POST', '/transactions/create_and_fund', { transaction });
  if (answer.status === 201) return undefined;
  expect(answer.status).toBe(422);
  return answer.body.object.errors;
}

/** Rates, balances and who the sender is. */
const SERVICE_ALONE =
  /^(?:base|amount|input_currency|recipients\.requested_amount|recipients\.base|sender\..+|input_amount|main_error)$/;
const onlyTheService = (errors: Record<string, Json>): boolean =>
  Object.keys(errors).every((at) => SERVICE_ALONE.test(at));

const NASTY = [
  '',
  ' ',
  '044',
  '44',
  'x',
  '1.23E+11',
  'Ada Obi',
  'DE89370400440532013000',
  '+2348012345678',
  '0',
  '00000',
  'CI',
  'NG',
  'M',
  'a@b.co',
  '٠١٢',
  'e\u0301',
  '𝒳',
  'A'.repeat(300),
  '1 2',
  '<b>',
  'constructor',
  '__proto__',
  'é',
];

interface Damage {
  at: number;
  text: string;
  add: boolean;
}

const damage = fc.record({
  at: fc.nat(40),
  text: fc.oneof(
    fc.constantFrom(...NASTY),
    fc.string({ maxLength: 12 }),
    fc.stringMatching(/^[0-9]{1,16}$/),
    fc.stringMatching(/^[A-Z0-9]{6,28}$/),
  ),
  add: fc.boolean(),
});
const amount = fc.oneof(
  fc.integer({ min: 1, max: 100_000 }).map(String),
  fc.integer({ min: 1, max: 10_000_000 }).map((cents) => (cents / 100).toFixed(2)),
  fc.constantFrom(
    '0',
    '-1',
    '1.005',
    '0.000001',
    '1,5',
    'x',
    '999999999999999',
    '999999999999999.5',
    '1e3',
    '01',
    ' 7 ',
  ),
);

function sampleCells(type: string, kind: PartyKind): Cells {
  const corridor = book.corridor(type);
  if (!corridor) throw new Error(type);
  return sampleDetails(corridor, kind, book.options);
}

function damaged(details: Cells, names: readonly string[], changes: readonly Damage[]): Cells {
  const made = { ...details };
  for (const { at, text, add } of changes) {
    const all = add ? names : Object.keys(details);
    const name = all[at % all.length];
    if (name !== undefined) made[name] = text;
  }
  return made;
}

/** The row as a body, by hand: what would be sent if nothing were checked. */
const bodyOf = (
  { type = '', amount: requested = '', recipient_type, input_currency = '' }: Cells,
  details: Cells,
) => ({
  input_currency,
  sender: { external_id: 'customer-1' },
  recipients: [
    {
      type: recipient_type,
      requested_amount: requested.trim(),
      requested_currency: type.split('::')[0],
      payout_method: { type, details },
    },
  ],
  metadata: {},
});

/** Beyond what the service refuses: the reasons are in `spreadsheet.ts` and `check.ts`, and unknown details would be passed over. */
const STRICTER = new Set([
  'spreadsheet',
  'control_character',
  'unseen_character',
  'long_name',
  'masked',
  'unknown_detail',
]);
/** Of an amount the service rounds what a person must not leave to rounding. */
const AMOUNTS = new Set(['decimals', 'decimal_comma', 'thousands', 'amount']);

describe('a row that passes the check is taken by the service, and one that fails is not', () => {
  it('for every payout type and kind of recipient, as it is', async () => {
    for (const { type } of book.types)
      for (const kind of ['person', 'business'] as const) {
        const corridor = book.corridor(type);
        if (!corridor || fieldsFor(corridor, kind).length === 0) continue;
        const cells = {
          key: 'e1',
          type,
          recipient_type: kind,
          amount: type === 'BTC' ? '0.001' : '2500',
          input_currency: 'GBP',
          sender: 'customer-1',
          ...sampleCells(type, kind),
        };
        const { payments, faults } = await checkedCells(cells);
        expect(faults, `${type} ${kind}`).toEqual([]);
        const [payment] = payments;
        expect(transactionWrite.parse(payment?.body)).toEqual(payment?.body);
        const errors = await refusal(payment?.body ?? {});
        if (errors && !onlyTheService(errors)) expect.fail(`${type} ${kind}: ${JSON.stringify(errors)}`);
      }
  });

  it('for rows that are damaged', async () => {
    const counts = { taken: 0, service: 0, refused: 0, stricter: 0 };
    const any = fc.record({
      at: fc.nat(1000),
      kind: fc.constantFrom<PartyKind>('person', 'business'),
      changes: fc.array(damage, { maxLength: 2 }),
      amount,
      input_currency: fc.constantFrom('EUR', 'GBP', 'NGN', 'BRL', 'eur'),
    });
    await fc.assert(
      fc.asyncProperty(any, async ({ at, kind, changes, ...money }) => {
        const type = book.types[at % book.types.length]?.type ?? '';
        const corridor = book.corridor(type);
        if (!corridor || fieldsFor(corridor, kind).length === 0) return;
        const names = fieldsFor(corridor, kind).map(({ name }) => name);
        const details = damaged(sampleCells(type, kind), names, changes);
        const row = { key: 'e1', type, recipient_type: kind, sender: 'customer-1', ...money };
        const { payments, faults } = await checkedCells({ ...row, ...details });
        if (payments[0]) {
          expect(transactionWrite.parse(payments[0].body)).toEqual(payments[0].body);
          const errors = await refusal(payments[0].body);
          if (errors && !onlyTheService(errors)) expect.fail(`was let through: ${JSON.stringify(errors)}`);
          counts[errors ? 'service' : 'taken']++;
        } else if (faults.every(({ code }) => STRICTER.has(code) || AMOUNTS.has(code))) counts.stricter++;
        else {
          const errors = await refusal(bodyOf(row, details));
          if (!errors) expect.fail(`is refused here alone: ${JSON.stringify(faults)}`);
          counts.refused++;
        }
      }),
      { numRuns: Number(process.env.REMIT_RUNS ?? 600) },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(5);
  });

  it('for senders that the row describes', async () => {
    const { documents: _, metadata: __, ...described } = SENDER;
    const fields = Object.keys(described);
    const change = fc.record({
      at: fc.nat(fields.length - 1),
      text: fc.constantFrom(
        '',
        'x',
        'PT',
        '1990-02-30',
        '203.0.113.7',
        '+351912345678',
        'ines@example.com',
        'business',
      ),
    });
    const any = fc.record({ at: fc.nat(1000), changes: fc.array(change, { maxLength: 2 }) });
    const counts = { taken: 0, service: 0, refused: 0 };
    await fc.assert(
      fc.asyncProperty(any, async ({ at, changes }) => {
        const type = book.types[at % book.types.length]?.type ?? '';
        const sender: Cells = { ...described };
        for (const { at: place, text } of changes) sender[fields[place] ?? ''] = text;
        const columns = Object.entries(sender).map(([name, text]) => [`sender.${name}`, text]);
        const details = sampleCells(type, 'person');
        const row = {
          key: 'e1',
          type,
          recipient_type: 'person',
          amount: '3000',
          input_currency: 'GBP',
          ...details,
        };
        const { payments, faults } = await checkedCells({ ...row, ...Object.fromEntries(columns) });
        if (payments[0]) {
          const errors = await refusal(payments[0].body);
          // Whether full identification is asked for is a setting of the account.
          const isBlank = Object.entries(errors ?? {}).every(([, words]) =>
            JSON.stringify(words).includes('blank'),
          );
          if (errors && !onlyTheService(errors)) expect.fail(JSON.stringify(errors));
          if (errors && Object.keys(errors).some((name) => name.startsWith('sender.')))
            expect(isBlank, JSON.stringify(errors)).toBe(true);
          counts[errors ? 'service' : 'taken']++;
          return;
        }
        if (faults.every(({ code }) => STRICTER.has(code))) return;
        const kept = Object.fromEntries(Object.entries(sender).filter(([, text]) => text !== ''));
        const body = { ...bodyOf(row, details), sender: { documents: [], metadata: {}, ...kept } };
        if (!(await refusal(body))) expect.fail(`is refused here alone: ${JSON.stringify(faults)}`);
        counts.refused++;
      }),
      { numRuns: Number(process.env.REMIT_RUNS ?? 200) },
    );
    for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
  });
});
