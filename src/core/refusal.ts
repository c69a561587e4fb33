import { byWord } from './by-word.ts';

/** The meaning of the service's short words for a refused member. */
const WORDS: Readonly<Record<string, string>> = byWord({
  blank: 'is missing',
  invalid: 'is not valid',
  taken: 'is taken already',
  insufficient_balance: 'is more than the balance holds',
});

/** Undefined for any other: it may be a whole sentence of the service. */
export const refusalWords = (word: string): string | undefined => WORDS[word];
