/**
 * Suggestions: what perhaps explains a difference, by the words of a bank and by the rules that people keep. A suggestion matches nothing and
 * changes no count: the rows stay differences until a person accepts it by its id. A row has one suggestion at most, that of the first rule.
 */
import { createHash } from 'node:crypto';
import { counted, money } from '../../core/amount-words.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { type Bundle, bundlesOf, rowsOf } from './bundles.ts';
import { shownAmount } from './cases.ts';
import { dayText } from './days.ts';
import { type Fate, isPair, type Matched, type Suggestion } from './fates.ts';
import type { Rules } from './rules.ts';
import { unitsOf } from './side.ts';

/** Returns the notes of the search. */
export function suggest(matched: Matched, days: number, rules: Rules = {}): string[] {
  if (matched.right.side.kind !== 'statement') return [];
  suggestPairs(matched, days);
  suggestCharges(matched, rules);
  suggestCounterparties(matched, rules);
  const words = suggestBundles(matched, rules);
  nameAll(matched);
  return words;
}

/** References have a digit, and so many letters and digits; a shorter one stands in too many sentences. */
const LEAST = 4;
/** A reference is cut into no more words than these by its own slashes, dashes and blanks. */
const MOST_WORDS = 5;

/**
 * Pairs that a person may accept: a row of the ledger and one of a bank's statement that stand alone, of the
 * same amount and currency with few days between, where the bank's words have the reference of the ledger in
 * them (`Invoice INV-1`, `PAY/INV-1`). They are never matched by themselves: another payment may be named in
 * the same words. The time grows with the words and no faster. Tells each row of a pair of the other one.
 * @param days so many may lie between the two dates
 */
function suggestPairs({ left, right }: Matched, days: number): void {
  const byPlace = groupedBy(left.fates, (one) => {
    const reference = bare(one.row.reference);
    const isTold = one.ending !== 'only_in_ledger' || reference.length < LEAST || !/\d/.test(reference);
    return isTold ? undefined : placeOf(one, reference);
  });
  if (byPlace.size === 0) return;
  const pairs: [Fate, Fate][] = [];
  for (const other of right.fates) {
    if (other.ending !== 'only_in_statement') continue;
    for (const one of rowsNamedBy(other, byPlace)) if (isNear(one, other, days)) pairs.push([one, other]);
  }
  // Where a row could go with two, the match is ambiguous: none is suggested.
  const rows = groupedBy(pairs, ([one]) => one);
  const others = groupedBy(pairs, ([, other]) => other);
  for (const [one, other] of pairs)
    if (rows.get(one)?.length === 1 && others.get(other)?.length === 1) {
      one.perhaps = other;
      other.perhaps = one;
      give([one, other], { rule: 'reference', words: wordsOf({ one, many: [other] }) });
    }
}

/** Rows whose reference stands in the words of this one, with its amount. */
function rowsNamedBy(other: Fate, byPlace: ReadonlyMap<string, Fate[]>): Set<Fate> {
  const words = other.row.reference.match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = new Set<Fate>();
  for (let from = 0; from < words.length; from++)
    for (let to = from + 1; to <= Math.min(words.length, from + MOST_WORDS); to++)
      for (const one of byPlace.get(placeOf(other, bare(words.slice(from, to).join('')))) ?? [])
        found.add(one);
  return found;
}

const placeOf = ({ row }: Fate, reference: string): string => `${row.currency} ${row.amount} ${reference}`;

const isNear = ({ row: { day: mine } }: Fate, { row: { day: theirs } }: Fate, days: number): boolean =>
  mine !== undefined && theirs !== undefined && Math.abs(mine - theirs) <= days;

const bare = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toUpperCase();

/** A payment whose amounts differ by what a bank takes: the tolerance of a currency is the greatest charge. */
function suggestCharges({ left }: Matched, { tolerances = {} }: Rules): void {
  for (const one of left.fates) {
    const { mate } = one;
    const { currency } = one.row;
    const most = tolerances[currency];
    if (one.ending !== 'amount_differs' || mate === undefined || most === undefined || !isPair(one)) continue;
    const charge = mate.row.amount - one.row.amount;
    if (charge <= 0n || charge > unitsOf(most, currency)) continue;
    one.callCharge();
    mate.callCharge();
    const words = `bank charge ${money(shownAmount(charge, currency), currency)}`;
    give([one, mate], { rule: `tolerances: ${currency}`, words, charge });
  }
}

