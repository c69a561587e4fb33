/**
 * Text from outside is shown, never obeyed: control, bidirectional and zero-width characters become visible escapes
 * (docs/rules.md 7), so that no name or reason can move the cursor, forge a line or hide a digit.
 */
const HOSTILE = /(?![\t\n])[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufff9-\ufffb]/gu;

/** Nearly every text is of these alone, which is seen sooner. */
const PLAIN = /^[ -~]*$/;

/** Escapes a block of text: line breaks and tabs stay. */
export function escapeHostile(text: string): string {
  return PLAIN.test(text) ? text : text.replace(HOSTILE, show);
}

/** Escapes one cell or line: line breaks and tabs are shown too. */
export function escapeLine(text: string): string {
  if (PLAIN.test(text)) return text;
  return escapeHostile(text).replace(/[\n\t]/g, (c) => (c === '\n' ? '\\n' : '\\t'));
}

function show(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x100) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}
