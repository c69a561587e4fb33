/**
 * Makes the index of completion from the tree and the commands. The build writes it beside the program (rolldown.config.js), so that a key
 * loads no command (decision 0083).
 */
import { describeCommands } from '../help/describe.ts';
import type { DescribedFlag } from '../help/described.ts';
import { topicRows } from '../help/topics.ts';
import { children, groups } from '../tree.ts';
import type { CompletionIndex, IndexedFlag } from './completion-index.ts';
import { loadLists } from './lists.ts';
import { sourceOfFlag, sourcesOfArguments, sourcesOfPlaces } from './sources.ts';

const HELP: IndexedFlag = { name: '--help', short: '-h', about: 'show help', many: false };

export async function buildCompletionIndex(): Promise<CompletionIndex> {
  const commands = await describeCommands();
  const globals = commands[0]?.global_flags ?? [];
  return {
    words: Object.fromEntries(['', ...Object.keys(groups)].map((before) => [before, children(before)])),
    topics: topicRows(''),
    flags: Object.fromEntries([
      ['*', [...globals.map(indexed), HELP]],
      ...commands.map(({ words, flags }) => [words, flags.map(indexed)]),
    ]),
    sources: Object.fromEntries([
      ...commands.flatMap(({ words, flags }) => flagSources(words, flags)),
      ...flagSources('*', globals),
      ...sourcesOfPlaces(),
      ...commands.flatMap(sourcesOfArguments),
    ]),
    lists: await loadLists(),
  };
}

const indexed = ({ long, short, summary, many }: DescribedFlag): IndexedFlag => ({
  name: long,
  ...(short !== null && { short }),
  about: summary,
  many,
});

function flagSources(words: string, flags: readonly DescribedFlag[]): [string, string][] {
  return flags.flatMap((flag) => {
    const source = sourceOfFlag(words, flag);
    const names = [flag.long, ...(flag.short === null ? [] : [flag.short])];
    return source === undefined ? [] : names.map((name): [string, string] => [`${words} ${name}`, source]);
  });
}
