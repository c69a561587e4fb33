import { listProofsOfPayment } from '../../contract/operations/recipients.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import { isCalledOff, isPaidOut } from '../../contract/states/money.ts';
import { caseNow, type RecipientCase } from '../../payments/cases/facts.ts';
import { lifeOf } from '../../payments/cases/life.ts';
import { type Possible, whoMustAct } from '../../payments/cases/next-action.ts';
import { fetchProofs, MAX_PROOF_BYTES, openedAs } from '../../payments/cases/proof-files.ts';
import {
  eventLines,
  factLines,
  handOverText,
  NO_PROOF,
  refundByTheClock,
} from '../../payments/cases/recipient-lines.ts';
import { correctableOf } from '../../payments/correctable.ts';
import { findRecipient, foundAny } from '../../payments/lookup/recipient.ts';
import { maskData } from '../../payments/words/mask.ts';
import type { Call } from '../call.ts';
import { alikeRow, labelledLines, payoutRowOf } from '../rows.ts';
import type { AnswerOf, Payout } from '../wire.ts';

/** All that a caller asks about one payout, as it stands at the service now. */
export async function payout(call: Call, { id }: { id: string }): Promise<Payout> {
  const { desk, showing, renderHint } = call;
  const found = await foundAny(desk, id);
  const { recipient, transaction } = found;
  const now = await caseNow(desk, found);
  const told = maskData(now, showing.mask);
  const { sender, id: transaction_id, external_id: transaction_external_id } = transaction;
  const ofPayment = (one: Recipient) =>
    payoutRowOf({ ...one, sender, transaction_id, transaction_external_id }, showing);
  const recipientId = recipient.id ?? id;
  return {
    row: ofPayment(recipient),
    tell: told.standing.tell_the_customer,
    because: told.standing.because,
    lines: caseLines(told),
    pickup: told.pickup,
    can: now.standing.can.map((act) => ({ act, command: renderHint(stepOf(act, recipientId)) })),
    // A refund that is on its way comes by itself, and is looked for as an answer is.
    isAwaiting: now.standing.awaiting === 'cancel' || (isCalledOff(now.state) && now.standing.act !== null),
    details: await correctableOf(recipient, showing.mask),
    others: (transaction.recipients ?? []).filter(({ id }) => id !== recipient.id).map(ofPayment),
    alike: told.look_alikes?.map((one) => alikeRow(one, showing)) ?? null,
    handOver: handOverText(told),
    proofs: isPaidOut(now.state) ? renderHint({ do: 'list_proofs', id: recipientId }) : null,
    command: renderHint({ do: 'show_recipient', id: recipientId }),
  };
}

/** The page shows these in places of their own. */
const SHOWN_APART = ['pick-up code', 'picked up', 'what happened', 'same account'];

function caseLines(told: RecipientCase): Payout['lines'] {
  const lines = [...factLines(told), ...eventLines(told, refundByTheClock(told))];
  const shown = lines.filter(([label]) => !SHOWN_APART.includes(label));
  return labelledLines([['who must act', whoMustAct(told, told.standing)], ...shown]);
}

const stepOf = (act: Possible, id: string) =>
  act === 'edit'
    ? ({ do: 'edit_recipient', id } as const)
    : ({ do: 'cancel_recipients', ids: [id], request: act === 'request_cancel', wait: true } as const);

/** The life of a payout: what the service did, what was asked of it, and who asked. */
export async function timeline({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'timeline'>> {
  return lifeOf(desk, await findRecipient(desk, id, { use: 'read' }));
}

const MOST_FILES = 20;

/** The files that prove it. Together they have no more bytes than one may have. */
export async function proofs({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'proofs'>> {
  const client = await desk.client();
  const { object } = await client.call(listProofsOfPayment, { path: { recipient_id: id } });
  const files: AnswerOf<'proofs'>['files'] = [];
  for await (const { name, bytes, why } of fetchProofs(desk, object.slice(0, MOST_FILES), MAX_PROOF_BYTES)) {
    const base64 = bytes === undefined ? null : Buffer.from(bytes).toString('base64');
    files.push({ ...openedAs(name, bytes), base64, why });
  }
  const more = `These are the first ${MOST_FILES} of ${object.length}: the command lists all.`;
  return { files, note: object.length === 0 ? NO_PROOF : object.length > MOST_FILES ? more : null };
}
