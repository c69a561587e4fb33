/**
 * The history shows the writes that were sent with money, and what came of them. `settle` finds out about an
 * intent that is open or unknown: it looks, sends the same body with the same external id where that cannot
 * pay twice, and looks again. With --look it only looks.
 */

import { usage } from '../../core/problem.ts';
import { exitOfEndings } from '../../frame/exit-codes.ts';
import { flags, type Input } from '../../frame/flags/flag.ts';
import { renderHint } from '../../frame/output/spell.ts';
import { profileInForce } from '../../profiles/connection.ts';
import { type HistoryFilter, listIntents, OUTCOMES, settleEvery, settleOne, showIntent } from '../history.ts';
import type { When } from '../lists/period.ts';
import { defineCommand, type OptionsOf } from './command.ts';
import type { Context } from './context.ts';
import { listFlags, readListLimit } from './flags/listing.ts';
import { dateFlags, readWhen } from './flags/when.ts';
import { limitsOf } from './output/limits.ts';
import { printKept, rowsAtOnce } from './output/show-list.ts';
import { type Result, result } from './result.ts';
import { intentView, settledView } from './views/intent.ts';

/** Tells which intents of the journal are meant: by time, profile, command and outcome. */
export const historyFlags = flags({
  state: { value: 'state', summary: 'only with this outcome; repeat it', many: true, choices: OUTCOMES },
  ...dateFlags,
  allProfiles: { summary: 'of every profile; without this, only of the profile in use' },
  command: { value: 'words', summary: 'only of this command, such as "tx fund", or of a group, such as tx' },
});

/** The profile is known only when it runs. */
interface AskedHistory extends Omit<HistoryFilter, 'profile'> {
  allProfiles: boolean;
}

/** Pure. @throws Problem (usage) */
function readFilter(input: Input<typeof historyFlags>): AskedHistory {
  return {
    states: input.flags.state as AskedHistory['states'],
    since: when(input.flags.since, 'since'),
    until: when(input.flags.until, 'until'),
    allProfiles: input.flags.allProfiles,
    command: input.flags.command,
  };
}

function when(text: string | undefined, flag: string): When | undefined {
  return text === undefined ? undefined : readWhen(text, flag);
}

export const isFiltering = ({ states, since, until, allProfiles, command }: AskedHistory): boolean =>
  allProfiles || states.length > 0 || [since, until, command].some((one) => one !== undefined);

const ACTIONS = ['list', 'show', 'settle'] as const;

type HistoryOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description: `remit history                lists the latest, newest first
remit history show ID        shows one of them
remit history settle ID      finds out what became of one that is unknown
remit history settle --all   does so for every unknown one of this account

Settling looks first. What it does not find it may send again now: it may pay, change an account or cancel a payout. --look sends nothing, and a row of a pay run that may not be paid now is only looked for.`,
  args: [
    { name: 'ACTION', summary: 'list (the default), show or settle', optional: true },
    { name: 'ID', summary: 'the intent’s id, or its first eight characters', optional: true },
  ],
  flags: {
    ...historyFlags,
    limit: listFlags.limit,
    all: { summary: 'list: every one; settle: all that are open or unknown' },
    look: { summary: 'settle by looking only: send nothing' },
    as: {
      value: 'outcome',
      summary: 'say the outcome yourself, after you asked the operator; it is looked for first',
      choices: ['applied', 'not-applied'],
    },
    because: { value: 'text', summary: 'why you say so, for the journal' },
  },
  shows: [intentView, settledView],
  isTabular: true,
  effect: 'money',
  examples: [
    'remit history',
    'remit history --since 2h --state unknown --state open',
    'remit history --profile live --command tx -o csv',
    'remit history --all-profiles --since today',
    'remit history settle 1f0d7c0b',
    'remit history settle --all --look',
  ],
  read(input) {
    const [given = 'list', id = ''] = input.args;
    const action = ACTIONS.find((one) => one === given);
    if (action === undefined) throw usage(`history has no action "${given}"`, ACTIONS.join(', '));
    const options = {
      action,
      id,
      filter: readFilter(input),
      limits: readListLimit(input),
      all: input.flags.all,
      look: input.flags.look,
      as: input.flags.as?.replace('-', '_') as 'applied' | 'not_applied' | undefined,
      because: input.flags.because,
    };
    refuseContradictions(options);
    return options;
  },
  async run(context, options): Promise<Result> {
    const { action, id, all, look, as, because } = options;
    const { confirmer } = context;
    if (action === 'list') return list(context, options);
    if (action === 'show') return result(intentView, await showIntent(context, id));
    if (all) {
      const { settled, endings } = await settleEvery(context, { look, confirmer });
      const rows = settled.map(({ intent, why }) => ({ ...intent, why: renderHint(why) }));
      return result(settledView, rows, { exit: exitOfEndings(endings) });
    }
    const { intent, notes } = await settleOne(context, { id, look, as, because, confirmer });
    return result(intentView, intent, { notes });
  },
});

function refuseContradictions({ action, id, filter, all, look, as, because }: HistoryOptions): void {
  if (because !== undefined && as === undefined) throw usage('--because goes with --as');
  if (action !== 'list' && isFiltering(filter))
    throw usage(`filters go with remit history list, not with ${action}`);
  if (action === 'list' && (look || as !== undefined))
    throw usage('--look and --as go with remit history settle');
  if (action === 'settle' && all) {
    if (id !== '') throw usage('--all settles every one: leave the id out, or --all');
    if (as !== undefined)
      throw usage('--as records the outcome of one intent', 'remit history settle ID --as applied');
    return;
  }
  if (action !== 'list' && id === '')
    throw usage(
      `remit history ${action} needs the intent's id`,
      action === 'settle' ? 'or --all' : undefined,
    );
}

/** Lists the intents of the profile in force, and names it: these are not all. */
async function list(context: Context, { filter, limits: asked }: HistoryOptions): Promise<Result> {
  const limits = limitsOf(context, asked);
  const profile = filter.allProfiles
    ? undefined
    : profileInForce(context.process.env, context.globals.profile);
  const { entries, total } = await listIntents(context, { ...filter, profile }, limits.limit);
  return printKept(context, limits, {
    view: { ...intentView, empty: emptyWords(filter, profile) },
    what: 'entries',
    pages: rowsAtOnce(entries),
    total,
    notes:
      profile === undefined
        ? []
        : [`Only entries of ${accountWords(profile)}. --all-profiles lists those of every profile.`],
  });
}

/** The three variables name an account without a profile. */
const accountWords = (profile: string): string =>
  profile === 'environment' ? 'the account in the environment variables' : `profile ${profile}`;

function emptyWords(filter: AskedHistory, profile: string | undefined): string {
  if (isFiltering(filter)) return 'No payment or change matches.';
  return profile === undefined
    ? 'Nothing was sent with money yet.'
    : `Nothing was sent with money with ${accountWords(profile)} yet.`;
}
