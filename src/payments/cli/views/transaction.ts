import { directionOfAll } from '../../../contract/direction.ts';
import type { Recipient, Transaction } from '../../../contract/resources/transaction.ts';
import { transactionStateInfo } from '../../../contract/states/transaction.ts';
import { amountText, money } from '../../../core/amount-words.ts';
import { isZero, sum } from '../../../core/money.ts';
import { type DetailLine, toCell, type View } from '../../../frame/terminal/view.ts';
import { type Beside, settlementOf } from '../../cases/settlement.ts';
import { NO_RATES, paymentCosts } from '../../cost.ts';
import { calculationShape, transactionShape } from '../../shapes/payments.ts';
import { lookOf } from '../../words/looks.ts';
import { fullName } from '../../words/person.ts';
import { payinLines } from './payin-method.ts';
import { recipientLines } from './recipient.ts';

const recipientsOf = (row: Transaction): Recipient[] => row.recipients ?? [];

/** Only where something came back. */
function refundedText(row: Transaction): string | null {
  const { refunded_amount: refunded } = settlementOf(row);
  return refunded === null || isZero(refunded) ? null : money(refunded, row.input_currency);
}

export const transactionView: View<Transaction> = {
  shape: transactionShape,
  added: (row) => ({ ...settlementOf(row) }),
  empty: 'no transactions',
  columns: [
    { name: 'id', id: true, priority: 2, get: (row) => row.id },
    { name: 'state', state: lookOf, get: (row) => row.state },
    {
      name: 'input',
      right: true,
      priority: 1,
      get: (row) => money(row.input_amount, row.input_currency),
      apart: ['input_amount', 'input_currency'],
    },
    {
      name: 'output',
      right: true,
      priority: 4,
      least: 12,
      get: (row) =>
        recipientsOf(row)
          .map((one) => money(one.output_amount, one.output_currency))
          .join(' + '),
      apart: ['output_amount', 'output_currency'],
    },
    {
      name: 'recipients',
      priority: 1,
      least: 10,
      get: (row) =>
        recipientsOf(row)
          .map((one) => fullName(one.payout_method?.details))
          .join(', '),
    },
    {
      name: 'refunded',
      right: true,
      priority: 5,
      get: refundedText,
      apart: ['refunded_amount', 'input_currency'],
    },
    { name: 'external_id', priority: 2, least: 10, get: (row) => row.external_id },
    { name: 'created_at', head: 'CREATED', priority: 3, least: 10, time: true, get: (row) => row.created_at },
  ],
  flat: [
    { name: 'id', get: (row) => row.id },
    { name: 'external_id', get: (row) => row.external_id },
    { name: 'state', get: (row) => row.state },
    {
      name: 'input_amount',
      amount: true,
      currency: 'input_currency',
      get: (row) => amountText(row.input_amount, row.input_currency),
    },
    {
      name: 'paid_amount',
      amount: true,
      currency: 'input_currency',
      get: (row) => amountText(row.paid_amount, row.input_currency),
    },
    {
      name: 'refunded_amount',
      amount: true,
      currency: 'input_currency',
      get: (row) => amountText(settlementOf(row).refunded_amount, row.input_currency),
    },
    {
      name: 'net_amount',
      amount: true,
      currency: 'input_currency',
      get: (row) => amountText(settlementOf(row).net_amount, row.input_currency),
    },
    { name: 'input_currency', get: (row) => row.input_currency },
    { name: 'recipients', right: true, get: (row) => String(recipientsOf(row).length) },
    { name: 'created_at', time: true, get: (row) => row.created_at },
    { name: 'updated_at', time: true, get: (row) => row.updated_at },
  ],
  details(row) {
    const lines: DetailLine[] = [
      ['transaction', row.id],
      ['external id', row.external_id],
      ['state', row.state, { state: lookOf }],
      ['which means', transactionStateInfo(row.state)?.meaning],
      ['reason', row.state_reason],
      ['sender', [fullName(row.sender), row.sender?.id].filter(Boolean).join('  ')],
      ['input', money(row.input_amount, row.input_currency)],
      ['paid in', money(row.paid_amount, row.input_currency)],
      ['refunded', refundedText(row)],
      ['net', refundedText(row) === null ? null : money(settlementOf(row).net_amount, row.input_currency)],
      ['due', money(row.due_amount, row.input_currency)],
      ['payin reference', row.payin_reference],
      ['created', row.created_at],
      ['last change', row.updated_at],
      ['expires', transactionStateInfo(row.state)?.stage === 'awaits funds' ? row.expires_at : null],
    ];
    for (const payin of row.payin_methods ?? []) lines.push('', ...payinLines(payin, true));
    for (const recipient of recipientsOf(row)) lines.push('', ...recipientLines(recipient, true));
    return lines;
  },
};

