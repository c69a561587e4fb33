/**
 * The story of a transaction or of one recipient: each change with its time, the rule that made it, and whether the service's
 * description states that rule or the sandbox assumes it.
 */
import { stateRules } from '../../contract/states/rules.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain, RecipientRecord, StateChange, TransactionRecord } from '../store/records.ts';
import { wireTime } from '../views/json.ts';
import { recipientsOf } from '../views/transaction.ts';
import { type ControlAnswer, succeeded, unknownThing } from './said.ts';

interface Subject {
  what: string;
  id: string;
  history: readonly StateChange[];
}

export function explainRecord(sandbox: SandboxState, id: string): ControlAnswer {
  const { store } = sandbox;
  const recipient = store.recipients.get(id);
  const transaction = recipient
    ? store.transactions.get(recipient.transactionId)
    : (store.transactions.get(id) ?? store.transactions.byExternalId(id) ?? store.transactions.byPayin(id));
  if (!transaction) return unknownThing;
  const subjects = recipient ? [asSubject(recipient)] : subjectsOf(sandbox, transaction);
  const changes = subjects.flatMap((subject) => changesOf(subject));
  changes.sort((a, b) => a.order - b.order);
  return succeeded({
    id: recipient?.id ?? transaction.id,
    object: recipient ? 'recipient' : 'transaction',
    state: recipient?.state ?? transaction.state,
    transaction_id: transaction.id,
    external_id: transaction.externalId,
    changes: changes.map(({ order: _, ...change }) => change),
  });
}

function subjectsOf({ store }: SandboxState, transaction: TransactionRecord): Subject[] {
  const sender = store.senders.get(transaction.senderId);
  return [
    ...(sender ? [{ what: 'sender', id: sender.id, history: sender.history }] : []),
    { what: 'transaction', id: transaction.id, history: transaction.history },
    ...transaction.payins.map(({ id, history }) => ({ what: 'payin_method', id, history })),
    ...recipientsOf(store, transaction).map(asSubject),
  ];
}

function asSubject({ id, history }: RecipientRecord): Subject {
  return { what: 'recipient', id, history };
}

function changesOf({ what, id, history }: Subject): (Plain & { order: number })[] {
  return history.map((change, index) => ({
    order: change.order,
    at: wireTime(change.at),
    object: what,
    id,
    from: history[index - 1]?.to ?? null,
    to: change.to,
    rule: change.rule,
    basis: change.basis,
    says: stateRules.get(change.rule)?.says ?? '',
    ...(change.note === undefined ? {} : { note: change.note }),
    ...(change.times === undefined ? {} : { times: change.times }),
  }));
}
