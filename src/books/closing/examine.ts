/** A month to be closed: its statement, its summary, what was in flight, what a ledger says; and the unexplained differences. */
import { isoTime } from '../../core/clock.ts';
import { isZero } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { refuse, usage } from '../../core/problem.ts';
import { wallTime } from '../../core/zone.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { Desk } from '../../payments/desk.ts';
import { type Period, periodOf } from '../../payments/lists/statement-period.ts';
import { reachOf } from '../reach.ts';
import type { Decisions } from '../reconcile/decisions.ts';
import { isDifference } from '../reconcile/endings.ts';
import { type Reconciled, type ReconcileRequest, reconcile } from '../reconcile/reconcile.ts';
import { shownCases } from '../reconcile/shown.ts';
import { lost, type Statement, statementOf } from '../statement/statement.ts';
import type { Books, MonthClosing } from '../store/port.ts';
import { type InFlight, inFlightOf } from '../summary/in-flight.ts';
import { type Summary, summaryOf } from '../summary/summary.ts';
import type { openPointShape } from './shapes.ts';

export type OpenPoint = DataOf<typeof openPointShape>;

export interface MonthRequest {
  /** `2026-10`. */
  month: string;
  reconciliation: Omit<ReconcileRequest, 'month'>;
  /** Decisions about differences, of the rules and of a table. */
  decisions: Decisions;
  /** The month was closed before: its papers are made again. */
  again: boolean;
}

export interface ExaminedMonth extends Pick<MonthClosing, 'month' | 'zone' | 'from' | 'to' | 'moved'> {
  knownUntil: number;
  statement: Statement;
  inFlight: InFlight;
  summary: Summary;
  reconciled: Reconciled;
  decisions: Decisions;
  open: OpenPoint[];
}

/** @throws Problem where the month is not over, the books do not know all of it, or it is closed already */
export async function examineMonth(
  desk: Desk,
  books: Books,
  { month, reconciliation, decisions, again }: MonthRequest,
): Promise<ExaminedMonth> {
  const period = await monthToClose(desk, books, { month, again });
  const { known: knownUntil } = await reachOf(books);
  const moved = await movedUntil(books, period.to);
  const statement = await statementOf(books, { ...period, currency: undefined, withCosts: true });
  const inFlight = await inFlightOf(desk, books, { to: period.to });
  const summary = await summaryOf(desk, books, { ...period, by: 'corridor' });
  const reconciled = await reconcile(desk, { ...reconciliation, month });
  const open = [
    ...openOfStatement(statement, desk.zone),
    ...openInFlight(inFlight),
    ...openOfLedger(reconciled, decisions),
  ];
  return {
    ...{ month, zone: desk.zone, ...period, moved, knownUntil },
    ...{ statement, inFlight, summary, reconciled, decisions, open },
  };
}

/** @throws Problem */
async function monthToClose(
  desk: Desk,
  books: Books,
  { month, again }: Pick<MonthRequest, 'month' | 'again'>,
): Promise<Period> {
  const { zone } = desk;
  const { known, completeAt } = await reachOf(books);
  const closings = await books.closings();
  const last = closings.at(-1);
  const same = closings.find((one) => one.month === month);
  if (same !== undefined && !again)
    throw usage(
      `${month} was closed on ${wallTime(same.closedAt, same.zone).day}, with the manifest ${same.manifest.slice(0, 12)}`,
      hint`what changes it now is a correction in the month in which it comes; ${{ give: 'again' }} writes its papers again`,
    );
  if (same === undefined && again)
    throw usage(`${month} is not closed yet`, hint`leave ${{ give: 'again' }} out`);
  if (last !== undefined && last.zone !== zone)
    throw usage(
      `${last.month} was closed in the time zone ${last.zone}, and this is ${zone}: a day would be in both months, or in none`,
      hint`${{ give: 'zone', value: last.zone }}`,
    );
  const period = periodOf({ month, since: undefined, until: undefined }, { now: known, zone });
  if (period.to > known + desk.clock.now() - completeAt)
    throw usage(
      `${month} is not over in the time zone ${zone}: the books are complete until ${isoTime(known)}`,
      hint`close it when it is; if it is by now: ${{ do: 'sync_books' }}`,
    );
  const looks = new Map((await books.seenBalances()).map(({ currency, lastAt }) => [currency, lastAt]));
  if (known < period.to || [...looks.values()].some((at) => at < period.to))
    throw refuse(
      'pending',
      'books_too_early',
      `the books do not reach the end of ${month}: payments and balances were not read since`,
      { hint: hint`${{ do: 'sync_books' }}` },
    );
  return period;
}

async function movedUntil(books: Books, to: number): Promise<MonthClosing['moved']> {
  const currencies = new Set((await books.seenBalances()).map(({ currency }) => currency));
  const moved: { currency: string; amount: string }[] = [];
  for (const currency of currencies) moved.push({ currency, amount: await books.movedBefore(currency, to) });
  return moved;
}

const NOTHING = { currency: null, amount: null, day: null, case: null };

const openOfStatement = ({ accounts }: Statement, zone: string): OpenPoint[] =>
  accounts.flatMap((account): OpenPoint[] => {
    const { currency, totals, firstSeen } = account;
    const point = { ...NOTHING, paper: 'statement' as const, currency };
    return [
      ...(isZero(totals.difference)
        ? []
        : [{ ...point, what: 'the lines do not lead to the closing balance', amount: totals.difference }]),
      ...(firstSeen === undefined ? [] : [{ ...point, what: 'nobody saw the opening balance' }]),
      ...lost(account).map(({ amount, at }) => ({
        ...point,
        what: 'money left, and no payment explains it',
        amount,
        day: wallTime(at, zone).day,
      })),
    ];
  });

const openInFlight = ({ balances }: InFlight): OpenPoint[] =>
  balances.flatMap(({ currency, difference, paid, not_paid, refund_due, collected }): OpenPoint[] => {
    const point = { ...NOTHING, paper: 'in_flight' as const, currency };
    if (difference !== null)
      return isZero(difference)
        ? []
        : [{ ...point, what: 'what was in flight does not lead to the balance', amount: difference }];
    const isUsed = [paid, not_paid, refund_due, collected].some((one) => !isZero(one));
    return isUsed ? [{ ...point, what: 'nobody saw the balance by the end of the month' }] : [];
  });

const openOfLedger = (reconciled: Reconciled, decisions: Decisions): OpenPoint[] =>
  [...shownCases(reconciled, decisions, isDifference, true)].map((one) => {
    const { currency = null, amount = null, day = null } = one.ledger ?? one.other ?? {};
    const reference = one.ledger?.reference ?? one.other?.reference;
    return {
      paper: 'reconciliation',
      what: reference ? `${one.why}: ${reference}` : one.why,
      ...{ currency, amount, day, case: one.case },
    };
  });