/** One text for all recipients, where they have one. */
function sameOf(row: Transaction, of: (recipient: Recipient) => string | null | undefined): string | null {
  const [first, ...others] = recipientsOf(row).map((one) => of(one) ?? null);
  return first !== undefined && others.every((one) => one === first) ? first : null;
}

const outputCurrency = (row: Transaction): string | null => sameOf(row, (one) => one.output_currency);

/** Amounts of several currencies are not added. */
function outputAmount(row: Transaction): string | null {
  const currency = outputCurrency(row);
  const amounts = recipientsOf(row).map((one) => one.output_amount);
  if (currency === null || amounts.some((amount) => amount == null)) return null;
  return amountText(sum(amounts as string[]), currency);
}

const oneRate = (row: Transaction): string | null => sameOf(row, (one) => toCell(one.exchange_rate) ?? null);

const feesOf = (row: Transaction): string | null => paymentCosts(row, NO_RATES).fee_amount;

const fromBooks = (row: Beside<Transaction>) => row.from_books;

/** Scripts may go by the places of columns: what came later stands at the end. */
export const listedTransactionView: View<Transaction> = {
  ...transactionView,
  totalsBy: ['state', 'direction'],
  also: ['direction', 'rate', 'fee_amount'],
  added: (row) => ({
    ...settlementOf(row),
    direction: directionOfAll(row.recipients),
    rate: oneRate(row),
    fee_amount: feesOf(row),
  }),
  columns: [...transactionView.columns, { name: 'rate', right: true, priority: 6, get: oneRate }],
  flat: [
    ...(transactionView.flat ?? []),
    { name: 'output_amount', amount: true, currency: 'output_currency', get: outputAmount },
    { name: 'output_currency', get: outputCurrency },
    { name: 'rate', amount: true, get: oneRate },
    { name: 'paid_at', time: true, get: (row) => fromBooks(row)?.paid_at },
    { name: 'refunded_at', time: true, get: (row) => fromBooks(row)?.refunded_at },
    { name: 'direction', get: (row) => directionOfAll(row.recipients) },
    { name: 'fee_amount', amount: true, get: (row) => amountText(feesOf(row), row.input_currency) },
    { name: 'margin', amount: true, get: (row) => fromBooks(row)?.margin },
    {
      name: 'margin_amount',
      amount: true,
      get: (row) => amountText(fromBooks(row)?.margin_amount, row.input_currency),
    },
  ],
};

/** The answer of a calculation: amounts and rate, no ids. */
export const calculationView: View<Transaction> = {
  shape: calculationShape,
  columns: transactionView.columns,
  details(row) {
    const lines: DetailLine[] = [['you pay', money(row.input_amount, row.input_currency)]];
    for (const one of recipientsOf(row)) {
      lines.push(
        ['recipient', fullName(one.payout_method?.details)],
        ['receives', money(one.output_amount, one.output_currency)],
        [
          'rate',
          one.exchange_rate ? `1 ${one.input_currency} = ${one.exchange_rate} ${one.output_currency}` : null,
        ],
      );
    }
    return lines;
  },
};
