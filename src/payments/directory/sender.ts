/**
 * Creates, changes and switches off senders. No money moves, so no intent is kept. If the process dies, or the answer is lost, a new
 * sender is looked up by its external id before anything is claimed, and any other is read again. Without an external id a
 * lost answer to a creation stays unknown, which is why one is advised.
 */

import { detailDifferences } from '../../client/compare.ts';
import { planSenderCreate, planSenderDisable, planSenderEdit } from '../../client/directory-plans.ts';
import { ApiError, isCallError } from '../../client/errors.ts';
import { carryOut, type Outcome } from '../../client/outcome.ts';
import { type Sender, type SenderWrite, sender as senderSchema } from '../../contract/resources/sender.ts';
import { invariant } from '../../core/invariants.ts';
import { hint } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';
import { byName, type Confirmation } from '../confirmation.ts';
import type { Desk } from '../desk.ts';
import { checkPass, type WritePermit, type WriteStep } from '../gate.ts';
import { idOf } from '../lookup/id-of.ts';
import { outcomeProblem } from '../outcome-problem.ts';
import { plainWrite, type Stored } from '../plain-write.ts';
import { problemOf } from '../problem-of.ts';
import { changeLines, pick } from '../words/changes.ts';
import { maskData } from '../words/mask.ts';
import { fullName } from '../words/person.ts';
import { onAccount } from '../words/questions.ts';

/** Names the sender for the person who looks on, masked as this desk masks. */
function senderLine({ mask }: Pick<Desk, 'mask'>, sender: Sender | SenderWrite, name: unknown): string {
  return `${fullName(maskData(sender, mask, 'sender'))}${name ? ` (${name})` : ''}`;
}

/** By its external id, or its name. */
function confirmSender({ mask }: Pick<Desk, 'mask'>, sender: Sender | SenderWrite): Confirmation {
  const name = fullName(maskData(sender, mask, 'sender'));
  return byName(sender.external_id ?? name, name);
}

export interface CreationPlan {
  sender: SenderWrite;
  step: WriteStep;
}

export const planSender = (desk: Pick<Desk, 'mask'>, sender: SenderWrite): CreationPlan => ({
  sender,
  step: {
    effect: 'write',
    what: [`create sender ${senderLine(desk, sender, sender.external_id)}`],
    confirm: confirmSender(desk, sender),
  },
});

/** @throws Problem where it was not created, with the one that has its external id already, or it is unknown (9) */
export async function saveSender(
  desk: Desk,
  permit: WritePermit,
  { sender }: CreationPlan,
): Promise<Stored<Sender>> {
  await checkPass(desk, permit, 'write');
  const client = await desk.writingClient();
  let wasRefused = false;
  const plan = planSenderCreate(client, sender);
  const outcome = await carryOut<Sender>({
    ...plan,
    async send(again) {
      const sent = await plan.send(again);
      wasRefused ||= sent.kind === 'refused';
      return sent;
    },
  });
  if (outcome.kind === 'applied') {
    const { value } = outcome;
    await desk.remember([{ kind: 'sender', id: value.id ?? '', externalId: value.external_id ?? undefined }]);
    return { value, notes: outcome.how === 'found' ? [wasRefused ? EXISTS : FOUND] : [] };
  }
  if (outcome.kind === 'conflict' || !isCallError(outcome.error))
    throw problemOf(new Error('the sender was not created'));
  throw existingSender(outcome.error) ?? creationProblem(outcome, sender);
}

const FOUND = 'the answer was lost; remit looked, and found it';
const EXISTS =
  'a sender with this external id, and the same in every member, exists already: nothing new was created';

/** No intent is kept of it: what is unknown is looked for by its external id. */
function creationProblem(
  outcome: Extract<Outcome<Sender>, { kind: 'not_applied' | 'unknown' }>,
  { external_id: externalId }: SenderWrite,
): Problem {
  const failure = outcomeProblem(outcome, '');
  if (outcome.kind !== 'unknown') return failure;
  const next = externalId
    ? hint`${{ do: 'find_sender', externalId: String(externalId) }}`
    : hint`${{ do: 'list_senders' }}`;
  return new Problem(
    { ...failure.facts, hint: next, outcomeNote: 'look whether it exists before you send it again' },
    { cause: outcome.error },
  );
}

function existingSender(error: unknown): Problem | undefined {
  if (!(error instanceof ApiError) || error.details.existing.sender === undefined) return undefined;
  const existing = senderSchema.safeParse(error.details.existing.sender);
  const { facts } = problemOf(error);
  return new Problem(
    {
      ...facts,
      message: 'a sender with this external id exists already',
      hint: existing.success ? hint`${{ do: 'show_sender', id: existing.data.id ?? '' }}` : undefined,
    },
    { cause: error },
  );
}

/** `changes` is empty where the sender reads like that already. */
export interface ChangePlan {
  sender: Sender;
  changes: SenderWrite;
  step: WriteStep;
}

export function planChange(desk: Desk, sender: Sender, asked: SenderWrite): ChangePlan {
  const changes = pick(asked, detailDifferences(asked, sender));
  const name = sender.external_id ?? sender.id;
  const what = [`change sender ${senderLine(desk, sender, name)}`, ...changeLines(desk, sender, changes)];
  return { sender, changes, step: { effect: 'write', what, confirm: confirmSender(desk, sender) } };
}

export async function changeSender(
  desk: Desk,
  permit: WritePermit,
  { sender, changes }: ChangePlan,
): Promise<Stored<Sender>> {
  invariant(Object.keys(changes).length > 0, 'a change of a sender changes something');
  const id = idOf(sender, 'sender');
  const before = pick(sender, Object.keys(changes));
  return plainWrite<Sender>(desk, permit, {
    plan: (client) => planSenderEdit(client, { senderId: id, changes, before }),
    next: hint`${{ do: 'show_sender', id }}`,
  });
}

export interface DisablingPlan {
  sender: Sender;
  step: WriteStep;
}

/** `explicit`: it was named by its whole id or external id. */
export const planDisabling = (
  desk: Pick<Desk, 'mask'>,
  sender: Sender,
  explicit: boolean,
): DisablingPlan => ({
  sender,
  step: {
    effect: 'destructive',
    confirm: confirmSender(desk, sender),
    explicitId: explicit,
    what: [`disable sender ${senderLine(desk, sender, sender.external_id ?? sender.id)}`],
    question: (account) =>
      `Disable sender ${senderLine(desk, sender, sender.external_id ?? sender.id)}, ${onAccount(account)}? Nothing here enables it again.`,
  },
});

export async function switchOffSender(
  desk: Desk,
  permit: WritePermit,
  { sender }: DisablingPlan,
): Promise<Stored<Sender>> {
  const id = idOf(sender, 'sender');
  return plainWrite<Sender>(desk, permit, {
    plan: (client) => planSenderDisable(client, id),
    effect: 'destructive',
    next: hint`${{ do: 'show_sender', id }}`,
  });
}
