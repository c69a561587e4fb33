/**
 * Personal data (docs/rules.md 9): names stay, accounts and phones show their last four, on a terminal, in pipes and in files
 * alike; in CI and in what is kept or logged names are masked too. Only --reveal shows all.
 */
import { type Personal, personalOf } from '../../contract/personal.ts';
import { usage } from '../../core/problem.ts';

export type MaskLevel = 'none' | 'accounts' | 'all';

/** Our own records have these as well, for no person: they are a person's within what is named here. */
const SHARED = new Set(['name', 'address', 'Address', 'fingerprint']);
const PARTIES = new Set(['sender', 'recipient', 'out_details', 'politically_exposed_people']);
/** A detail that the contract does not have, of a payout type that the service has since: it may be an account. */
const DETAILS = new Set(['details', 'in_details']);

/** A one-time code is as good as a signature of its owner. */
const CODES = new Set(['otp']);
/** Where a customer is to pay: the service's own accounts, useless without their last digit. */
const SHOWN_WHOLE = 'out_details';

export const MASK = '•';

/** `0123456789` becomes `••••6789`; a short one shows nothing. */
export function lastFour(text: string): string {
  const end = text.slice(-4);
  // Half an escape of a log's text would break the text.
  return text.length <= 5 || end.includes('\\') ? MASK.repeat(4) : `${MASK.repeat(4)}${end}`;
}

export function initial(text: string): string {
  return text === '' ? '' : `${text.startsWith('\\') ? '' : [...text][0]}${MASK.repeat(3)}`;
}

export function looksMasked(text: string): boolean {
  return text.includes(MASK) || /\*{3,}/.test(text);
}

/**
 * A fresh signature is a bearer cheque, a log may hold the secret itself, and the address of a report opens it to anybody: never
 * shown whole, not even with --reveal.
 */
const CREDENTIAL = /authorization[_-](?:signature|secret)$|^authenticated_url$/i;
/** Finds them at any depth of texts within texts, where each quote has backslashes before it. */
const CREDENTIAL_IN_TEXT =
  /("(?:(?:http_)?authorization[_-](?:signature|secret)|authenticated_url)(\\*)"\s*:\s*\2")([^"\\]*)/gi;

export const withoutSignatures = (text: string): string =>
  text.replace(CREDENTIAL_IN_TEXT, (_, head: string, __, value: string) => `${head}${cut(value)}`);

const cut = (value: string): string => (value.length > 16 ? `${value.slice(0, 8)}…` : '…');

/** Logs keep whole bodies as one text: their members are personal data like any other. */
const BODIES = new Set(['request_body', 'response_body', 'body']);
/** A query may look for a person. */
const URLS = new Set(['request_url']);

