/**
 * Carries out what the user asked for on the page. It is run twice: without an answer it comes to the first question, which goes back to
 * the page with all that was said before it; with the answers it comes through the gate and is sent. Both times every record is read
 * anew, and compared with what stood on the screen. An answer holds for the very words that it was given to.
 *
 * If this process dies before the gate let it through, nothing was sent. After it, the intent is on disk before its request leaves
 * (`payments/write.ts`), and *My requests* shows what is not known. If the tab goes away in between, the act is finished all the same.
 */

import { createHash } from 'node:crypto';
import { type Problem, unsent } from '../../core/problem.ts';
import { cancelRecipients, planCancel, refusePredictedRefusal } from '../../payments/cancel.ts';
import { asksToType, type Confirmation, isConfirmed } from '../../payments/confirmation.ts';
import { applyEdit, leaveUnchanged, planEdit, refuseUneditable } from '../../payments/edit-recipient.ts';
import { conclusionOf, endingCategory } from '../../payments/endings.ts';
import { authorizeWrite, type Confirmable, type Confirmer } from '../../payments/gate.ts';
import { settleOne } from '../../payments/history.ts';
import type { FoundRecipient } from '../../payments/lookup/recipient.ts';
import { findRecipients } from '../../payments/lookup/recipient.ts';
import { looksMasked } from '../../payments/words/mask.ts';
import { recipientLine } from '../../payments/words/payment-lines.ts';
import { spoken } from '../../payments/words/questions.ts';
import { type ActDone, type Acts, Asks, type Call, done, orQuestion } from '../call.ts';
import { endingLook, rowDigest } from '../rows.ts';
import * as runs from '../runs/acts.ts';
import { VERBS } from '../wire/acts.ts';
import type { Act, Acted, Wish } from '../wire.ts';

export async function act(call: Call, wish: Wish): Promise<Acted> {
  const { acts } = call;
  // The same wish again is the same act: it is under way, or was carried out.
  const same = JSON.stringify(wish);
  const before = acts.byId.get(wish.id) ?? acts.running.get(same);
  if (before !== undefined) return before;
  reserve(acts, wish);
  const answers = answersOf(call, wish, () => remember(acts, wish.id, outcome));
  const outcome: Promise<Acted> = DO[wish.act](call, wish, answers)
    .catch(orQuestion<Acted>)
    .finally(() => {
      acts.running.delete(same);
      for (const { id } of wish.of) if (acts.of.get(id) === wish.id) acts.of.delete(id);
    });
  acts.running.set(same, outcome);
  return outcome;
}

/** @throws Problem (conflict) where something is under way for one of them just now */
function reserve({ of }: Acts, wish: Wish): void {
  if (wish.of.some(({ id }) => of.has(id)))
    throw unsent(
      'conflict',
      'under_way',
      'another window is acting on this just now',
      'look again in a moment',
    );
  for (const { id } of wish.of) of.set(id, wish.id);
}

const MOST_REMEMBERED = 1_000;

/** From now on the same id gets this outcome, for any sender. */
function remember({ byId }: Acts, id: string, outcome: Promise<Acted>): void {
  byId.set(id, outcome);
  const [oldest] = byId.keys();
  if (byId.size > MOST_REMEMBERED && oldest !== undefined) byId.delete(oldest);
}

type Answers = Confirmer & { of: string };

/** The answers that came with the wish, each for the very words that were shown. `of` is the amount that the button names. */
const answersOf = (call: Call, wish: Wish, begin: () => void): Answers => ({
  isAttended: true,
  of: '',
  stance: () => ({ kind: 'asks' }),
  async confirm(question) {
    const confirm = confirmOf(question);
    const heard = call.heard.map(({ says, as }) => ({ text: call.text(says), weight: as }));
    const { said } = question;
    const shown = digestOfQuestion([...heard.map(({ text }) => text), said, confirm?.shown ?? '']);
    const given = wish.answers.find((one) => one.shown === shown);
    const isYes = given !== undefined && (confirm === undefined || isConfirmed(confirm, given.typed ?? ''));
    const type = confirm === undefined ? null : { asks: asksToType(confirm), shown: confirm.shown };
    const button = `${VERBS[wish.act]} ${this.of}`.trim();
    if (!isYes) throw new Asks<Acted>({ kind: 'asks', heard, said, shown, button, type });
    if (question.about === 'proceed' || question.about === 'word') begin();
    return true;
  },
});

function confirmOf(question: Confirmable): Confirmation | undefined {
  if (question.about === 'word') return { by: 'name', shown: question.word };
  return 'confirm' in question ? question.confirm : undefined;
}

