/**
 * Reads an answer's JSON without losing a digit of an amount (PRODUCT rule 3): numbers of up to 15 significant digits are
 * exact as they are; a text that holds a longer one, or an exponent, is read again by a reader that keeps the digits.
 */
const RISKY_NUMBER = /[:[,]\s*-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE])/;

/** As it stands in a valid text: ids are full of `3e`, but a number ends behind its exponent. */
const TOO_LONG = /[:[,]\s*-?(?:\d\.?){16}/;
const EXPONENT = /\d[eE][+-]?\d+\s*[,}\]]/;
const LONG = 16;

/** Two cheap looks come first: most texts have neither so many digits in a row nor an exponent. */
export function hasRiskyNumber(text: string): boolean {
  return (hasLongRun(text) || EXPONENT.test(text)) && RISKY_NUMBER.test(text);
}

/**
 * Whether a number has more digits than a float holds. An exponent alone loses nothing: `1e5` is 100000 either way, and an
 * amount is written out from both.
 */
export const hasTooLongNumber = (text: string): boolean => hasLongRun(text) && TOO_LONG.test(text);

/** Whether digits and points stand in a row as long as the shortest risky number: such a row covers every 16th place. */
function hasLongRun(text: string): boolean {
  for (let i = LONG - 1; i < text.length; i += LONG) {
    if (!isDigitOrPoint(text.charCodeAt(i))) continue;
    let from = i;
    let to = i;
    while (isDigitOrPoint(text.charCodeAt(from - 1))) from -= 1;
    while (isDigitOrPoint(text.charCodeAt(to + 1))) to += 1;
    if (to - from + 1 >= LONG) return true;
  }
  return false;
}

const isDigitOrPoint = (code: number): boolean => (code >= 0x30 && code <= 0x39) || code === 0x2e;

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
