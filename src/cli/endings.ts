/**
 * What became of each recipient of a cancel (PRODUCT rule 5): one ending each, the worst exit code, never called whole if one
 * was paid.
 */
import type { Recipient } from '../contract/resources/transaction.ts';
import { add } from '../core/money.ts';
import { type ExitCode, exitCodes, worst } from './exit-codes.ts';
import type { View } from './view.ts';
import { money } from './views/amount.ts';
import { accountOf, fullName } from './views/person.ts';

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

const EXIT: Record<EndingWord, ExitCode> = {
  refunded: exitCodes.ok,
  'cancelled before funding': exitCodes.ok,
  'cancelled, refund pending': exitCodes.pending,
  'cancelled, refund needs the operator': exitCodes.check,
  'asked of the partner': exitCodes.pending,
  'paid before': exitCodes.failed,
  'paid meanwhile': exitCodes.failed,
  'not cancelled': exitCodes.failed,
  unknown: exitCodes.unknown,
};

export interface Ending {
  recipient: Recipient;
  ending: EndingWord;
  /** Why, where it was not asked or was refused. */
  why?: string;
  /** Where it was refused: the failure's own exit code. */
  exit?: ExitCode;
  /** Whether the service was asked at all. */
  sent: boolean;
}

export const exitOf = (ending: Ending): ExitCode => ending.exit ?? EXIT[ending.ending];

/**
 * The exit code of all endings together, and what to say: money that came back for some while others had been paid before is
 * a partial refund (10), which is neither a refund nor a failure.
 */
export function conclusionOf(endings: readonly Ending[]): { exit: ExitCode; notes: string[] } {
  const of = (...words: EndingWord[]): Ending[] => endings.filter(({ ending }) => words.includes(ending));
  const back = of('refunded');
  const gone = of('paid before');
  if (back.length > 0 && gone.length > 0) {
    const rest = endings.filter((one) => !gone.includes(one)).map(exitOf);
    const exit = worst([exitCodes.check, ...rest]);
    return {
      exit,
      notes: [`partly refunded: ${totalOf(back)} came back, ${totalOf(gone)} had been paid out before`],
    };
  }
  const exit = worst(endings.map(exitOf));
  const isOpen = of('cancelled, refund pending', 'asked of the partner', 'unknown').length > 0;
  const credit = isOpen || of('cancelled, refund needs the operator').length > 0 ? [CREDIT_NOTE] : [];
  return { exit, notes: [...credit, ...askAnyway(of('not cancelled'))] };
}

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
