/** The service demands that senders are used again: by their id, or by an external id that is the same each time. */

import { counted } from '../core/amount-words.ts';
import { hint } from '../core/next.ts';
import type { LoggedCall, SenderUse } from './evidence.ts';
import { type CheckResult, type Example, examplesOf, firstOf } from './judged.ts';

interface Found {
  transactions: number;
  /** Transactions whose sender was there. */
  referred: string[];
  /** For one payment alone, of a person who had a sender already: the payment, or the sender where it was made on its own. */
  again: Example[];
  /** For one payment alone, and without an external id. */
  nameless: Example[];
  unread: number;
}

export function judgeSenders(calls: readonly LoggedCall[]): CheckResult {
  const found = senderUses(calls);
  const { transactions, referred, again, nameless, unread } = found;
  const counts = {
    transactions,
    referred: referred.length,
    made_again: again.length,
    without_external_id: nameless.length,
    not_read: unread,
  };
  const check = 'senders' as const;
  const isBad = again.length > 0 || (nameless.length > 1 && nameless.length > referred.length);
  if (isBad)
    return {
      check,
      verdict: 'fail',
      says: badWords(found),
      counts,
      examples: firstOf([...again, ...nameless]),
      next: 'send the id of the sender, or an external id that is the same for the same customer each time',
    };
  if (referred.length === 0)
    return {
      check,
      verdict: 'no_evidence',
      says:
        transactions === 0
          ? 'no transaction was created'
          : `no sender was used a second time, in ${counted(transactions, 'transaction')}${unreadWords(unread)}`,
      counts,
      examples: [],
      next: hint`${{ do: 'start_sandbox' }} runs a sandbox: have your service pay twice there for the same customer`,
    };
  return {
    check,
    verdict: 'pass',
    says: `${referredWords(found)}${unreadWords(unread)}`,
    counts,
    examples: examplesOf('transaction', referred),
    next: null,
  };
}

const referredWords = ({ referred, transactions }: Found): string =>
  `${referred.length} of ${counted(transactions, 'transaction')} used a sender that was there`;

function badWords(found: Found): string {
  const reasons = [
    ...(found.again.length > 0
      ? [`${counted(found.again.length, 'sender')} made again for a person who had one`]
      : []),
    ...(found.nameless.length > 0
      ? [
          `${counted(found.nameless.length, 'sender')} made without an external id, and used for one payment alone`,
        ]
      : []),
  ];
  return `${referredWords(found)}; ${reasons.join('; ')}${unreadWords(found.unread)}`;
}

const unreadWords = (unread: number): string =>
  unread === 0 ? '' : `; the sender of ${unread} could not be read in the log`;

function senderUses(calls: readonly LoggedCall[]): Found {
  const found: Found = { transactions: 0, referred: [], again: [], nameless: [], unread: 0 };
  const seen: Seen = { ids: new Set(), externalIds: new Set(), persons: new Set() };
  const made: Made[] = [];
  const payments = new Map<string, number>();
  for (const { does, id, succeeded, sender } of calls) {
    if (!succeeded || (does !== 'create_transaction' && does !== 'create_sender')) continue;
    const isPayment = does === 'create_transaction';
    if (isPayment) found.transactions += 1;
    if (sender === undefined) {
      if (isPayment) found.unread += 1;
      continue;
    }
    const how = howUsed(sender, seen);
    const known = sender.answered ?? sender.id;
    if (isPayment && known !== undefined) payments.set(known, (payments.get(known) ?? 0) + 1);
    if (isPayment && how === 'referred') found.referred.push(id);
    if (how === 'again' || (isPayment && how === 'nameless'))
      made.push({
        how,
        sender: known,
        example: isPayment ? { kind: 'transaction', id } : { kind: 'sender', id: known ?? '' },
      });
    learn(sender, seen);
  }
  // One person may be two customers, each with a sender: what is used a second time is reused.
  for (const { how, sender, example } of made)
    if (sender === undefined || payments.get(sender) === 1) found[how].push(example);
  return found;
}

/** A sender that may be of no use later. */
interface Made {
  how: 'again' | 'nameless';
  sender: string | undefined;
  example: Example;
}

/** The senders that the log has shown so far. */
interface Seen {
  ids: Set<string>;
  externalIds: Set<string>;
  /** The persons who have a sender. */
  persons: Set<string>;
}

function howUsed(use: SenderUse, { ids, externalIds, persons }: Seen) {
  const { id, externalId, answered, person, wasThere } = use;
  const isThere =
    id !== undefined ||
    wasThere ||
    (answered !== undefined && ids.has(answered)) ||
    (externalId !== undefined && externalIds.has(externalId));
  if (isThere) return 'referred';
  if (person !== undefined && persons.has(person)) return 'again';
  return externalId === undefined ? 'nameless' : 'first';
}

function learn({ id, externalId, answered, person }: SenderUse, seen: Seen): void {
  const known = answered ?? id;
  if (known !== undefined) seen.ids.add(known);
  if (externalId !== undefined) seen.externalIds.add(externalId);
  if (person !== undefined) seen.persons.add(person);
}
