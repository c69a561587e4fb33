/** All that only a new version of remit changes in what completion offers: made by build-index.ts, read at each key. */

export type Choice = readonly [value: string, about: string];

export interface IndexedFlag {
  name: string;
  short?: string;
  about: string;
  /** It may be given again. */
  many: boolean;
}

type ByName<T> = Readonly<Record<string, T>>;

export interface CompletionIndex {
  /** Words that may follow, by the words before them; those of the root under ''. */
  words: ByName<readonly Choice[]>;
  /** Words that may follow `help`, besides commands. */
  topics: readonly Choice[];
  /** Flags of a command, by its words; those of every command under `*`. */
  flags: ByName<readonly IndexedFlag[]>;
  /** Where values come from (sources.ts), by `words --flag`, `* --flag`, `words place` or `words first place`. */
  sources: ByName<string>;
  lists: ByName<readonly Choice[]>;
}
