/**
 * Money in flight at the end of a day: what was funded by then, and was neither paid out nor back. The marks of the books say when each
 * payout moved, so a payment that was paid later counts. It proves itself against the balance of that day (decision 0060).
 */
import { isFunded } from '../../client/funded.ts';
import { directionOf } from '../../contract/direction.ts';
import type { Recipient, Transaction } from '../../contract/resources/transaction.ts';
import { transactionStateInfo } from '../../contract/states/transaction.ts';
import { isoTime } from '../../core/clock.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { add, sub } from '../../core/money.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { Desk } from '../../payments/desk.ts';
import { DEBITED_WITHIN_MS } from '../marks.ts';
import { reachOf } from '../reach.ts';
import { AGES, type dayBalanceShape, IN_FLIGHT_KINDS, type inFlightShape } from '../shapes.ts';
import { type BalanceGap, balanceAt, stepOver, stepsOf } from '../statement/statement.ts';
import type { Books, Mark, MarkKind, SeenBalance } from '../store/port.ts';
import { readAll } from './read-all.ts';

export type InFlightRow = DataOf<typeof inFlightShape>;
export type DayBalance = DataOf<typeof dayBalanceShape>;

export interface InFlight {
  /** The end of the day, which does not count; milliseconds by the service's clock. */
  to: number;
  knownUntil: number;
  completeAt: number;
  rows: InFlightRow[];
  balances: DayBalance[];
  unsure: Unsure;
  /** Money that came in or left by the end of the day or later, and no payment explains. */
  later: BalanceGap[];
  /** Payments that were created before this were removed from the books. */
  forgottenBefore: number | undefined;
}

/** How many of them may have stood otherwise than the books say. */
export interface Unsure {
  /** Ended near that day, and have no time of their own: of payments to several, or paid in. */
  endedNear: number;
  /** Back since: called off by then, or later. */
  backSince: number;
  /** Paid in, at a time that the service does not say. */
  paidIn: number;
  /** Debits within the last hour of the day: dated by their creation, they may be of the next. */
  nearTheEnd: number;
}

type Standing = (typeof IN_FLIGHT_KINDS)[number] | 'paid' | 'collected' | 'back';

const DAY_MS = 86_400_000;
const AGES_MS = [DAY_MS, 7 * DAY_MS, 30 * DAY_MS, Number.POSITIVE_INFINITY];

/** @throws Problem where the books are not complete */
export async function inFlightOf(desk: Desk, books: Books, { to }: { to: number }): Promise<InFlight> {
  const { known, completeAt } = await reachOf(books);
  const { forgottenBefore } = await books.progress();
  const from = forgottenBefore ?? 0;
  const counting = new DayCount(to, Math.min(to, known));
  await desk.working('counting payouts', (progress) =>
    readAll(desk, books, { from, to, progress, take: (...one) => counting.take(...one) }),
  );
  const seen = groupedBy(await books.seenBalances(), ({ currency }) => currency);
  const balances: DayBalance[] = [];
  for (const currency of [...new Set([...seen.keys(), ...counting.sums.keys()])].sort())
    balances.push(
      await dayBalance(books, seen.get(currency) ?? [], {
        currency,
        to,
        from,
        sums: counting.sums.get(currency) ?? NO_SUMS,
      }),
    );
  const { unsure } = counting;
  const later = [...seen.values()].flatMap((one) => stepOver(stepsOf(one), to) ?? []);
  return {
    to,
    knownUntil: known,
    completeAt,
    rows: counting.rows(),
    balances,
    unsure,
    later,
    forgottenBefore,
  };
}

type Sums = Record<'paid' | 'not_paid' | 'refund_due' | 'collected', string>;
const NO_SUMS: Sums = { paid: '0', not_paid: '0', refund_due: '0', collected: '0' };

async function dayBalance(
  books: Books,
  seen: readonly SeenBalance[],
  { currency, from, to, sums }: { currency: string; from: number; to: number; sums: Sums },
): Promise<DayBalance> {
  const [first] = seen;
  if (first === undefined || first.firstAt >= to)
    return { currency, came_in: '0', ...sums, balance: null, difference: null };
  const balance = await balanceAt(books, seen, to);
  const moved = sub(await books.movedBefore(currency, to), await books.movedBefore(currency, from));
  const came = sub(balance, moved);
  const left = [sums.paid, sums.not_paid, sums.refund_due].reduce(sub, add(came, sums.collected));
  return { currency, came_in: came, ...sums, balance, difference: sub(balance, left) };
}

class DayCount {
  readonly sums = new Map<string, Sums>();
  readonly unsure: Unsure = { endedNear: 0, backSince: 0, paidIn: 0, nearTheEnd: 0 };
  readonly #rows = new Map<string, InFlightRow>();
  readonly #to: number;
  readonly #now: number;

  /** @param now what ages count to */
  constructor(to: number, now: number) {
    this.#to = to;
    this.#now = now;
  }

