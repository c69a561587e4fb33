/**
 * A spreadsheet spoils a text that looks like a number or a day, and a text can have characters that are
 * unseen. Such a text is refused: its original is unknown.
 */

export interface Spoilt {
  code: string;
  words: string;
  right?: string;
}

/** A text in which this finds nothing has none of the faults that follow. */
const SUSPICIOUS =
  /^\s*[#TF]|[eE][+-]?\d|-|\/|\.\d|[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb•*]/u;

const ERROR = /^\s*#(?:REF!|N\/A|NAME\?|VALUE!|DIV\/0!|NUM!|NULL!|SPILL!|CALC!|#+|####)\s*$/i;
const TRUTH = /^(?:TRUE|FALSE)$/;
const POWER = /^\s*[+-]?\d+(?:[.,]\d+)?[eE][+-]?\d+\s*$/;
/** A power as spreadsheets write it, and hardly anybody else. */
const WRITTEN_POWER = /^\s*[+-]?\d(?:[.,]\d+)?E[+-]\d{2,}\s*$/;
const MONTH = '(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}';
const MONTH_DAY = new RegExp(
  `^\\s*(?:\\d{1,2}[-/ .]${MONTH}(?:[-/ .]\\d{2,4})?|${MONTH}[-/ .]\\d{1,4})\\s*$`,
  'i',
);
const DATE = /^\s*(?:\d{4}-\d{2}-\d{2}(?:[T ].*)?|\d{1,2}[./-]\d{1,2}[./-]\d{2,4})\s*$/;
const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/**
 * Characters of no width, or that turn the direction of the text beside them: two names that look alike are
 * not the same, or read another way.
 */
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/u;
const MASKED = /•|\*{3,}/;

const AS_TEXT = 'make the column text in the spreadsheet, and put the value in again';

export type CellKind =
  /** An account, a code, a number: what has digits that must not be lost. */
  | 'exact'
  /** A key or an id of one's own: `nov-2026` and `1E5` may be meant. */
  | 'id'
  /** A name of a person or a business. */
  | 'name'
  /** A note, a street: almost anything may stand there. */
  | 'free';

/** `U+200B`. */
const codeOf = (character: string): string =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Null where nothing is wrong. */
export function spoilt(text: string, kind: CellKind): Spoilt | null {
  if (!SUSPICIOUS.test(text)) return null;
  if (ERROR.test(text))
    return { code: 'spreadsheet', words: 'is an error of the spreadsheet', right: 'correct the formula' };
  if (CONTROL.test(text))
    return {
      code: 'control_character',
      words: 'has a line break or another control character in it',
      right: 'is a quote missing?',
    };
  if (MASKED.test(text)) return { code: 'masked', words: 'is masked', right: 'write it whole' };
  if (kind === 'free') return null;
  const [unseen] = UNSEEN.exec(text) ?? [];
  if (unseen !== undefined)
    return {
      code: 'unseen_character',
      words: `has a character in it that nobody sees (${codeOf(unseen)})`,
      right: 'delete it, or write the value again',
    };
  if (TRUTH.test(text)) return { code: 'spreadsheet', words: 'is true or false, not a text', right: AS_TEXT };
  if ((kind === 'exact' && POWER.test(text)) || (kind === 'id' && WRITTEN_POWER.test(text)))
    return {
      code: 'spreadsheet',
      words: 'was written as a power of ten, and its digits are lost',
      right: AS_TEXT,
    };
  if (kind === 'id') return null;
  if (MONTH_DAY.test(text) || (kind === 'name' && DATE.test(text)))
    return { code: 'spreadsheet', words: 'is a date', right: AS_TEXT };
  return null;
}

const NAME = /^(?:sender\.)?(?:contact_)?(?:first_name|middle_name|last_name|name)$/;
const FREE =
  /^metadata\.|^(?:sender\.)?(?:narration|street|city|address|address_description|reference|email|bank_name|reason|occupation|declaration)$|_date$/;

const ID = /^(?:key|external_id|sender|sender\.external_id)$/;

export const kindOfCell = (column: string): CellKind =>
  ID.test(column) ? 'id' : NAME.test(column) ? 'name' : FREE.test(column) ? 'free' : 'exact';
