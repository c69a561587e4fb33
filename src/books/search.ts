/**
 * Finds payouts in the books by what a customer can read out: the last digits of an account or a phone number, a part of a name, an
 * e-mail address, an id or a reference, an amount, a currency, a day. Each word must fit something of the recipient, of its payment
 * or of the sender: a recipient is found by no other recipient's name, account or amount.
 */
import type { Recipient, Transaction } from '../contract/resources/transaction.ts';
import { currencyRule } from '../core/currency.ts';
import { fold } from '../core/fold.ts';
import { eq, isDecimal } from '../core/money.ts';
import { usage } from '../core/problem.ts';
import { dayAfter, isDay, startOfDay } from '../core/zone.ts';
import { bare, type Find, type FindKind, ID_INDEXED, isHashed, ownFindsOf } from '../payments/finds.ts';
import { partsOfAmount, readingsOf } from './amount-words.ts';
import { type Hider, withoutHashes } from './hidden.ts';
import type { Books, FoundEntry } from './store/port.ts';

export interface Hit {
  transaction: Transaction;
  /** Undefined for a payment that has none. */
  recipient: Recipient | undefined;
  /** True where a word fitted the sender alone. */
  isBySender: boolean;
  /** A time of our clock: when it was read. */
  heardAt: number;
  score: number;
  /** The thing that each word fitted, without the value. */
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

export interface Looking {
  words: readonly string[];
  limit: number;
  zone: string;
  /** Given for books without names: a word finds the whole of what was hashed. */
  hider?: Hider | undefined;
  /** Created in this time; `to` does not count. */
  from?: number | undefined;
  to?: number | undefined;
}

/** @throws Problem (usage) where no word is long enough to look for */
export async function searchBooks(books: Books, looking: Looking): Promise<Hits> {
  const wanted = wantedBy(looking);
  const { parts, containing, days } = indexedIn(wanted);
  const within = {
    limit: LOOKED_AT,
    from: Math.max(looking.from ?? 0, ...days.map(({ from }) => from)),
    to: Math.min(looking.to ?? Number.MAX_SAFE_INTEGER, ...days.map(({ to }) => to)),
    containing,
  };
  const candidates = await books.find(parts, within);
  const isCut = candidates.length === LOOKED_AT;
  const found = new Map(candidates.map((one) => [one.id, one]));
  // Digits are in many records: those that have the amount itself may all be older than the newest of these.
  for (const word of isCut ? wanted.filter(({ exact }) => exact.length > 0) : []) {
    const instead = indexedIn(
      wanted.map((one) => (one === word ? { ...one, parts: one.exact, hashes: [] } : one)),
    );
    for (const one of await books.find(instead.parts, within)) found.set(one.id, one);
  }
  const newestFirst = [...found.values()].sort((a, b) => b.createdAt - a.createdAt);
  return { hits: bestOf(newestFirst, wanted, looking.limit), isCut };
}

/** The same search among records at hand. @throws Problem (usage) where no word is long enough to look for */
export function hitsAmong(looking: Looking): (candidates: readonly FoundEntry[]) => Hit[] {
  const wanted = wantedBy(looking);
  const { from = 0, to = Number.MAX_SAFE_INTEGER } = looking;
  return (candidates) =>
    bestOf(
      candidates.filter(({ createdAt }) => createdAt >= from && createdAt < to),
      wanted,
      looking.limit,
    );
}

/** @throws Problem (usage) */
function wantedBy({ words, zone, hider }: Looking): Word[] {
  const wanted = words
    .flatMap((word) => (hider !== undefined && isGrouped(word) ? [word] : word.split(/\s+/)))
    .filter((word) => word !== '')
    .map(wordOf(zone, hider));
  const { parts, containing, days } = indexedIn(wanted);
  if (parts.length + containing.length + days.length > 0) return wanted;
  throw usage(
    'no word is long enough to look for',
    'three characters or more of a name, an account, a phone number, an id or an amount; or a day such as 2026-11-20; a currency narrows it',
  );
}

/** The words by which the index of the books is asked. */
const indexedIn = (wanted: readonly Word[]) => ({
  parts: wanted.map(spellingsOf).filter((spellings) => spellings.length > 0),
  containing: wanted.filter((word) => spellingsOf(word).length === 0).flatMap(({ short }) => short ?? []),
  days: wanted.flatMap(({ day }) => day ?? []),
});

/** Sorting is stable: of those that fit alike the newest is first. */
const bestOf = (candidates: readonly FoundEntry[], wanted: readonly Word[], limit: number): Hit[] =>
  candidates
    .flatMap((candidate) => hitsOf(candidate, wanted))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit);

