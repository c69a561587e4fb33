/** What completion needs to know, from the tree and the commands: the same for every shell. */
import { type DescribedFlag, describeCommands } from '../help/describe.ts';
import { type Row, topicRows } from '../help/topics.ts';
import { children, groups } from '../tree.ts';
import { type Choice, loadLists } from './lists.ts';
import { sourceOfFlag, sourcesOfArguments, sourcesOfPlaces } from './sources.ts';

/** A flag by one of its names, with what it does. */
export interface SpecFlag {
  name: string;
  about: string;
}

export interface Spec {
  /** Words that may follow: by what stands before them, '' first. */
  words: [before: string, rows: readonly Row[]][];
  topics: readonly Row[];
  globals: readonly SpecFlag[];
  /** Flags of one command, by its words. */
  flags: [words: string, flags: readonly SpecFlag[]][];
  /** By `words --flag` and `words place`; for all commands the words are `*`. The more special come first. */
  sources: [key: string, source: string][];
  lists: [name: string, choices: readonly Choice[]][];
}

const HELP: SpecFlag = { name: '--help', about: 'show help' };

export async function buildSpec(): Promise<Spec> {
  const commands = await describeCommands();
  const globals = commands[0]?.global_flags ?? [];
  const lists = await loadLists();
  return {
    words: [
      ['', children('')],
      ...Object.keys(groups).map((group): [string, Row[]] => [group, children(group)]),
    ],
    topics: topicRows(''),
    globals: [...globals.flatMap(namesOf), HELP],
    flags: commands.map(({ words, flags }) => [words, flags.flatMap(namesOf)]),
    sources: [
      ...commands.flatMap(({ words, flags }) => flagSources(words, flags)),
      ...flagSources('*', globals),
      ...sourcesOfPlaces(),
      ...commands.flatMap(sourcesOfArguments),
    ],
    lists: Object.entries(lists),
  };
}

const namesOf = ({ long, summary }: DescribedFlag): SpecFlag[] => [{ name: long, about: summary }];

function flagSources(words: string, flags: readonly DescribedFlag[]): [string, string][] {
  return flags.flatMap((flag) => {
    const source = sourceOfFlag(words, flag);
    const names = [flag.long, ...(flag.short === null ? [] : [flag.short])];
    return source === undefined ? [] : names.map((name): [string, string] => [`${words} ${name}`, source]);
  });
}
