/** The groups by which payouts can be counted. */

import { codeInfo } from '../../contract/codes.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { categoryOf } from '../../payments/cases/standing.ts';
import { dayIn, dayText } from '../reconcile/days.ts';

export const GROUPINGS = [
  'corridor',
  'currency',
  'day',
  'month',
  'corridor-month',
  'state',
  'sender',
  'reason',
] as const;
export type Grouping = (typeof GROUPINGS)[number];

export interface SummaryPayout {
  recipient: Recipient;
  transaction: Transaction;
  /** When it was created, by the service's clock. */
  createdAt: number;
  input: string | null;
  output: string | null;
}

/** Null for one that the record says nothing of. */
export type GroupOf = (payout: SummaryPayout) => string | null;

export function groupBy(by: Grouping, zone: string): GroupOf {
  const dayOf = dayIn(zone);
  const day: GroupOf = ({ createdAt }) => dayText(dayOf(createdAt));
  const month: GroupOf = (payout) => day(payout)?.slice(0, 7) ?? null;
  const corridor: GroupOf = ({ recipient }) => recipient.payout_method?.type ?? null;
  const groupings: Readonly<Record<Grouping, GroupOf>> = {
    corridor,
    currency: ({ input, output }) => (input === null ? null : `${input} to ${output ?? 'nothing yet'}`),
    day,
    month,
    'corridor-month': (payout) => `${month(payout)} ${corridor(payout) ?? ''}`.trim(),
    state: ({ recipient }) => recipient.state ?? null,
    sender: ({ transaction: { sender } }) => sender?.external_id ?? sender?.id ?? null,
    reason: ({ recipient }) => reasonIn(recipient),
  };
  return groupings[by];
}

/** Groups of time stand in their order, others by how many there are. */
export const isOfTime = (by: Grouping): boolean => ['day', 'month', 'corridor-month'].includes(by);

/** Words of our own, so that one reason is one group whatever the provider wrote. */
function reasonIn({ state_reason_details: details }: Recipient): string | null {
  const code = details?.code;
  if (code == null || code === '' || code === '0') return null;
  const words = codeInfo(code)?.messages[2];
  return words === undefined ? `code ${code}` : `${words} (${code})`;
}

/** The provider said why it was not paid. One that waits, such as cash that is ready, or whose outcome is open was not refused. */
export const isRefused = (recipient: Recipient): boolean => REFUSALS.has(categoryOf(recipient) ?? '');

const REFUSALS: ReadonlySet<string> = new Set(['temporary_error', 'recipient_error', 'sender_error']);

/** Medians of many numbers in many groups: twelve bytes for each number, however many groups there are. */
export class Medians {
  #groups = new Int32Array(SIZE);
  #values = new Float64Array(SIZE);
  #count = 0;

  /** @param group from 0 */
  note(group: number, value: number): void {
    if (this.#count === this.#values.length) this.#grow();
    this.#groups[this.#count] = group;
    this.#values[this.#count] = value;
    this.#count++;
  }

  /** Undefined for a group without a number; of an even count the mean of the two in the middle. */
  of(groups: number): (number | undefined)[] {
    const ends = new Int32Array(groups);
    for (let at = 0; at < this.#count; at++) {
      const group = this.#groups[at] ?? 0;
      ends[group] = (ends[group] ?? 0) + 1;
    }
    for (let group = 1; group < groups; group++) ends[group] = (ends[group] ?? 0) + (ends[group - 1] ?? 0);
    const sorted = new Float64Array(this.#count);
    const next = ends.slice();
    for (let at = 0; at < this.#count; at++) {
      const group = this.#groups[at] ?? 0;
      const place = (next[group] ?? 0) - 1;
      next[group] = place;
      sorted[place] = this.#values[at] ?? 0;
    }
    return Array.from(ends, (end, group) => middle(sorted.subarray(ends[group - 1] ?? 0, end).sort()));
  }

  #grow(): void {
    const [groups, values] = [
      new Int32Array(this.#groups.length * 2),
      new Float64Array(this.#values.length * 2),
    ];
    groups.set(this.#groups);
    values.set(this.#values);
    this.#groups = groups;
    this.#values = values;
  }
}

const SIZE = 1_024;

function middle(sorted: Float64Array): number | undefined {
  const half = sorted.length >> 1;
  const upper = sorted[half];
  if (upper === undefined || sorted.length % 2 === 1) return upper;
  return ((sorted[half - 1] ?? upper) + upper) / 2;
}
