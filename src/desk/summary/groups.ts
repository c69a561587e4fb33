/** The groups by which payouts can be counted. */
import { codeInfo } from '../../contract/codes.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { dayIn, dayText } from '../reconcile/days.ts';

export const GROUPINGS = ['corridor', 'currency', 'day', 'month', 'state', 'sender', 'reason'] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface Payout {
  recipient: Recipient;
  transaction: Transaction;
  /** When it was created, by the service's clock. */
  createdAt: number;
  input: string | null;
  output: string | null;
}

/** Null for one that the record says nothing of. */
export type GroupOf = (payout: Payout) => string | null;

export function groupBy(by: Grouping, zone: string): GroupOf {
  const dayOf = dayIn(zone);
  const day: GroupOf = ({ createdAt }) => dayText(dayOf(createdAt));
  const groupings: Readonly<Record<Grouping, GroupOf>> = {
    corridor: ({ recipient }) => recipient.payout_method?.type ?? null,
    currency: ({ input, output }) => (input === null ? null : `${input} to ${output ?? 'nothing yet'}`),
    day,
    month: (payout) => day(payout)?.slice(0, 7) ?? null,
    state: ({ recipient }) => recipient.state ?? null,
    sender: ({ transaction: { sender } }) => sender?.external_id ?? sender?.id ?? null,
    reason: ({ recipient }) => reasonIn(recipient),
  };
  return groupings[by];
}

/** Groups of time stand in their order, others by how many there are. */
export const isOfTime = (by: Grouping): boolean => by === 'day' || by === 'month';

/** In our own words, so that one reason is one group whatever the provider wrote. */
function reasonIn({ state_reason_details: details }: Recipient): string | null {
  const code = details?.code;
  if (code == null || code === '' || code === '0') return null;
  const words = codeInfo(code)?.messages[2];
  return words === undefined ? `code ${code}` : `${words} (${code})`;
}

/** The provider said why it was not paid. */
export function isRefused({ state_reason_details: details }: Recipient): boolean {
  const code = details?.code;
  if (code == null || code === '' || code === '0') return false;
  return codeInfo(code)?.category !== 'pending';
}
