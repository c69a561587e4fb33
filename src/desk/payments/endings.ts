/**
 * What became of each recipient of a cancel (PRODUCT rule 5): one ending each, the worst exit code, never called whole if one
 * was paid.
 */

import { type Category, type ExitCode, exitCodeOf, exitCodes, worst } from '../../cli/exit-codes.ts';
import type { View } from '../../cli/terminal/view.ts';
import type { Recipient } from '../../contract/resources/transaction.ts';
import { add } from '../../core/money.ts';
import { money } from '../words/amount.ts';
import { accountOf, fullName } from '../words/person.ts';

export type EndingWord =
  | 'refunded'
  | 'cancelled before funding'
  | 'cancelled, refund pending'
  | 'cancelled, refund needs the operator'
  | 'asked of the partner'
  | 'paid before'
  | 'paid meanwhile'
  | 'not cancelled'
  | 'unknown';

/** What each is an instance of; the exit code follows from that, as everywhere. */
const CATEGORY: Record<EndingWord, Category | 'done'> = {
  refunded: 'done',
  'cancelled before funding': 'done',
  'cancelled, refund pending': 'pending',
  'cancelled, refund needs the operator': 'check',
  'asked of the partner': 'pending',
  'paid before': 'conflict',
  'paid meanwhile': 'conflict',
  'not cancelled': 'conflict',
  unknown: 'unknown',
};

const exitOfWord = (word: EndingWord): ExitCode => {
  const category = CATEGORY[word];
  return category === 'done' ? exitCodes.ok : exitCodeOf[category];
};

export interface Ending {
  recipient: Recipient;
  /** Whether money came back is concluded for each payment on its own. */
  transaction_id: string;
  ending: EndingWord;
  /** Why, where it was not asked or was refused. */
  why?: string;
  /** Where it was refused: the failure's own exit code. */
  exit?: ExitCode;
  /** Whether the service was asked at all. */
  sent: boolean;
}

export const exitOf = (ending: Ending): ExitCode => ending.exit ?? exitOfWord(ending.ending);

/**
 * The exit code of all endings together, and all there is to say. Money of a payment that came back for some recipients while
 * others had been paid before is a partial refund (10 at least), which is neither a refund nor a failure: those paid before do
 * not count as failed there. Every other ending keeps its code, and the worst of all payments is told.
 */
export function conclusionOf(endings: readonly Ending[]): { exit: ExitCode; notes: string[] } {
  const payments = [...new Set(endings.map((one) => one.transaction_id))];
  const concluded = payments.map((id) => {
    const own = endings.filter((one) => one.transaction_id === id);
    return paymentConclusion(own, payments.length > 1 ? id : undefined);
  });
  const isOpen = endings.some(({ ending }) => OPEN.has(ending));
  return {
    exit: worst(concluded.map(({ exit }) => exit)),
    notes: [
      ...concluded.flatMap(({ notes }) => notes),
      ...(isOpen ? [CREDIT_NOTE] : []),
      ...askAnyway(endings.filter(({ ending }) => ending === 'not cancelled')),
    ],
  };
}

/** @param name of the payment, where it must be told from others */
function paymentConclusion(endings: readonly Ending[], name?: string): { exit: ExitCode; notes: string[] } {
  const back = endings.filter(({ ending }) => ending === 'refunded');
  const gone = endings.filter(({ ending }) => ending === 'paid before');
  if (back.length === 0 || gone.length === 0) return { exit: worst(endings.map(exitOf)), notes: [] };
  const rest = endings.filter((one) => !gone.includes(one)).map(exitOf);
  const said = `partly refunded: ${totalOf(back)} came back, ${totalOf(gone)} had been paid out before`;
  return {
    exit: worst([exitCodes.check, ...rest]),
    notes: [name === undefined ? said : `payment ${name} is ${said}`],
  };
}

/** Endings after which the money may still go either way. */
const OPEN: ReadonlySet<EndingWord> = new Set([
  'cancelled, refund pending',
  'cancelled, refund needs the operator',
  'asked of the partner',
  'unknown',
] as const);

function totalOf(endings: readonly Ending[]): string {
  const totals = new Map<string, string>();
  for (const { recipient } of endings) {
    const currency = recipient.input_currency ?? '';
    totals.set(currency, add(totals.get(currency) ?? '0', recipient.input_amount ?? '0'));
  }
  return [...totals].map(([currency, total]) => money(total, currency)).join(' + ');
}

export const endingView: View<Ending> = {
  kind: 'cancellation',
  columns: [
    { name: 'recipient_id', head: 'RECIPIENT', get: ({ recipient }) => recipient.id },
    { name: 'ending', wrap: true, get: ({ ending }) => ending },
    { name: 'state', state: true, priority: 2, get: ({ recipient }) => recipient.state },
    { name: 'name', priority: 3, get: ({ recipient }) => fullName(recipient.payout_method?.details) },
    {
      name: 'amount',
      right: true,
      priority: 2,
      get: ({ recipient }) => money(recipient.input_amount, recipient.input_currency),
    },
    { name: 'account', priority: 4, get: ({ recipient }) => accountOf(recipient.payout_method?.details) },
    { name: 'why', priority: 1, wrap: true, get: ({ why }) => why },
  ],
};

const CREDIT_NOTE = 'Do not credit your customer before it says refunded.';

/** Those that were not sent because the payout is under way. */
function askAnyway(endings: readonly Ending[]): string[] {
  const ids = endings.filter(({ sent }) => !sent).map(({ recipient }) => recipient.id);
  if (ids.length === 0) return [];
  return [`to ask the partner anyway: remit recipient cancel ${ids.join(' ')} --request --wait`];
}
