/** Whether a record of the service is the one that we asked for: same amounts, same recipients. */
import type {
  Recipient,
  RecipientWrite,
  Transaction,
  TransactionWrite,
} from '../contract/resources/transaction.ts';
import { eq, toDecimal } from '../core/money.ts';

/** Names of what differs, empty when it is ours. Recipients are compared in any order. */
export function transactionDifferences(asked: TransactionWrite, found: Transaction): string[] {
  const differences: string[] = [];
  if (asked.external_id !== undefined && asked.external_id !== found.external_id)
    differences.push('external_id');
  if (asked.input_currency !== found.input_currency) differences.push('input_currency');
  const rest = [...(found.recipients ?? [])];
  if (rest.length !== asked.recipients.length) return [...differences, 'recipients'];
  for (const [index, recipient] of asked.recipients.entries()) {
    const match = rest.findIndex((candidate) => recipientDifferences(recipient, candidate).length === 0);
    if (match >= 0) rest.splice(match, 1);
    else differences.push(...nearest(recipient, rest).map((name) => `recipients.${index}.${name}`));
  }
  return differences;
}

function nearest(asked: RecipientWrite, candidates: Recipient[]): string[] {
  const all = candidates.map((candidate) => recipientDifferences(asked, candidate));
  return all.sort((a, b) => a.length - b.length)[0] ?? ['recipient'];
}

function recipientDifferences(asked: RecipientWrite, found: Recipient): string[] {
  const differences: string[] = [];
  if (!sameAmount(asked.requested_amount, found.requested_amount)) differences.push('requested_amount');
  if (asked.requested_currency !== found.requested_currency) differences.push('requested_currency');
  if (asked.type !== undefined && found.type != null && asked.type !== found.type) differences.push('type');
  if (asked.payout_method.type !== found.payout_method?.type) differences.push('payout_method.type');
  return [
    ...differences,
    ...detailDifferences(asked.payout_method.details ?? {}, found.payout_method?.details ?? {}).map(
      (name) => `payout_method.details.${name}`,
    ),
  ];
}

/** Details that we sent and that read otherwise; what the service added is its own affair. */
export function detailDifferences(asked: Record<string, unknown>, found: Record<string, unknown>): string[] {
  return Object.entries(asked)
    .filter(([name, value]) => !sameValue(value, found[name]))
    .map(([name]) => name);
}

function sameValue(a: unknown, b: unknown): boolean {
  if (isBlank(a) && isBlank(b)) return true;
  if (typeof a === 'object' || typeof b === 'object') return JSON.stringify(a) === JSON.stringify(b);
  return String(a) === String(b);
}

const isBlank = (value: unknown): boolean => value === undefined || value === null || value === '';

function sameAmount(a: unknown, b: unknown): boolean {
  const left = toDecimal(a);
  const right = toDecimal(b);
  return left !== null && right !== null && eq(left, right);
}
