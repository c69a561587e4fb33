/**
 * A whole name in one column, divided into first and last name in the way that the user chose (decision 0095). A name that this way does not
 * divide surely is a fault of its row: a bank refuses a payment to another name, or pays it.
 */

import type { DataOf } from '../../frame/shape.ts';
import { type MaskLevel, maskData } from '../../payments/words/mask.ts';
import type { SplitName } from '../../profiles/schema.ts';
import type { RowPlace } from '../../tables/row.ts';
import type { dividedShape } from '../shapes.ts';

export const SPLIT_NAMES = ['first-last', 'last-first', 'pain'] as const satisfies readonly SplitName[];

export interface Halves {
  first: string;
  last: string;
}

/** A row whose name was divided. */
export interface Divided extends RowPlace, Halves {
  name: string;
}

export type ShownDivided = DataOf<typeof dividedShape>;

/** The names are masked where names are. */
export const shownDivided = ({ n, at, name, first, last }: Divided, mask: MaskLevel): ShownDivided => ({
  row: n,
  at,
  ...maskData({ name, first_name: first, last_name: last }, mask, 'details'),
});

/** All but the byte order mark, which is unseen: it stays, and is a fault of the name. */
export const BLANKS = /[^\S\ufeff]+/g;

/** The way of pain.001: the last word is the last name. Undefined for a single word. */
export function atLastBlank(name: string): Halves | undefined {
  const at = name.lastIndexOf(' ');
  return at < 0 ? undefined : { first: name.slice(0, at), last: name.slice(at + 1) };
}

/** Returns the halves, or the fault of a name that cannot be divided, in words. */
export function splitName(given: string, way: SplitName): Halves | string {
  const name = given.replace(COMMA, '$& ').replace(BLANKS, ' ').replaceAll(' ,', ',').trim();
  const words = name.split(' ');
  if (words.length < 2) return 'is one word: nobody can say whether it is the first or the last name';
  if (words.some((word) => !LETTER.test(word) || DIGIT.test(word)))
    return 'has a word that is no name, so it is not divided';
  const hasComma = name.search(COMMA) >= 0;
  if (hasComma && way !== 'last-first') return 'has a comma, so its last name is first';
  if (way === 'pain') return atLastBlank(name) ?? '';
  const isAdded = (word: string): boolean => TITLE.test(word) || (!hasComma && PARTICLE.test(word));
  if (words.some((word) => isAdded(word.replace(COMMA, ''))))
    return 'has a title or a particle in it, so it is not divided';
  if (hasComma) return atComma(name);
  const [one = '', two = ''] = words;
  if (words.length > 2) return `has ${words.length} words: nobody can say where the last name begins`;
  return way === 'first-last' ? { first: one, last: two } : { first: two, last: one };
}

/** `Obi, Ada Grace` says itself where the last name ends. */
function atComma(name: string): Halves | string {
  const parts = name.split(COMMA).map((part) => part.trim());
  const [last = '', first = ''] = parts;
  return parts.length === 2 ? { first, last } : 'has more than one comma';
}

const COMMA = /[,;，、]/gu;
const LETTER = /\p{L}/u;
const DIGIT = /\p{N}/u;
const TITLE =
  /^(?:mr|mrs|ms|miss|mx|dr|prof|sir|lady|herr|frau|mm?|mme|mlle|sra?|srta|sig|dott|ing|eng|chief|alhaj|alhaji|hajia|hadj|rev|pastor|jr|sr|i{2,3}|iv)\.?$/i;
/** In small letters they belong to the word behind them. */
const PARTICLE =
  /^(?:van|von|vom|zu|zur|de|del|della|di|da|das|do|dos|du|des|der|den|het|ter|ten|la|le|el|al|bin|bint|ibn|ben|abu|y|e|ou|and|und|et|or|af|av)$/;
