/** A command line without a shell: words, quotes and backslashes are understood, and nothing is expanded. */

/** Null where a quote is left open. */
export function splitWords(text: string): string[] | null {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let i = 0; i < text.length; i++) {
    const letter = text[i] as string;
    if (letter === '\\' && quote !== "'") {
      i += 1;
      if (i >= text.length) return null;
      word = (word ?? '') + text[i];
    } else if (quote !== '') {
      if (letter === quote) quote = '';
      else word = (word ?? '') + letter;
    } else if (letter === '"' || letter === "'") {
      quote = letter;
      word ??= '';
    } else if (/\s/.test(letter)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + letter;
  }
  if (quote !== '') return null;
  return word === undefined ? words : [...words, word];
}
