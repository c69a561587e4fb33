/**
 * Decides which text of a log may stand in the report. The report goes to other people, so a text is shown only where it looks
 * like a word of the wire and no personal member of the same body has it; any other is shown as its form.
 */
import { personalOf } from '../../contract/personal.ts';

/** Texts of one body that may be personal, in lower case. */
export type Personal = ReadonlySet<string>;

const LOOKS = {
  /** A state, an event, a word of a refusal, a category, a code. */
  word: /^(?:[a-z][a-z]*(?:[_.][a-z]+)*|\d{1,3})$/,
  /** A payout type, or a payin type: `XOF::Mobile`. */
  type: /^[A-Z]{3}(?:::[A-Z][A-Za-z]*)?$/,
  /** A member's name, or a path of names. */
  name: /^[a-z][A-Za-z]*(?:[_.][A-Za-z]+|[_.]?\d{1,2}(?!\d))*$/,
} as const;

const LONGEST = 60;

export function shownAs(look: keyof typeof LOOKS, value: unknown, personal: Personal): string {
  if (typeof value === 'number' && look === 'word' && /^\d{1,3}$/.test(String(value))) return String(value);
  if (typeof value !== 'string') return formOf(value);
  const fits = value.length <= LONGEST && LOOKS[look].test(value) && !personal.has(value.toLowerCase());
  return fits ? value : formOf(value);
}

/** `text(12)`, `number`, `list`: nothing of the value itself. */
export function formOf(value: unknown): string {
  if (typeof value === 'string') return `text(${value.length})`;
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'list';
  return { number: 'number', boolean: 'yes or no' }[typeof value as string] ?? 'record';
}

/** A partner keeps in these what it likes. */
const ANYTHING = new Set(['metadata']);

/** Collects what stands in personal members, at any depth; the words of a name singly too. */
export function personalIn(body: unknown): Personal {
  const found = new Set<string>();
  const note = (value: unknown): void => {
    if (typeof value === 'string')
      for (const text of [value, ...value.split(/[^\p{L}\p{N}]+/u)]) if (text) found.add(text.toLowerCase());
  };
  const look = (value: unknown, isPersonal: boolean): void => {
    if (typeof value !== 'object' || value === null) {
      if (isPersonal) note(value);
      return;
    }
    if (Array.isArray(value)) for (const item of value) look(item, isPersonal);
    else
      for (const [name, item] of Object.entries(value))
        look(item, isPersonal || ANYTHING.has(name) || (personalOf(name) ?? 'none') !== 'none');
  };
  look(body, false);
  return found;
}
