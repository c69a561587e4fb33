/** Pairs that perhaps go together: by a reference within the bank's words. */
import { describe, expect, it } from 'vitest';
import { match } from '../../src/books/reconcile/match.ts';
import { type Side, type SideEntry, type SideKind, sideRowOf } from '../../src/books/reconcile/side.ts';
import { suggest } from '../../src/books/reconcile/suggest.ts';
import { isLong } from '../support/long.ts';

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

/** The places of the two rows of each pair. */
function suggested(
  ledger: readonly Partial<SideEntry>[],
  others: readonly Partial<SideEntry>[],
  kind: SideKind = 'statement',
): [number, number][] {
  const matched = match(sideOf('ledger', ledger), sideOf(kind, others));
  suggest(matched, 3);
  const [left, right] = [matched.left.fates, matched.right.fates];
  const pairs = left.flatMap((one, row): [number, number][] => {
    const other = one.perhaps;
    if (other === undefined) return [];
    expect(other.perhaps).toBe(one);
    // Nothing is matched by it.
    expect([one.ending, other.ending]).toEqual(['only_in_ledger', 'only_in_statement']);
    return [[row, (other.row.line ?? 0) - 2]];
  });
  expect(right.filter(({ perhaps }) => perhaps !== undefined)).toHaveLength(pairs.length);
  return pairs;
}

const MANY = isLong ? 50_000 : 10_000;

describe('a row of the ledger and one of a statement', () => {
  it.each([
    ['INV-1', 'Invoice INV-1'],
    ['INV-1', 'PAY/INV-1'],
    ['INV-1', 'inv 1 of october'],
    ['INV/2044/7', 'PAYMENT REF INV 2044 7 THANK YOU'],
    ['wages-1', 'SEPA;WAGES-1;X'],
    ['№ 20441', 'Счёт № 20441'],
  ])('perhaps go together: %s in "%s"', (mine, theirs) => {
    expect(suggested([{ reference: mine }], [{ reference: theirs }])).toEqual([[0, 0]]);
  });

  it.each<[string, Partial<SideEntry>, Partial<SideEntry>]>([
    ['another amount', { reference: 'INV-1' }, { reference: 'Invoice INV-1', amount: '11' }],
    ['another currency', { reference: 'INV-1' }, { reference: 'Invoice INV-1', currency: 'USD' }],
    ['the other sign', { reference: 'INV-1' }, { reference: 'Invoice INV-1', amount: '-10' }],
    ['days too far', { reference: 'INV-1' }, { reference: 'Invoice INV-1', day: 104 }],
    ['no day', { reference: 'INV-1' }, { reference: 'Invoice INV-1', day: undefined }],
    ['a longer number', { reference: 'INV-1' }, { reference: 'Invoice INV-10' }],
    ['the end of another word', { reference: 'INV-1' }, { reference: 'XINV-1 paid' }],
    ['a word without a number', { reference: 'wages' }, { reference: 'november wages' }],
    ['too short', { reference: 'A1' }, { reference: 'flat A1' }],
    ['nothing', {}, { reference: 'Invoice INV-1' }],
  ])('do not: %s', (_, mine, theirs) => expect(suggested([mine], [theirs])).toEqual([]));

  it('are not suggested where one could go with two', () => {
    const two = [{ reference: 'Invoice INV-1' }, { reference: 'again INV-1' }];
    expect(suggested([{ reference: 'INV-1' }], two)).toEqual([]);
    expect(
      suggested([{ reference: 'INV-1' }, { reference: 'INV-2' }], [{ reference: 'for INV-1 and INV-2' }]),
    ).toEqual([]);
  });

  it('are not suggested against the service, whose references are its own', () => {
    expect(suggested([{ reference: 'INV-1' }], [{ reference: 'Invoice INV-1' }], 'service')).toEqual([]);
  });

  it('where one of them went with another row, there is nothing to suggest', () => {
    expect(
      suggested([{ reference: 'INV-1' }], [{ reference: 'INV-1' }, { reference: 'Invoice INV-1' }]),
    ).toEqual([]);
  });

  it(`${MANY.toLocaleString('en')} of one amount are looked through once`, () => {
    const count = MANY;
    const ledger = Array.from({ length: count }, (_, i) => ({ reference: `INV-${i + 10_000}` }));
    const bank = Array.from({ length: count }, (_, i) => ({
      reference: `Payment of invoice INV-${i + 10_000} thank you`,
    }));
    const before = process.cpuUsage();
    expect(suggested(ledger, bank)).toHaveLength(count);
    const { user, system } = process.cpuUsage(before);
    // Pair by pair it would be minutes.
    expect((user + system) / 1e6).toBeLessThan(20);
  });
});
