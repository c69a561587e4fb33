/** Matching, beside a model that shares no code with it, and with planted differences. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { casesOf, countLines } from '../../src/books/reconcile/cases.ts';
import { closePeriod, dayIn, dayNumber, monthPeriod } from '../../src/books/reconcile/days.ts';
import type { Matched, PaymentPart } from '../../src/books/reconcile/fates.ts';
import { match } from '../../src/books/reconcile/match.ts';
import { type Side, type SideEntry, type SideKind, sideRowOf } from '../../src/books/reconcile/side.ts';
import { totalsOf } from '../../src/books/reconcile/totals.ts';
import { generated } from '../support/long.ts';
import { type ModelRecord, type ModelRow, modelEndings } from '../support/reconcile-model.ts';

const decimal = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;

function sideOf(kind: SideKind, entries: readonly Partial<SideEntry>[]): Side {
  const plain: SideEntry = {
    keys: [],
    reference: undefined,
    amount: '10',
    currency: 'EUR',
    day: 100,
    kind: 'paid',
  };
  return {
    kind,
    name: kind,
    rows: entries.map((entry, i) => sideRowOf({ ...plain, line: i + 2, ...entry })),
  };
}

const endings = ({ fates }: PaymentPart): string[] => fates.map(({ ending }) => ending);

/** Both sides' endings, once it is seen that every row is in exactly one line and that the totals are right. */
function found(
  ledger: readonly Partial<SideEntry>[],
  others: readonly Partial<SideEntry>[],
  kind: SideKind = 'service',
) {
  const matched = match(sideOf('ledger', ledger), sideOf(kind, others));
  expectWhole(matched);
  return { ledger: endings(matched.left), other: endings(matched.right) };
}

function expectWhole(matched: Matched): void {
  const cases = [...casesOf(matched, undefined, () => true)];
  const lines = cases.flatMap(({ ledger }) => (ledger === null ? [] : [ledger.line]));
  expect(lines).toEqual(Array.from({ length: matched.left.side.rows.length }, (_, i) => i + 2));
  expect(cases.filter(({ other }) => other !== null)).toHaveLength(matched.right.side.rows.length);
  for (const { ledger, other, ending } of cases)
    if (ledger !== null && other !== null && ending !== 'currency_differs')
      expect(ledger.currency).toBe(other.currency);
  const totals = totalsOf(matched);
  for (const name of ['ledger', 'other'] as const) {
    const rows = totals.filter(
      ({ side, ending }) => (side === 'ledger') === (name === 'ledger') && ending === null,
    );
    expect(rows.reduce((sum, total) => sum + total.rows, 0)).toBe(
      (name === 'ledger' ? matched.left : matched.right).side.rows.length,
    );
  }
}

describe('against the model', () => {
  const money = { cents: fc.constantFrom(101, 203, 407), currency: fc.constantFrom('EUR', 'EUR', 'USD') };
  const rest = {
    ...money,
    reference: fc.constantFrom('', 'ref a', 'REF A', 'ref b', 'ref c'),
    day: fc.integer({ min: 0, max: 8 }),
  };
  const record = fc.record({
    ...rest,
    kind: fc.constantFrom('paid', 'paid', 'in_flight', 'back', 'not_funded'),
  });
  const row = fc.record({
    ...rest,
    id: fc.option(fc.nat(9), { nil: undefined }),
    times: fc.constantFrom(1, 1, 1, 2, 3),
  });
  const idOf = (i: number): string => `payment-${i}`;

  it('every row ends as the model says', () => {
    fc.assert(
      fc.property(fc.array(row, { maxLength: 9 }), fc.array(record, { maxLength: 8 }), (rows, records) => {
        const ids = new Set<number>();
        const ledger: ModelRow[] = rows.flatMap(({ id, times, reference, ...facts }) => {
          const isFree = id !== undefined && !ids.has(id);
          if (isFree) ids.add(id);
          const name = isFree ? idOf(id) : '';
          if (name === '' && reference === '') return [];
          return Array.from({ length: times }, () => ({
            ...facts,
            ids: [name],
            reference: reference || name,
          }));
        });
        const service = records.map(
          ({ reference, ...facts }, i): ModelRecord =>
            ({ ...facts, ids: [idOf(i)], reference: reference || idOf(i) }) as ModelRecord,
        );
        const entry = ({ ids: [id = ''], cents, ...facts }: ModelRow): Partial<SideEntry> => ({
          ...facts,
          keys: [id === '' ? undefined : id],
          amount: decimal(cents),
        });
        const theirs = service.map(({ kind, ...facts }) => ({
          ...entry(facts),
          kind,
          back: kind === 'back' || kind === 'not_funded' ? decimal(facts.cents) : undefined,
        }));
        const model = modelEndings(ledger, service, 3);
        expect(found(ledger.map(entry), theirs)).toEqual({ ledger: model.ledger, other: model.service });
      }),
      { numRuns: generated(3_000) },
    );
  });
});