  take(transaction: Transaction, createdAt: number, marks: readonly Mark[]): void {
    const debit = marks.find(({ kind }) => kind === 'debit');
    const source = debit === undefined ? 'payin' : 'balance';
    const fundedAt = debit?.at ?? createdAt;
    if (fundedAt >= this.#to) return;
    const isCleared = debit !== undefined || isFunded(transaction);
    if (!isCleared && transactionStateInfo(transaction.state)?.stage !== 'clearing') return;
    if (debit?.at === createdAt && createdAt >= this.#to - DEBITED_WITHIN_MS) this.unsure.nearTheEnd++;
    const recipients = transaction.recipients ?? [];
    for (const one of recipients) {
      const own = marks.filter(({ of }) => of === one.id);
      const standing = standingAt(one, own, { to: this.#to, source });
      const [input, output] = moneyOf(one, transaction);
      // A payment from one balance to another takes from the first and gives to the second.
      if (source === 'balance')
        this.#sum(input.currency, standing === 'collected' ? 'paid' : standing, input.amount);
      if (standing === 'collected') this.#sum(output.currency, standing, output.amount);
      // Money that waits to clear is no payout yet.
      const isOn = isInFlight(standing) && (isCleared || standing === 'not_credited');
      if (isOn)
        this.#row({ ...(standing === 'not_credited' ? output : input), kind: standing, source, fundedAt });
      this.#doubt(isOn ? standing : undefined, own, { transaction, source });
    }
  }

  #sum(currency: string, standing: Standing, amount: string): void {
    if (standing === 'back' || standing === 'not_credited') return;
    const sums = this.sums.get(currency) ?? { ...NO_SUMS };
    sums[standing] = add(sums[standing], amount);
    this.sums.set(currency, sums);
  }

  #row({
    amount,
    fundedAt,
    ...of
  }: Pick<InFlightRow, 'currency' | 'kind' | 'source' | 'amount'> & { fundedAt: number }): void {
    const age = AGES[AGES_MS.findIndex((most) => this.#now - fundedAt < most)] ?? 'over_30_days';
    const key = placeOf({ ...of, age });
    const row = this.#rows.get(key);
    this.#rows.set(key, {
      ...of,
      age,
      payouts: (row?.payouts ?? 0) + 1,
      amount: add(row?.amount ?? '0', amount),
      oldest_at: isoTime(Math.min(fundedAt, row === undefined ? fundedAt : Date.parse(row.oldest_at))),
    });
  }

  /** @param kind undefined for one that was not in flight */
  #doubt(
    kind: InFlightRow['kind'] | undefined,
    own: readonly Mark[],
    {
      transaction: { recipients, updated_at: changed },
      source,
    }: { transaction: Transaction; source: InFlightRow['source'] },
  ): void {
    const isPaidIn = source === 'payin';
    const ended = own.filter(({ kind: of }) => ENDS.includes(of));
    const since = kind === undefined ? this.#to - DAY_MS : this.#to;
    if ((isPaidIn || (recipients ?? []).length > 1) && ended.some(({ at }) => at >= since))
      this.unsure.endedNear++;
    if (kind === 'not_paid' && ended.some((one) => one.kind === 'refund')) this.unsure.backSince++;
    if (kind !== undefined && isPaidIn && changed != null && Date.parse(changed) >= this.#to)
      this.unsure.paidIn++;
  }

  rows(): InFlightRow[] {
    return [...this.#rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  }
}

const ENDS: readonly MarkKind[] = ['paid', 'collection', 'refund'];

const isInFlight = (standing: Standing): standing is InFlightRow['kind'] =>
  (IN_FLIGHT_KINDS as readonly string[]).includes(standing);

/** Where a row stands: by currency, then kind, then source, the youngest first. */
const placeOf = ({
  currency,
  kind,
  source,
  age,
}: Pick<InFlightRow, 'currency' | 'kind' | 'source' | 'age'>) =>
  [currency, IN_FLIGHT_KINDS.indexOf(kind), source, AGES.indexOf(age)].join(' ');

/** How a payout stood before this moment, once it was funded. */
function standingAt(
  recipient: Recipient,
  marks: readonly Mark[],
  { to, source }: { to: number; source: InFlightRow['source'] },
): Standing {
  const had = (kind: MarkKind): boolean => marks.some((mark) => mark.kind === kind && mark.at < to);
  if (had('refund')) return 'back';
  if (had('collection')) return 'collected';
  if (had('paid')) return 'paid';
  if (had('canceled')) return 'refund_due';
  return source === 'payin' && directionOf(recipient) === 'collection' ? 'not_credited' : 'not_paid';
}

interface Money {
  currency: string;
  amount: string;
}

/** Returns the money that was paid in for a payout, and the money that arrives. */
const moneyOf = (recipient: Recipient, { input_currency: paidIn }: Transaction): [Money, Money] => [
  { currency: recipient.input_currency ?? paidIn ?? '', amount: recipient.input_amount ?? '0' },
  { currency: recipient.output_currency ?? '', amount: recipient.output_amount ?? '0' },
];
