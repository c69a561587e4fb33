/**
 * Finds transactions in the books by what a customer can read out: the last digits of an account or a phone number, a part of a
 * name, an e-mail address, an id or a reference, an amount, a currency, a day. Each word must fit something of the record.
 */
import type { Transaction } from '../../contract/resources/transaction.ts';
import { currencyRule } from '../../core/currency.ts';
import { fold } from '../../core/fold.ts';
import { eq, isDecimal } from '../../core/money.ts';
import { type Books, type Find, type FindKind, ID_INDEXED } from '../../core/ports/books.ts';
import { usage } from '../../core/problem.ts';
import { dayAfter, isDay, startOfDay } from '../../core/zone.ts';
import { bare, findsOf, isHashed } from './entry.ts';
import { type Hider, withoutHashes } from './hidden.ts';

export interface Hit {
  transaction: Transaction;
  /** By our clock: when it was read. */
  heardAt: number;
  score: number;
  /** What each word fitted, without the value. */
  why: string[];
}

export interface Hits {
  hits: Hit[];
  /** More fit than were looked at: the newest were. */
  isCut: boolean;
}

/** Candidates that are looked at closely. */
const LOOKED_AT = 500;
/** Three characters are what the index knows. */
const SHORTEST = 3;

/** An account or a phone number in groups, such as `DE89 3704 0044`: only the whole of it has a hash. */
const isGrouped = (given: string): boolean =>
  /^\+?[a-z]*\d[a-z\d]*(?:\s+[a-z]*\d[a-z\d]*)+$/i.test(given.trim());

interface Looking {
  words: readonly string[];
  limit: number;
  zone: string;
  /** Of books without names: a word finds the whole of what was hashed. */
  hider?: Hider | undefined;
}

/** @throws Problem (usage) where no word is long enough to look for */
export async function searchBooks(books: Books, { words, limit, zone, hider }: Looking): Promise<Hits> {
  const wanted = words
    .flatMap((word) => (hider !== undefined && isGrouped(word) ? [word] : word.split(/\s+/)))
    .filter((word) => word !== '')
    .map(wordOf(zone, hider));
  const parts = wanted.map(spellingsOf).filter((spellings) => spellings.length > 0);
  if (parts.length === 0)
    throw usage(
      'no word is long enough to look for',
      'three characters or more of a name, an account, a phone number, an id or an amount; a day or a currency narrows it',
    );
  const days = wanted.flatMap(({ day }) => day ?? []);
  const candidates = await books.find(parts, {
    limit: LOOKED_AT,
    from: days.length > 0 ? Math.max(...days.map(({ from }) => from)) : undefined,
    to: days.length > 0 ? Math.min(...days.map(({ to }) => to)) : undefined,
  });
  const hits: Hit[] = [];
  for (const { body, heardAt, createdAt } of candidates) {
    const transaction = JSON.parse(body) as Transaction;
    const finds = findsOf(transaction);
    const fits = wanted.map((word) => best(word, { finds, transaction, createdAt }));
    if (fits.every((one) => one !== undefined))
      hits.push({
        transaction: withoutHashes(transaction),
        heardAt,
        score: fits.reduce((sum, one) => sum + one.score, 0),
        why: [...new Set(fits.map((one) => one.why))],
      });
  }
  // Sorting is stable: of those that fit alike the newest is first.
  hits.sort((a, b) => b.score - a.score);
  return { hits: hits.slice(0, limit), isCut: candidates.length === LOOKED_AT };
}

interface Word {
  text: string;
  /** What the index is asked for; undefined where it knows no such thing. */
  part: string | undefined;
  amount: string | undefined;
  day: { from: number; to: number } | undefined;
  currency: string | undefined;
  /** Where names are hashed: the word, and the same without blanks and dashes. */
  hashes: readonly string[];
}

const spellingsOf = ({ part, hashes }: Word): string[] => [...(part === undefined ? [] : [part]), ...hashes];

/** As much of an id as shows that it is one. */
const ID_BEGINS = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*$/;

const wordOf =
  (zone: string, hider: Hider | undefined) =>
  (given: string): Word => {
    const text = fold(given);
    const none = { part: undefined, amount: undefined, day: undefined, currency: undefined, hashes: [] };
    if (isDay(text))
      return {
        ...none,
        text,
        day: { from: startOfDay(text, zone), to: startOfDay(dayAfter(text, 1), zone) },
      };
    if (currencyRule(given)) return { ...none, text, currency: given };
    const amount = isDecimal(text) ? text : undefined;
    // The decimals may be written in another way: what is before the point is in the record in any case.
    const digits = amount?.split('.')[0] ?? text;
    const isNumber = /^[\d\s+.-]+$/.test(text) && amount === undefined;
    const part = ID_BEGINS.test(text) ? text.slice(0, ID_INDEXED) : isNumber ? bare(text) : digits;
    const hashes = hider === undefined ? [] : [...new Set([text, bare(text)])].map((one) => hider.hash(one));
    return { ...none, text, amount, part: part.length >= SHORTEST ? part : undefined, hashes };
  };

interface Fit {
  score: number;
  why: string;
}

interface Record {
  finds: readonly Find[];
  transaction: Transaction;
  createdAt: number;
}

function best(word: Word, { finds, transaction, createdAt }: Record): Fit | undefined {
  const { day, currency } = word;
  if (day) return createdAt >= day.from && createdAt < day.to ? { score: 5, why: 'day' } : undefined;
  if (currency !== undefined)
    return currenciesOf(transaction).includes(currency) ? { score: 1, why: 'currency' } : undefined;
  let found: Fit | undefined;
  for (const find of finds) {
    const fit = fitOf(word, find);
    if (fit && fit.score > (found?.score ?? 0)) found = fit;
  }
  return found;
}

const currenciesOf = ({ input_currency, recipients }: Transaction): unknown[] => [
  input_currency,
  ...(recipients ?? []).flatMap(({ requested_currency, output_currency }) => [
    requested_currency,
    output_currency,
  ]),
];

const WHY: { [kind in FindKind]: string } = {
  id: 'id',
  account: 'account',
  phone: 'phone',
  name: 'name',
  email: 'e-mail',
  reference: 'reference',
  amount: 'amount',
};

function fitOf(word: Word, { kind, text }: Find): Fit | undefined {
  const why = WHY[kind];
  if (isHashed({ kind, text })) return word.hashes.includes(text) ? { score: 90, why } : undefined;
  switch (kind) {
    case 'amount':
      return word.amount !== undefined && isDecimal(text) && eq(text, word.amount)
        ? { score: 60, why }
        : undefined;
    case 'account':
    case 'phone': {
      const digits = bare(word.text);
      if (text === digits) return { score: 100, why };
      return text.endsWith(digits) ? { score: 80, why: `end of ${why}` } : undefined;
    }
    case 'id':
      if (text === word.text) return { score: 100, why };
      return text.includes(word.text) ? { score: text.startsWith(word.text) ? 50 : 20, why } : undefined;
    case 'name':
      if (!text.includes(word.text)) return undefined;
      if (text.split(' ').includes(word.text)) return { score: 70, why };
      return { score: ` ${text}`.includes(` ${word.text}`) ? 50 : 20, why };
    case 'email':
    case 'reference':
      if (!text.includes(word.text)) return undefined;
      return { score: text === word.text ? 90 : 30, why };
  }
}
