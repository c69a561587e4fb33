/**
 * The second guard (decision 0105): a payment of the last week to the same account, of the same amount, may be this one under another name. A person
 * who says which earlier payments it is not names each of them.
 */

import { isoTime } from '../../core/clock.ts';
import { isUuid } from '../../core/ids.ts';
import { unsent } from '../../core/problem.ts';
import type { Desk } from '../../payments/desk.ts';
import { LikenessIndex } from '../../payments/likeness.ts';
import {
  alikeAmong,
  readNow,
  recentPayments,
  type Similar,
  unreadLines,
} from '../../payments/recent-payments.ts';
import * as runs from '../runs/wish.ts';
import type { Prepared } from '../store/port.ts';
import { createPrepared } from '../store/prepared.ts';
import { type PreparedPayment, readWish, type Wish } from './wish.ts';

type IndexWish = (desk: Desk, wish: never, into: { index: LikenessIndex; own: Set<string> }) => Promise<void>;

/** How the payees of each wish that pays are indexed, and the external ids that are its own. */
const INDEXED = {
  async payment(_: Desk, { body }: PreparedPayment, { index, own }: Parameters<IndexWish>[2]) {
    for (const one of body.recipients) index.add('', one);
    own.add(body.external_id);
  },
  ...runs.indexed,
};

interface EarlierPayments {
  earlier: readonly Similar[];
  /** Names what was not looked through. */
  unread: readonly string[];
}

/** @throws CallError where the service cannot say */
export async function paidAlike(
  desk: Desk,
  wish: Wish,
  notTheSameAs: readonly string[],
): Promise<EarlierPayments> {
  const index = new LikenessIndex();
  const own = new Set<string>();
  const paying: Readonly<Record<string, IndexWish>> = INDEXED;
  await paying[wish.kind]?.(desk, wish as never, { index, own });
  if (index.isEmpty) return { earlier: [], unread: [] };
  const recent = await recentPayments(desk);
  const earlier = alikeAmong(recent, index, otherThan(own, notTheSameAs));
  return { earlier, unread: unreadLines(recent) };
}

/** @param own external ids of what is wished: its payments are not others */
export const otherThan =
  (own: ReadonlySet<string>, notTheSameAs: readonly string[]) =>
  ({ id, reference = '' }: Similar): boolean =>
    !own.has(reference) && !notTheSameAs.includes(id) && !notTheSameAs.includes(reference);

export const ofPlan = (plan: Prepared): Similar => ({
  id: plan.handle,
  from: 'plan',
  summary: plan.summary,
  state: 'planned',
  at: isoTime(plan.createdAt),
  reference: undefined,
});

/** A plan and its payment are one: a caller that names one names both. @throws Problem (usage) for a name of nothing that exists */
export async function planNames(desk: Desk, given: readonly string[]): Promise<string[]> {
  const store = await desk.store();
  const prepared = store.part(createPrepared);
  const names = new Set<string>();
  for (const one of given) {
    names.add(one);
    const plan = await prepared.get(one.toLowerCase());
    if (plan !== undefined) names.add(referenceOf(plan) ?? one);
    else if (!isUuid(one)) throw namesNothing(one);
    else {
      const [found, intent] = [await readNow(desk, one), await store.intents.get(one)];
      if (found === undefined && intent === undefined) throw namesNothing(one);
      names.add(found?.external_id ?? intent?.externalId ?? one);
    }
  }
  return [...names];
}

const namesNothing = (name: string) =>
  unsent(
    'usage',
    'names_nothing',
    `not_the_same_as names "${name}", and there is no such payment or plan`,
    'take the ids from the answer that named the earlier payments',
  );

export function referenceOf({ wish }: Prepared): string | undefined {
  const read = readWish(wish);
  return read.kind === 'payment' ? read.body.external_id : undefined;
}
