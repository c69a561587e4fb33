/** The payments that a search found: one is chosen, and attended to as at the board. */
import type { Transaction } from '../../contract/resources/transaction.ts';
import { escapeLine } from '../../desk/words/escape.ts';
import { recipientLine } from '../../desk/words/payment-lines.ts';
import { findRecipient, findRecipientOf } from '../ask/find.ts';
import type { Result } from '../command.ts';
import type { Context } from '../context.ts';
import { askChoice, type Choice } from '../terminal/prompt.ts';
import { cutTo, padTo, widthOf } from '../terminal/width.ts';
import { type Attended, attend } from './attend.ts';
import { type Round, shownRound, wentRound } from './round.ts';

export const attendFound = async (context: Context, found: readonly Transaction[]): Promise<Result> =>
  shownRound(await wentRound(context, (round) => goRound(context, [...found], round)));

const END = 'end';
const QUESTION = 'Which one?';
/** An id of the service has room; an external id may be longer, and tells payments apart by its beginning. */
const MOST_OF_ID = 36;

async function goRound(context: Context, payments: Transaction[], round: Round): Promise<void> {
  for (let standing: string | undefined; ; ) {
    const choices = [...choicesOf(context, payments), { value: END, bare: true, label: 'End' }];
    const chosen = await askChoice(context, QUESTION, choices, { standing });
    const payment = payments[Number(chosen)];
    if (payment === undefined) return;
    const seen = (now: Transaction): void => {
      payments[Number(chosen)] = now;
    };
    if ((await attend(context, attendedOf(context, payment, seen), round)) === 'end') return;
    standing = chosen;
  }
}

/** Of several recipients one is asked for; from then on it is the same one. */
function attendedOf(
  context: Context,
  { id: transactionId }: Transaction,
  seen: (now: Transaction) => void,
): Attended {
  let id: string | undefined;
  return {
    find: () =>
      id === undefined
        ? findRecipientOf(context, transactionId ?? '')
        : findRecipient(context, id, { tx: transactionId ?? undefined, use: 'write' }),
    seen(story, { transaction }) {
      id = story.id ?? undefined;
      seen(transaction);
    },
  };
}

/**
 * In columns, and so short that the question has room before the one that was chosen. The books may be old: the state is that of
 * the table above, until the service was asked.
 */
function choicesOf({ mask, streams }: Context, payments: readonly Transaction[]): Choice[] {
  const rows = payments.map((payment) => {
    const [first, ...more] = payment.recipients ?? [];
    const whom = first === undefined ? '' : recipientLine(first, mask);
    const others = more.length === 0 ? '' : ` and ${more.length} more`;
    return [payment.external_id ?? payment.id ?? '', payment.state ?? '', `${whom}${others}`].map(escapeLine);
  });
  const width = (column: number): number => Math.max(...rows.map((row) => widthOf(row[column] ?? '')));
  const [first, second] = [Math.min(width(0), MOST_OF_ID), width(1)];
  const room = streams.columns - `? ${QUESTION} `.length - 1;
  return rows.map(([id = '', state = '', whom = ''], place) => ({
    value: String(place),
    bare: true,
    label: cutTo(`${padTo(cutTo(id, first), first)}  ${padTo(state, second)}  ${whom}`, room),
  }));
}
