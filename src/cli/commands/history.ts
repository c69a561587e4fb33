/**
 * The history shows the writes that were sent with money, and what came of them. `settle` finds out about an
 * intent that is open or unknown: it looks, sends the same body with the same external id where that cannot
 * pay twice, and looks again. With --look it only looks.
 */
import { isBeginning } from '../../core/ids.ts';
import { type Said, said } from '../../core/next.ts';
import { type Intent, type Intents, isUnsettled } from '../../core/ports/intents.ts';
import { notFound, usage } from '../../core/problem.ts';
import { outcomeProblem } from '../../desk/payments/outcome-problem.ts';
import { profileInForce } from '../../profiles/connection.ts';
import { command, type Result, result } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes, exitOfEnding, worst } from '../exit-codes.ts';
import {
  filterAt,
  filterFlags,
  type HistoryFilter,
  isFiltering,
  readFilter,
} from '../flags/history-filter.ts';
import { type AskedLimit, listFlags, readLimit } from '../flags/listing.ts';
import { limitsOf } from '../output/limits.ts';
import { onePage, printKept } from '../output/show-list.ts';
import { spelt } from '../output/spell.ts';
import { intentView, settledView, shownIntent } from '../views/intent.ts';

const ACTIONS = ['list', 'show', 'settle'] as const;

export interface HistoryOptions {
  action: (typeof ACTIONS)[number];
  id: string;
  filter: HistoryFilter;
  limits: AskedLimit;
  all: boolean;
  look: boolean;
  as: 'applied' | 'not_applied' | undefined;
  because: string | undefined;
}

export { history as command };

