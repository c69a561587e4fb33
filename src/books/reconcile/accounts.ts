/** The accounts of the bank in one run: what each opened and closed with, and what the ledger says of it. */

import { money } from '../../core/amount-words.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { eq } from '../../core/money.ts';
import type { DataOf } from '../../frame/shape.ts';
import { lastFour } from '../../payments/words/mask.ts';
import { shownAmount } from './cases.ts';
import type { DayPeriod } from './days.ts';
import type { Rules } from './rules.ts';
import type { reconciledAccountShape } from './shapes.ts';
import { type Side, type SideRow, type StatementBalance, unitsOf } from './side.ts';

export type AccountBalances = DataOf<typeof reconciledAccountShape>;

interface Compared {
  ledger: Side;
  bank: Side;
  /** The rows of the ledger, and the movement that each goes with. */
  mates: ReadonlyMap<SideRow, SideRow>;
  period: DayPeriod | undefined;
  rules: Rules | undefined;
}

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();
type PlaceOf = (account: string, currency: string) => string;

/** Many rows have few accounts: each is looked at once. */
function places(): PlaceOf {
  const known = new Map<string, string>();
  return (account, currency) => {
    const found = known.get(account) ?? bare(account);
    known.set(account, found);
    return `${found} ${currency}`;
  };
}

/**
 * A row of the ledger is of the account that it names, else of that of its movement, else of the only account of its currency. Balances are those
 * at the ends of the time that is compared, by the days of each side: a payment that is on its way over the end is a difference here.
 */
export function bankAccounts(
  { ledger, bank, mates, period, rules }: Compared,
  statements: readonly StatementBalance[],
): { accounts: AccountBalances[]; unassigned: number } {
  const placeOf = places();
  const groups = groupedBy(statements, ({ account, currency }) => placeOf(account, currency));
  const ofCurrency = groupedBy(groups.keys(), (place) => place.slice(place.indexOf(' ')));
  const named = new Map<string, string>();
  for (const [name, { bank: id, ledger: text }] of Object.entries(rules?.accounts ?? {}))
    for (const known of [name, id, text]) if (known !== undefined) named.set(bare(known), id);
  let unassigned = 0;
  const placeIn = (row: SideRow): string | undefined => {
    const own = row.account === undefined ? undefined : (named.get(bare(row.account)) ?? row.account);
    const theirs = mates.get(row)?.account;
    const places = [own, theirs].flatMap((one) => (one === undefined ? [] : [placeOf(one, row.currency)]));
    const only = ofCurrency.get(` ${row.currency}`) ?? [];
    const place = places.find((one) => groups.has(one)) ?? (only.length === 1 ? only[0] : undefined);
    if (place === undefined) unassigned++;
    return place;
  };
  const mine = groupedBy(ledger.rows.filter(isIn(period)), placeIn);
  const theirs = groupedBy(bank.rows, ({ account = '', currency }) => placeOf(account, currency));
  const accounts = [...groups].map(([place, own]) =>
    balancesOf(own, { mine: mine.get(place) ?? [], theirs: theirs.get(place) ?? [], period, rules }),
  );
  return { accounts, unassigned };
}

const isIn =
  (period: DayPeriod | undefined) =>
  ({ day }: SideRow): boolean =>
    period === undefined || day === undefined || (day >= period.first && day <= period.last);

function balancesOf(
  statements: readonly StatementBalance[],
  {
    mine,
    theirs,
    period,
    rules,
  }: Pick<Compared, 'period' | 'rules'> & Record<'mine' | 'theirs', readonly SideRow[]>,
): AccountBalances {
  const { account = '', currency = '', file = '' } = statements[0] ?? {};
  const { opening, closing } = endsOf(statements, currency);
  const [first, last] = [period?.first ?? Number.NEGATIVE_INFINITY, period?.last ?? Number.POSITIVE_INFINITY];
  // What left before the time is in its opening balance, and what left behind it is still in its closing one.
  const before = sumOf(theirs.filter(({ day = first }) => day < first));
  const behind = sumOf(theirs.filter(({ day = last }) => day > last));
  const opened = opening === undefined ? undefined : opening - before;
  const closed = closing === undefined ? undefined : closing + behind;
  const run = runningOf(mine);
  const booked = run?.closing ?? (opened === undefined ? undefined : opened - sumOf(mine));
  const shown = (units: bigint | undefined): string | null =>
    units === undefined ? null : shownAmount(units, currency);
  const [name] =
    Object.entries(rules?.accounts ?? {}).find(([, { bank }]) => bare(bank) === bare(account)) ?? [];
  const hasNumber = account !== file;
  return {
    // A short number would be masked whole, and two of them could not be told apart.
    account: name ?? (hasNumber && account.length > 5 ? null : file),
    account_number: hasNumber ? account : null,
    currency,
    opening: shown(opened),
    closing: shown(closed),
    ledger_opening: shown(run?.opening),
    ledger_closing: shown(booked),
    difference: shown(booked === undefined || closed === undefined ? undefined : booked - closed),
    movements: theirs.filter(isIn(period)).length,
    ledger_rows: mine.length,
  };
}

const sumOf = (rows: readonly SideRow[]): bigint => rows.reduce((sum, { amount }) => sum + amount, 0n);

/** The first opening and the last closing balance, where each statement begins with what the one before it ended with. */
function endsOf(
  statements: readonly StatementBalance[],
  currency: string,
): { opening?: bigint; closing?: bigint } {
  const isChain = statements.every(({ opening }, i) => {
    const before = statements[i - 1]?.closing;
    return i === 0 || (before !== undefined && opening !== undefined && eq(before, opening));
  });
  const [opening, closing] = [statements[0]?.opening, statements.at(-1)?.closing];
  if (!isChain) return {};
  return {
    ...(opening !== undefined && { opening: unitsOf(opening, currency) }),
    ...(closing !== undefined && { closing: unitsOf(closing, currency) }),
  };
}

/** The balances that the ledger has in a column of its own: from the oldest row to the newest, or turned round. */
function runningOf(rows: readonly SideRow[]): { opening: bigint; closing: bigint } | undefined {
  for (const ordered of [rows, [...rows].reverse()]) {
    const isRunning = ordered.every(({ balance, amount }, i) => {
      const before = ordered[i - 1]?.balance;
      return balance !== undefined && (i === 0 || (before !== undefined && before - amount === balance));
    });
    const [first, last] = [ordered[0], ordered.at(-1)];
    if (isRunning && first?.balance !== undefined && last?.balance !== undefined)
      return { opening: first.balance + first.amount, closing: last.balance };
  }
  return undefined;
}

/** `account main: the bank opened with 600.00 EUR and closed with 0.00 EUR, the ledger closes with 100.00 EUR: 100.00 EUR apart`. */
export function accountWords(one: AccountBalances): string {
  const of = (amount: string | null): string => money(amount, one.currency) ?? 'an unknown balance';
  const ledger =
    one.ledger_opening === null
      ? `the rows of the ledger lead to ${of(one.ledger_closing)}`
      : `the ledger with ${of(one.ledger_opening)} and ${of(one.ledger_closing)}`;
  const end =
    one.difference === null
      ? 'not compared'
      : /[1-9]/.test(one.difference)
        ? `${of(one.difference)} apart`
        : 'no difference';
  return `Account ${one.account ?? lastFour(one.account_number ?? '')}: the bank opened with ${of(one.opening)} and closed with ${of(one.closing)}, ${ledger}: ${end}.`;
}
