/** The acts of the demo: each does one thing a partner does, says it, and asserts what it says. */
import { record } from '../../client/intents.ts';
import type { Asked } from '../../client/writes.ts';
import { categoryInfo } from '../../contract/categories.ts';
import { codeInfo } from '../../contract/codes.ts';
import { getAccount, listAccounts } from '../../contract/operations/accounts.ts';
import { createSender, listSenders } from '../../contract/operations/senders.ts';
import { calculateTransaction, getTransaction } from '../../contract/operations/transactions.ts';
import type { Recipient, Transaction, TransactionWrite } from '../../contract/resources/transaction.ts';
import { add, eq, gt, sub } from '../../core/money.ts';
import { Problem } from '../../core/problem.ts';
import { amountText, money } from '../../desk/words/amount.ts';
import { lastFour } from '../../desk/words/mask.ts';
import { CURRENCY, SENDER } from './cast.ts';
import type { DemoStage } from './stage.ts';

export interface Narrator {
  title(text: string): void;
  step(text: string): void;
}

export interface Play {
  stage: DemoStage;
  tell: Narrator;
}

/** Fails where a sentence of the demo is not so: a demo that only says it would be worth nothing. */
export function hold(condition: boolean, sentence: string): void {
  if (!condition) {
    throw new Problem({
      category: 'internal',
      code: 'demo',
      message: `the demo expected that ${sentence}, and it is not so`,
      hint: 'the sandbox or the client is broken: please report it',
    });
  }
}

export async function balance({ stage }: Play): Promise<string> {
  const { object } = await stage.client.call(getAccount, { path: { currency: CURRENCY } });
  return amountText(object.amount, CURRENCY) ?? '0';
}

export async function showBalances(play: Play): Promise<string> {
  const { object } = await play.stage.client.call(listAccounts);
  hold(object.length > 0, 'there are balances');
  play.tell.step(`balances: ${object.map((one) => money(one.amount, one.currency)).join(', ')}`);
  return balance(play);
}

export async function findOrCreateSender({ stage, tell }: Play): Promise<string> {
  const externalId = 'demo-customer-1';
  const before = await stage.client.call(listSenders, { query: { external_id: externalId } });
  if (before.object[0]?.id) {
    tell.step(`sender ${externalId} is there already: ${before.object[0].id}`);
    return before.object[0].id;
  }
  tell.step(`no sender has the external id ${externalId}: created`);
  const { object } = await stage.client.call(createSender, {
    body: { sender: { ...SENDER, external_id: externalId } },
  });
  hold(object.state === 'approved', 'the new sender is approved');
  const again = await stage.client.call(listSenders, { query: { external_id: externalId } });
  hold(again.object[0]?.id === object.id, 'the sender is found by its external id');
  tell.step(`sender ${object.id} is ${object.state}, and found by its external id from now on`);
  return object.id ?? '';
}

export async function calculate({ stage, tell }: Play, payment: TransactionWrite): Promise<Transaction> {
  const { external_id: _, ...transaction } = payment;
  const { object } = await stage.client.call(calculateTransaction, { body: { transaction } });
  const [one] = object.recipients ?? [];
  hold(object.input_amount != null && gt(object.input_amount, '0'), 'the calculation gives an amount');
  tell.step(
    `calculated: ${money(object.input_amount, CURRENCY)} arrive as ${money(one?.output_amount, 'NGN')} (1 EUR = ${one?.exchange_rate} NGN)`,
  );
  return object;
}

/** A write as every command does it: the intent first, then the call. */
async function write<T extends { id?: string | null | undefined }>(
  { stage }: Play,
  asked: Asked,
  summary: string,
): Promise<T> {
  const recorded = await record<T>(stage.client, {
    intents: stage.intents,
    about: {
      command: 'demo',
      profile: 'demo',
      environment: 'sandbox',
      baseUrl: stage.baseUrl,
      keyLast4: stage.key.slice(-4),
      summary,
    },
    asked,
    // Its journal is its own: nobody else sends, and nothing came before.
    meeting: { newPayment: true, lastTold: 0, now: () => 0, isRunning: () => false, pause: async () => {} },
  });
  if (recorded.kind === 'carried_out' && recorded.outcome.kind === 'applied') return recorded.outcome.value;
  throw new Problem(
    { category: 'internal', code: 'demo', message: `the demo expected that this is applied: ${summary}` },
    { cause: recorded },
  );
}

export async function create(
  play: Play,
  payment: TransactionWrite & { external_id: string },
  calculated: Transaction,
): Promise<Transaction> {
  const created = await write<Transaction>(
    play,
    { plan: 'create', transaction: payment, fund: false },
    `create ${payment.external_id}`,
  );
  hold(created.state === 'approved', 'the transaction is approved');
  hold(eq(created.input_amount ?? '0', calculated.input_amount ?? '1'), 'it costs what was calculated');
  play.tell.step(
    `created ${payment.external_id}: ${created.id}, ${created.state}, to be funded within the hour`,
  );
  return created;
}

export async function fund(play: Play, transaction: Transaction): Promise<void> {
  const before = await balance(play);
  const debit = {
    to_id: transaction.id ?? '',
    to_type: 'Transaction' as const,
    currency: CURRENCY,
    amount: transaction.input_amount ?? '0',
  };
  await write<Transaction>(play, { plan: 'debit', debit }, `fund ${transaction.external_id}`);
  const after = await balance(play);
  hold(
    eq(sub(before, after), transaction.input_amount ?? '0'),
    'the balance went down by exactly the input amount',
  );
  play.tell.step(`funded: balance ${money(before, CURRENCY)} -> ${money(after, CURRENCY)}`);
}

