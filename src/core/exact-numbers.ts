/**
 * Numbers of metadata that leave as they are written: a float would change `839299365868340225`, and write `12.60` as 12.6. Between
 * reading and writing such a number is a text with a mark in front, so that it also lasts in the journal, and in what is compared.
 */

/** Unicode keeps this one from every text. */
const MARK = '\ufdd0';
const NUMBER = String.raw`-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?`;
const TOKENS = new RegExp(String.raw`"(?:[^"\\]|\\.)*"|${NUMBER}`, 'g');
const INEXACT = /[:[,]\s*-?(?:(?:\d\.?){16}|\d+\.\d*0\s*[,}\]]|\d+(?:\.\d+)?[eE])/;
const MARKED = new RegExp(`"${MARK}(${NUMBER})"(?!\\s*:)`, 'g');
const WHOLE = new RegExp(`^${MARK}(${NUMBER})$`);
/** A larger text holds documents. */
const MOST_CHARACTERS = 1_048_576;

/** A number where a float is written as these digits, else the digits with their mark. */
export const exactNumber = (digits: string): number | string =>
  String(Number(digits)) === digits ? Number(digits) : MARK + digits;

/** The digits of a number that was kept exactly; undefined for anything else. */
export const exactDigits = (value: unknown): string | undefined =>
  typeof value === 'string' && value.startsWith(MARK) ? WHOLE.exec(value)?.[1] : undefined;

/** Reads JSON whose metadata keep their digits. @throws SyntaxError */
export function readExactly(json: string, { isMetadata = false } = {}): unknown {
  const value: unknown = JSON.parse(json);
  const mayHold = (isMetadata || json.includes('"metadata"')) && INEXACT.test(json);
  if (!mayHold || json.length > MOST_CHARACTERS) return value;
  const marked = json.replace(TOKENS, (token) =>
    token.startsWith('"') ? token : JSON.stringify(exactNumber(token)),
  );
  return inMetadata(JSON.parse(marked), isMetadata);
}

/** Elsewhere a number is the float that JSON.parse makes of it. */
function inMetadata(value: unknown, isKept: boolean): unknown {
  const digits = exactDigits(value);
  if (digits !== undefined) return isKept ? value : Number(digits);
  if (Array.isArray(value)) return value.map((one) => inMetadata(one, isKept));
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value);
  return Object.fromEntries(
    members.map(([name, one]) => [name, inMetadata(one, isKept || name === 'metadata')]),
  );
}

/** A JSON number that keeps the digits it was given: no float ever was made of it. */
export class Digits {
  constructor(readonly text: string) {}
}

/** JSON in which each number has its own digits again. */
export const writtenExactly = (json: string): string =>
  json.includes(MARK) ? json.replace(MARKED, '$1') : json;