/** Movements that the bank alone has, by a text within its words. */
function suggestCounterparties({ right }: Matched, { counterparties = [] }: Rules): void {
  if (counterparties.length === 0) return;
  const known = counterparties.map((one) => ({ ...one, text: spaced(one.text) }));
  for (const other of right.fates) {
    if (!isFree(other)) continue;
    const words = spaced([other.row.reference, ...other.row.keys].join(' '));
    const found = known.filter(({ text }) => words.includes(text));
    const [first, second] = found;
    if (first === undefined) continue;
    const names = found.map(({ name }) => name).join(', ');
    if (second !== undefined)
      give([other], { rule: `counterparties: ${names}`, words: `several texts fit: ${names}`, isOpen: true });
    else {
      const kind = [first.kind, first.account && `account ${first.account}`].filter(Boolean).join(', ');
      give([other], {
        rule: `counterparties: ${names}`,
        words: kind === '' ? first.name : `${first.name}: ${kind}`,
      });
    }
  }
}

/** Whole words, with a blank on each side: FEE is no part of COFFEE. */
const spaced = (text: string): string =>
  ` ${
    text
      .toUpperCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(' ') ?? ''
  } `;

function suggestBundles({ left, right }: Matched, { bundles: rule }: Rules): string[] {
  if (rule === undefined) return [];
  const [mine, theirs] = [left.fates.filter(isFree), right.fates.filter(isFree)];
  const { sure, ambiguous, unfinished } = bundlesOf(mine, theirs, rule);
  for (const bundle of sure) give(rowsOf(bundle), { rule: 'bundles', words: wordsOf(bundle) });
  for (const [row, [first, second]] of ambiguous)
    give([row], {
      rule: 'bundles',
      words: `two answers: ${wordsOf(first)}; or ${wordsOf(second)}`,
      isOpen: true,
    });
  return unfinished.length === 0
    ? []
    : [
        `The search for bundles was ended at its bound for ${counted(unfinished.length, 'row')}, and nothing is suggested for them; fewer rows or days in the rule make it shorter.`,
      ];
}

/** Rows that stand alone, and that nothing is suggested for. */
const isFree = (one: Fate): boolean =>
  (one.ending === 'only_in_ledger' || one.ending === 'only_in_statement') &&
  one.perhaps === undefined &&
  one.suggestion === undefined;

const MOST_LINES = 12;

/** `lines 3 and 4 of the ledger = line 9 of bank.xml`. */
function wordsOf({ one, many }: Bundle): string {
  const [mine, theirs] = one.side.kind === 'ledger' ? [[one], many] : [many, [one]];
  return `${linesOf(mine)} = ${linesOf(theirs)}`;
}

function linesOf(rows: readonly Fate[]): string {
  const [first] = rows;
  const byFile = groupedBy(rows, ({ row }) => row.file);
  if (byFile.size > 1) return [...byFile.values()].map(linesOf).join(' + ');
  const lines = rows.map(({ row }) => row.line ?? 0).sort((a, b) => a - b);
  const some = lines.slice(0, MOST_LINES).join(' + ');
  const rest = lines.length > MOST_LINES ? ` and ${lines.length - MOST_LINES} more` : '';
  const file = first?.row.file ?? 'the ledger';
  return `${lines.length === 1 ? 'line' : 'lines'} ${some}${rest} of ${file}`;
}

/** @param isOpen it has no single answer, and cannot be accepted */
function give(
  rows: readonly Fate[],
  { isOpen = false, ...told }: Omit<Suggestion, 'id' | 'rows'> & { isOpen?: boolean },
): void {
  const suggestion = { id: isOpen ? undefined : '', rows, ...told };
  for (const row of rows) row.suggestion = suggestion;
}

/** Gives each its id: by the rule and what its rows say, in whatever lines they stand; several that are alike are numbered. */
function nameAll({ left, right }: Matched): void {
  const seen = new Map<string, number>();
  const named = new Set<Suggestion>();
  for (const { suggestion } of [...left.fates, ...right.fates]) {
    if (suggestion?.id === undefined || named.has(suggestion)) continue;
    named.add(suggestion);
    const facts = suggestion.rows.map(({ side, row: { keys, reference, amount, currency, day } }) =>
      JSON.stringify([side.kind, keys, reference, String(amount), currency, dayText(day)]),
    );
    const parts = [suggestion.rule, ...facts.sort()];
    const name = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
    const before = seen.get(name) ?? 0;
    seen.set(name, before + 1);
    suggestion.id = before === 0 ? `s${name}` : `s${name}-${before + 1}`;
  }
}
