/**
 * The intent comes first (docs/rules.md 2). What happens if the process dies after each step:
 *   before `ready`           nothing was sent, nothing is known: start again.
 *   before `open`            the same: harmless reads were made.
 *   during `open`            the same; or, where its answer was lost, as after it. Nothing is sent until that is known.
 *   after `open`             the intent stands open; the next run with the same body is refused until it is settled.
 *   during the call          the same; settling looks first, and sends the same body only where that cannot pay twice.
 *   after the answer         the same; settling finds the record and closes the intent as applied.
 *   after `close`            it is applied and not told: the same body again is answered with what stands.
 *   after the output         the same, until `told` is written.
 *   after `told`             done. The same body without an id of its own is asked about for a day.
 */
import { getSender, listSenders } from '../contract/operations/senders.ts';
import type { KeyJoin } from '../core/account.ts';
import { invariant } from '../core/invariants.ts';
import type { Client } from './client.ts';
import { weighed } from './closing.ts';
import { type Earlier, earlierOf, leftByOtherKey, type NewWrite } from './duplicate-check.ts';
import { ApiError, RequestError } from './errors.ts';
import { payerOf, type RawAsked, requestDigest } from './identity.ts';
import { lookForOlderEdits } from './older-edits.ts';
import { type Conflict, carryOut, carryOutOnce, type Outcome, type WritePlan } from './outcome.ts';
import { type Intent, type IntentClosing, type Intents, type NewIntent, UNSETTLED } from './store/port.ts';
import { type Asked, mustBeAskedFor, operationOf, writePlanOf } from './writes.ts';

export interface Unrecorded {
  /** Why the outcome could not be written down: the intent stands open, and is to be settled. */
  unrecorded?: unknown;
}

export type Recorded<T> =
  | ({ kind: 'carried_out'; intent: Intent; outcome: Outcome<T> } & Unrecorded)
  | NotCarriedOut;

export type NotCarriedOut =
  /** An earlier intent of the same stands in the way: nothing was sent. */
  | { kind: 'refused'; earlier: Earlier }
  /** It is unknown whether the intent stands: nothing was sent, and who settles it later may send it. */
  | { kind: 'unsure'; intent: Intent; error: Error };

/** Who, where and what, for the journal; see `NewIntent`. */
export type IntentAbout = Omit<NewIntent, 'operation' | 'digest' | 'request' | 'payer' | 'madeId'>;

/** Says how an earlier intent for the same request is met. */
export interface Meeting extends Pick<NewWrite, 'now' | 'isRunning' | 'began'> {
  /** The greatest `toldSeq` in the journal when the caller began (`Intents.lastTold`). */
  lastTold: number;
  /** The caller says that this is another payment, whatever came before. */
  newPayment?: boolean;
  /** True of an earlier intent beside which another is wanted. */
  isPassed?(intent: Intent): boolean;
  /** Asked once, where nothing stands in the way and before anything is written down. What it throws keeps the write from being sent. */
  check?(): Promise<void>;
  /** Waits a moment, while another process is about to know the outcome. */
  pause(): Promise<void>;
  /** Told of what another key left unknown at the same base URL, where that does not stand in the way. */
  beside?(intent: Intent): void;
  /** Told when the intent is written: from now on the request may be on its way. */
  opened?(intent: Intent): void;
}

/** The plan, and whether a try of it went as far as the network. */
export function noted<T>(plan: WritePlan<T>): { plan: WritePlan<T>; isBegun(): boolean } {
  let begun = false;
  const send: WritePlan<T>['send'] = async (again) => {
    const sent = await plan.send(again);
    begun = true;
    return sent;
  };
  return { plan: { ...plan, send }, isBegun: () => begun };
}

export interface Recording {
  intents: Intents;
  about: IntentAbout;
  asked: Asked;
  meeting: Meeting;
  /** Sent once and then only looked for, even where the same could be sent again. */
  once?: boolean;
}

