/**
 * Makes the index of completion from the tree and the commands. The build writes it beside the program (rolldown.config.js), so that a key
 * loads no command (decision 0083).
 */

import { recipientCodes } from '../../contract/codes.ts';
import { faultInfo, faultNames } from '../../contract/controls/faults.ts';
import { mandateDecisions, reviewDecisions } from '../../contract/controls/index.ts';
import { corridorTypes } from '../../contract/corridors/index.ts';
import { payinTypes } from '../../contract/corridors/payins.ts';
import { eventInfo, eventNames } from '../../contract/events.ts';
import { findOperation, operationIds } from '../../contract/operations/index.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import { transactionStates } from '../../contract/states/transaction.ts';
import { currencies } from '../../core/currency.ts';
import type { Choice, CompletionIndex, IndexedFlag } from '../../frame/completion/completion-index.ts';
import { shells } from '../../frame/completion/scripts.ts';
import type { DescribedFlag } from '../../frame/help/described.ts';
import { topicRows } from '../../frame/help/topics.ts';
import { outputFormats } from '../../frame/terminal/format.ts';
import { glossary } from '../../integration/glossary.ts';
import { describeCommands } from '../help/describe.ts';
import { children, groups } from '../tree.ts';
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

const plain = (values: readonly string[]): Choice[] => values.map((value) => [value, '']);
const states = (table: Readonly<Record<string, { meaning: string }>>): Choice[] =>
  Object.entries(table).map(([state, { meaning }]) => [state, meaning]);
/** `state[]=` where it may be several. */
const nameOf = ({ name, kind }: { name: string; kind: string }): string =>
  `${name}${kind === 'list' ? '[]' : ''}=`;
const METHODS = ['GET', 'POST', 'PATCH', 'PUT', 'DELETE'];

/** Values that only a new version of remit changes: they are in the index of completion. */
export const lists = {
  formats: plain(outputFormats),
  currencies: plain(Object.keys(currencies)),
  payouts: corridorTypes.map(({ type, summary }): Choice => [type, summary]),
  payins: payinTypes.map(({ type }): Choice => [type, '']),
  events: eventNames.map((name): Choice => [name, eventInfo(name).meaning]),
  operations: operationIds.map((id): Choice => [id, findOperation(id)?.summary ?? '']),
  methods: plain(METHODS),
  faults: faultNames.map((name): Choice => [name, faultInfo(name).summary]),
  codes: recipientCodes.map(({ code, description }): Choice => [code, description]),
  words: [...new Map(glossary().map(({ name, meaning }) => [name, meaning]))],
  'transaction-states': states(transactionStates),
  'recipient-states': states(recipientStates),
  reviews: plain(reviewDecisions),
  mandates: plain(mandateDecisions),
  clock: plain(['show', 'advance', 'set', 'run', 'stop']),
  history: plain(['list', 'show', 'settle']),
  profiles: plain(['list', 'use', 'set']),
  completion: [...plain(shells), ['install', 'write it where the shell looks for it']] as Choice[],
  shells: plain(shells),
  settings: [
    ['read_only=true', 'refuse every write'],
    ['read_only=false', 'allow writes'],
    ['two_person=true', 'a pay run is approved with another key'],
    ['agent=', 'what agents may do: sandbox or prepare'],
    ['repeat_days=', 'days after which a run may pay the same rows again'],
    ['max_rate_tolerance=', 'how far rates may move from the plan of a run, in percent'],
    ['approvers=', 'a file of keys: only runs that these signed are paid'],
    ['approvals_needed=', 'how many of them sign a pay run'],
    ['max_amount.', 'refuse payments above it: max_amount.EUR=5000'],
    ['max_per_day.', 'refuse what goes beyond it in 24 hours: max_per_day.EUR=20000'],
    ['output=', 'how to print results'],
  ] as Choice[],
  queries: [...new Set(operationIds.flatMap((id) => (findOperation(id)?.query ?? []).map(nameOf)))]
    .sort()
    .map((name): Choice => [name, '']),
} satisfies Record<string, readonly Choice[]>;

type ListName = keyof typeof lists | 'scenarios' | 'details';

/**
 * Loads all lists, with those that come along with the sandbox and with every corridor, which are loaded for
 * them.
 */
async function loadLists(): Promise<Readonly<Record<ListName, readonly Choice[]>>> {
  const { shippedScenarios } = await import('../../sandbox/scenario/shipped.ts');
  const scenarios = Object.entries(shippedScenarios).map(([name, { title }]): Choice => [name, title]);
  const { payoutFields } = await import('../../integration/cli/payout-fields.ts');
  const details = (await payoutFields()).map(({ name, meaning }): Choice => [`${name}=`, meaning]);
  return { ...lists, scenarios, details };
}
