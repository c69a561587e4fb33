/**
 * Production is loud (PRODUCT rule 6). Every write passes here before anything is sent: it prints one line saying where it
 * goes, refuses sandbox-only calls elsewhere, and in production asks with the amounts on screen, or without a terminal
 * needs --yes, --live and a full id.
 */

import { liveNames } from '../../cli/ask/live-names.ts';
import { type Context, contextLine } from '../../cli/context.ts';
import type { Effect } from '../../contract/operations/operation.ts';
import { add, gt } from '../../core/money.ts';
import { type Failure, interrupted, usage } from '../../core/problem.ts';
import { type Connection, keyLast4 } from '../../profiles/connection.ts';
import { money } from '../words/amount.ts';
import { escapeLine } from '../words/escape.ts';

export interface Amount {
  amount: string | null | undefined;
  currency: string | null | undefined;
}

export interface Intention {
  effect: Effect;
  sandboxOnly?: boolean | undefined;
  /** What is about to happen, amounts included: `pay 12.50 EUR to Ada Obi (NGN::Bank)`. */
  what: readonly string[];
  /** More lines, that cost a look: asked for only once nothing stands in the way. */
  look?: (() => Promise<readonly string[]>) | undefined;
  /**
   * What leaves, in the currency that is paid in, for the profile's `max_amount`. Absent where a call names no new amount (a
   * correction, a cancel); an amount that cannot be known is null, and refused where there are limits.
   */
  amounts?: readonly Amount[] | undefined;
  /** False when the thing was found by a short id or a guess: without a terminal production wants a full one. */
  explicitId?: boolean;
}

export async function guard(context: Context, intention: Intention): Promise<void> {
  const connection = await context.connection();
  context.say(contextLine(connection), context.paint.dim);
  if (intention.sandboxOnly && connection.environment !== 'sandbox') {
    throw usage(
      'this call exists in a sandbox only, and this profile is production',
      'choose a sandbox profile with --profile',
    );
  }
  for (const line of intention.what) context.say(`  ${escapeLine(line)}`);
  refuseByLimits(connection, intention);
  const asks = mustAsk(context, connection, intention);
  for (const line of (await intention.look?.()) ?? []) context.say(`  ${escapeLine(line)}`);
  if (!asks) return;
  const { askConfirm } = await import('../../cli/terminal/prompt.ts');
  const agreed = await askConfirm(context, 'This is production. Do it?');
  if (!agreed) throw interrupted();
}

/** @throws Failure (usage) where nobody is there to ask */
function mustAsk(context: Context, connection: Connection, intention: Intention): boolean {
  if (connection.environment !== 'production') return false;
  if (intention.effect !== 'money' && intention.effect !== 'destructive') return false;
  if (isNamedLive(context, connection)) {
    requireExplicit(context, intention);
    return false;
  }
  if (!context.interactive) throw refuseUnattended(context, connection);
  return true;
}

/** @throws Failure (usage): what the profile itself does not allow */
function refuseByLimits({ name, limits }: Connection, { amounts = [] }: Intention): void {
  if (limits.read_only)
    throw usage(
      `profile "${name}" is read-only: nothing is written with it`,
      `if it is meant: remit profiles set ${name} read_only=false`,
    );
  const { max_amount: most } = limits;
  if (most === undefined) return;
  const totals = new Map<string, string>();
  for (const { amount, currency } of amounts) {
    if (!amount || !currency)
      throw overLimit(name, 'an amount that cannot be read before it is sent', 'sets limits');
    totals.set(currency, add(totals.get(currency) ?? '0', amount));
  }
  for (const [currency, total] of totals) {
    const limit = Object.hasOwn(most, currency) ? most[currency] : undefined;
    if (limit === undefined)
      throw overLimit(name, money(total, currency) ?? '', `allows ${Object.keys(most).join(', ')} only`);
    if (gt(total, limit))
      throw overLimit(name, money(total, currency) ?? '', `allows at most ${money(limit, currency)}`);
  }
}

const overLimit = (name: string, what: string, allowed: string): Failure =>
  usage(
    `${what} is refused: profile "${name}" ${allowed} (max_amount)`,
    `look at it again; if it is meant: remit profiles set ${name} max_amount.CURRENCY=AMOUNT`,
  );

/** --yes together with --live naming what the connection resolved to. */
function isNamedLive({ globals }: Context, connection: Connection): boolean {
  if (globals.live === undefined) return false;
  if (!liveNames(connection).includes(globals.live)) {
    throw usage(
      `--live=${globals.live} does not name what this would run on: ${connection.name}, key ending ${keyLast4(connection.credentials.key)}`,
      `check --profile and the environment before anything else; if it is meant: ${liveNames(connection)
        .map((name) => `--live=${name}`)
        .join(', or ')}`,
    );
  }
  return globals.yes;
}

function requireExplicit(context: Context, intention: Intention): void {
  if (intention.explicitId === false && !context.interactive) {
    throw usage('in production without a terminal a full id or an external id is needed');
  }
}

function refuseUnattended({ globals }: Context, connection: Connection): Failure {
  const missing = [
    globals.yes ? '' : '--yes',
    globals.live === undefined ? `--live=${liveNames(connection)[0]}` : '',
  ].filter(Boolean);
  return usage(
    'this moves money or takes something away in production, and nobody is there to ask',
    `if it is meant: add ${missing.join(' ')}`,
  );
}