/** Carries a plan out under an intent. @throws NotReadyError, and what `open` throws: then nothing was sent */
export async function record<T extends { id?: string | null | undefined }>(
  client: Client,
  { asked, once = false, ...recording }: Recording,
): Promise<Recorded<T>> {
  const { plan, isBegun } = noted(writePlanOf(client, asked) as WritePlan<unknown> as WritePlan<T>);
  const done = await underIntent<Outcome<T>>(
    client,
    { ...recording, asked, operation: operationOf(asked).id },
    {
      async carry({ id }) {
        const outcome = await (once ? carryOutOnce(plan) : carryOut(plan));
        if (asked.plan !== 'edit' || outcome.kind !== 'applied') return outcome;
        const older = await lookForOlderEdits(client, recording.intents, { ...asked, id });
        return older === undefined || 'kind' in older
          ? ((older as Conflict | undefined) ?? outcome)
          : { ...outcome, ...older };
      },
      closing: (outcome) =>
        weighed(outcome, { emptySince: undefined, date: client.date(), isLook: false }).closing,
      // The request did not fit the contract, so it never left. An error of a later look proves nothing of the kind.
      broken: (error) =>
        error instanceof RequestError && !isBegun()
          ? { state: 'not_applied', note: 'it was not sent' }
          : undefined,
    },
  );
  if (done.kind !== 'done') return done;
  const { value: outcome, ...rest } = done;
  if (outcome.kind === 'applied') mustBeAskedFor(asked, outcome.value);
  return { ...rest, kind: 'carried_out', outcome };
}

export interface Work<T> {
  carry(intent: Intent): Promise<T>;
  closing(value: T): IntentClosing;
  /** Returns the closing that a failure proves; undefined leaves the intent open. */
  broken(error: unknown, intent: Intent): IntentClosing | undefined;
}

/**
 * Opens the intent, lets it be sent, closes the intent: every write of money goes this way.
 * @throws NotReadyError and what `open` throws, and then nothing was sent; what `carry` throws
 */
export async function underIntent<T>(
  client: Client,
  { intents, ...beginning }: Beginning & { intents: Intents },
  { carry, closing, broken }: Work<T>,
): Promise<({ kind: 'done'; intent: Intent; value: T } & Unrecorded) | NotCarriedOut> {
  const begun = await begin(client, intents, beginning);
  if ('kind' in begun) return begun;
  const intent = begun.opened;
  beginning.meeting.opened?.(intent);
  invariant(intent.state === 'open', 'the intent is on disk before anything is sent');
  const value = await carry(intent).catch(async (error: unknown) => {
    const proven = broken(error, intent);
    // Where that cannot be written down it stands open, which is true as well.
    if (proven !== undefined) await tryClose(intents, intent, proven);
    throw error;
  });
  return { kind: 'done', value, ...(await tryClose(intents, intent, closing(value))) };
}

interface Beginning {
  about: IntentAbout;
  asked: Asked | RawAsked;
  operation: string;
  meeting: Meeting;
}

/** Together they last longer than the slowest answer is waited for. */
const MOST_PAUSES = 1_500;

/** The intent of a request, before it is written. */
export function newIntentOf(about: IntentAbout, asked: Asked | RawAsked, operation: string): NewIntent {
  const payer = payerOf(asked);
  const madeId = asked.plan === 'create' && asked.madeId === true;
  const awaitsDebit = asked.plan === 'create' && asked.awaitsDebit === true;
  const request = JSON.stringify(asked);
  // The digest is of the request as it is kept: after a crash the journal alone tells what was asked.
  const digest = requestDigest(about, JSON.parse(request) as Asked | RawAsked);
  const effect = asked.plan === 'raw' ? asked.method : operationOf(asked).effect;
  invariant(effect !== 'read' && effect !== 'GET', 'a read has no intent');
  const half = awaitsDebit ? { awaitsDebit } : {};
  return Object.assign({}, about, half, { operation, digest, payer, madeId, request });
}

