/**
 * Reads an answer's JSON without losing a digit of an amount (docs/rules.md 3, decision 0018): numbers of up to 15 significant
 * digits are exact as they are; a text that holds a longer one, or an exponent, is read again by a reader that keeps the digits.
 */
const TOO_LONG = /[:[,]\s*-?(?:\d\.?){16}/;
/** An exponent counts only where the number ends behind it: ids are full of `3e`. */
const EXPONENT = /[:[,]\s*-?\d+(?:\.\d+)?[eE][+-]?\d+\s*[,}\]]/;

/** True where JSON.parse would not keep a number as it is written. */
export const hasRiskyNumber = (text: string): boolean => TOO_LONG.test(text) || EXPONENT.test(text);

/**
 * True where a number has more digits than a float holds. An exponent alone loses nothing: `1e5` is 100000 either
 * way, and an amount is written out from both.
 */
export const hasTooLongNumber = (text: string): boolean => TOO_LONG.test(text);

/** @throws SyntaxError when the text is not JSON */
export async function readJson(text: string): Promise<unknown> {
  if (!hasRiskyNumber(text)) return JSON.parse(text);
  const { parse } = await import('lossless-json');
  return parse(text, undefined, keepDigits);
}

/** A number where a float holds it exactly as written, else its digits as a text. */
function keepDigits(digits: string): number | string {
  const value = Number(digits);
  return String(value) === digits ? value : digits;
}
