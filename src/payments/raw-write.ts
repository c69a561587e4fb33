/**
 * The intent comes first for a raw call too (docs/rules.md 2, decision 0007): before a call that moves money leaves, it is in
 * the journal, and the same one is refused while an earlier one is not settled. If the process dies after the intent is written,
 * it stands open: one whose body remit understands (a creation, a debit) is settled like a command's, any other by hand.
 */

import type { Earlier } from '../client/duplicate-check.ts';
import type { RawAsked } from '../client/identity.ts';
import { verdictOf } from '../client/outcome.ts';
import type { RawVerdict } from '../client/raw-verdict.ts';
import type { Asked } from '../client/writes.ts';
import { createDebits } from '../contract/operations/accounts.ts';
import { createAndFundTransaction, createTransaction } from '../contract/operations/transactions.ts';
import type { TransactionWrite } from '../contract/resources/transaction.ts';
import { readExactly } from '../core/exact-numbers.ts';
import { type Hint, hint } from '../core/next.ts';
import { refuse } from '../core/problem.ts';
import type { WireResponse } from '../core/transport.ts';
import { releaseForDay, releaseOnFailure } from './day-ceiling.ts';
import { type Desk, tell } from './desk.ts';
import { meetEarlier } from './duplicate-check.ts';
import { checkPass, type WritePermit } from './gate.ts';
import { sayUnrecorded, unsettledProblem, unsureProblem } from './outcome-problem.ts';
import { dropCached } from './read-cache.ts';
import { intentAbout, meetingOf, undisturbed } from './write.ts';

export interface RawCall {
  /** The operation's name, or method and path where the catalogue has none. */
  operation: string;
  method: string;
  path: string;
  body: string | undefined;
  newPayment: boolean;
}

export interface RawOutcome {
  response: WireResponse;
  /** The state of the call as far as it is known; a read of a record that stood already is applied too. */
  state: 'applied' | 'not_applied' | 'unknown';
}

/** Sends it under an intent. @throws what `send` throws, and Problem where an earlier one is not settled */
export async function writeRaw(
  desk: Desk,
  permit: WritePermit,
  call: RawCall,
  send: () => Promise<WireResponse>,
): Promise<RawOutcome> {
  await checkPass(desk, permit, 'money');
  const outcome = await releaseOnFailure(desk, permit, {
    work: () => underItsIntent(desk, permit, call, send),
  });
  if (outcome.state === 'not_applied') await releaseForDay(desk, permit);
  return outcome;
}

async function underItsIntent(
  desk: Desk,
  permit: WritePermit,
  call: RawCall,
  send: () => Promise<WireResponse>,
): Promise<RawOutcome> {
  const [{ intents }, client, { underIntent }, { rawVerdict }] = await Promise.all([
    desk.store(),
    desk.writingClient(),
    import('../client/intents.ts'),
    import('../client/raw-verdict.ts'),
  ]);
  const { operation, method, path, newPayment } = call;
  const asked = askedOf(call);
  const externalId = asked.plan === 'create' ? asked.transaction.external_id : undefined;
  const about = await intentAbout(desk, { externalId, summary: `${method} ${path.split('?')[0]}` });
  const meeting = { ...(await meetingOf(desk)), newPayment };
  let isSent = false;
  try {
    const done = await underIntent(
      client,
      { intents, about, asked, operation, meeting },
      {
        async carry() {
          isSent = true;
          const response = await undisturbed(desk, send);
          return { response, verdict: await rawVerdict(client, asked, response) };
        },
        closing: ({ response, verdict }) => ({
          state: verdict.kind,
          note: `answered ${response.status}`,
          resultId: verdict.id,
        }),
        broken(error, { id }) {
          const mayHaveArrived = verdictOf(error) !== 'not_sent';
          if (mayHaveArrived) tell(desk, mayBeApplied(id));
          return { state: mayHaveArrived ? 'unknown' : 'not_applied', note: (error as Error).message };
        },
      },
    );
    if (done.kind === 'unsure') throw unsureProblem(done);
    if (done.kind === 'refused') return answerEarlier(desk, permit, done.earlier, asked);
    const { intent, value, unrecorded } = done;
    if (unrecorded !== undefined) sayUnrecorded(desk, intent.id, unrecorded);
    tellVerdict(desk, intent.id, { ...value, externalId });
    return { response: value.response, state: value.verdict.kind };
  } finally {
    if (isSent) await dropCached(desk);
  }
}

