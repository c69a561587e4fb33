/** Rows of both sides that name the same payment by an id: which goes with which, and where they differ. */
import type { Ending } from './endings.ts';
import type { Matched } from './fates.ts';

/** Neither list is empty, and no row in them has an ending. */
export function settleGroup(found: Matched, rows: readonly number[], others: readonly number[]): void {
  const [row = 0, other = 0] = [rows[0], others[0]];
  const { left, right } = found;
  if (rows.length === 1 && others.length === 1 && isOneCurrency(found, row, other)) {
    settleOne(found, row, other);
    return;
  }
  const currencies = new Set(others.map((one) => right.side.currencyOf(one)));
  for (const currency of currencies) {
    const mine = rows.filter((one) => left.side.currencyOf(one) === currency);
    const theirs = others.filter((one) => right.side.currencyOf(one) === currency);
    if (mine.length > 0) settleCurrency(found, mine, theirs);
  }
  settleOtherCurrencies(
    found,
    rows.filter((one) => left.isOpen(one)),
    others,
  );
}

/** None of these rows has the currency of any of the others. */
function settleOtherCurrencies(
  { left, right }: Matched,
  rows: readonly number[],
  others: readonly number[],
): void {
  const free = others.filter((one) => right.isOpen(one)).reverse();
  const told = new Map<string, number>();
  for (const row of rows) {
    const money = `${left.side.currencyOf(row)} ${left.side.amount[row]}`;
    const same = told.get(money);
    const mate = same === undefined ? free.pop() : undefined;
    const other = same ?? mate ?? others[0] ?? 0;
    left.end(row, same === undefined ? 'currency_differs' : 'duplicate', other);
    if (mate !== undefined) right.end(mate, 'currency_differs', row);
    told.set(money, other);
  }
}

const isOneCurrency = ({ left, right }: Matched, row: number, other: number): boolean =>
  left.side.currencyOf(row) === right.side.currencyOf(other);

/** The usual case. */
function settleOne(found: Matched, row: number, other: number): void {
  const { left, right } = found;
  const amount = left.side.amount[row] ?? 0n;
  const [gross, back] = [right.side.amount[other] ?? 0n, right.side.back[other] ?? 0n];
  const ending: Ending =
    amount === gross - back || amount === gross
      ? agreeing(found, other, amount === gross - back)
      : amount < 0n && gross > 0n
        ? 'state_differs'
        : 'amount_differs';
  left.end(row, ending, other);
  right.end(other, ending, row);
}

/** @param isNet what came back is booked too */
function agreeing({ right }: Matched, other: number, isNet: boolean): Ending {
  if (right.side.kindOf(other) === 'in_flight') return 'expected';
  return !isNet && right.side.back[other] !== 0n ? 'state_differs' : 'matched';
}

/** By the total where that agrees, else by single amounts. */
function settleCurrency(found: Matched, rows: readonly number[], others: readonly number[]): void {
  const { left, right } = found;
  let [booked, net, gross] = [0n, 0n, 0n];
  for (const row of rows) booked += left.side.amount[row] ?? 0n;
  for (const other of others) {
    gross += right.side.amount[other] ?? 0n;
    net += (right.side.amount[other] ?? 0n) - (right.side.back[other] ?? 0n);
  }
  if (booked === net || booked === gross) settleTotal(found, rows, others, booked === net);
  else settleAmounts(found, rows, others);
}

/** Each with the one of its amount, then each with the one at its place; what is left over goes with the last. */
export function settleTotal(
  found: Matched,
  rows: readonly number[],
  others: readonly number[],
  isNet: boolean,
): void {
  const { left, right } = found;
  const { paired, restOfRows, restOfOthers } = pair(found, rows, others);
  const pairs = [...paired];
  const count = Math.min(restOfRows.length, restOfOthers.length);
  for (let i = 0; i < count; i++) pairs.push([restOfRows[i] ?? 0, restOfOthers[i] ?? 0]);
  const all = others.map((other) => agreeing(found, other, isNet));
  const worst = (['state_differs', 'expected', 'matched'] as const).find((one) => all.includes(one));
  for (const [row, other] of pairs) {
    const ending = agreeing(found, other, isNet);
    right.end(other, ending, row);
    left.end(row, ending, other);
  }
  const [lastRow, lastOther] = pairs.at(-1) ?? [rows[0] ?? 0, others[0] ?? 0];
  for (const row of restOfRows.slice(count)) left.end(row, worst ?? 'matched', lastOther);
  for (const other of restOfOthers.slice(count)) right.end(other, agreeing(found, other, isNet), lastRow);
}

interface Pairs {
  paired: [row: number, other: number][];
  restOfRows: number[];
  restOfOthers: number[];
}

/** The first of an amount with the first of the same amount. */
function pair({ left, right }: Matched, rows: readonly number[], others: readonly number[]): Pairs {
  const byAmount = new Map<bigint, number[]>();
  for (const other of others) {
    const amount = right.side.amount[other] ?? 0n;
    const same = byAmount.get(amount);
    if (same === undefined) byAmount.set(amount, [other]);
    else same.push(other);
  }
  const taken = new Set<number>();
  const next = new Map<bigint, number>();
  const paired: [number, number][] = [];
  const restOfRows: number[] = [];
  for (const row of rows) {
    const amount = left.side.amount[row] ?? 0n;
    const at = next.get(amount) ?? 0;
    const other = byAmount.get(amount)?.[at];
    if (other === undefined) {
      restOfRows.push(row);
      continue;
    }
    next.set(amount, at + 1);
    taken.add(other);
    paired.push([row, other]);
  }
  return { paired, restOfRows, restOfOthers: others.filter((other) => !taken.has(other)) };
}

function settleAmounts(found: Matched, rows: readonly number[], others: readonly number[]): void {
  const { left, right } = found;
  const { paired, restOfRows, restOfOthers } = pair(found, rows, others);
  /** By the amount of a row that is told already. */
  const told = new Map<bigint, number>();
  for (const [row, other] of paired) {
    const ending = agreeing(found, other, false);
    left.end(row, ending, other);
    right.end(other, ending, row);
    told.set(left.side.amount[row] ?? 0n, other);
  }
  const free = [...restOfOthers].reverse();
  for (const row of restOfRows) {
    const amount = left.side.amount[row] ?? 0n;
    const same = told.get(amount);
    if (same !== undefined) {
      left.end(row, 'duplicate', same);
      continue;
    }
    const isBack = amount < 0n && others.every((one) => (right.side.amount[one] ?? 0n) > 0n);
    const mate = isBack ? undefined : free.pop();
    const other = mate ?? others[0] ?? 0;
    left.end(row, isBack ? 'state_differs' : 'amount_differs', other);
    if (mate !== undefined) right.end(mate, 'amount_differs', row);
    told.set(amount, other);
  }
  if (right.side.kind === 'statement') endRepeated(found, others);
}

/** A statement may have one payment twice; the service has none twice. */
function endRepeated({ left, right }: Matched, others: readonly number[]): void {
  const taken = new Map<bigint, number>();
  for (const other of others)
    if (!right.isOpen(other) && !left.isOpen(right.mate[other] ?? -1))
      taken.set(right.side.amount[other] ?? 0n, right.mate[other] ?? -1);
  for (const other of others) {
    const row = right.isOpen(other) ? taken.get(right.side.amount[other] ?? 0n) : undefined;
    if (row !== undefined) right.end(other, 'duplicate', row);
  }
}
