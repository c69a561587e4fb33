/**
 * A text in a CSV must stay a text when a spreadsheet opens it: one that would run as a formula, and with --spreadsheet one
 * that would lose its digits, gets a `'` in front. `unguard` takes it off again; for every text it undoes what `guard` did.
 */

/** What a spreadsheet takes for the beginning of a formula, in full width too; white space before it does not help. */
const FORMULA = String.raw`\s*[=+\-@＝＋－＠]|[\t\r\n]`;
/** What it would write otherwise: leading zeros go, the sixteenth digit becomes 0, `1e5` a power, `3-4` a day. */
const NUMBER = String.raw`0\d|\d{16,}$|\d+(?:\.\d+)?[eE][+-]?\d+$|\d{1,4}[-/.]\d{1,2}(?:[-/.]\d{1,4})?$`;

const runs = new RegExp(`^(?:${FORMULA})`);
const loses = new RegExp(`^(?:${NUMBER})`);
/** A text that looks guarded, so that taking a `'` off would be wrong unless one was put on. */
const looksGuarded = new RegExp(`^'+(?:${FORMULA}|${NUMBER})`);

export function guard(text: string, spreadsheet = false): string {
  return runs.test(text) || looksGuarded.test(text) || (spreadsheet && loses.test(text)) ? `'${text}` : text;
}

export function unguard(text: string): string {
  return looksGuarded.test(text) ? text.slice(1) : text;
}
