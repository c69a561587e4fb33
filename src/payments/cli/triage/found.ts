/** The payouts that a search found: one is chosen, and attended to as at the board. */

import type { Recipient, Transaction } from '../../../contract/resources/transaction.ts';
import { recipientStateInfo } from '../../../contract/states/recipient.ts';
import { money } from '../../../core/amount-words.ts';
import { escapeLine } from '../../../core/escape.ts';
import { askChoice, type PromptChoice } from '../../../frame/terminal/prompt.ts';
import { cutTo, padTo, widthOf } from '../../../frame/terminal/width.ts';
import { type MaskLevel, maskData } from '../../words/mask.ts';
import { fullName, payoutAccountOf } from '../../words/person.ts';
import { chooseRecipient, chooseRecipientOf } from '../ask/find.ts';
import type { Context, FoundPayout } from '../context.ts';
import type { Result } from '../result.ts';
import { type Attended, attend } from './attend.ts';
import { type Round, shownRound, wentRound } from './round.ts';

export const attendFound = async (context: Context, found: readonly FoundPayout[]): Promise<Result> =>
  shownRound(await wentRound(context, (round) => goRound(context, [...found], round)));

const END = 'end';
const QUESTION = 'Which one?';
/** An id of the service has room; an external id may be longer, and tells payments apart by its beginning. */
const MOST_OF_ID = 36;
/** A shorter id or name does not identify a recipient. */
const LEAST_ID = 8;
const LEAST_NAME = 10;

async function goRound(context: Context, found: FoundPayout[], round: Round): Promise<void> {
  for (let standing: string | undefined; ; ) {
    const choices = [...choicesOf(context, found), { value: END, bare: true, label: 'End' }];
    const chosen = await askChoice(context, QUESTION, choices, { standing });
    const one = found[Number(chosen)];
    if (one === undefined) return;
    const seen = (now: FoundPayout): void => {
      found[Number(chosen)] = now;
    };
    if ((await attend(context, attendedOf(context, one, seen), round)) === 'end') return;
    standing = chosen;
  }
}

/**
 * Attends to a recipient. For a payment that the books have without recipients, one is asked for; from then
 * on it is the same one.
 */
function attendedOf(
  context: Context,
  { transaction: { id: transactionId }, recipient: chosen }: FoundPayout,
  seen: (now: FoundPayout) => void,
): Attended {
  let id = chosen?.id ?? undefined;
  return {
    find: () =>
      id === undefined
        ? chooseRecipientOf(context, transactionId ?? '')
        : chooseRecipient(context, id, { tx: transactionId ?? undefined, use: 'write' }),
    seen(story, { transaction, recipient }) {
      id = story.id ?? undefined;
      seen({ transaction, recipient });
    },
  };
}

const stateOf = ({ state: payment }: Transaction, recipient: Recipient | undefined): string =>
  recipient === undefined
    ? (payment ?? '')
    : (recipientStateInfo(recipient.state)?.words ?? recipient.state ?? '');

/**
 * In columns, and so short that the question has room before the one that was chosen: then the payment's id is left out before
 * anything of a name, and the account's end is never cut. The books may be old: the state is that of the table above, until the service was asked.
 */
function choicesOf({ mask, streams }: Context, found: readonly FoundPayout[]): PromptChoice[] {
  const rows = found.map(({ transaction, recipient }) => cellsOf(transaction, recipient, mask));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => widthOf(row[column] ?? ''))));
  const names = Math.max(...rows.map((row) => widthOf(row[4] ?? '')));
  const room = streams.columns - `? ${QUESTION} `.length - 1;
  widths[0] = Math.min(widths[0] ?? 0, MOST_OF_ID);
  const rest = widths.slice(1).reduce((sum, width) => sum + width + 2, 0) + Math.min(names, LEAST_NAME);
  const hasId = rest + 2 + Math.min(widths[0], LEAST_ID) <= room;
  if (hasId) widths[0] = Math.min(widths[0], room - rest - 2);
  return rows.map(([id = '', ...cells], place) => {
    const shown = hasId ? [id, ...cells] : cells;
    const wide = hasId ? widths : widths.slice(1);
    const label = shown.map((cell, column) => {
      const width = wide[column];
      return width === undefined ? cell : padTo(cutTo(cell, width), width);
    });
    return { value: String(place), bare: true, label: cutTo(label.join('  '), room) };
  });
}

/** The payment's id, the state, the amount, the end of the account, and the name. */
function cellsOf(payment: Transaction, recipient: Recipient | undefined, mask: MaskLevel): string[] {
  const details = recipient?.payout_method?.details;
  const { output_amount: amount, output_currency: currency } = recipient ?? {};
  return [
    payment.external_id ?? payment.id ?? '',
    stateOf(payment, recipient),
    money(amount, currency) ?? '',
    payoutAccountOf(maskData(details, mask)).split(' ').at(-1) ?? '',
    fullName(maskData(details, mask, 'details')),
  ].map(escapeLine);
}
