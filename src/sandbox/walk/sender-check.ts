/**
 * How the operator checks a sender where the account is set to documents: the sanction lists at once, the papers a minute
 * later, by the names of the files. @assumes sender-papers
 */

import { senderMoves } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import type { SenderRecord } from '../store/records.ts';
import type { SandboxState } from '../world.ts';
import { schedulePayins } from './collection.ts';
import { moveSender, moveTransaction } from './moves.ts';

const PAPERS_AFTER_MS = 60_000;

/** Puts the check of a new or changed sender on the schedule, where the account has one. */
export function scheduleSenderCheck(world: SandboxState, sender: SenderRecord): void {
  if (world.settings.kyc !== 'documents' || sender.state !== 'initial') return;
  world.schedule.add(world.clock.now(), { kind: 'sender_check', senderId: sender.id, step: 'lists' });
}

export function checkSenderStanding(world: SandboxState, senderId: string, step: 'lists' | 'papers'): void {
  const sender = world.store.senders.get(senderId);
  if (!sender) return;
  if (step === 'lists' && sender.state === 'initial') {
    moveSender(world, sender, 'verify');
    const due = world.clock.now() + PAPERS_AFTER_MS;
    world.schedule.add(due, { kind: 'sender_check', senderId, step: 'papers' });
  } else if (step === 'papers' && sender.state === 'verified') lookAtPapers(world, sender);
}

function lookAtPapers(world: SandboxState, sender: SenderRecord): void {
  const names = fileNames(world, sender);
  if (names.some((name) => name.startsWith('reject'))) {
    moveSender(world, sender, 'reject', { stateReason: 'the documents were refused' });
  } else if (names.length === 0 || names.some((name) => name.startsWith('incomplete'))) {
    if (findMove(senderMoves, sender.state, 'need_details')) {
      moveSender(world, sender, 'need_details', { stateReason: 'a document is missing or cannot be read' });
    }
  } else approveSender(world, sender);
}

function fileNames({ store }: SandboxState, { fields }: SenderRecord): string[] {
  const documents = Array.isArray(fields.documents) ? fields.documents : [];
  return documents.flatMap((each: { id?: unknown; upload_file_name?: unknown }) => {
    const kept = typeof each.id === 'string' ? store.documents.get(each.id) : undefined;
    return String(kept?.fileName ?? each.upload_file_name ?? '').toLowerCase();
  });
}

/** An approved sender: transactions that waited for it can be funded now, and their collections start. */
export function approveSender(
  world: SandboxState,
  sender: SenderRecord,
  on: 'approve' | 'unban' = 'approve',
): void {
  moveSender(world, sender, on, { stateReason: null });
  for (const transaction of world.store.transactions.waitingFor(sender.id)) {
    moveTransaction(world, transaction, 'sender_approved');
    schedulePayins(world, transaction);
  }
}