export async function read({ stage }: Play, id: string | null | undefined): Promise<Transaction> {
  return (await stage.client.call(getTransaction, { path: { transaction_id: id ?? '' } })).object;
}

export function onlyRecipient(transaction: Transaction): Recipient {
  const [recipient] = transaction.recipients ?? [];
  hold(recipient !== undefined, 'the transaction has a recipient');
  return recipient ?? {};
}

/** Waits for the webhook, checks that it verified, and that the service says the same when asked. */
export async function awaitPaid(play: Play, transaction: Transaction): Promise<Transaction> {
  const { signature } = await play.stage.mailbox.until('transaction.paid_out', transaction.id ?? '');
  hold(signature === 'valid', 'the webhook verified');
  play.tell.step('webhook transaction.paid_out: signature verified on the raw bytes');
  const paid = await read(play, transaction.id);
  hold(paid.state === 'paid' && onlyRecipient(paid).state === 'success', 'the transaction is paid');
  play.tell.step(`paid: ${money(onlyRecipient(paid).output_amount, 'NGN')} to account ${accountOf(paid)}`);
  return paid;
}

export const accountOf = (transaction: Transaction): string =>
  lastFour(String(onlyRecipient(transaction).payout_method?.details?.bank_account ?? ''));

export async function awaitRefusal(play: Play, transaction: Transaction): Promise<Recipient> {
  const { signature } = await play.stage.mailbox.until('recipient.error', transaction.id ?? '');
  hold(signature === 'valid', 'the webhook verified');
  play.tell.step('webhook recipient.error: signature verified');
  const recipient = onlyRecipient(await read(play, transaction.id));
  const code = recipient.state_reason_details?.code ?? '';
  hold(recipient.state === 'error' && code !== '', 'the recipient is in error, with a reason');
  const info = codeInfo(code);
  const category = categoryInfo(info?.category ?? '', 'recipient');
  play.tell.step(
    `the bank refused it: ${info?.messages[2]} (${code}, ${info?.category}); ${category?.actor} must act: ${category?.next}`,
  );
  return recipient;
}

export async function edit(
  play: Play,
  transaction: Transaction,
  recipient: Recipient,
  account: string,
): Promise<void> {
  hold(recipient.editable === true, 'the recipient can be edited');
  const old = String(recipient.payout_method?.details?.bank_account ?? '');
  const changes = { payout_method: { details: { bank_account: account } } };
  await write<Recipient>(
    play,
    {
      plan: 'edit',
      recipientId: recipient.id ?? '',
      transactionId: transaction.id ?? '',
      recipient: changes,
    },
    'edit',
  );
  const now = onlyRecipient(await read(play, transaction.id));
  hold(now.payout_method?.details?.bank_account === account, 'the new account number stands');
  play.tell.step(`edited: account ${lastFour(old)} -> ${lastFour(account)}; the next try uses it`);
}

export async function cancel(play: Play, transaction: Transaction, before: string): Promise<Transaction> {
  const recipient = onlyRecipient(await read(play, transaction.id));
  hold(recipient.may_cancel === true, 'the recipient can be cancelled');
  await write<Recipient>(
    play,
    { plan: 'cancel', recipientId: recipient.id ?? '', transactionId: transaction.id ?? '' },
    'cancel',
  );
  const { signature } = await play.stage.mailbox.until('transaction.refunded', transaction.id ?? '');
  hold(signature === 'valid', 'the webhook verified');
  play.tell.step('cancelled; webhook transaction.refunded: signature verified');
  const refunded = await read(play, transaction.id);
  hold(
    refunded.state === 'refunded' && onlyRecipient(refunded).state === 'refunded',
    'the transaction is refunded',
  );
  const after = await balance(play);
  hold(
    eq(after, before),
    `the balance is back to ${money(before, CURRENCY)} (it is ${money(after, CURRENCY)})`,
  );
  play.tell.step(`refunded: the balance is back to ${money(after, CURRENCY)}, to the cent`);
  return refunded;
}

export async function advance({ stage, tell }: Play, minutes: number, why: string): Promise<void> {
  await stage.advance(minutes * 60_000);
  tell.step(`the virtual clock moves ${minutes} minute${minutes === 1 ? '' : 's'}: ${why}`);
}

export async function expectExpired(
  play: Play,
  transaction: Transaction,
  before: string,
): Promise<Transaction> {
  const expired = await read(play, transaction.id);
  hold(expired.state === 'canceled', 'the service cancelled the transaction that nobody funded');
  hold(eq(await balance(play), before), 'no money moved');
  play.tell.step(
    `the service cancelled it: ${expired.state}; it takes no funds any more, and none had moved`,
  );
  return expired;
}

export interface Line {
  payment: Transaction;
  story: string;
  /** The amount that it took from the balance in the end. */
  cost: string;
}

/** Opening balance less every cost must be the closing balance. */
export async function addUp(
  play: Play,
  opening: string,
  lines: readonly Line[],
): Promise<{ cost: string; closing: string }> {
  const cost = lines.reduce((sum, line) => add(sum, line.cost), '0');
  const closing = await balance(play);
  hold(eq(sub(opening, cost), closing), 'every amount adds up');
  return { cost, closing };
}
