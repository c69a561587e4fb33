/** Funds transactions from a balance: one debit or several, all of them or none. */
import { add, type Decimal, eq, gt } from '../../core/money.ts';
import { isUnfunded } from '../machines/transaction.ts';
import { inDollars } from '../rates.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, isPlain, plainAmount, readMap, requireText } from '../rules/reading.ts';
import { newId, type SandboxState } from '../sandbox-state.ts';
import type { DebitRecord, Plain, TransactionRecord } from '../store/records.ts';
import { fundFromBalance } from '../transitions/funding.ts';
import { senderBarrier } from '../transitions/may-transact.ts';
import { digits, wireTime } from '../views/json.ts';
import { created, type Handler, refused } from './handler.ts';
import { pagination } from './paging.ts';

interface Reading {
  sent: Plain;
  transaction: TransactionRecord | undefined;
  metadata: Plain;
  problems: Problems;
}

export const createDebits: Handler = (sandbox, { body }) => {
  const sent = Array.isArray(body.debit) ? body.debit : [body.debit];
  const readings = (sent.length > 0 ? sent : [{}]).map((each) => readDebit(sandbox, each));
  checkTogether(sandbox, readings);
  if (readings.some(({ problems }) => problems.any)) {
    return refused(readings.map(({ sent, problems }) => ({ ...sent, errors: problems.wire })));
  }
  const debits = readings.flatMap(({ transaction, metadata }) =>
    transaction ? [debit(sandbox, transaction, metadata)] : [],
  );
  return created(debits.map(debitView), { pagination: pagination({ page: 1, per: 100 }, debits.length) });
};

function readDebit(sandbox: SandboxState, sent: unknown): Reading {
  const problems = new Problems();
  const debit = isPlain(sent) ? sent : {};
  if (!isPlain(sent) && sent !== undefined) problems.say('a debit is an object');
  const toId = requireText(debit.to_id, 'to_id', problems);
  const toType = requireText(debit.to_type, 'to_type', problems);
  if (toType !== null && toType !== 'Transaction') problems.add('to_type', 'invalid');
  const metadata = readMap(debit.metadata, 'metadata', problems);
  const transaction = toId === null ? undefined : sandbox.store.transactions.get(toId);
  if (toId !== null && !transaction) problems.add('to_id', 'invalid').say('there is no such transaction');
  if (transaction) checkAgainst(sandbox, transaction, debit, problems);
  return { sent: debit, transaction, metadata, problems };
}

function checkAgainst(
  sandbox: SandboxState,
  transaction: TransactionRecord,
  debit: Plain,
  problems: Problems,
): void {
  const barrier = fundingBarrier(sandbox, transaction);
  if (barrier) problems.add('to_id', 'invalid').say(barrier);
  if (!isBlank(debit.currency) && debit.currency !== transaction.inputCurrency) {
    problems.add('currency', 'invalid');
  }
  if (isBlank(debit.amount)) return;
  const amount = plainAmount(debit.amount);
  if (amount === null || !eq(amount, transaction.inputAmount)) problems.add('amount', 'invalid');
}

/** Why a transaction takes no funds, as a sentence; null when it does. @assumes fund-barriers */
function fundingBarrier(sandbox: SandboxState, transaction: TransactionRecord): string | null {
  const { state, fundedAt, payins } = transaction;
  if (fundedAt !== null) return 'the transaction is already funded';
  if (payins.length > 0) return 'the transaction is paid by its payin';
  if (state === 'initial') return 'the sender of the transaction is not approved yet';
  return isUnfunded(state)
    ? senderBarrier(sandbox, transaction)
    : `the transaction is ${state} and accepts no funds`;
}

/** The balance must carry all of them, and none may be named twice. @assumes debits-together */
function checkTogether(sandbox: SandboxState, readings: readonly Reading[]): void {
  const wanted = new Map<string, Decimal>();
  const seen = new Set<string>();
  for (const { transaction, problems } of readings) {
    if (!transaction || problems.any) continue;
    const { id, inputCurrency, inputAmount } = transaction;
    if (seen.has(id)) problems.add('to_id', 'invalid').say('the transaction is funded by another debit here');
    seen.add(id);
    const total = add(wanted.get(inputCurrency) ?? '0', inputAmount);
    wanted.set(inputCurrency, total);
    if (gt(total, sandbox.ledger.balance('wallet', inputCurrency)))
      tooLittle(sandbox, inputCurrency, problems);
  }
}

/** @assumes too-little-balance */
export function tooLittle({ ledger }: SandboxState, currency: string, problems: Problems): void {
  const balance = ledger.balance('wallet', currency);
  problems.add('amount', 'insufficient_balance').say(`the ${currency} balance of ${balance} is too small`);
}

function debit(sandbox: SandboxState, transaction: TransactionRecord, metadata: Plain): DebitRecord {
  const { id: transactionId, inputCurrency: currency, inputAmount: amount } = transaction;
  const id = newId(sandbox);
  fundFromBalance(sandbox, transaction, `debit:${transactionId}`);
  const record: DebitRecord = {
    id,
    transactionId,
    amount,
    currency,
    metadata,
    usdAmount: inDollars(amount, currency),
    runningBalance: sandbox.ledger.balance('wallet', currency),
    createdAt: sandbox.clock.now(),
  };
  sandbox.store.debits.insert(record);
  return record;
}

function debitView(record: DebitRecord) {
  return {
    id: record.id,
    to_id: record.transactionId,
    to_type: 'Transaction',
    amount: digits(record.amount),
    currency: record.currency,
    usd_amount: digits(record.usdAmount),
    running_balance: digits(record.runningBalance),
    metadata: record.metadata,
    created_at: wireTime(record.createdAt),
  };
}
