/** What is compared takes turns. A round in which other programs took part of the processor is left out. */
import { pause, processorMicros, shareOfOthers, untilStill } from './processor.ts';

const MOST_OF_OTHERS = 0.1;
/** How long a figure waits, in all, for moments in which the machine is left to it. */
const PATIENCE_MS = 90_000;
const LOOK_MS = 300;

/** One side's turn. */
export interface Sample {
  /** Processor time of all threads, for one request; what was put off included. */
  micros?: number;
  rate?: number;
  p99?: number;
  ms?: number;
}
type What = keyof Sample;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const high = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? high : (high + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

export class Turns<Name extends string> {
  /** Those that were left alone; where these are too few to say anything, all of them, for a look. */
  readonly rounds: readonly Readonly<Record<Name, Sample>>[];
  readonly isInconclusive: boolean;
  readonly summary: string;

  constructor(made: readonly { samples: Record<Name, Sample>; others: number }[]) {
    const kept = made.filter(({ others }) => others <= MOST_OF_OTHERS);
    this.isInconclusive = kept.length * 2 < made.length;
    this.rounds = (this.isInconclusive ? made : kept).map(({ samples }) => samples);
    const share = Math.round(median(made.map(({ others }) => others)) * 100);
    this.summary = `${kept.length} of ${made.length} rounds, others ${share} %`;
  }

  of(name: Name, what: What = 'micros'): number[] {
    return this.rounds.map((round) => round[name][what] ?? Number.NaN);
  }

  median = (name: Name, what?: What): number => median(this.of(name, what));
  least = (name: Name, what?: What): number => Math.min(...this.of(name, what));

  /** The median of the ratios within a round: what slows the machine for a while slows both. */
  ratio(above: Name, below: Name, what?: What): number {
    const under = this.of(below, what);
    return median(this.of(above, what).map((value, i) => value / (under[i] ?? Number.NaN)));
  }
}

/** Every side once a round, in one order and then in the other. */
export async function takeTurns<Name extends string>(
  sides: Readonly<Record<Name, () => Promise<Sample>>>,
  rounds: number,
): Promise<Turns<Name>> {
  const made: { samples: Record<Name, Sample>; others: number }[] = [];
  const names = Object.keys(sides) as Name[];
  let patience = PATIENCE_MS;
  const isBusy = async () => (await shareOfOthers(() => pause(LOOK_MS))) > MOST_OF_OTHERS;
  for (let round = 0; round < rounds; round++) {
    while (patience > 0 && (await isBusy())) patience -= LOOK_MS;
    const samples = {} as Record<Name, Sample>;
    const others = await shareOfOthers(async () => {
      for (const name of round % 2 === 0 ? names : [...names].reverse()) samples[name] = await sides[name]();
    });
    made.push({ samples, others });
  }
  return new Turns(made);
}

/** The turn of a process that is asked by others: its processor time, read when it has done what it put off. */
export async function turnOf(pid: number, count: number, load: () => Promise<Sample>): Promise<Sample> {
  const before = processorMicros(pid);
  const seen = await load();
  await untilStill(pid);
  return { ...seen, micros: (processorMicros(pid) - before) / count };
}
