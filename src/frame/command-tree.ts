/** The commands of a slice as data: words, a summary of one line, and how to load them. Until one runs, nothing of it is loaded. */
import { byWord } from '../core/by-word.ts';

export type TreeEntry = readonly [summary: string, load: () => Promise<{ command: unknown }>];
export type Group = Readonly<Record<string, TreeEntry>>;
export type Tree = Readonly<Record<string, TreeEntry | Group>>;

/** Short commands of one kind: they stand in one file, each under its word. */
export const oneFile = <Words extends string>(
  load: () => Promise<{ commands: Readonly<Record<NoInfer<Words>, unknown>> }>,
  summaries: Readonly<Record<Words, string>>,
): Group =>
  byWord(
    Object.fromEntries(
      Object.entries<string>(summaries).map(([word, summary]): [string, TreeEntry] => [
        word,
        [summary, async () => ({ command: (await load()).commands[word as Words] })],
      ]),
    ),
  );
