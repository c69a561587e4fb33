/**
 * What was sent with money, and what came of it. `settle` finds out about an intent that is open or unknown: it looks, sends
 * the same body with the same external id where that cannot pay twice, and looks again. With --look it only looks.
 */
import type { Outcome } from '../../client/outcome.ts';
import type { Intent, IntentState } from '../../core/ports/intents.ts';
import { command, flagOn, flagText, result } from '../command.ts';
import { keyLast4 } from '../config/connection.ts';
import type { Context } from '../context.ts';
import { configFailure, notFound, usage } from '../failure.ts';
import { guard } from '../guard.ts';
import { intentView, type ShownIntent } from '../views/intent.ts';
import { outcomeFailure } from '../write.ts';

const STATES: readonly IntentState[] = ['open', 'applied', 'not_applied', 'unknown', 'conflict'];

export interface HistoryOptions {
  action: 'list' | 'show' | 'settle';
  id: string;
  state: IntentState | undefined;
  limit: number;
  look: boolean;
  as: 'applied' | 'not_applied' | undefined;
}

export { history as command };

const history = command<HistoryOptions>({
  description: `remit history                lists the latest
remit history show ID        one of them
remit history settle ID      finds out what became of one that is open or unknown`,
  args: [
    { name: 'ACTION', summary: 'list (the default), show or settle', optional: true },
    { name: 'ID', summary: 'the intent’s id, or its first eight characters', optional: true },
  ],
  flags: [
    { flags: '--state <state>', summary: 'only these', choices: STATES },
    { flags: '--limit <n>', summary: 'at most this many; 20 if you do not say' },
    { flags: '--look', summary: 'settle by looking only: send nothing' },
    {
      flags: '--as <outcome>',
      summary: 'settle by your own word, after asking the operator',
      choices: ['applied', 'not_applied'],
    },
  ],
  examples: ['remit history', 'remit history --state unknown', 'remit history settle 1f0d7c0b'],
  read(input) {
    const [action = 'list', id = ''] = input.args;
    if (action !== 'list' && action !== 'show' && action !== 'settle')
      throw usage(`history has no action "${action}"`, 'list, show or settle');
    if (action !== 'list' && id === '') throw usage(`remit history ${action} needs the intent's id`);
    const limit = flagText(input, 'limit') ?? '20';
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw usage(`--limit ${limit} is not a number`);
    return {
      action,
      id,
      state: flagText(input, 'state') as IntentState | undefined,
      limit: Number(limit),
      look: flagOn(input, 'look'),
      as: flagText(input, 'as') as HistoryOptions['as'],
    };
  },
  async run(context, options) {
    const { intents } = await context.store();
    if (options.action === 'list') {
      const found = intents.list({
        limit: options.limit,
        ...(options.state ? { state: options.state } : {}),
      });
      return result(intentView, found.map(withoutRequest));
    }
    const intent = find(intents.list({ limit: 10_000 }), options.id);
    if (options.action === 'show') return result(intentView, withoutRequest(intent));
    return settle(context, intent, options);
  },
});

/** The request holds personal data in full: it is for settling, never for showing. */
function withoutRequest({ request: _, ...shown }: Intent): ShownIntent {
  return shown;
}

function find(all: readonly Intent[], id: string): Intent {
  const found = all.filter((intent) => intent.id === id || (id.length >= 6 && intent.id.startsWith(id)));
  const [one] = found;
  if (found.length > 1)
    throw usage(`"${id}" stands for ${found.length} intents`, found.map((intent) => intent.id).join(', '));
  if (one === undefined) throw notFound(`there is no intent ${id}`, 'remit history lists them');
  return one;
}

async function settle(context: Context, intent: Intent, { look, as }: HistoryOptions) {
  const { intents } = await context.store();
  if (intent.state !== 'open' && intent.state !== 'unknown') {
    return result(intentView, withoutRequest(intent), {
      notes: [`it is settled: ${intent.state.replace('_', ' ')}`],
    });
  }
  if (as !== undefined) {
    intents.close(intent.id, { state: as, note: 'settled by hand' });
    return result(intentView, withoutRequest(intents.get(intent.id) ?? intent));
  }
  const { request } = intent;
  if (request === undefined)
    throw usage(
      'its request is not kept any more',
      `after asking the operator: remit history settle ${intent.id} --as not_applied`,
    );
  if ((JSON.parse(request) as { plan?: unknown }).plan === 'raw')
    throw usage(
      `remit does not know how to look for ${intent.summary}: look yourself, with remit api`,
      `then remit history settle ${intent.id.slice(0, 8)} --as applied, or --as not_applied`,
    );
  await sameAccount(context, intent);
  if (!look)
    await guard(context, {
      effect: 'money',
      what: [
        `settle: ${intent.summary}`,
        'it is looked for first; only where it is not found is the same sent again, which cannot pay twice',
      ],
    });
  const [{ settleIntent }, client] = await Promise.all([import('../../client/intents.ts'), context.client()]);
  const outcome: Outcome<{ id?: string }> = await settleIntent(
    client,
    intents,
    { ...intent, request },
    look ? 'look' : 'send',
  );
  if (outcome.kind === 'unknown' || outcome.kind === 'conflict') throw outcomeFailure(outcome, intent.id);
  return result(intentView, withoutRequest(intents.get(intent.id) ?? intent), {
    notes: [
      outcome.kind === 'applied' ? `applied: ${outcome.value.id ?? ''}` : 'not applied: it can be sent again',
    ],
  });
}

/** Looking for it on another account would find nothing, and prove nothing. */
async function sameAccount(context: Context, intent: Intent): Promise<void> {
  const { baseUrl, credentials } = await context.connection();
  if (baseUrl === intent.baseUrl && keyLast4(credentials.key) === intent.keyLast4) return;
  throw configFailure(
    'other_account',
    `this intent belongs to ${intent.profile} (${intent.baseUrl}, key …${intent.keyLast4}), and this is another account`,
    `remit history settle ${intent.id.slice(0, 8)} --profile ${intent.profile}`,
  );
}
