/**
 * A sentence that a log keeps, without what looks like an account, a phone, an address of mail or a credential. No pattern finds a name in a
 * sentence: the writer leaves names out. Ids, times, amounts and addresses of stores stay as they are.
 */
import { initial, lastFour, withoutSignatures } from './mask.ts';

/** A word, and an id as the service makes them: most of what is shown. */
const PLAIN = /^(?:[a-z_.]*|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/;
/** Seven digits or more, with or without spaces, hyphens and a plus; no part of a word, an id, a date or an amount. */
const NUMBER = /(?<![\w.-])(?!\d{4}-\d\d-\d\d)\+?\(?\d(?:[ ()-]{0,2}\d){6,}(?![\w-]|\.\d)/g;
const IBAN = /(?<![\w-])[A-Z]{2}\d{2}(?: ?[A-Z\d]{4}){2,7}(?: ?[A-Z\d]{1,3})?(?![\w-])/g;
const MAIL = /(?<![/:\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g;
/** The password of an address, and what a query may hold of a person or a key. */
const PASSWORD = /(:\/\/[^/\s:@]*):[^/\s@]*@/g;
const QUERY = /(:\/\/[^\s?]{0,500})\?[^\s)"',]*/g;
const HEADER = /(authorization[_-](?:signature|secret|nonce)["']?\s*[:=]\s*["']?)[^\s"',]+/gi;

export function maskText(text: string): string {
  if (PLAIN.test(text)) return text;
  return withoutSignatures(text)
    .replace(HEADER, '$1…')
    .replace(PASSWORD, '$1:…@')
    .replace(QUERY, '$1?…')
    .replace(IBAN, lastFour)
    .replace(MAIL, initial)
    .replace(NUMBER, lastFour);
}
