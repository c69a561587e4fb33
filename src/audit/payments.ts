/** The payments that a run made, out of the ledger, and how those of two runs are told to be the same. */
import { accountIn, fullName } from '../desk/words/person.ts';
import type { LedgerPayout } from '../sandbox/payouts.ts';

/** By what a payment is known, whatever id it has: a new id at each try is the commonest mistake. */
export const members = ['account', 'amount', 'sender'] as const;
export type Member = (typeof members)[number];

export interface Payment {
  /** `NGN::Bank` and the currency that was asked for: never left out. */
  corridor: string;
  account: string;
  amount: string;
  sender: string;
  /** All details of the payee. */
  details: string;
  money: LedgerPayout['money'];
}

export function paymentOf({ type, details, amount, currency, sender, money }: LedgerPayout): Payment {
  return {
    corridor: `${type} ${currency}`,
    account: accountIn(details) ?? '',
    amount,
    sender: fullName(sender.fields) || (sender.externalId ?? ''),
    details: JSON.stringify(Object.entries(details).sort(([a], [b]) => (a < b ? -1 : 1))),
    money,
  };
}

export type Identity = readonly Member[];

export const keyOfPayment = (payment: Payment, by: Identity): string =>
  [payment.corridor, ...by.map((member) => payment[member])].join(' · ');

/** Key to how often. */
export type Bag = ReadonlyMap<string, number>;

export function bagOf(payments: readonly Payment[], by: Identity, money: Payment['money'] = 'gone'): Bag {
  const bag = new Map<string, number>();
  for (const payment of payments) {
    if (payment.money !== money) continue;
    const key = keyOfPayment(payment, by);
    bag.set(key, (bag.get(key) ?? 0) + 1);
  }
  return bag;
}

const isSame = (one: Bag, other: Bag): boolean =>
  one.size === other.size && [...one].every(([key, count]) => other.get(key) === count);

/** The most members by which two runs without a fault pay the same; undefined where not even the corridors agree. */
export function identityOf(one: readonly Payment[], other: readonly Payment[]): Identity | undefined {
  const subsets = Array.from({ length: 2 ** members.length }, (_, bits) =>
    members.filter((_member, at) => (bits & (1 << at)) !== 0),
  ).sort((a, b) => b.length - a.length);
  return subsets.find((by) => isSame(bagOf(one, by), bagOf(other, by)));
}

/** The wish of a program: the same in both of its runs without a fault. */
export interface Wished {
  by: Identity;
  /** Members that differ between the two runs, and are not compared. */
  left: readonly Member[];
  gone: Bag;
  /** Cancelled in both runs: to be paid by none. */
  back: Bag;
  /** The details that were seen at each payment; absent where they differ between the runs. */
  details: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** How often the same payment may be made under faults. */
  same: number;
}

export function wishedOf(
  one: readonly Payment[],
  other: readonly Payment[],
  same: number,
): Wished | undefined {
  const by = identityOf(one, other);
  if (by === undefined) return undefined;
  const seen = detailsBy(one, by);
  const again = detailsBy(other, by);
  const isStable = [...seen].every(([key, texts]) => [...texts].every((text) => again.get(key)?.has(text)));
  return {
    ...{ by, same, gone: bagOf(one, by), back: bagOf(one, by, 'back') },
    left: members.filter((member) => !by.includes(member)),
    details: isStable ? seen : undefined,
  };
}

export function detailsBy(payments: readonly Payment[], by: Identity): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const payment of payments) {
    if (payment.money !== 'gone') continue;
    const key = keyOfPayment(payment, by);
    const known = seen.get(key) ?? new Set();
    known.add(payment.details);
    seen.set(key, known);
  }
  return seen;
}