describe('planted differences', () => {
  const row = (id: string, amount = '10', more: Partial<SideEntry> = {}): Partial<SideEntry> => ({
    keys: [id],
    amount,
    ...more,
  });
  const back = (id: string, amount = '10'): Partial<SideEntry> => ({
    keys: [id],
    amount,
    back: amount,
    kind: 'back',
  });

  it.each<[string, Partial<SideEntry>[], Partial<SideEntry>[], string[], string[]]>([
    ['agree', [row('a')], [row('a')], ['matched'], ['matched']],
    ['another amount', [row('a', '11')], [row('a')], ['amount_differs'], ['amount_differs']],
    [
      'another currency',
      [row('a', '10', { currency: 'USD' })],
      [row('a')],
      ['currency_differs'],
      ['currency_differs'],
    ],
    ['booked twice', [row('a'), row('a')], [row('a')], ['matched', 'duplicate'], ['matched']],
    ['booked in two parts', [row('a', '4'), row('a', '6')], [row('a')], ['matched', 'matched'], ['matched']],
    ['refunded since', [row('a')], [back('a')], ['state_differs'], ['state_differs']],
    ['refunded and booked so', [row('a'), row('a', '-10')], [back('a')], ['matched', 'matched'], ['matched']],
    [
      'booked as refunded, and paid',
      [row('a'), row('a', '-10')],
      [row('a')],
      ['matched', 'state_differs'],
      ['matched'],
    ],
    ['in flight', [row('a')], [row('a', '10', { kind: 'in_flight' })], ['expected'], ['expected']],
    ['in flight and not booked', [], [row('a', '10', { kind: 'in_flight' })], [], ['expected']],
    ['never funded', [], [{ ...back('a'), kind: 'not_funded' }], [], ['not_funded']],
    [
      'booked and never funded',
      [row('a')],
      [{ ...back('a'), kind: 'not_funded' }],
      ['state_differs'],
      ['state_differs'],
    ],
    [
      'ids in capitals, as banks print them, with the same amount',
      [row('A')],
      [row('a')],
      ['matched'],
      ['matched'],
    ],
    [
      'one row for two recipients of a transaction',
      [row('t', '25')],
      [
        { keys: ['r1', undefined, 't'], amount: '10' },
        { keys: ['r2', undefined, 't'], amount: '15' },
      ],
      ['matched'],
      ['matched', 'matched'],
    ],
    [
      'one of its two recipients is not booked',
      [row('t', '10')],
      [
        { keys: ['r1', undefined, 't'], amount: '10' },
        { keys: ['r2', undefined, 't'], amount: '15' },
      ],
      ['matched'],
      ['matched', 'only_at_service'],
    ],
    [
      'a batch by its total',
      [{ reference: 'Wages Nov', amount: '30' }],
      [{ reference: 'WAGES NOV' }, { reference: 'WAGES  NOV', amount: '20', day: 102 }],
      ['matched'],
      ['matched', 'matched'],
    ],
    [
      'a batch with another total',
      [{ reference: 'Wages', amount: '31' }],
      [{ reference: 'Wages' }, { reference: 'Wages', amount: '20' }],
      ['only_in_ledger'],
      ['only_at_service', 'only_at_service'],
    ],
    [
      'the amount alone',
      [{ reference: 'one' }],
      [{ reference: 'two' }],
      ['only_in_ledger'],
      ['only_at_service'],
    ],
    [
      'too many days between',
      [{ reference: 'one', day: 100 }],
      [{ reference: 'one', day: 104 }],
      ['only_in_ledger'],
      ['only_at_service'],
    ],
    [
      'no date and no id',
      [{ reference: 'one', day: undefined }],
      [{ reference: 'one' }],
      ['only_in_ledger'],
      ['only_at_service'],
    ],
    ['the smallest part', [row('a', '0.300001')], [row('a', '0.3')], ['amount_differs'], ['amount_differs']],
  ])('%s', (_, ledger, others, mine, theirs) => {
    expect(found(ledger, others)).toEqual({ ledger: mine, other: theirs });
  });

  it('a statement may have a payment twice', () => {
    expect(found([row('a')], [row('a'), row('a')], 'statement')).toEqual({
      ledger: ['matched'],
      other: ['matched', 'duplicate'],
    });
  });

  it('each is found among many, and none is made up', () => {
    const plant = fc.constantFrom(
      'none',
      'amount',
      'currency',
      'twice',
      'refunded',
      'flight',
      'ledger',
      'service',
    );
    fc.assert(
      fc.property(fc.array(plant, { maxLength: 200 }), fc.boolean(), (plants, byReference) => {
        const name = (i: number): Partial<SideEntry> =>
          byReference ? { reference: `payment ${i}` } : { keys: [`payment-${i}`] };
        const mine: string[] = [];
        const theirs: string[] = [];
        const ledger: Partial<SideEntry>[] = [];
        const service: Partial<SideEntry>[] = [];
        plants.forEach((kind, i) => {
          const base = { ...name(i), amount: `${i + 1}.37` };
          if (kind !== 'service')
            ledger.push(
              kind === 'amount'
                ? { ...base, amount: `${i + 1}.38` }
                : kind === 'currency'
                  ? { ...base, currency: 'USD' }
                  : base,
            );
          if (kind === 'twice') ledger.push(base);
          if (kind !== 'ledger')
            service.push(
              kind === 'refunded'
                ? { ...base, back: base.amount, kind: 'back' }
                : kind === 'flight'
                  ? { ...base, kind: 'in_flight' }
                  : base,
            );
          const [one, other] = ENDS[kind] ?? [[], []];
          mine.push(...one);
          theirs.push(...other);
        });
        expect(found(ledger, service)).toEqual({ ledger: mine, other: theirs });
      }),
      { numRuns: 100 },
    );
  });
});

