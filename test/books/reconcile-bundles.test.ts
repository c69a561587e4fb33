/** Bundles, beside a model that tries every set of rows: a single answer is found, and where there are two nobody guesses. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BundleRule, bundlesOf, rowsOf, sumsTo } from '../../src/books/reconcile/bundles.ts';
import { Fate } from '../../src/books/reconcile/fates.ts';
import { type Side, sideRowOf } from '../../src/books/reconcile/side.ts';
import { generated } from '../support/long.ts';

interface Plain {
  cents: number;
  day: number;
  currency: string;
}

const decimal = (cents: number): string =>
  `${cents < 0 ? '-' : ''}${Math.floor(Math.abs(cents) / 100)}.${String(Math.abs(cents) % 100).padStart(2, '0')}`;

function fatesOf(kind: 'ledger' | 'statement', rows: readonly Partial<Plain>[]): Fate[] {
  const side: Side = { kind, name: kind, rows: [] };
  return rows.map(({ cents = 0, day = 100, currency = 'EUR' }, i) => {
    const entry = { keys: [], reference: `${kind} ${i}`, amount: decimal(cents), currency, day };
    return new Fate(sideRowOf({ ...entry, kind: 'paid', line: i + 2 }), side);
  });
}

const RULE: BundleRule = { rows: 5, days: 3 };

/** Each bundle as the names of its rows. */
function found(ledger: readonly Partial<Plain>[], bank: readonly Partial<Plain>[], rule = RULE, bounds = {}) {
  const bundles = bundlesOf(fatesOf('ledger', ledger), fatesOf('statement', bank), rule, bounds);
  const named = (rows: readonly Fate[]): string =>
    rows
      .map(({ row }) => row.reference)
      .sort()
      .join(' + ');
  return {
    ...bundles,
    names: bundles.sure.map((bundle) => named(rowsOf(bundle))).sort(),
    doubtful: [...bundles.ambiguous.keys()].map(({ row }) => row.reference).sort(),
  };
}

/** Every set of rows that comes to a row of the other side, as names; shares no code with the program. */
function modelAnswers(ledger: readonly Plain[], bank: readonly Plain[], rule: BundleRule): Set<string> {
  const answers = new Set<string>();
  const look = (ones: readonly Plain[], many: readonly Plain[], [mine, theirs]: readonly string[]): void => {
    for (const [i, one] of ones.entries())
      for (let set = 1; set < 2 ** many.length; set++) {
        const picked = many.flatMap((row, at) => ((set >> at) & 1 ? [{ ...row, at }] : []));
        const isLike = picked.every(
          ({ cents, day, currency }) =>
            currency === one.currency &&
            Math.abs(day - one.day) <= rule.days &&
            Math.sign(cents) === Math.sign(one.cents),
        );
        const sum = picked.reduce((all, { cents }) => all + cents, 0);
        if (!isLike || sum !== one.cents || picked.length > rule.rows || one.cents === 0) continue;
        answers.add([`${mine} ${i}`, ...picked.map(({ at }) => `${theirs} ${at}`)].sort().join(' + '));
      }
  };
  look(bank, ledger, ['statement', 'ledger']);
  look(ledger, bank, ['ledger', 'statement']);
  return answers;
}