/** A hit for each recipient that every word fits. */
export function hitsOf({ body, heardAt, createdAt }: FoundEntry, wanted: readonly Word[]): Hit[] {
  const full = JSON.parse(body) as Transaction;
  const transaction = withoutHashes(full);
  const finds = ownFindsOf(full);
  const recipients = full.recipients ?? [];
  const places = recipients.length === 0 ? [undefined] : recipients.map((_, place) => place);
  return places.flatMap((place): Hit[] => {
    const recipient = place === undefined ? undefined : transaction.recipients?.[place];
    const own = place === undefined ? [] : (finds.recipients[place] ?? []);
    const record = { finds: [...owned('recipient', own), ...owned('payment', finds.payment)], createdAt };
    const others = owned('sender', finds.sender);
    const fits = wanted.map((word) =>
      best(word, {
        ...record,
        finds: [...record.finds, ...others],
        currencies: currenciesOf(full, recipient),
      }),
    );
    if (!fits.every((one) => one !== undefined)) return [];
    return [
      {
        transaction,
        recipient,
        heardAt,
        score: fits.reduce((sum, one) => sum + one.score, 0),
        why: [...new Set(fits.map((one) => one.why))],
        isBySender: fits.some(({ owner }) => owner === 'sender'),
      },
    ];
  });
}

type Owner = 'recipient' | 'payment' | 'sender';
type OwnedFind = Find & { owner: Owner };

const owned = (owner: Owner, finds: readonly Find[]): OwnedFind[] =>
  finds.map((find) => ({ ...find, owner }));

interface Word {
  text: string;
  /** The index is asked for one of these; none where it knows no such thing. */
  parts: readonly string[];
  /**
   * The word as it was written, where it is a name too short for the index: of two signs, in a script that
   * has no capitals.
   */
  short: string | undefined;
  /** The word as decimals, in each way in which it can be read: `64,000` is 64000 to some and 64 to others. */
  amounts: readonly string[];
  /** The parts of a text that is one of these amounts. */
  exact: readonly string[];
  day: { from: number; to: number } | undefined;
  currency: string | undefined;
  /** Where names are hashed: the word, and the same without blanks and dashes. */
  hashes: readonly string[];
}

const spellingsOf = ({ parts, hashes }: Word): string[] => [...parts, ...hashes];

/** The part of an id that is enough to show that it is one. */
const ID_BEGINS = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*$/;

const wordOf =
  (zone: string, hider: Hider | undefined) =>
  (given: string): Word => {
    const text = fold(given);
    const none = {
      parts: [],
      short: undefined,
      amounts: [],
      exact: [],
      day: undefined,
      currency: undefined,
      hashes: [],
    };
    if (isDay(text))
      return {
        ...none,
        text,
        day: { from: startOfDay(text, zone), to: startOfDay(dayAfter(text, 1), zone) },
      };
    if (currencyRule(given)) return { ...none, text, currency: given };
    const amounts = readingsOf(text);
    const isNumber = /^[\d\s+.-]+$/.test(text) && amounts.length === 0;
    const plain = ID_BEGINS.test(text) ? text.slice(0, ID_INDEXED) : isNumber ? bare(text) : text;
    // The decimals may be written in another way: what is before the point is in the record in any case.
    const parts = amounts.length === 0 ? [plain] : amounts.map((amount) => amount.split('.')[0] ?? amount);
    const exact = text.length < SHORTEST ? [] : amounts.flatMap(partsOfAmount);
    const long = [...new Set(parts)].filter((part) => part.length >= SHORTEST);
    const hashes = hider === undefined ? [] : [...new Set([text, bare(text)])].map((one) => hider.hash(one));
    return {
      ...none,
      text,
      amounts,
      exact,
      parts: long.length === 0 ? exact : long,
      short: hider === undefined && CASELESS.test(given) ? given : undefined,
      hashes,
    };
  };

/** Letters of scripts without capitals: there a whole name may be one or two of them. */
const CASELESS = /\p{Lo}/u;

interface Fit {
  score: number;
  why: string;
}

interface Record {
  /** The recipient's own first: of texts that fit alike the first counts. */
  finds: readonly OwnedFind[];
  currencies: readonly unknown[];
  createdAt: number;
}

function best(word: Word, record: Record): (Fit & { owner: Owner }) | undefined {
  const { day, currency } = word;
  const { finds, currencies, createdAt } = record;
  if (day)
    return createdAt >= day.from && createdAt < day.to
      ? { score: 5, why: 'day', owner: 'payment' }
      : undefined;
  if (currency !== undefined)
    return currencies.includes(currency) ? { score: 1, why: 'currency', owner: 'payment' } : undefined;
  let found: (Fit & { owner: Owner }) | undefined;
  for (const find of finds) {
    const fit = fitOf(word, find);
    if (fit && fit.score > (found?.score ?? 0)) found = { ...fit, owner: find.owner };
  }
  return found?.owner === 'sender' ? { ...found, why: `sender's ${found.why}` } : found;
}

const currenciesOf = ({ input_currency }: Transaction, recipient: Recipient | undefined): unknown[] => [
  input_currency,
  recipient?.requested_currency,
  recipient?.output_currency,
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
      return isDecimal(text) && word.amounts.some((amount) => eq(text, amount))
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