/** Writes the intent, unless an earlier one of the same stands in the way. @throws what `open` throws */
async function begin(
  client: Client,
  intents: Intents,
  { about, asked, operation, meeting }: Beginning,
): Promise<{ opened: Intent } | NotCarriedOut> {
  const intent = newIntentOf(about, asked, operation);
  const { payer, madeId } = intent;
  await rekey(intents);
  let payers = payer === undefined ? [] : [payer];
  let joins: KeyJoin[] | undefined;
  let isChecked = false;
  for (let pauses = 0; ; ) {
    const wish: NewWrite = {
      ...meeting,
      digest: intent.digest,
      account: about,
      joins,
      givenId: madeId ? undefined : about.externalId,
      payers,
      paysAgain: ['create', 'debit', 'raw'].includes(asked.plan),
      isAskedAbout: asked.plan === 'create',
      isPassed: meeting.isPassed ?? (() => false),
    };
    let left: Intent | undefined;
    const judge = (alike: readonly Intent[]) => {
      if (meeting.newPayment) return undefined;
      left = leftByOtherKey(alike, wish);
      return earlierOf(alike, wish);
    };
    const isFirst = !isChecked && (!client.isReady() || meeting.check !== undefined);
    if (isFirst && (await peek(intents, intent, judge)) === undefined) {
      isChecked = true;
      // Where the service does not take the key, nothing is sent, and there is nothing to write down.
      if (!client.isReady()) await client.ready();
      await meeting.check?.();
    }
    const begun = await intents.open(intent, judge);
    if ('opened' in begun) {
      if (left !== undefined) meeting.beside?.(left);
      return begun;
    }
    if ('unsure' in begun) return { kind: 'unsure', intent: begun.unsure, error: begun.error };
    const earlier = begun.refused;
    if (earlier.kind === 'other_key' && joins === undefined) joins = await intents.joins();
    else if (earlier.kind === 'perhaps' && payer !== undefined) payers = await namesOf(client, payer);
    else if (earlier.kind === 'under_way' && pauses++ < MOST_PAUSES) await meeting.pause();
    else return { kind: 'refused', earlier };
  }
}

/** Finds what stands in the way of an intent, as `open` would; writes nothing. */
async function peek(
  intents: Intents,
  intent: NewIntent,
  judge: (alike: readonly Intent[]) => Earlier | undefined,
): Promise<Earlier | undefined> {
  let earlier: Earlier | undefined;
  const asked = await intents.open(intent, (alike) => {
    earlier = judge(alike);
    return 'asked';
  });
  invariant('refused' in asked, 'an intent that was only asked about is not written');
  return earlier;
}

/**
 * Gives unsettled intents of an earlier version a digest by our rules. That version told requests apart by its own
 * rules, and by ours two may be the same payment. Their requests are kept, so the digest can be made anew.
 */
function rekey(intents: Intents): Promise<void> {
  const begun = rekeyed.get(intents) ?? rekeyAll(intents);
  rekeyed.set(intents, begun);
  begun.catch(() => rekeyed.delete(intents));
  return begun;
}

/** Journals that were gone through by this process: what is written from then on has a digest by our rules. */
const rekeyed = new WeakMap<Intents, Promise<void>>();

async function rekeyAll(intents: Intents): Promise<void> {
  const unsettled = await intents.list({ states: UNSETTLED, limit: Number.MAX_SAFE_INTEGER });
  for (const { request, id, digest, ...account } of unsettled) {
    const known = request === undefined ? undefined : digestOfKept(account, request);
    if (known !== undefined && known !== digest) await intents.rekey(id, known);
  }
}

/** Undefined where the request is of a kind that we do not know. */
function digestOfKept(account: Pick<Intent, 'baseUrl'>, request: string): string | undefined {
  try {
    return requestDigest(account, JSON.parse(request) as Asked);
  } catch {
    return undefined;
  }
}

/** Every name of a sender. A name that it does not have is given as an empty one, so that no other can be taken for it. */
async function namesOf(client: Client, payer: string): Promise<string[]> {
  const name = payer.slice(payer.indexOf(':') + 1);
  if (payer.startsWith('id:')) {
    const found = await client.call(getSender, { path: { sender_id: name } }).catch((error: unknown) => {
      // This id is unknown: the service refuses the payment, and says so best.
      if (error instanceof ApiError && error.status === 404) return undefined;
      throw error;
    });
    return [payer, `ext:${found?.object.external_id ?? ''}`];
  }
  const { object } = await client.call(listSenders, { query: { external_id: name } });
  const found = object.find(({ external_id }) => external_id === name);
  return [payer, `id:${found?.id?.toLowerCase() ?? ''}`];
}

/**
 * Closes an intent. Where the journal fails, the intent stands as it was and the error is answered beside it: what
 * happened to the money is true all the same.
 */
export async function tryClose(
  intents: Intents,
  intent: Intent,
  closing: IntentClosing,
): Promise<{ intent: Intent } & Unrecorded> {
  try {
    const standing = await intents.close(intent.id, closing);
    invariant(standing.state !== 'open', 'an intent does not stay open beside its outcome');
    // The request is kept only as long as it may be needed, and so is since when looks find nothing.
    const { request: _, emptySince: __, ...rest } = intent;
    return { intent: { ...rest, ...standing } };
  } catch (error) {
    return { intent, unrecorded: error };
  }
}
