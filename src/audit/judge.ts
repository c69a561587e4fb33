/** The verdict on one case, by payment, out of the ledger: what the program was told, and what it says of itself, does not count. */
import type { AuditCase } from './case.ts';
import { bagOf, detailsBy, keyOfPayment, type Transfer, type Wished } from './payments.ts';
import type { RelayedRequest } from './relay.ts';
import type { CaseRun } from './run-case.ts';

export const findingKinds = {
  paid_twice: 'paid more often than it is wished',
  cancelled_and_paid: 'cancelled where nothing fails, and paid here',
  other_details: 'paid to other details than where nothing fails',
  not_wished: 'paid, and in no run without a fault',
  older_edit: 'an older correction was written over a newer one',
  never_paid: 'not paid, and the program ended with 0',
  believed_forgery: 'done because of a webhook with a wrong signature, and not done without any webhook',
} as const;
export type FindingKind = keyof typeof findingKinds;

export interface AuditFinding {
  kind: FindingKind;
  /** The payment by which it is told from others of its kind; of a forgery that was believed, what the program did. */
  payment: string;
  /** How many payments too many, or too few; how many different acts. */
  count: number;
}

export interface CaseVerdict {
  case: AuditCase;
  findings: readonly AuditFinding[];
  /**
   * `gave_up`: it paid less than is wished, nothing twice, and said so by its exit code. `said_failed`: all was paid, and it did not end with 0:
   * users who believe it pay again. `not_met`: the fault had no occasion.
   */
  ended: 'as_wished' | 'said_failed' | 'gave_up' | 'finding' | 'not_met';
}

export interface Judging {
  wished: Wished;
  /** A payment that is missing counts, whatever the program says at its end. */
  mustPay: boolean;
}

export function classifyCase(run: CaseRun, { wished, mustPay }: Judging): CaseVerdict {
  // Never started, it did nothing, and nothing can be said of it.
  if (run.endings.length === 0) return { case: run.case, findings: [], ended: 'not_met' };
  const { by, gone: wanted, back, same } = wished;
  const paid = bagOf(run.payments, by);
  const findings: AuditFinding[] = [];
  let missing = 0;
  for (const [payment, count] of paid) {
    const allowed = wanted.has(payment) ? Math.max(wanted.get(payment) ?? 0, same) : 0;
    if (count <= allowed) continue;
    findings.push({
      kind: kindOf(payment, run.payments, wished, back.has(payment)),
      payment,
      count: count - allowed,
    });
  }
  for (const [payment, count] of wanted) {
    const short = count - (paid.get(payment) ?? 0);
    if (short <= 0) continue;
    missing += short;
    if (mustPay || (run.endings.at(-1)?.ok ?? false))
      findings.push({ kind: 'never_paid', payment, count: short });
  }
  findings.push(...changedDetails(run.payments, wished, findings), ...olderEdits(run.exchanges));
  return { case: run.case, findings, ended: endedAs(run, findings.length, missing) };
}

function endedAs({ isMet, endings }: CaseRun, findings: number, missing: number): CaseVerdict['ended'] {
  if (findings > 0) return 'finding';
  if (!isMet) return 'not_met';
  if (missing > 0) return 'gave_up';
  return endings.at(-1)?.ok ? 'as_wished' : 'said_failed';
}

function kindOf(
  payment: string,
  payments: readonly Transfer[],
  { by, gone }: Wished,
  isCancelled: boolean,
): FindingKind {
  if (gone.has(payment)) return 'paid_twice';
  if (isCancelled) return 'cancelled_and_paid';
  // The same corridor, and all but one member as a payment that is wished: it went elsewhere, or was another amount.
  const parts = payment.split(' · ');
  const near = [...gone.keys()].some((one) => {
    const other = one.split(' · ');
    return other[0] === parts[0] && other.filter((part, at) => part !== parts[at]).length === 1;
  });
  return near && by.length > 1 && payments.length > 0 ? 'other_details' : 'not_wished';
}

/** The account and the amount are as wished, and something else of the payee is not. */
function changedDetails(
  payments: readonly Transfer[],
  { by, details, leftDetails, gone }: Wished,
  known: readonly AuditFinding[],
): AuditFinding[] {
  return [...detailsBy(payments, by, leftDetails)].flatMap(([payment, texts]) => {
    const usual = details.get(payment);
    const isKnown = !gone.has(payment) || known.some((one) => one.payment === payment);
    const others = isKnown ? [] : [...texts].filter((text) => !usual?.has(text));
    return others.length === 0 ? [] : [{ kind: 'other_details' as const, payment, count: others.length }];
  });
}

/** A correction that was applied, then another one, then the first again: the later wish is lost. */
function olderEdits(exchanges: readonly RelayedRequest[]): AuditFinding[] {
  const edits = new Map<string, string[]>();
  for (const { method, operation, done = 0, id, write } of exchanges)
    if (
      method === 'PATCH' &&
      operation === 'recipients.edit' &&
      done < 300 &&
      id !== undefined &&
      write !== undefined
    )
      edits.set(id, [...(edits.get(id) ?? []), write]);
  return [...edits].flatMap(([id, writes]) => {
    const last = writes.at(-1);
    const before = writes.slice(0, -1);
    const at = before.lastIndexOf(last ?? '');
    const isOlder = at >= 0 && before.slice(at).some((one) => one !== last);
    return isOlder ? [{ kind: 'older_edit' as const, payment: `recipient ${id}`, count: 1 }] : [];
  });
}

/** Findings of a case of many faults, where fewer of them show the same. */
export const isSameFinding = (one: AuditFinding, other: AuditFinding): boolean =>
  one.kind === other.kind &&
  (one.kind === 'older_edit' || one.kind === 'believed_forgery' || one.payment === other.payment);

/** A payment in words, its account masked. */
export const labelOf = (payment: string, payments: readonly Transfer[], by: Wished['by']): string => {
  const found = payments.find((one) => keyOfPayment(one, by) === payment);
  if (found === undefined) return payment.includes(' · ') ? maskKey(payment) : payment;
  return `${found.amount} ${found.corridor.split(' ')[1]} to ${maskAccount(found.account)} (${found.corridor.split(' ')[0]})`;
};

const maskAccount = (account: string): string => (account.length > 4 ? `…${account.slice(-4)}` : '…');
const maskKey = (key: string): string => key.replace(/\d{5,}/g, maskAccount);
