/** One line of the table. */
export interface Figure {
  name: string;
  value: string;
  /** The bound, in words; empty where the line is there for comparison. */
  asked: string;
  /** Null where nothing is asked. */
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

export const atMost = (name: string, value: number, bound: number, facts: string): Figure => ({
  name,
  value: `${value.toFixed(2)}x`,
  asked: `<= ${bound}x`,
  ok: value <= bound,
  facts,
});

export const atLeast = (name: string, value: number, bound: number, facts: string): Figure => ({
  name,
  value: value.toFixed(3),
  asked: `>= ${bound}`,
  ok: value >= bound,
  facts,
});

export const forComparison = (name: string, value: string, facts: string): Figure => ({
  name,
  value,
  asked: '',
  ok: null,
  facts,
});
