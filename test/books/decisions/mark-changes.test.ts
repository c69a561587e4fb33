/** Which marks of a record are kept, taken back, dated later or corrected, when it is read again: the same in every store of books. */
import { describe, expect, it } from 'vitest';
import { Moved } from '../../../src/books/store/book-marks.ts';
import { closedUntil, closingsWith, markChanges } from '../../../src/books/store/mark-changes.ts';
import type { Mark, MonthClosing, NewMark } from '../../../src/books/store/port.ts';
import { add, isZero } from '../../../src/core/money.ts';
import { seededRandom } from '../../../src/core/random.ts';

const CLOSED = 1_000;
const KNOWN = 5_000;
type Short = [kind: Mark['kind'], of: string, at: number, amount: string | undefined, currency?: string];
const mark = ([kind, of, at, amount, currency = 'EUR']: Short): Mark => ({ kind, of, at, currency, amount });
/** Its last change was a hundred later than its creation. */
const said = (one: Short): NewMark => ({ ...mark(one), laterAt: one[2] + 100 });
const short = ({ kind, of, at, amount, currency }: Mark): Short =>
  currency === 'EUR' ? [kind, of, at, amount] : [kind, of, at, amount, currency];

function changes(
  standing: Short[],
  now: Short[],
  over: { isNew?: boolean; closed?: number; known?: number } = {},
) {
  const moved = new Moved();
  const { gone, made } = markChanges(standing.map(mark), now.map(said), {
    moved,
    isNew: over.isNew ?? standing.length === 0,
    knownUntil: over.known ?? KNOWN,
    closedUntil: over.closed ?? CLOSED,
  });
  const sums = moved.sums().flatMap(({ currency, amount }) => (isZero(amount) ? [] : [[currency, amount]]));
  return { gone: gone.map(short), made: made.map(short), sums };
}

describe('where no month is closed', () => {
  const open = { closed: 0, known: 150 };
  it.each<[string, Short[], Short[], object]>([
    [
      'nothing changes where all is as before',
      [['debit', 't', 10, '-1']],
      [['debit', 't', 10, '-1']],
      { gone: [], made: [], sums: [] },
    ],
    [
      'another amount takes the place of the first, at its time',
      [['debit', 't', 10, '-1']],
      [['debit', 't', 70, '-3']],
      { gone: [['debit', 't', 10, '-1']], made: [['debit', 't', 10, '-3']], sums: [['EUR', '-2']] },
    ],
    [
      'another currency too',
      [['debit', 't', 10, '-1']],
      [['debit', 't', 70, '-1', 'USD']],
      {
        gone: [['debit', 't', 10, '-1']],
        made: [['debit', 't', 10, '-1', 'USD']],
        sums: [
          ['EUR', '1'],
          ['USD', '-1'],
        ],
      },
    ],
    [
      'one that moves nothing any more is taken back',
      [['collection', 'r', 10, '4']],
      [],
      { gone: [['collection', 'r', 10, '4']], made: [], sums: [['EUR', '-4']] },
    ],
    ['one that moved nothing stays', [['failed', 'r', 10, undefined]], [], { gone: [], made: [], sums: [] }],
    [
      'one that gets an amount has it at its time',
      [['refund', 'r', 10, undefined]],
      [['refund', 'r', 70, '2']],
      { gone: [['refund', 'r', 10, undefined]], made: [['refund', 'r', 10, '2']], sums: [['EUR', '2']] },
    ],
    [
      'a debit comes at the last change, another movement when the books knew everything, or later',
      [['failed', 'x', 1, undefined]],
      [
        ['debit', 't', 10, '-1'],
        ['refund', 'r', 10, '1'],
        ['collection', 'c', 60, '7'],
      ],
      {
        gone: [],
        made: [
          ['debit', 't', 110, '-1'],
          ['refund', 'r', 150, '1'],
          ['collection', 'c', 160, '7'],
        ],
        sums: [['EUR', '7']],
      },
    ],
  ])('%s', (_, standing, now, expected) => expect(changes(standing, now, open)).toEqual(expected));

  it('marks of a new record have their first time', () => {
    expect(changes([], [['refund', 'r', 10, '1']], open).made).toEqual([['refund', 'r', 10, '1']]);
  });
});

