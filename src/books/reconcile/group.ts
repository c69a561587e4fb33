/** Rows of both sides that name the same payment by an id: which goes with which, and where they differ. */
import { groupedBy } from '../../core/grouped-by.ts';
import type { RowEnding } from './endings.ts';
import { endBoth, type Fate, isFateOpen, sumOf } from './fates.ts';

type Rows = readonly Fate[];

/** Neither list is empty, and no row in them has an ending. */
export function settleGroup(rows: Rows, others: Rows): void {
  const [one, other] = [rows[0], others[0]];
  if (rows.length === 1 && others.length === 1 && one?.row.currency === other?.row.currency) {
    if (one !== undefined && other !== undefined) settleOne(one, other);
    return;
  }
  const byCurrency = groupedBy(rows, ({ row }) => row.currency);
  for (const [currency, theirs] of groupedBy(others, ({ row }) => row.currency)) {
    const mine = byCurrency.get(currency);
    if (mine !== undefined) settleCurrency(mine, theirs);
  }
  settleOtherCurrencies(rows.filter(isFateOpen), others);
}

/** None of these rows has the currency of any of the others. */
function settleOtherCurrencies(rows: Rows, others: Rows): void {
  const free = others.filter(isFateOpen).reverse();
  const told = new Map<string, Fate>();
  for (const one of rows) {
    const money = `${one.row.currency} ${one.row.amount}`;
    const same = told.get(money);
    const mate = same === undefined ? free.pop() : undefined;
    const other = same ?? mate ?? others[0];
    one.end(same === undefined ? 'currency_differs' : 'duplicate', other);
    mate?.end('currency_differs', one);
    if (other !== undefined) told.set(money, other);
  }
}

/** The usual case. */
function settleOne(one: Fate, other: Fate): void {
  const { amount } = one.row;
  const { amount: gross, back } = other.row;
  const net = gross - back;
  if (amount === net || amount === gross) endBoth(one, other, agreeing(other, amount === net));
  else endBoth(one, other, amount < 0n && gross > 0n ? 'state_differs' : 'amount_differs');
}

/** By the total where that agrees, else by single amounts. */
function settleCurrency(rows: Rows, others: Rows): void {
  const booked = sumOf(rows);
  const gross = sumOf(others);
  const net = gross - sumOf(others, 'back');
  if (booked === net || booked === gross) settleTotal(rows, others, booked === net);
  else settleAmounts(rows, others);
}

/** @param isNet what came back is booked too */
function agreeing({ row }: Fate, isNet: boolean): RowEnding {
  if (row.kind === 'in_flight') return 'expected';
  return !isNet && row.back !== 0n ? 'state_differs' : 'matched';
}

/** Each with the one of its amount, then each with the one at its place; what is left over goes with the last. */
export function settleTotal(rows: Rows, others: Rows, isNet: boolean): void {
  const { paired, restOfRows, restOfOthers } = pair(rows, others);
  const pairs = [...paired];
  const count = Math.min(restOfRows.length, restOfOthers.length);
  const lastRows = restOfRows.splice(count);
  const lastOthers = restOfOthers.splice(count);
  restOfRows.forEach((row, i) => {
    const other = restOfOthers[i];
    if (other !== undefined) pairs.push([row, other]);
  });
  const all = others.map((other) => agreeing(other, isNet));
  const worst = (['state_differs', 'expected'] as const).find((one) => all.includes(one)) ?? 'matched';
  for (const [row, other] of pairs) endBoth(row, other, agreeing(other, isNet));
  const [lastRow, lastOther] = pairs.at(-1) ?? [rows[0], others[0]];
  for (const row of lastRows) row.end(worst, lastOther);
  for (const other of lastOthers) other.end(agreeing(other, isNet), lastRow);
}

interface Pairs {
  paired: [row: Fate, other: Fate][];
  restOfRows: Fate[];
  restOfOthers: Fate[];
}

/** The first of an amount with the first of the same amount. */
function pair(rows: Rows, others: Rows): Pairs {
  const byAmount = groupedBy(others, ({ row }) => row.amount);
  for (const same of byAmount.values()) same.reverse();
  const taken = new Set<Fate>();
  const paired: [Fate, Fate][] = [];
  const restOfRows: Fate[] = [];
  for (const one of rows) {
    const other = byAmount.get(one.row.amount)?.pop();
    if (other === undefined) {
      restOfRows.push(one);
      continue;
    }
    taken.add(other);
    paired.push([one, other]);
  }
  return { paired, restOfRows, restOfOthers: others.filter((other) => !taken.has(other)) };
}

function settleAmounts(rows: Rows, others: Rows): void {
  const { paired, restOfRows, restOfOthers } = pair(rows, others);
  /** By the amount of a row that is told already. */
  const told = new Map<bigint, Fate>();
  for (const [one, other] of paired) {
    endBoth(one, other, agreeing(other, false));
    told.set(one.row.amount, other);
  }
  const free = [...restOfOthers].reverse();
  const areAllPaid = others.every(({ row }) => row.amount > 0n);
  for (const one of restOfRows) {
    const { amount } = one.row;
    const same = told.get(amount);
    if (same !== undefined) {
      one.end('duplicate', same);
      continue;
    }
    const isBack = amount < 0n && areAllPaid;
    const mate = isBack ? undefined : free.pop();
    const other = mate ?? others[0];
    one.end(isBack ? 'state_differs' : 'amount_differs', other);
    mate?.end('amount_differs', one);
    if (other !== undefined) told.set(amount, other);
  }
  if (others[0]?.side.kind === 'statement') endRepeated(others);
}

/** A statement may have one payment twice; the service has none twice. */
function endRepeated(others: Rows): void {
  const taken = new Map<bigint, Fate>();
  for (const { mate, row } of others) if (mate !== undefined) taken.set(row.amount, mate);
  for (const other of others) {
    const row = other.isOpen ? taken.get(other.row.amount) : undefined;
    if (row !== undefined) other.end('duplicate', row);
  }
}
