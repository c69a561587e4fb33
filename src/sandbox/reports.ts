/** Tells which monthly reports there are. @assumes report-months */

import { createHash } from 'node:crypto';
import {
  type ReportEnvironment,
  type ReportType,
  reportEnvironments,
  reportTypes,
} from '../contract/resources/report.ts';
import { isBack, isPaidOut } from '../contract/states/money.ts';
import { decimalsOf } from '../core/currency.ts';
import { fromMinorUnits } from '../core/money.ts';
import type { SandboxState } from './sandbox-state.ts';
import type { RecipientRecord, TransactionRecord } from './store/records.ts';
import { wireTime } from './views/json.ts';
import { recipientsOf } from './views/transaction.ts';

interface Report {
  path: string;
  type: ReportType;
  /** Milliseconds; the end is the beginning of the next month. */
  from: number;
  to: number;
}

interface Asked {
  type?: string | undefined;
  environment?: string | undefined;
}

const OURS: ReportEnvironment = 'test';

/** Oldest first; null where a filter has a value that there is not. */
export function storedReports(sandbox: SandboxState, { type, environment }: Asked = {}): Report[] | null {
  if (type !== undefined && !includes(reportTypes, type)) return null;
  if (environment !== undefined && !includes(reportEnvironments, environment)) return null;
  if (environment !== undefined && environment !== OURS) return [];
  const wanted = reportTypes.filter((one) => type === undefined || type === one);
  const account = accountId(sandbox);
  return months(sandbox).flatMap(({ name, from, to }) =>
    wanted.map((one) => ({
      path: `${OURS}/${account}/monthly/${one}_report_${name}.csv`,
      type: one,
      from,
      to,
    })),
  );
}

export const storedReport = (sandbox: SandboxState, path: string): Report | undefined =>
  storedReports(sandbox)?.find((report) => report.path === path);

const includes = (values: readonly string[], value: string): boolean => values.includes(value);

/** The same for the same key, and no part of it. */
function accountId({ credentials }: SandboxState): string {
  const hex = createHash('sha256').update(`account of ${credentials.key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function months({ store, clock }: SandboxState): { name: string; from: number; to: number }[] {
  const [first] = store.postings.all();
  if (!first) return [];
  const months: { name: string; from: number; to: number }[] = [];
  for (let from = monthOf(first.at); from <= clock.now(); from = nextMonth(from))
    months.push({ name: new Date(from).toISOString().slice(0, 7), from, to: nextMonth(from) });
  return months;
}

function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function nextMonth(from: number): number {
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}

type Cells<Name extends string> = Record<Name, string | null>;

const TRANSACTION = [
  'transaction_id',
  'external_id',
  'created_at',
  'funded_at',
  'transaction_state',
  'sender_id',
  'recipient_id',
  'recipient_state',
  'reason_code',
  'payout_type',
  'input_currency',
  'input_amount',
  'rate',
  'output_currency',
  'output_amount',
  'paid_at',
  'refunded_at',
] as const;

const ACCOUNT = [
  'posted_at',
  'currency',
  'kind',
  'amount',
  'balance',
  'transaction_id',
  'recipient_id',
  'movement_id',
] as const;

/** A monthly report as CSV, from the ledger and the records. @assumes report-columns */
export function reportCsv(sandbox: SandboxState, report: Report): string {
  return report.type === 'account'
    ? written(ACCOUNT, movements(sandbox, report))
    : written(TRANSACTION, payouts(sandbox, report));
}

function written<Name extends string>(columns: readonly Name[], rows: Iterable<Cells<Name>>): string {
  const lines = [columns.join(',')];
  for (const row of rows) lines.push(columns.map((name) => cell(row[name])).join(','));
  return `${lines.join('\n')}\n`;
}

const cell = (text: string | null): string =>
  text !== null && /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : (text ?? '');

function* payouts(
  { store }: SandboxState,
  { from, to }: Report,
): Generator<Cells<(typeof TRANSACTION)[number]>> {
  for (const transaction of store.transactions.all()) {
    if (transaction.createdAt >= to) return;
    if (transaction.createdAt < from) continue;
    for (const recipient of recipientsOf(store, transaction)) yield payout(transaction, recipient);
  }
}

const payout = (
  transaction: TransactionRecord,
  recipient: RecipientRecord,
): Cells<(typeof TRANSACTION)[number]> => ({
  transaction_id: transaction.id,
  external_id: transaction.externalId,
  created_at: wireTime(transaction.createdAt),
  funded_at: transaction.fundedAt === null ? null : wireTime(transaction.fundedAt),
  transaction_state: transaction.state,
  sender_id: transaction.senderId,
  recipient_id: recipient.id,
  recipient_state: recipient.state,
  reason_code: recipient.reasonCode,
  payout_type: recipient.payoutType,
  input_currency: recipient.inputCurrency,
  input_amount: recipient.inputAmount,
  rate: recipient.rate,
  output_currency: recipient.outputCurrency,
  output_amount: recipient.outputAmount,
  paid_at: whenItBecame(recipient, isPaidOut),
  refunded_at: whenItBecame(recipient, isBack),
});

function whenItBecame({ history }: RecipientRecord, is: (state: string) => boolean): string | null {
  const change = history.findLast(({ to }) => is(to));
  return change === undefined ? null : wireTime(change.at);
}

/** Balances are added up from the very first movement. */
function* movements(
  { ledger, store }: SandboxState,
  { from, to }: Report,
): Generator<Cells<(typeof ACCOUNT)[number]>> {
  const balances = new Map<string, bigint>();
  for (const { cause, at, currency, minor } of ledger.walletMovements()) {
    if (at >= to) return;
    const balance = (balances.get(currency) ?? 0n) + minor;
    balances.set(currency, balance);
    if (at < from) continue;
    const [kind = '', id = ''] = cause.split(':');
    const recipient = store.recipients.get(id);
    yield {
      posted_at: wireTime(at),
      currency,
      // A payout to a balance of ours is a credit of it.
      kind: kind === 'payout' ? 'credit' : kind,
      amount: fromMinorUnits(minor, decimalsOf(currency)),
      balance: fromMinorUnits(balance, decimalsOf(currency)),
      transaction_id: recipient?.transactionId ?? (kind === 'debit' ? id : null),
      recipient_id: recipient?.id ?? null,
      movement_id: cause,
    };
  }
}
