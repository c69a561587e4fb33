/** The payments that a run made, out of the ledger, and how those of two runs are told to be the same. */
import { accountIn, fullName } from '../payments/words/person.ts';
import type { LedgerPayout } from '../sandbox/payouts.ts';

/** By what a payment is known, whatever id it has: a new id at each try is the commonest mistake. */
export const paymentMembers = ['account', 'amount', 'sender'] as const;
export type PaymentMember = (typeof paymentMembers)[number];

export type PayeeDetails = Readonly<Record<string, string>>;

export interface Transfer {
  /** `NGN::Bank` and the currency that was asked for: never left out. */
  corridor: string;
  account: string;
  amount: string;
  sender: string;
  /** All details of the payee: member to its value as JSON. */
  details: PayeeDetails;
  money: LedgerPayout['money'];
}

export function ledgerTransfer({ type, details, amount, currency, sender, money }: LedgerPayout): Transfer {
  return {
    corridor: `${type} ${currency}`,
    account: accountIn(details) ?? '',
    amount,
    sender: fullName(sender.fields) || (sender.externalId ?? ''),
    details: Object.fromEntries(
      Object.entries(details).map(([name, value]) => [name, JSON.stringify(value)]),
    ),
    money,
  };
}

export type Identity = readonly PaymentMember[];

export const keyOfPayment = (payment: Transfer, by: Identity): string =>
  [payment.corridor, ...by.map((member) => payment[member])].join(' · ');

/** Key to how often. */
export type Bag = ReadonlyMap<string, number>;

export function bagOf(payments: readonly Transfer[], by: Identity, money: Transfer['money'] = 'gone'): Bag {
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
export function identityOf(one: readonly Transfer[], other: readonly Transfer[]): Identity | undefined {
  const subsets = Array.from({ length: 2 ** paymentMembers.length }, (_, bits) =>
    paymentMembers.filter((_member, at) => (bits & (1 << at)) !== 0),
  ).sort((a, b) => b.length - a.length);
  return subsets.find((by) => isSame(bagOf(one, by), bagOf(other, by)));
}

/** The wish of a program: the same in both of its runs without a fault. */
export interface Wished {
  by: Identity;
  /** Members that differ between the two runs, and are not compared. */
  left: readonly PaymentMember[];
  gone: Bag;
  /** Cancelled in both runs: to be paid by none. */
  back: Bag;
  /** By corridor, the members of a payee's details that differ between the two runs, and are not compared. */
  leftDetails: LeftDetails;
  /** The values of the other members that were seen at each payment. */
  details: ReadonlyMap<string, ReadonlySet<string>>;
  /** How often the same payment may be made under faults. */
  same: number;
}

export function wishedOf(
  one: readonly Transfer[],
  other: readonly Transfer[],
  same: number,
): Wished | undefined {
  const by = identityOf(one, other);
  if (by === undefined) return undefined;
  const leftDetails = detailsThatDiffer(one, other, by);
  return {
    ...{ by, same, gone: bagOf(one, by), back: bagOf(one, by, 'back') },
    left: paymentMembers.filter((member) => !by.includes(member)),
    leftDetails,
    details: detailsBy([...one, ...other], by, leftDetails),
  };
}

export type LeftDetails = ReadonlyMap<string, ReadonlySet<string>>;

/** Member by member: a memo with the date in it takes no bank code out of the comparison. */
function detailsThatDiffer(one: readonly Transfer[], other: readonly Transfer[], by: Identity): LeftDetails {
  const left = new Map<string, Set<string>>();
  for (const { corridor, details } of [...one, ...other])
    for (const name of Object.keys(details))
      if (valuesOf(name, corridor, one, by) !== valuesOf(name, corridor, other, by))
        left.set(corridor, (left.get(corridor) ?? new Set()).add(name));
  return left;
}

const valuesOf = (name: string, corridor: string, payments: readonly Transfer[], by: Identity): string =>
  payments
    .filter((one) => one.corridor === corridor && one.money === 'gone')
    .map((one) => `${keyOfPayment(one, by)} ${one.details[name]}`)
    .sort()
    .join('\n');

export function detailsBy(
  payments: readonly Transfer[],
  by: Identity,
  left: LeftDetails,
): Map<string, Set<string>> {
  const seen = new Map<string, Set<string>>();
  for (const payment of payments) {
    if (payment.money !== 'gone') continue;
    const key = keyOfPayment(payment, by);
    const compared = Object.entries(payment.details)
      .filter(([name]) => !left.get(payment.corridor)?.has(name))
      .sort(([a], [b]) => (a < b ? -1 : 1));
    seen.set(key, (seen.get(key) ?? new Set()).add(JSON.stringify(compared)));
  }
  return seen;
}
