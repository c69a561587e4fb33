/**
 * Reads an answer's JSON without losing a digit of an amount (PRODUCT rule 3): numbers of up to 15 significant digits are
 * exact as they are; a text that holds a longer one, or an exponent, is read again by a reader that keeps the digits.
 */
const RISKY_NUMBER = /[:[,]\s*-?(?:(?:\d\.?){16}|\d+(?:\.\d+)?[eE])/;

export function hasRiskyNumber(text: string): boolean {
  return RISKY_NUMBER.test(text);
}

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
