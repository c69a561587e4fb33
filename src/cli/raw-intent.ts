/**
 * The intent comes first for a raw call too (PRODUCT rule 2): before a call that moves money leaves, it is in the journal,
 * and the same one is refused while an earlier one is not settled. If the process dies after the intent is written, it
 * stands open: one whose body remit understands (a creation, a debit) is settled like a command's, any other by hand.
 */
import { verdictOfStatus } from '../client/outcome.ts';
import { createDebits } from '../contract/operations/accounts.ts';
import { createAndFundTransaction, createTransaction } from '../contract/operations/transactions.ts';
import type { WireResponse } from '../core/ports/transport.ts';
import { dropCached } from './cache.ts';
import { keyLast4 } from './config/connection.ts';
import type { Context } from './context.ts';
import { userOf } from './world.ts';
import { undisturbed, unsettledFailure } from './write.ts';

export interface RawCall {
  /** The operation's name, or method and path where the catalogue has none. */
  operation: string;
  method: string;
  path: string;
  body: string | undefined;
  newPayment: boolean;
}

/** Sends it under an intent. @throws what `send` throws, and Failure where an earlier one is not settled */
export async function underIntent(
  context: Context,
  call: RawCall,
  send: () => Promise<WireResponse>,
): Promise<WireResponse> {
  const [{ intents }, connection, { paymentDigest }] = await Promise.all([
    context.store(),
    context.connection(),
    import('../client/intents.ts'),
  ]);
  const { operation, method, path } = call;
  const { name: profile, environment, baseUrl, credentials } = connection;
  const last4 = keyLast4(credentials.key);
  const asked = askedOf(call);
  const opened = intents.open(
    {
      command: context.words,
      user: userOf(context.world),
      operation,
      profile,
      environment,
      baseUrl,
      keyLast4: last4,
      digest: paymentDigest({ baseUrl, keyLast4: last4 }, ...identityOf(call, asked)),
      externalId: asked.transaction?.external_id,
      summary: `${method} ${path.split('?')[0]}`,
      request: JSON.stringify(asked),
    },
    { anyway: call.newPayment },
  );
  if ('unsettled' in opened) throw unsettledFailure(opened.unsettled.id, opened.unsettled.summary);
  const { id } = opened.opened;
  const settle = `remit history settle ${id.slice(0, 8)}`;
  // What happened to the money is true whether it could be written down or not.
  const closeAs = (state: 'applied' | 'not_applied' | 'unknown', note: string): void => {
    if (state === 'unknown') context.say(`it may have been applied: ${settle}`);
    try {
      intents.close(id, { state, note });
    } catch (error) {
      context.say(
        `remit: the outcome could not be written down (${(error as Error).message}): once there is room, ${settle}`,
      );
    }
  };
  try {
    const response = await undisturbed(context, send);
    closeAs(stateOf(response), `answered ${response.status}`);
    return response;
  } catch (error) {
    const { reach, message } = error as { reach?: unknown; message: string };
    closeAs(reach === 'not_sent' ? 'not_applied' : 'unknown', message);
    throw error;
  } finally {
    await dropCached(context);
  }
}

/** A duplicate may be our own earlier try: only a look tells whether it is the same (PRODUCT rule 1). */
function stateOf({ status, body }: WireResponse): 'applied' | 'not_applied' | 'unknown' {
  if (status >= 200 && status < 300) return 'applied';
  const verdict = verdictOfStatus(status, /"existing"\s*:\s*\{\s*"transaction"/.test(body));
  return verdict === 'not_applied' ? 'not_applied' : 'unknown';
}

/** As the journal's other writers put it, where the body is one that they would send. */
function askedOf({ operation, method, path, body }: RawCall): {
  plan: string;
  transaction?: { external_id: string };
} {
  const given = parsed(body);
  const raw = { plan: 'raw', method, path, body };
  if (operation === createDebits.id) {
    const debit = given.debit as { to_id?: unknown } | undefined;
    return typeof debit?.to_id === 'string' ? ({ plan: 'debit', debit } as { plan: string }) : raw;
  }
  if (operation !== createTransaction.id && operation !== createAndFundTransaction.id) return raw;
  const transaction = given.transaction as { external_id?: unknown; recipients?: unknown } | undefined;
  if (typeof transaction?.external_id !== 'string' || !Array.isArray(transaction.recipients)) return raw;
  const fund = operation === createAndFundTransaction.id;
  return { plan: 'create', fund, transaction: transaction as { external_id: string } } as ReturnType<
    typeof askedOf
  >;
}

/** What a command of ours would send is known as the same, whichever way it is sent. */
function identityOf(
  call: RawCall,
  asked: ReturnType<typeof askedOf>,
): [operation: string, identity: unknown] {
  if (asked.plan === 'create') return [call.operation, asked.transaction];
  if (asked.plan === 'debit') return [call.operation, (asked as { debit?: unknown }).debit];
  return ['raw', [call.method, call.path, call.body ?? '']];
}

function parsed(body: string | undefined): Record<string, unknown> {
  const value: unknown = body === undefined ? undefined : JSON.parse(body);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
