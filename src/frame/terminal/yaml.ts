/** YAML in blocks that every reader takes for the same, old (1.1) or new, and that no terminal takes for a command. */
import { Document, isScalar, visit } from 'yaml';

/** Characters that are unseen, or that a reader takes for a line break. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufeff\ufff9-\uffff]/u;
/** Line breaks that the writer puts between lines stay: those of a text are escaped already. */
const UNSEEN_IN_LINES = new RegExp(`(?!\n)${UNSEEN.source}`, 'gu');

export function yamlText(value: unknown): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, (_, node) => {
    if (!isScalar(node) || typeof node.value !== 'string') return;
    // Only in quotes can a character be escaped. Some old readers take a plain = for a value of their own.
    if (node.value === '=' || UNSEEN.test(node.value)) node.type = 'QUOTE_DOUBLE';
  });
  const text = document.toString({
    lineWidth: 0,
    blockQuote: false,
    doubleQuotedMinMultiLineLength: Number.POSITIVE_INFINITY,
  });
  return text.replace(UNSEEN_IN_LINES, escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
