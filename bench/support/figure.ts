import type { Turns } from './turns.ts';

/** One line of the table. */
export interface Figure {
  name: string;
  value: string;
  /** The bound, in words; empty where the line is there for comparison. */
  asked: string;
  /** Null where nothing is asked, or where the machine was too busy to say. */
  ok: boolean | null;
  /** The numbers that the ratio was made of. */
  facts: string;
}

export interface Place {
  /** The folder of the bundled programs. */
  programs: string;
  /** The project's folder. */
  root: string;
  /** Fewer rounds and less data: for a look, not for a record. */
  quick: boolean;
}

export type Bound = { most: number } | { least: number };

/** All of the values must keep to the bound. */
export function judged(
  name: string,
  turns: Pick<Turns<string>, 'isInconclusive' | 'summary'>,
  values: readonly number[],
  bound: Bound,
  facts: string,
): Figure {
  const isKept = values.every((value) => ('most' in bound ? value <= bound.most : value >= bound.least));
  return {
    name,
    value: values.map((value) => value.toFixed(2)).join(' and '),
    asked: turns.isInconclusive ? 'inconclusive' : 'most' in bound ? `<= ${bound.most}` : `>= ${bound.least}`,
    ok: turns.isInconclusive ? null : isKept,
    facts: `${facts}; ${turns.summary}`,
  };
}

/** The least and the median of a start, or of whatever is waited for, beside those of the bare side. */
export function judgedStart<Name extends string>(
  name: string,
  turns: Turns<Name>,
  [ours, bare]: readonly [Name, Name],
  most: number,
): Figure {
  const [least, bareLeast] = [turns.least(ours, 'ms'), turns.least(bare, 'ms')];
  const [median, bareMedian] = [turns.median(ours, 'ms'), turns.median(bare, 'ms')];
  const facts = `least ${least.toFixed(0)} ms against ${bareLeast.toFixed(0)}, median ${median.toFixed(0)} against ${bareMedian.toFixed(0)}`;
  return judged(name, turns, [least / bareLeast, median / bareMedian], { most }, facts);
}

/** Processor time beside the bare side's, and the rates beside it. */
export function sidesOf<Name extends string>(turns: Turns<Name>, ours: Name, bare: Name): string {
  const shown = (name: Name): string => {
    const rate = turns.median(name, 'rate');
    return `${turns.median(name).toFixed(1)} us${Number.isNaN(rate) ? '' : ` (${rate.toFixed(0)}/s)`}`;
  };
  return `${shown(ours)} against ${shown(bare)}`;
}

export const forComparison = (name: string, value: string, facts: string): Figure => ({
  name,
  value,
  asked: '',
  ok: null,
  facts,
});