describe('where a month is closed', () => {
  it.each<[string, Short[], Short[], Short[], Short[]]>([
    [
      'a new movement of it comes when it is known',
      [],
      [['debit', 't', 10, '-1']],
      [],
      [['debit', 't', KNOWN, '-1']],
    ],
    [
      'one just before its end too',
      [],
      [['debit', 't', CLOSED - 1, '-1']],
      [],
      [['debit', 't', KNOWN, '-1']],
    ],
    ['one at its end has its time', [], [['debit', 't', CLOSED, '-1']], [], [['debit', 't', CLOSED, '-1']]],
    [
      'what moves nothing has its time',
      [],
      [['paid', 'r', 10, undefined]],
      [],
      [['paid', 'r', 10, undefined]],
    ],
    [
      'one that is taken back stays, and is corrected',
      [['collection', 'r', 10, '4']],
      [],
      [],
      [['correction', 'r', KNOWN, '-4']],
    ],
    [
      'one at its end is taken back',
      [['collection', 'r', CLOSED, '4']],
      [],
      [['collection', 'r', CLOSED, '4']],
      [],
    ],
    [
      'of a debit and two payouts each is corrected for itself',
      [
        ['debit', 't', 10, '-3'],
        ['refund', 'a', 20, '1'],
        ['refund', 'b', 20, '2'],
      ],
      [
        ['debit', 't', 10, '-3'],
        ['refund', 'b', 20, '5'],
      ],
      [],
      [
        ['correction', 'b', KNOWN, '3'],
        ['correction', 'a', KNOWN, '-1'],
      ],
    ],
    [
      'two kinds of one payout are corrected together',
      [
        ['collection', 'r', 10, '4'],
        ['refund', 'r', 20, '1'],
      ],
      [],
      [],
      [['correction', 'r', KNOWN, '-5']],
    ],
    [
      'a movement of another kind that comes beside is none of it',
      [['collection', 'r', 10, '4']],
      [['refund', 'r', 4_950, '4']],
      [],
      [
        ['refund', 'r', 5_050, '4'],
        ['correction', 'r', KNOWN, '-4'],
      ],
    ],
    [
      'a correction that is right stays',
      [
        ['debit', 't', 10, '-1'],
        ['correction', 't', 2_000, '-2.0'],
      ],
      [['debit', 't', 10, '-3']],
      [],
      [],
    ],
    [
      'one that is not right any more is made anew, at its time',
      [
        ['debit', 't', 10, '-1'],
        ['correction', 't', 2_000, '-2'],
      ],
      [['debit', 't', 10, '-4']],
      [['correction', 't', 2_000, '-2']],
      [['correction', 't', 2_000, '-3']],
    ],
    [
      'one that is needed no more goes',
      [
        ['debit', 't', 10, '-1'],
        ['correction', 't', 2_000, '-2'],
      ],
      [['debit', 't', 10, '-1']],
      [['correction', 't', 2_000, '-2']],
      [],
    ],
    [
      'one of a month that is closed since stays, and counts',
      [
        ['debit', 't', 10, '-1'],
        ['correction', 't', 500, '-2'],
      ],
      [['debit', 't', 10, '-4']],
      [],
      [['correction', 't', KNOWN, '-1']],
    ],
  ])('%s', (_, standing, now, gone, made) => {
    const { sums, ...found } = changes(standing, now);
    expect(found).toEqual({ gone, made });
    const total = [...made.map((one) => one[3] ?? '0'), ...gone.map((one) => `-${one[3]}`.replace('--', ''))];
    const expected = total.reduce(add, '0');
    expect(sums).toEqual(isZero(expected) ? [] : [['EUR', expected]]);
  });

  it('each correction is of one payout and one currency', () => {
    const standing: Short[] = [
      ['collection', 'a', 10, '4'],
      ['collection', 'b', 10, '5', 'USD'],
      ['correction', 'a', 2_000, '-4'],
      ['correction', 'b', 2_100, '-5', 'USD'],
      ['correction', 'b', 2_200, '1'],
    ];
    expect(changes(standing, [['collection', 'b', 10, '3', 'USD']])).toMatchObject({
      gone: [
        ['correction', 'b', 2_100, '-5', 'USD'],
        ['correction', 'b', 2_200, '1'],
      ],
      made: [['correction', 'b', 2_100, '-2', 'USD']],
    });
  });

  it('a movement comes no earlier than its end, whatever the books knew', () => {
    expect(changes([], [['debit', 't', 10, '-1']], { known: 20 }).made).toEqual([
      ['debit', 't', CLOSED, '-1'],
    ]);
  });

  it('whatever a record says, the sum is what it said last, and nothing closed changes', () => {
    const random = seededRandom('marks');
    const pick = <T>(of: readonly T[]): T => of[Math.floor(random.next() * of.length)] as T;
    let standing: Short[] = [];
    for (let step = 1; step <= 400; step++) {
      const closed = Math.floor(step / 50) * 200;
      const kinds = ['debit', 'refund', 'collection'] as const;
      const now = kinds.flatMap((kind): Short[] =>
        random.next() < 0.5
          ? []
          : [
              [
                kind,
                kind === 'debit' ? 't' : 'r',
                Math.floor(random.next() * 2_000),
                pick(['1', '-2', '3.5']),
                pick(['EUR', 'USD']),
              ],
            ],
      );
      const { gone, made } = changes(standing, now, { isNew: step === 1, closed, known: step * 5 });
      expect([...gone, ...made].every(([, , at]) => at >= closed)).toBe(true);
      const left = new Set(gone.map((one) => JSON.stringify(one)));
      standing = [...standing.filter((one) => !left.has(JSON.stringify(one))), ...made];
      for (const currency of ['EUR', 'USD'] as const) {
        const sum = (all: readonly Short[]) =>
          all.reduce(
            (total, [, , , amount = '0', of = 'EUR']) => (of === currency ? add(total, amount) : total),
            '0',
          );
        expect(sum(standing)).toBe(sum(now));
      }
    }
  });
});

describe('closed months', () => {
  const closing = (month: string, to: number): MonthClosing => ({
    ...{ month, zone: 'UTC', from: 0, to, closedAt: 1, knownUntil: to + 1, manifest: month, moved: [] },
  });
  it('reach as far as the latest of them, in whatever order they were closed', () => {
    expect(closedUntil([])).toBe(0);
    expect(closedUntil([closing('a', 20), closing('b', 10)])).toBe(20);
  });
  it('are added, or replaced where that is asked for', () => {
    const [a, b] = [closing('a', 20), closing('b', 30)];
    expect(closingsWith([a], b, false)).toEqual([a, b]);
    expect(closingsWith([a, b], { ...a, manifest: 'x' }, false)).toBeUndefined();
    const again = closingsWith([a, b], { ...a, manifest: 'x', knownUntil: 99 }, true);
    expect(again).toEqual([{ ...a, manifest: 'x', knownUntil: 21 }, b]);
    expect(closingsWith([a], b, true)).toEqual([a, b]);
  });
});