/** Ages pass while the user reads: they are no part of what is agreed to. */
const digestOfQuestion = (texts: readonly string[]): string =>
  createHash('sha256')
    .update(
      JSON.stringify(texts.map((text) => text.replaceAll(/\d{1,6}[smhd](?: \d{1,2}[smhd])? ago/g, 'ago'))),
    )
    .digest('base64url');

type Doing = (call: Call, wish: Wish, answers: Answers) => Promise<ActDone>;

const DO: Readonly<Record<Act, Doing>> = {
  cancel,
  request_cancel: cancel,
  edit,
  settle,
  ...runs.runActs,
};

async function cancel(call: Call, wish: Wish, answers: Answers): Promise<ActDone> {
  const { desk, renderHint, text } = call;
  const request = wish.act === 'request_cancel';
  const found = await foundAsShown(call, wish);
  answers.of = amountsOf(call, found);
  const plan = await planCancel(desk, found, { request, waitMs: undefined });
  refusePredictedRefusal(plan);
  const endings = await cancelRecipients(desk, await authorizeWrite(desk, plan.step, answers), plan);
  const ids = found.map(({ recipient }) => recipient.id ?? '');
  return {
    kind: 'done',
    endings: endings.map((one) => ({
      id: one.recipient.id ?? '',
      text: `${recipientLine(one.recipient, desk.mask)}: ${one.ending}`,
      look: endingLook(endingCategory(one)),
      why: one.why === undefined ? null : text(one.why),
    })),
    notes: conclusionOf(endings).notes.map(text),
    command: renderHint({ do: 'cancel_recipients', ids, request, wait: true }),
  };
}

async function edit(call: Call, wish: Wish, answers: Answers): Promise<ActDone> {
  const { desk, renderHint } = call;
  const [found] = await foundAsShown(call, wish);
  if (found === undefined || wish.of.length > 1) throw badWish('a correction is of one recipient');
  const details = wish.details ?? {};
  if (Object.values(details).some(looksMasked))
    throw badWish('a masked value is no account: write all of it');
  answers.of = amountsOf(call, [found]);
  refuseUneditable(found.recipient);
  const guard = { confirmer: answers, asWritten: false };
  const plan = await planEdit(desk, found, { details, skipValidation: false, nameAsGiven: false, guard });
  const id = found.recipient.id ?? '';
  const isChanged = Object.keys(plan.changes).length > 0;
  const { recipient, notes } = isChanged
    ? await applyEdit(desk, await authorizeWrite(desk, plan.step, answers), plan, { newPayment: false })
    : await leaveUnchanged(desk, plan);
  const ending = isChanged ? 'changed' : 'it reads like that already; nothing was sent';
  return {
    ...done(id, `${recipientLine(recipient, desk.mask)}: ${ending}`),
    notes,
    command: renderHint({ do: 'edit_recipient', id, details: plan.changes }),
  };
}

async function settle(call: Call, wish: Wish, answers: Answers): Promise<ActDone> {
  const { desk, renderHint, text } = call;
  const id = wish.of[0]?.id ?? '';
  answers.of = `it in ${call.account.name}`;
  const how = { id, look: false, as: undefined, because: undefined, confirmer: answers };
  const { intent, notes } = await settleOne(desk, how);
  const ending = `${intent.summary}: ${intent.state.replace('_', ' ')}`;
  return {
    ...done(id, ending, intent.note),
    notes: notes.map(text),
    command: renderHint({ do: 'settle', id }),
  };
}

/** Reads each anew. @throws Problem (conflict) where one is no longer as it was shown */
async function foundAsShown({ desk, showing }: Call, { of }: Wish): Promise<FoundRecipient[]> {
  const ids = of.map(({ id }) => id);
  const found = await findRecipients(desk, ids, { use: 'write' });
  const changed = found.filter(({ recipient }) => {
    const shown = of.find(({ id }) => id === recipient.id)?.digest;
    return shown !== rowDigest(recipient, showing.secret);
  });
  if (changed.length === 0) return found;
  throw unsent(
    'conflict',
    'changed_since',
    of.length === 1
      ? 'this changed since it was shown'
      : `${changed.length} of these ${of.length} changed since they were shown`,
    'look again, and decide then',
  );
}

/** `64,000.00 NGN in acme-live`, `3 payouts in acme-live`. */
function amountsOf({ account }: Call, found: readonly FoundRecipient[]): string {
  const [only, ...more] = found.map(({ recipient }) => recipient);
  const what =
    more.length > 0 ? `${found.length} payouts` : spoken(only?.output_amount, only?.output_currency);
  return `${what} in ${account.name}`;
}

const badWish = (message: string): Problem => unsent('usage', 'bad_wish', message);
