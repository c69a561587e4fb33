/**
 * Tells who an account of the service is (docs/rules.md 14): its base URL and its whole key, known by a hash, with the keys that took the place of
 * that key. A profile is a name for it, and four characters of a key are for people to read.
 */
import { isLoopback } from './hosts.ts';

/** A key as it is written down: nothing of it can be used. */
export interface Key {
  keyLast4: string;
  /** 128 bits of a hash of the whole key. */
  keyPrint: string;
}

/** An earlier version kept no print. */
export interface KnownKey extends Pick<Key, 'keyLast4'> {
  keyPrint?: string | undefined;
}

export interface AccountKey extends KnownKey {
  baseUrl: string;
}

/** One key took the place of another of the same account. */
export interface KeyJoin {
  baseUrl: string;
  before: Key;
  key: Key;
  /** The later key read a record that the earlier one had made. Else a user says that it is the same account. */
  isProven: boolean;
  at: number;
}

/** `unproven`: a user says that these keys are of one account, and no record shows it. */
export type Kinship = 'same' | 'unproven' | 'other';

export const keyLast4 = (key: string): string => (key.length > 4 ? key.slice(-4) : '••••');

/** The last that was read: a program has one for all its payments. */
let lastRead = { baseUrl: '', canonical: '' };

/** Every name of this machine is one; which port and path it is served at tells two sandboxes apart. */
export function canonicalBaseUrl(baseUrl: string): string {
  if (baseUrl === lastRead.baseUrl) return lastRead.canonical;
  const url = new URL(baseUrl);
  if (isLoopback(url.hostname)) url.hostname = '127.0.0.1';
  lastRead = { baseUrl, canonical: `${url.origin}${url.pathname.replace(/(?<!\/)\/+$/, '')}` };
  return lastRead.canonical;
}

export const isSameUrl = (a: Pick<AccountKey, 'baseUrl'>, b: Pick<AccountKey, 'baseUrl'>): boolean =>
  canonicalBaseUrl(a.baseUrl) === canonicalBaseUrl(b.baseUrl);

/** Where one of two keys was kept without a print, its last four characters are all that can be compared. */
const isSameKey = (a: KnownKey, b: KnownKey): boolean =>
  a.keyPrint === undefined || b.keyPrint === undefined
    ? a.keyLast4 === b.keyLast4
    : a.keyPrint === b.keyPrint;

/** Tells whether two are one account, as far as these joins say. */
export function accountRelation(a: AccountKey, b: AccountKey, joins: readonly KeyJoin[]): Kinship {
  if (!isSameUrl(a, b)) return 'other';
  if (isSameKey(a, b)) return 'same';
  const here = joins.filter((join) => isSameUrl(a, join));
  const proven = here.filter(({ isProven }) => isProven);
  if (isReached(a, b, proven)) return 'same';
  return isReached(a, b, here) ? 'unproven' : 'other';
}

const isReached = (from: KnownKey, to: KnownKey, joins: readonly KeyJoin[]): boolean =>
  joinsAround(from, joins).some(({ key, before }) => isSameKey(key, to) || isSameKey(before, to));

/** Every join that leads to this key, over however many others, in the order in which they were given. */
function joinsAround(from: KnownKey, joins: readonly KeyJoin[]): KeyJoin[] {
  const reached: KnownKey[] = [from];
  const isTouched = ({ key, before }: KeyJoin): boolean =>
    reached.some((one) => isSameKey(one, key) || isSameKey(one, before));
  for (let size = 0; size < reached.length; ) {
    size = reached.length;
    for (const { key, before } of joins.filter(isTouched))
      for (const end of [key, before]) if (!reached.some((one) => isSameKey(one, end))) reached.push(end);
  }
  return joins.filter(isTouched);
}

/** The key by which an account is known for ever: the first of those that are joined. `joins` are in the order in which they were written. */
export function firstKeyOf(account: AccountKey & Key, joins: readonly KeyJoin[]): Key {
  const { keyLast4: last4, keyPrint: print } = account;
  const here = joins.filter((join) => isSameUrl(account, join));
  return joinsAround(account, here)[0]?.before ?? { keyLast4: last4, keyPrint: print };
}
