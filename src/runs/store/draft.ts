/** Limits and rules of a draft that every store keeps. */
import { invariant } from '../../core/invariants.ts';
import { type Problem, refuse } from '../../core/problem.ts';
import { type NewRow, type Repeated, type RepeatedIn, rowStatesThat } from './port.ts';
import type { PayrunRecord } from './records.ts';

/** A draft that is older has no owner any more. */
export const DRAFT_AGE_MS = 24 * 3_600_000;
/** Keys that `finish` names, of rows that differ. */
export const DIFFERENCES = 100;

/** Rows that `repeated` names. */
export const REPEATED_FIRST = 10;

/** Rows that surely paid no one, as a list of SQL. One that was handed on may be paid from its file. */
const PAID_NOBODY = rowStatesThat(({ open, takesMoney }) => !open && !takesMoney).filter(
  (state) => state !== 'handed_on',
);
export const PAID_NOBODY_LIST = PAID_NOBODY.map((state) => `'${state}'`).join(', ');

/** SQL over the rows that are `found`: gives the first of them, how many there are in all, and how many in each run. */
export const REPEATED_OF_FOUND = `
  SELECT n, run, key, NULL AS rows FROM (SELECT n, run, key FROM found ORDER BY n, seq, place LIMIT ${REPEATED_FIRST}) AS first
  UNION ALL SELECT NULL, NULL, NULL, count(DISTINCT n) FROM found
  UNION ALL SELECT NULL, run, NULL, count(DISTINCT n) FROM found GROUP BY run`;

/** Rows that are asked about at a time, so few that each answer comes in time and is small. */
const ASKED_AT_ONCE = 50_000;

export async function inPieces<T>(
  last: number,
  ask: (from: number, to: number) => Promise<T> | T,
  before = 0,
): Promise<T[]> {
  const found: T[] = [];
  for (let from = before; from < last; from += ASKED_AT_ONCE)
    found.push(await ask(from + 1, Math.min(last, from + ASKED_AT_ONCE)));
  return found;
}

/**
 * From the records of each piece, as `REPEATED_OF_FOUND` has them.
 * @param forgotten when the latest of those runs was planned that were forgotten
 */
export async function repeatedIn(
  last: number,
  ask: (from: number, to: number) => Promise<PayrunRecord[]> | PayrunRecord[],
  forgotten: PayrunRecord | undefined,
): Promise<Repeated & { runs: RepeatedIn[] }> {
  const first: Repeated['first'][number][] = [];
  const runs = new Map<string, number>();
  let rows = 0;
  for (const { n, run, key, rows: counted } of (await inPieces(last, ask)).flat())
    if (n !== null) first.push({ n: Number(n), run: String(run), key: String(key) });
    else if (run === null) rows += Number(counted);
    else runs.set(String(run), (runs.get(String(run)) ?? 0) + Number(counted));
  return {
    rows,
    first: first.slice(0, REPEATED_FIRST),
    runs: [...runs].map(([run, same]) => ({ run, rows: same })),
    ...(forgotten?.at == null ? {} : { from: Number(forgotten.at) }),
  };
}

/** Windows of rows, in the order in which they are appended. */
export class WindowCounter {
  #rows = 0;
  #last = 0;
  readonly #size: number;

  constructor(size: number) {
    this.#size = size;
  }

  /** How many rows were appended, once what is being appended is kept. */
  get rows(): number {
    return this.#rows;
  }

  /** The number of the last of them. */
  get last(): number {
    return this.#last;
  }

  /** The windows that these rows belong to, with the numbers of their rows. */
  next(rows: readonly NewRow[]): { windows: number[]; spans: WindowSpan[] } {
    const windows: number[] = [];
    const spans: WindowSpan[] = [];
    for (const { n } of rows) {
      invariant(Number.isInteger(n) && n > this.#last, 'rows are appended in the order of the file');
      this.#last = n;
      const window = Math.floor(this.#rows++ / this.#size);
      windows.push(window);
      const span = spans.at(-1);
      if (span?.window === window) span.last = n;
      else spans.push({ window, first: n, last: n });
    }
    return { windows, spans };
  }
}

export interface WindowSpan {
  window: number;
  first: number;
  last: number;
}

/**
 * Keys of rows that are in one of two runs alone, or differ. Where both have as many rows and all of the first are in the second, they
 * are the same.
 */
export async function differences(
  [first, second]: readonly [RunOfRows, RunOfRows],
  onlyIn: (one: RunOfRows, other: RunOfRows) => Promise<string[]> | string[],
): Promise<string[]> {
  const here = await onlyIn(first, second);
  if (here.length === 0 && first.rows === second.rows) return [];
  return [...new Set([...here, ...(await onlyIn(second, first))])].slice(0, DIFFERENCES);
}

export interface RunOfRows {
  seq: string;
  rows: number;
}

/** The problem of the earlier one of two who plan a run of one name at the same moment: the later one goes on. */
export const overtaken = (name: string): Problem =>
  refuse(
    'conflict',
    'plan_overtaken',
    `another process began to plan a run named "${name}" while this one did: this plan was not kept, and nothing was sent`,
  );
