/**
 * Scenarios as tables that anyone can read: one step a line, `#` begins a comment. A name such as `a` is a transaction,
 * `a/2` its second recipient (`a` alone means the first). `name=value` gives or expects a value; a line that ends in
 * `-> 422 field=word` expects that refusal. A value with blanks stands in double quotes.
 */
export interface ScenarioStep {
  /** Counts from , as an editor counts. */
  line: number;
  text: string;
  verb: string;
  names: string[];
  values: Record<string, string>;
  /** The refusal that is expected in place of success: a status, and words in fields. */
  refusal: { status: string; words: [field: string, word: string][] } | null;
}

export function parseScenario(text: string): ScenarioStep[] {
  return text.split('\n').flatMap((raw, index) => {
    const line = raw.replace(/(^|\s)#.*/, '').trim();
    return line === '' ? [] : [parseLine(line, index + 1)];
  });
}

function parseLine(text: string, line: number): ScenarioStep {
  const [what = '', refusal] = text.split(/\s->\s|\s->$/);
  const [verb = '', ...words] = wordsOf(what);
  const pairs = words.filter(isPair).map(pairOf);
  return {
    line,
    text,
    verb,
    names: words.filter((word) => !isPair(word)),
    values: Object.fromEntries(pairs),
    refusal: refusal === undefined ? null : refusalOf(refusal),
  };
}

/** A path may have an equals sign in its query. */
function isPair(word: string): boolean {
  return word.includes('=') && !word.startsWith('/');
}

function refusalOf(text: string): NonNullable<ScenarioStep['refusal']> {
  const [status = '', ...words] = wordsOf(text);
  return { status, words: words.map(pairOf) };
}

/** Blanks part words, but not inside double quotes. */
function wordsOf(text: string): string[] {
  const words = text.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  return words.map((word) => word.replaceAll('"', ''));
}

function pairOf(word: string): [string, string] {
  const at = word.indexOf('=');
  return at < 0 ? [word, ''] : [word.slice(0, at), word.slice(at + 1)];
}
