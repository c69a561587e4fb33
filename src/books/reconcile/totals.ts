/**
 * The totals of the rows of each side by currency and ending. They are counted by their endings and, on their
 * own, all together: both agree.
 */

import { invariant } from '../../core/invariants.ts';
import type { DataOf } from '../../frame/shape.ts';
import { shownAmount } from './cases.ts';
import { ENDINGS, type RowEnding } from './endings.ts';
import type { Fate, Matched, PaymentPart } from './fates.ts';
import type { reconciledTotalShape } from './shapes.ts';

export type ReconciledTotal = DataOf<typeof reconciledTotalShape>;

export function totalsOf({ left, right }: Matched): ReconciledTotal[] {
  const against = right.side.name;
  return [...totalsOfSide(left, against), ...totalsOfSide(right, against)];
}

interface Sum {
  rows: number;
  units: bigint;
}

function totalsOfSide({ side, fates }: PaymentPart, against: string): ReconciledTotal[] {
  const all = sumsBy(fates, ({ row }) => row.currency);
  const byEnding = sumsBy(fates, ({ row, ending }) => `${row.currency} ${ending}`);
  const currencies = [...all.keys()].sort();
  return currencies.flatMap((currency) => {
    const whole = all.get(currency) ?? NOTHING;
    const parts = ENDINGS.flatMap((ending) => {
      const sum = byEnding.get(`${currency} ${ending}`);
      return sum === undefined ? [] : [{ ending, ...sum }];
    });
    const added = parts.reduce((sum, part) => sum + part.units, 0n);
    const rows = parts.reduce((sum, part) => sum + part.rows, 0);
    invariant(
      added === whole.units && rows === whole.rows,
      'the sums of all endings are the total of the side',
    );
    const base = { against, side: side.kind, currency };
    const of = (ending: RowEnding | null, sum: Sum): ReconciledTotal => ({
      ...base,
      ending,
      rows: sum.rows,
      amount: shownAmount(sum.units, currency),
    });
    return [...parts.map((part) => of(part.ending, part)), of(null, whole)];
  });
}

const NOTHING: Sum = { rows: 0, units: 0n };

function sumsBy(fates: readonly Fate[], of: (one: Fate) => string): Map<string, Sum> {
  const sums = new Map<string, Sum>();
  for (const one of fates) {
    const name = of(one);
    const sum = sums.get(name) ?? { rows: 0, units: 0n };
    if (sum.rows++ === 0) sums.set(name, sum);
    sum.units += one.row.amount;
  }
  return sums;
}