const both = (ending: string): [string[], string[]] => [[ending], [ending]];
const ENDS: Readonly<Record<string, [string[], string[]]>> = {
  none: both('matched'),
  amount: both('amount_differs'),
  currency: both('currency_differs'),
  twice: [['matched', 'duplicate'], ['matched']],
  refunded: both('state_differs'),
  flight: both('expected'),
  ledger: [['only_in_ledger'], []],
  service: [[], ['only_at_service']],
};

describe('the end of a month', () => {
  const zone = 'Europe/Lisbon';
  const october = monthPeriod('2026-10', zone);
  const dayOf = dayIn(zone);
  const at = (text: string): Partial<SideEntry> => ({ at: Date.parse(text), day: dayOf(Date.parse(text)) });
  const on = (day: string): Partial<SideEntry> => ({ day: dayNumber(day) });

  const closed = (ledger: Partial<SideEntry>[], others: Partial<SideEntry>[]) => {
    const matched = match(sideOf('ledger', ledger), sideOf('service', others));
    closePeriod(matched, october);
    totalsOf(matched);
    const cases = [...casesOf(matched, october, (ending) => ending !== 'outside')];
    return {
      ledger: endings(matched.left),
      other: endings(matched.right),
      edges: cases.map(({ edge }) => edge),
      said: countLines(matched, october),
    };
  };

  it('a day is one of the zone, summer time too', () => {
    expect(dayOf(Date.parse('2026-09-30T23:30:00Z'))).toBe(dayNumber('2026-10-01'));
    expect(dayOf(Date.parse('2026-10-31T23:30:00Z'))).toBe(dayNumber('2026-10-31'));
    expect(dayIn('Asia/Kathmandu')(Date.parse('2026-10-31T18:14:59Z'))).toBe(dayNumber('2026-10-31'));
    expect(dayIn('Asia/Kathmandu')(Date.parse('2026-10-31T18:15:00Z'))).toBe(dayNumber('2026-11-01'));
  });

  it('what goes together is not torn apart by it', () => {
    const found = closed(
      [{ keys: ['a'], ...on('2026-11-01') }],
      [{ keys: ['a'], ...at('2026-10-31T23:30:00Z') }],
    );
    expect(found).toMatchObject({ ledger: ['matched'], other: ['matched'], edges: ['outside'] });
    expect(found.said).toMatchObject({ edges: 1, justOutside: 0 });
  });

  it('what is alone near the end is said to be', () => {
    const found = closed(
      [],
      [
        { keys: ['a'], ...at('2026-10-31T23:30:00Z') },
        { keys: ['b'], ...at('2026-10-15T12:00:00Z') },
        { keys: ['c'], ...at('2026-11-01T00:30:00Z') },
      ],
    );
    expect(found.said).toMatchObject({ edges: 1, justOutside: 1 });
    expect(found).toMatchObject({
      ledger: [],
      other: ['only_at_service', 'only_at_service', 'outside'],
      edges: ['near_the_end', null],
    });
  });

  it('what is of another month is left out', () => {
    const found = closed([{ keys: ['a'], ...on('2026-09-28') }], [{ keys: ['a'], ...on('2026-09-29') }]);
    expect(found).toMatchObject({ ledger: ['outside'], other: ['outside'], edges: [] });
    expect(found.said).toMatchObject({ edges: 0, justOutside: 0 });
  });
});
