/**
 * Personal data (docs/rules.md 9): on a terminal names stay and accounts and phones show their last four; in CI and in what
 * is kept or logged both are masked; a pipe of the user's own gets everything.
 */
import { usage } from '../../core/problem.ts';

export type MaskLevel = 'none' | 'accounts' | 'all';

const ACCOUNTS = new Set(
  `bank_account iban phone_number identification_number identity_card_id account_number pix_key_value sort_code
   refund_address office_phone aml_officer_phone company_office_number IBAN`.split(/\s+/),
);
const NAMES = new Set(
  `first_name middle_name last_name account_name email street address_description postal_code birth_date
   contact_first_name contact_last_name contact_person_email aml_officer_email ip`.split(/\s+/),
);

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

/** A fresh signature is a bearer cheque, and a log may hold the secret itself: never shown whole, not even with --reveal. */
const CREDENTIAL = /authorization[_-](?:signature|secret)$/i;
/** Finds them at any depth of texts within texts, where each quote has backslashes before it. */
const CREDENTIAL_IN_TEXT = /((\\*)"(?:http_)?authorization[_-](?:signature|secret)\2"\s*:\s*\2")([^"\\]*)/gi;

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
  const quote = /(\\*)"/g;
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

export function maskValue(name: string, value: string, level: MaskLevel): string {
  if (CREDENTIAL.test(name)) return cut(value);
  if (BODIES.has(name)) return withoutSignatures(level === 'none' ? value : maskBody(value, level));
  if (level === 'none' || value === '') return value;
  if (URLS.has(name)) return maskUrl(value, level);
  if (CODES.has(name)) return MASK.repeat(4);
  if (ACCOUNTS.has(name)) return lastFour(value);
  return level === 'all' && NAMES.has(name) ? initial(value) : value;
}

/** With every personal member masked, at any depth; signatures are cut at every level. A copy, where anything is changed. */
export function maskData<T>(value: T, level: MaskLevel, name = ''): T {
  return level === 'none' && !holdsCredential(value, name) ? value : masked(value, level, name);
}

const SHORTEST_CREDENTIAL = 'authorization_secret'.length;

/** Looks without copying: of a long list hardly a record holds one. */
function holdsCredential(value: unknown, name: string): boolean {
  if (typeof value === 'string') return textHoldsCredential(value, name);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => holdsCredential(item, name));
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    // Most members are texts: no call for each.
    if (typeof member === 'string' ? textHoldsCredential(member, key) : holdsCredential(member, key))
      return true;
  }
  return false;
}

const textHoldsCredential = (text: string, name: string): boolean =>
  (name.length >= SHORTEST_CREDENTIAL && CREDENTIAL.test(name)) ||
  (BODIES.has(name) && /authorization[_-](?:signature|secret)/i.test(text));

function masked<T>(value: T, level: MaskLevel, name: string): T {
  if (value === null || value === undefined) return value;
  if (typeof value === 'string') return maskValue(name, value, level) as T;
  if (typeof value === 'number' && level !== 'none' && ACCOUNTS.has(name))
    return lastFour(String(value)) as T;
  if (Array.isArray(value)) return value.map((item) => masked(item, level, name)) as T;
  if (typeof value !== 'object') return value;
  const copy: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    copy[key] = masked(member, key === SHOWN_WHOLE && level === 'accounts' ? 'none' : level, key);
  }
  return copy as T;
}

/** A masked value that was copied from a screen must never be sent back. */
export function refuseMasked(name: string, value: string): string {
  if (looksMasked(value)) throw usage(`${name} is a masked value (${value}): give it in full`);
  return value;
}
