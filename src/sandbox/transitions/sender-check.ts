/**
 * How the operator checks a sender where the account is set to documents: the sanction lists at once, the papers a minute
 * later, by the names of the files. @assumes sender-papers
 */

import { senderMoves } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { SenderRecord } from '../store/records.ts';
import { schedulePayins } from './collection.ts';
import { moveSender, moveTransaction } from './moves.ts';

const PAPERS_AFTER_MS = 60_000;

/** Puts the check of a new or changed sender on the schedule, where the account has one. */
export function scheduleSenderCheck(sandbox: SandboxState, sender: SenderRecord): void {
  if (sandbox.settings.kyc !== 'documents' || sender.state !== 'initial') return;
  sandbox.schedule.add(sandbox.clock.now(), { kind: 'sender_check', senderId: sender.id, step: 'lists' });
}

export function checkSenderStanding(sandbox: SandboxState, senderId: string, step: 'lists' | 'papers'): void {
  const sender = sandbox.store.senders.get(senderId);
  if (!sender) return;
  if (step === 'lists' && sender.state === 'initial') {
    moveSender(sandbox, sender, 'verify');
    const due = sandbox.clock.now() + PAPERS_AFTER_MS;
    sandbox.schedule.add(due, { kind: 'sender_check', senderId, step: 'papers' });
  } else if (step === 'papers' && sender.state === 'verified') lookAtPapers(sandbox, sender);
}

function lookAtPapers(sandbox: SandboxState, sender: SenderRecord): void {
  const names = fileNames(sandbox, sender);
  if (names.some((name) => name.startsWith('reject'))) {
    moveSender(sandbox, sender, 'reject', { stateReason: 'the documents were refused' });
  } else if (names.length === 0 || names.some((name) => name.startsWith('incomplete'))) {
    if (findMove(senderMoves, sender.state, 'need_details')) {
      moveSender(sandbox, sender, 'need_details', { stateReason: 'a document is missing or cannot be read' });
    }
  } else approveSender(sandbox, sender);
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
  sandbox: SandboxState,
  sender: SenderRecord,
  on: 'approve' | 'unban' = 'approve',
): void {
  moveSender(sandbox, sender, on, { stateReason: null });
  for (const transaction of sandbox.store.transactions.waitingFor(sender.id)) {
    moveTransaction(sandbox, transaction, 'sender_approved');
    schedulePayins(sandbox, transaction);
  }
}