const history = command({
  description: `remit history                lists the latest, newest first
remit history show ID        shows one of them
remit history settle ID      finds out what became of one that is unknown
remit history settle --all   does so for every unknown one of this account

Settling looks first. What it does not find it may send again now: it may pay, change an account or cancel a payout. --look sends nothing.`,
  args: [
    { name: 'ACTION', summary: 'list (the default), show or settle', optional: true },
    { name: 'ID', summary: 'the intent’s id, or its first eight characters', optional: true },
  ],
  flags: {
    ...filterFlags,
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
  effect: 'money',
  examples: [
    'remit history',
    'remit history --since 2h --state unknown --state open',
    'remit history --profile live --command tx -o csv',
    'remit history --all-profiles --since today',
    'remit history settle 1f0d7c0b',
    'remit history settle --all --look',
  ],
  read(input): HistoryOptions {
    const [given = 'list', id = ''] = input.args;
    const action = ACTIONS.find((one) => one === given);
    if (action === undefined) throw usage(`history has no action "${given}"`, ACTIONS.join(', '));
    const options = {
      action,
      id,
      filter: readFilter(input),
      limits: readLimit(input),
      all: input.flags.all,
      look: input.flags.look,
      as: input.flags.as?.replace('-', '_') as HistoryOptions['as'],
      because: input.flags.because,
    };
    refuseContradictions(options);
    return options;
  },
  async run(context, options) {
    const { intents } = await context.store();
    if (options.action === 'list') return list(context, intents, options);
    if (options.action === 'settle' && options.all) {
      return settleEvery(context, options);
    }
    const intent = await find(intents, options.id);
    if (options.action === 'show') return result(intentView, shownIntent(intent));
    return settleOne(context, intent, options);
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

/** Lists the intents of the profile in force, which is said, so that nobody takes it for all. */
async function list(
  context: Context,
  intents: Intents,
  { filter, limits: asked }: HistoryOptions,
): Promise<Result> {
  const limits = limitsOf(context, asked);
  const profile = filter.allProfiles ? undefined : profileInForce(context.world.env, context.globals.profile);
  const wanted = filterAt(filter, profile, { now: context.world.clock.now(), zone: context.zone });
  const limit = Math.min(limits.limit, Number.MAX_SAFE_INTEGER);
  const found = (await intents.list({ ...wanted, limit })).map(shownIntent);
  return printKept(context, limits, {
    view: { ...intentView, empty: emptyWords(filter, profile) },
    what: 'entries',
    pages: onePage(found),
    total: await intents.count(wanted),
    notes:
      profile === undefined
        ? []
        : [`Only entries of ${accountWords(profile)}. --all-profiles lists those of every profile.`],
  });
}

/** The three variables name an account without a profile. */
const accountWords = (profile: string): string =>
  profile === 'environment' ? 'the account in the environment variables' : `profile ${profile}`;

function emptyWords(filter: HistoryFilter, profile: string | undefined): string {
  if (isFiltering(filter)) return 'No payment or change matches.';
  return profile === undefined
    ? 'Nothing was sent with money yet.'
    : `Nothing was sent with money with ${accountWords(profile)} yet.`;
}

async function find(intents: Intents, id: string): Promise<Intent> {
  const exact = await intents.get(id);
  if (exact) return exact;
  const found = isBeginning(id) ? await intents.list({ prefix: id.toLowerCase() }) : [];
  const [one] = found;
  if (found.length > 1)
    throw usage(`"${id}" stands for ${found.length} intents`, found.map((intent) => intent.id).join(', '));
  if (one === undefined) throw notFound(`there is no intent ${id}`, 'remit history lists them');
  return one;
}

/** A payment that was only created is not paid by being settled. */
const unpaidNotes = ({ id, state }: { id?: string | null | undefined; state?: unknown }): Said[] =>
  id && state === 'approved' ? [said`It is not paid: ${{ do: 'fund', id }} pays it within its hour.`] : [];

async function settleEvery(context: Context, { look }: HistoryOptions): Promise<Result> {
  const { admitSettling, settleAll, unsettledOf } = await import('../../desk/payments/settle.ts');
  const open = await unsettledOf(context);
  const how = look || open.length === 0 ? 'look' : await admitSettling(context, open, context.approver);
  const found = await settleAll(context, open, how);
  const rows = found.map(({ intent, why }) => ({ ...shownIntent(intent), why: spelt(why) }));
  const codes = found.map(({ category }) => exitOfEnding(category));
  const ended = found.length < open.length ? [exitCodes.interrupted] : [];
  return result(settledView, rows, { exit: worst([...codes, ...ended]) });
}

async function settleOne(
  context: Context,
  intent: Intent,
  { id, look, as, because }: HistoryOptions,
): Promise<Result> {
  const { intents } = await context.store();
  const { admitSettling, refuseUnderWay, settleable, settleIt } = await import(
    '../../desk/payments/settle.ts'
  );
  const shown = async () => shownIntent((await intents.get(intent.id)) ?? intent);
  if (!isUnsettled(intent))
    context.willTell(intent.id, { id: intent.resultId, external_id: intent.externalId });
  if (!isUnsettled(intent))
    return result(intentView, await shown(), { notes: [`it is settled: ${intent.state.replace('_', ' ')}`] });
  if (as !== undefined) {
    const { checkReason, settleByWord } = await import('../../desk/payments/by-word.ts');
    const word = { as, because: checkReason(because), isExplicit: id === intent.id };
    const found = await settleByWord(context, intent, word, context.approver);
    const notes =
      found === undefined
        ? []
        : [`it was found out by looking, so your word was not needed: ${found.kind.replace('_', ' ')}`];
    return result(intentView, await shown(), { notes });
  }
  refuseUnderWay(context, intent);
  const kept = await settleable(context, intent);
  const how = look ? 'look' : await admitSettling(context, [intent], context.approver);
  const outcome = await settleIt(context, kept, how);
  if (outcome.kind === 'unknown' || outcome.kind === 'conflict') throw outcomeProblem(outcome, intent.id);
  return result(intentView, await shown(), {
    notes:
      outcome.kind === 'applied'
        ? [`applied: ${outcome.value.id ?? ''}`, ...unpaidNotes(outcome.value)]
        : ['not applied: it can be sent again'],
  });
}
