/** Where a place of a text is, as a person finds it: `line 2, column 14`, both from 1. `at` counts from 0. */
export function spotWords(text: string, at: number): string {
  const before = text.slice(0, at);
  return `line ${before.split('\n').length}, column ${at - before.lastIndexOf('\n')}`;
}