/** A member's name and the beginning of its value. A body may hold a body as text, and so on: each depth escapes its quotes. */
const MEMBER = /(?<!\\)(\\*)"(\w+)\1"(\s*:\s*)(?:(\1)"|(\d+))/g;

function maskBody(text: string, level: MaskLevel): string {
  const parts: string[] = [];
  let kept = 0;
  const member = new RegExp(MEMBER);
  for (let found = member.exec(text); found !== null; found = member.exec(text)) {
    const [head, escapes = '', name = '', colon = '', opened, digits] = found;
    // A body within the body is gone through from where it begins; all else is masked as what its name says.
    if (BODIES.has(name)) continue;
    const end = opened === undefined ? member.lastIndex : endOfText(text, member.lastIndex, escapes.length);
    const given = digits ?? text.slice(member.lastIndex, end);
    const masked = maskValue(name, given, level);
    if (masked === given) continue;
    const quote = `${escapes}"`;
    parts.push(text.slice(kept, found.index), `${quote}${name}${quote}${colon}${quote}${masked}`);
    if (digits !== undefined) parts.push(quote);
    kept = end;
    member.lastIndex = Math.max(end, found.index + head.length);
  }
  return parts.length === 0 ? text : parts.join('') + text.slice(kept);
}

/**
 * Where a text ends whose quotes have `escapes` backslashes before them (0, 1, 3, 7… by depth). A quote within the text has
 * twice as many and one more, behind whole backslashes of the text; any other ends this text, or one around it.
 */
function endOfText(text: string, from: number, escapes: number): number {
  const quote = /(?<!\\)(\\*)"/g;
  quote.lastIndex = from;
  for (let found = quote.exec(text); found !== null; found = quote.exec(text)) {
    const run = (found[1] ?? '').length;
    if ((run + 1) % (2 * (escapes + 1)) === 0) continue;
    return found.index + Math.max(0, run - escapes);
  }
  return text.length;
}

/** The values of a query by their names; the path as it is. */
export function maskUrl(url: string, level: MaskLevel): string {
  const at = url.indexOf('?');
  if (at < 0) return url;
  const pairs = url.slice(at + 1).split('&');
  const masked = pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=');
    return `${name}=${maskValue(decoded(name), decoded(value.join('=')), level)}`;
  });
  return `${url.slice(0, at)}?${masked.join('&')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

type Kind = 'credential' | 'body' | 'url' | 'code' | 'account' | 'name' | 'plain';

/** The names of a service's members are few, those of metadata are anybody's: no more than these are kept. */
const MOST_NAMES = 2_000;
const kinds = new Map<string, Kind>();

/** Asked once for each member of each record, so the answer for a name is kept. */
function kindOf(name: string): Kind {
  const known = kinds.get(name);
  if (known !== undefined) return known;
  if (kinds.size >= MOST_NAMES) kinds.clear();
  const kind = judged(name);
  kinds.set(name, kind);
  return kind;
}

function judged(name: string): Kind {
  if (CREDENTIAL.test(name)) return 'credential';
  if (BODIES.has(name)) return 'body';
  if (URLS.has(name)) return 'url';
  if (CODES.has(name)) return 'code';
  return SHOWN_AS[personalOf(name) ?? 'none'];
}

const SHOWN_AS = {
  account: 'account',
  number: 'account',
  name: 'name',
  contact: 'name',
  none: 'plain',
} as const satisfies Record<Personal, Kind>;

/** A member of a person or an account, or of a whole body of the service. */
export function maskValue(name: string, value: string, level: MaskLevel): string {
  return maskedAs(kindOf(name), value, level);
}

function maskedAs(kind: Kind, value: string, level: MaskLevel): string {
  if (kind === 'plain') return value;
  if (kind === 'credential') return cut(value);
  if (kind === 'body') return withoutSignatures(level === 'none' ? value : maskBody(value, level));
  if (level === 'none' || value === '') return value;
  if (kind === 'url') return maskUrl(value, level);
  if (kind === 'code') return MASK.repeat(4);
  if (kind === 'account') return lastFour(value);
  return level === 'all' ? initial(value) : value;
}

type Around = 'details' | 'party' | 'other';

function aroundOf(name: string, { type }: Record<string, unknown>): Around {
  if (DETAILS.has(name)) return 'details';
  return PARTIES.has(name) || type === 'person' || type === 'business' ? 'party' : 'other';
}

function kindWithin(name: string, around: Around): Kind {
  if (around === 'other') return SHARED.has(name) ? 'plain' : kindOf(name);
  const isUnknown = around === 'details' && personalOf(name) === undefined;
  return isUnknown && kindOf(name) === 'plain' ? 'account' : kindOf(name);
}

/**
 * With every personal member masked, at any depth; signatures are cut at every level. Nothing is copied but what is changed:
 * what comes back is the value itself where nothing had to be masked.
 * @param name of the member whose value it is, which says what its own members mean
 */
export function maskData<T>(value: T, level: MaskLevel, name = '', around: Around = 'other'): T {
  if (typeof value === 'string') return maskedAs(kindWithin(name, around), value, level) as T;
  if (typeof value === 'number')
    return level !== 'none' && kindWithin(name, around) === 'account'
      ? (lastFour(String(value)) as T)
      : value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return maskList(value, level, name, around) as T;
  const members = value as Record<string, unknown>;
  const inside = aroundOf(name, members);
  let copy: Record<string, unknown> | undefined;
  for (const key in members) {
    const member = members[key];
    const isWhole = key === SHOWN_WHOLE && level === 'accounts';
    const masked = maskData(member, isWhole ? 'none' : level, key, inside);
    if (masked === member) continue;
    copy ??= { ...members };
    copy[key] = masked;
  }
  return (copy ?? value) as T;
}

function maskList(
  items: readonly unknown[],
  level: MaskLevel,
  name: string,
  around: Around,
): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (const [index, item] of items.entries()) {
    const masked = maskData(item, level, name, around);
    if (masked === item) continue;
    copy ??= [...items];
    copy[index] = masked;
  }
  return copy ?? items;
}

/** A masked value that was copied from a screen must never be sent back. */
export function refuseMasked(name: string, value: string): string {
  if (looksMasked(value)) throw usage(`${name} is a masked value (${value}): give it in full`);
  return value;
}