describe('against the model', () => {
  const row = (...cents: readonly number[]) =>
    fc.record({
      cents: fc.constantFrom(...cents),
      day: fc.constantFrom(97, 100, 100, 101, 102),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'EUR', 'USD'),
    });
  const small = row(101, 203, 409, 823, 1_649, 304, -101, -203);
  const sums = row(304, 510, 612, 713, 924, 1_026, 2_472, 203, -304);

  it('what is found is what has one answer, and no row of it has another', () => {
    let sure = 0;
    let doubtful = 0;
    fc.assert(
      fc.property(
        fc.array(small, { maxLength: 7 }),
        fc.array(sums, { maxLength: 4 }),
        fc.integer({ min: 1, max: 6 }),
        (ledger, bank, rows) => {
          const rule = { rows, days: 3 };
          const answers = [...modelAnswers(ledger, bank, rule)].map((one) => one.split(' + '));
          const isIn = (name: string): number => answers.filter((one) => one.includes(name)).length;
          const expected = answers.filter((one) => one.length > 2 && one.every((name) => isIn(name) === 1));
          const run = found(ledger, bank, rule);
          expect(run.names).toEqual(expected.map((one) => one.join(' + ')).sort());
          expect(run.unfinished).toEqual([]);
          // A row that has two answers, one of them a bundle, is said to have them, and two that differ.
          const twice = new Set(answers.flat().filter((name) => isIn(name) > 1));
          for (const [fate, [first, second]] of run.ambiguous) {
            const names = [first, second].map((one) =>
              rowsOf(one)
                .map(({ row: { reference } }) => reference)
                .sort()
                .join(' + '),
            );
            expect(names[0]).not.toBe(names[1]);
            for (const name of names) expect(answers.map((one) => one.join(' + '))).toContain(name);
            if (twice.has(fate.row.reference))
              for (const name of names) expect(name.split(' + ')).toContain(fate.row.reference);
          }
          sure += run.names.length;
          doubtful += run.ambiguous.size;
        },
      ),
      { numRuns: generated(2_000), seed: 29 },
    );
    // The cases are neither all empty nor all doubtful.
    expect(Math.min(sure, doubtful)).toBeGreaterThan(5);
  });

  it('a planted bundle among others is found, in either direction', () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 12 }), fc.nat(), fc.boolean(), (size, salt, isTurned) => {
        // Each amount is more than all before it: no two sets of them come to the same.
        const sizes = Array.from({ length: 16 }, (_, i) => 3 ** i + (i === 0 ? salt % 2 : 0));
        const picked = sizes.filter((_, i) => (i * 7 + salt) % 16 < size);
        const many = sizes.map((cents, i) => ({ cents, day: 100 + (i % 3) }));
        const one = [{ cents: picked.reduce((sum, cents) => sum + cents, 0), day: 101 }];
        const run = isTurned
          ? found(one, many, { rows: 12, days: 3 })
          : found(many, one, { rows: 12, days: 3 });
        expect(run.names).toHaveLength(1);
        expect(
          run.sure[0]?.many.map(({ row }) => Number(row.amount / 10_000n)).sort((a, b) => a - b),
        ).toEqual(picked);
      }),
      { numRuns: generated(300) },
    );
  });
});

describe('no bundle', () => {
  it.each<[string, Partial<Plain>[], Partial<Plain>[]]>([
    ['another currency', [{ cents: 100 }, { cents: 200, currency: 'USD' }], [{ cents: 300 }]],
    ['another direction', [{ cents: 100 }, { cents: 200 }], [{ cents: -300 }]],
    ['days too far', [{ cents: 100 }, { cents: 200, day: 104 }], [{ cents: 300 }]],
    ['a cent too much', [{ cents: 100 }, { cents: 201 }], [{ cents: 300 }]],
    ['too many rows', Array.from({ length: 6 }, () => ({ cents: 100 })), [{ cents: 600 }]],
    ['the amount alone', [{ cents: 300 }], [{ cents: 300 }]],
    ['nothing', [{ cents: 0 }, { cents: 0 }], [{ cents: 0 }]],
  ])('of %s', (_, ledger, bank) => expect(found(ledger, bank)).toMatchObject({ names: [], doubtful: [] }));

  it('where two answers share a row', () => {
    const two = found([{ cents: 100 }, { cents: 200 }, { cents: 400 }], [{ cents: 300 }, { cents: 600 }]);
    expect(two).toMatchObject({ names: [], unfinished: [] });
    expect(two.doubtful).toEqual(['ledger 0', 'ledger 1', 'ledger 2', 'statement 0', 'statement 1']);
  });

  it('where a single row has the amount too', () =>
    expect(found([{ cents: 100 }, { cents: 200 }, { cents: 300 }], [{ cents: 300 }]).names).toEqual([]));
});

describe('the search is bounded', () => {
  /** Odd amounts, an even number of them in each set of an even sum: half of the sets have to be tried. */
  const hard = Array.from({ length: 40 }, (_, i) => ({ cents: 2_000 + 2 * ((i * 7919) % 997) }));

  it('one that cannot be finished says so, and what shares a row with it is not suggested', () => {
    const run = found(
      [...hard, { cents: 1 }, { cents: 2 }],
      [{ cents: 20_001 * 2 + 1 }, { cents: 3 }],
      {
        rows: 30,
        days: 3,
      },
      { each: 1_000 },
    );
    expect(run.unfinished.length).toBeGreaterThan(0);
    expect(run.names).toEqual([]);
  });

  it('never more steps than it was given', () => {
    for (const steps of [0, 1, 10, 5_000]) {
      const sizes = hard.map(({ cents }) => BigInt(cents)).sort((a, b) => Number(b - a));
      const run = sumsTo(40_001n, sizes, { most: 40, steps });
      expect(run).toEqual({ answers: [], steps, isFinished: false });
    }
  });

  it('for all rows together too: what was not searched leads to no suggestion', () => {
    const planted = [{ cents: 5 }, { cents: 6 }];
    expect(found(planted, [{ cents: 11 }], RULE).names).toHaveLength(1);
    const run = found([...planted, ...hard], [{ cents: 11 }, { cents: 40_001 }], RULE, { all: 20 });
    expect(run.names).toEqual([]);
    expect(run.unfinished).toHaveLength(44);
  });
});
