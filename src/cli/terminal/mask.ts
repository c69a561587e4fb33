/**
 * Personal data (PRODUCT rule 9): on a terminal names stay and accounts and phones show their last four; in CI and in what
 * is kept or logged both are masked; a pipe of the user's own gets everything.
 */
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
  return text.length <= 5 ? MASK.repeat(4) : `${MASK.repeat(4)}${text.slice(-4)}`;
}

export function initial(text: string): string {
  return text === '' ? '' : `${[...text][0]}${MASK.repeat(3)}`;
}

export function looksMasked(text: string): boolean {
  return text.includes(MASK) || /\*{3,}/.test(text);
}

/** A fresh signature is a bearer cheque, and a log may hold the secret itself: never shown whole, not even with --reveal. */
const CREDENTIAL = /authorization[_-](?:signature|secret)$/i;
const CREDENTIAL_IN_TEXT = /("(?:http_)?authorization[_-](?:signature|secret)"\s*:\s*")([^"]*)"/gi;

export const withoutSignatures = (text: string): string =>
  text.replace(CREDENTIAL_IN_TEXT, (_, head: string, value: string) => `${head}${cut(value)}"`);

const cut = (value: string): string => (value.length > 16 ? `${value.slice(0, 8)}…` : '…');

/** Logs keep whole bodies as one text: their members are personal data like any other. */
const BODIES = new Set(['request_body', 'response_body', 'body']);
const MEMBER = /"(\w+)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|(\d+))/g;

const maskBody = (text: string, level: MaskLevel): string =>
  text.replace(MEMBER, (whole, name: string, colon: string, value?: string, digits?: string) => {
    const given = value ?? digits ?? '';
    const masked = maskValue(name, given, level);
    return masked === given ? whole : `"${name}"${colon}"${masked}"`;
  });

export function maskValue(name: string, value: string, level: MaskLevel): string {
  if (CREDENTIAL.test(name)) return cut(value);
  if (level === 'none' || value === '') return value;
  if (BODIES.has(name)) return maskBody(value, level);
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
  if (typeof value === 'string') return isCredential(name);
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some((item) => holdsCredential(item, name));
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    // Most members are texts: no call for each.
    if (typeof member === 'string' ? isCredential(key) : holdsCredential(member, key)) return true;
  }
  return false;
}

const isCredential = (name: string): boolean => name.length >= SHORTEST_CREDENTIAL && CREDENTIAL.test(name);

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
