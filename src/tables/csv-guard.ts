/**
 * A text in a CSV must stay a text when a spreadsheet opens it (decision 0022): one that would run as a formula, and with
 * --spreadsheet one that would lose its digits, gets a `'` in front. Some readers split a cell at semicolons, tabs or line
 * breaks, quotes or not: what comes behind one is guarded like a cell of its own. `unguard` takes it off again; for every text
 * it undoes what `guard` did.
 */

/** Invisible characters before a formula do not keep it from being one; nor does a quote, which readers drop. */
const UNSEEN = String.raw`["\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]`;
/** The characters that a spreadsheet takes for the beginning of a formula, in full width too. */
const FORMULA = String.raw`${UNSEEN}*[=+\-@＝＋－＠]`;
/** Texts that it would change: leading zeros go, the sixteenth digit becomes 0, `1e5` a power, `3-4` a day. */
const NUMBER = String.raw`0\d|\d{16,}$|\d+(?:\.\d+)?[eE][+\-]?\d+$|\d{1,4}[\-/.]\d{1,2}(?:[\-/.]\d{1,4})?$`;

const runs = new RegExp(`^(?:${FORMULA})`, 'u');
const breaks = /^[\t\r\n]/;
const loses = new RegExp(`^(?:${NUMBER})`, 'u');
/** Pieces that look guarded, so that taking a `'` off would be wrong unless one was put on. */
const wholeLooksGuarded = new RegExp(String.raw`^'+(?:[\t\r\n]|${NUMBER})`, 'u');
const looksGuarded = new RegExp(`^'+(?:${FORMULA})`, 'u');

/** Each piece has the separator that ends it. */
const PIECES = /[^;\t\r\n]*[;\t\r\n]|[^;\t\r\n]+$/g;

export function guard(text: string, spreadsheet = false): string {
  const needs = (piece: string, isFirst: boolean): boolean => {
    if (runs.test(piece) || looksGuarded.test(piece)) return true;
    if (!isFirst) return false;
    return breaks.test(text) || wholeLooksGuarded.test(text) || (spreadsheet && loses.test(text));
  };
  return eachPiece(text, (piece, isFirst) => (needs(piece, isFirst) ? `'${piece}` : piece));
}

export function unguard(text: string): string {
  return eachPiece(text, (piece, isFirst) => {
    const isGuarded = looksGuarded.test(piece) || (isFirst && wholeLooksGuarded.test(text));
    return isGuarded ? piece.slice(1) : piece;
  });
}

function eachPiece(text: string, change: (piece: string, isFirst: boolean) => string): string {
  return text.replace(PIECES, (piece, at: number) => change(piece, at === 0));
}
