/** Counts what happens in this process, as plain numbers. Adding to one is a look into a map. */
import { type CounterName, type Family, type FamilyName, families, type HistogramName } from './families.ts';

export interface Distribution {
  /** Beside each bound of the family, and one for what is greater than all. */
  counts: number[];
  sum: number;
}

/** The values of one family, by the values of its labels. */
export type Series = readonly (readonly [labels: readonly string[], value: number | Distribution])[];
export type Readings = Partial<Record<FamilyName, Series>>;

/** A gauge of one value; nothing where there is none. */
export const gauge = (value: number | null | undefined): Series =>
  value === null || value === undefined ? [] : [[[], value]];
export const secondsOf = (ms: number | null): number | null => (ms === null ? null : ms / 1000);

export interface Meter {
  /** With 0 it shows a series that nothing was counted in yet. */
  add(name: CounterName, labels?: readonly string[], by?: number): void;
  observe(name: HistogramName, seconds: number): void;
  readings(): Readings;
}

export function createMeter(): Meter {
  const counted = new Map<CounterName, Map<string, [labels: readonly string[], value: number]>>();
  const observed = new Map<HistogramName, Distribution>();
  return {
    add(name, labels = [], by = 1) {
      const series = counted.get(name) ?? new Map();
      counted.set(name, series);
      const { most = 1 }: Family = families[name];
      const isFull = series.size >= most - 1 && !series.has(labels.join('\0')) && labels.length > 0;
      const shown = isFull ? labels.map(() => 'other') : labels;
      const key = shown.join('\0');
      const one = series.get(key);
      if (one) one[1] += by;
      else series.set(key, [shown, by]);
    },
    observe(name, seconds) {
      const { bounds } = families[name];
      const one = observed.get(name) ?? { counts: Array(bounds.length + 1).fill(0), sum: 0 };
      observed.set(name, one);
      const at = bounds.findIndex((bound) => seconds <= bound);
      const place = at < 0 ? bounds.length : at;
      one.counts[place] = (one.counts[place] ?? 0) + 1;
      one.sum += seconds;
    },
    readings: () => ({
      ...Object.fromEntries([...counted].map(([name, series]) => [name, [...series.values()]])),
      ...Object.fromEntries([...observed].map(([name, one]) => [name, [[[], one]]])),
    }),
  };
}