const mayBeApplied = (id: string): Hint => hint`it may have been applied: ${{ do: 'settle', id }}`;

function tellVerdict(
  desk: Desk,
  id: string,
  {
    response,
    verdict,
    externalId,
  }: { response: WireResponse; verdict: RawVerdict; externalId: string | undefined },
): void {
  if (verdict.kind === 'unknown') tell(desk, mayBeApplied(id));
  if (verdict.kind !== 'applied') return;
  desk.willTell(id, { id: verdict.id ?? null, external_id: externalId ?? null });
  if (response.status > 299)
    tell(desk, `the service refused it, and yet it is applied: ${verdict.id} is as you asked`);
}

/** Answers with the record that stands: it is read again, as the service shows it now. */
async function answerEarlier(
  desk: Desk,
  permit: WritePermit,
  earlier: Earlier,
  asked: Asked | RawAsked,
): Promise<RawOutcome> {
  const { intent } = earlier;
  if (asked.plan === 'raw') {
    if (earlier.kind !== 'untold') throw unsettledProblem(intent.id, intent.summary);
    throw refuse(
      'conflict',
      'made_already',
      `the same call succeeded before, and its result was never shown: ${intent.summary}`,
      {
        hint: hint`${{ do: 'show_intent', id: intent.id }}; ${{ give: 'new_payment' }} sends it again on purpose`,
        note: 'by the earlier run; nothing was sent this time',
        outcome: 'applied',
      },
    );
  }
  const payment = asked.plan === 'create' ? asked.transaction : undefined;
  const fund = asked.plan === 'create' && asked.fund;
  const met = await meetEarlier(desk, permit, earlier, { fund, givenId: payment?.external_id, payment });
  if (met.kind === 'another') throw unsettledProblem(intent.id, intent.summary);
  desk.willTell(intent.id, met.value);
  const client = await desk.client();
  const path = `/transactions/${met.value.id}`;
  return { response: await client.raw({ method: 'GET', path, effect: 'read' }), state: 'applied' };
}

/** A body that another write would send is put as that one puts it: then the journal sees that both are the same. */
function askedOf({ operation, method, path, body }: RawCall): Asked | RawAsked {
  const given = parsed(body);
  const raw: RawAsked = { plan: 'raw', method, path, body };
  if (operation === createDebits.id) {
    const debit = given.debit as { to_id?: unknown } | undefined;
    return typeof debit?.to_id === 'string' ? ({ plan: 'debit', debit } as Asked) : raw;
  }
  if (operation !== createTransaction.id && operation !== createAndFundTransaction.id) return raw;
  const transaction = given.transaction as Record<string, unknown> | undefined;
  if (transaction === undefined || !isPayment(transaction)) return raw;
  if (typeof transaction.external_id !== 'string')
    return { ...raw, payment: transaction as unknown as TransactionWrite };
  const fund = operation === createAndFundTransaction.id;
  return { plan: 'create', fund, transaction } as unknown as Asked;
}

/** Whatever people type may come here: only what has the parts of a payment can be compared with one. */
const isPayment = ({ sender, recipients, payin_methods: payins }: Record<string, unknown>): boolean =>
  isObject(sender) &&
  (payins == null || (Array.isArray(payins) && payins.every(isObject))) &&
  Array.isArray(recipients) &&
  recipients.every(
    (one) => isObject(one) && isObject(one.payout_method) && typeof one.requested_currency === 'string',
  );

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(body: string | undefined): Record<string, unknown> {
  const value: unknown = body === undefined ? undefined : readExactly(body);
  return isObject(value) ? value : {};
}
