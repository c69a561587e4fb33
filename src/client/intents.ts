/**
 * The intent comes first (PRODUCT rule 2). What happens if the process dies after each step:
 *   before `open`            nothing was sent, nothing is known: start again.
 *   after `open`             the intent stands open; the next run with the same body is refused until it is settled.
 *   during the call          the same; settling looks first, and sends the same body only where that cannot pay twice.
 *   after the answer         the same; settling finds the record and closes the intent as applied.
 *   after `close`            done, and the journal says what came of it.
 */
import { createHash } from 'node:crypto';
import { createAndFundTransaction, createTransaction } from '../contract/operations/transactions.ts';
import type { Intent, Intents, NewIntent } from '../core/ports/intents.ts';
import type { Client } from './client.ts';
import { RequestError } from './errors.ts';
import { carryOut, type Outcome, type Plan, settle, settleByLooking } from './outcome.ts';
import { type Asked, operationOf, planOf } from './writes.ts';

export interface Unrecorded {
  /** Why the outcome could not be written down: the intent stands open, and is to be settled. */
  unrecorded?: unknown;
}

export type Recorded<T> =
  | ({ kind: 'carried_out'; intent: Intent; outcome: Outcome<T> } & Unrecorded)
  /** An earlier intent with the same body is not settled: nothing was sent. */
  | { kind: 'refused'; earlier: Intent };

export interface Recording {
  intents: Intents;
  /** Who, where and what, for the journal; see `NewIntent`. */
  about: Omit<NewIntent, 'operation' | 'digest' | 'request'>;
  asked: Asked;
  /** The body without what we made up ourselves, so that the same command again gives the same digest. */
  identity: unknown;
  anyway?: boolean;
}

/** Opens the intent, carries the plan out, closes the intent. @throws what `open` throws: then nothing was sent */
export async function record<T extends { id?: string | null | undefined }>(
  client: Client,
  recording: Recording,
): Promise<Recorded<T>> {
  const { intents, asked } = recording;
  const operation = operationOf(asked).id;
  const opened = intents.open(
    {
      ...recording.about,
      operation,
      digest: paymentDigest(recording.about, operation, recording.identity),
      request: JSON.stringify(asked),
    },
    { anyway: recording.anyway ?? false },
  );
  if ('unsettled' in opened) return { kind: 'refused', earlier: opened.unsettled };
  const plan = planOf(client, asked) as Plan<unknown> as Plan<T>;
  const { id } = opened.opened;
  const outcome = await carryOut(plan).catch((error: unknown) => {
    // It did not even fit the contract, so it never left: nothing is open.
    if (error instanceof RequestError) intents.close(id, { state: 'not_applied', note: 'it was not sent' });
    throw error;
  });
  return { kind: 'carried_out', intent: opened.opened, outcome, ...tryClose(intents, id, outcome) };
}

/** What happened to the money is true whether it could be written down or not. */
function tryClose<T extends { id?: string | null | undefined }>(
  intents: Intents,
  id: string,
  outcome: Outcome<T>,
): Unrecorded {
  try {
    close(intents, id, outcome);
    return {};
  } catch (error) {
    return { unrecorded: error };
  }
}

/** Settles an intent of an earlier run from the journal alone. `look` never sends. */
export async function settleIntent<T extends { id?: string | null | undefined }>(
  client: Client,
  intents: Intents,
  intent: Intent & { request: string },
  mode: 'look' | 'send',
): Promise<Outcome<T> & Unrecorded> {
  const asked = JSON.parse(intent.request) as Asked;
  const plan = planOf(client, asked) as Plan<unknown> as Plan<T>;
  const outcome = mode === 'look' ? await settleByLooking(plan) : await settle(plan, undefined);
  return { ...outcome, ...tryClose(intents, intent.id, outcome) };
}

function close<T extends { id?: string | null | undefined }>(
  intents: Intents,
  id: string,
  outcome: Outcome<T>,
): void {
  const resultId = outcome.kind === 'applied' ? (outcome.value.id ?? undefined) : undefined;
  intents.close(id, { state: outcome.kind, resultId, note: noteOf(outcome) });
}

function noteOf<T>(outcome: Outcome<T>): string {
  if (outcome.kind === 'applied') return outcome.how;
  if (outcome.kind === 'conflict') return outcome.why ?? `differs in ${outcome.differences.join(', ')}`;
  if (outcome.kind === 'not_applied' && outcome.why !== undefined) return outcome.why;
  return outcome.error?.message ?? 'not found by looking';
}

/** One payment, whichever way it is begun: funded at once or later, it must not be made beside itself. */
const SAME_PAYMENT: Readonly<Record<string, string>> = {
  [createAndFundTransaction.id]: createTransaction.id,
};

/**
 * SHA-256 over account, operation and the canonical form of the body: neither the order of members matters nor the name of the
 * profile that the account was reached by, and an amount is the same as a number and as a text.
 */
export function paymentDigest(
  account: Pick<NewIntent, 'baseUrl' | 'keyLast4'>,
  operation: string,
  identity: unknown,
): string {
  const kind = SAME_PAYMENT[operation] ?? operation;
  const parts = [account.baseUrl, account.keyLast4, kind, canonical(identity)];
  return createHash('sha256').update(parts.join('\n')).digest('hex');
}

/** Absent, and empty metadata: what is filled in for whoever left it out. */
const saysNothing = (member: unknown): boolean =>
  member === undefined ||
  (typeof member === 'object' &&
    member !== null &&
    !Array.isArray(member) &&
    Object.keys(member).length === 0);

function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'number') return JSON.stringify(String(value));
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => !saysNothing(member))
    .sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0))
    .map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`);
  return `{${members.join(',')}}`;
}
