/**
 * YAML in blocks that every reader takes for the same. Only a text that begins with a letter and holds nothing that YAML, old or
 * new, gives a meaning to stands plain; any other is quoted as JSON quotes it. It is written here because the library, which
 * builds a tree and reads each text back, takes ten times as long for a long list; the tests read it back with the library.
 */

/** Ends in no blank and no colon, and has no colon before a blank. */
const PLAIN = /^[A-Za-z](?:[\w ./()+@&'-]|:(?=[^ ]))*(?<! )$/;
/** The same in other scripts. */
const PLAIN_ANYWHERE = /^\p{L}(?:[\p{L}\p{M}\p{Nd}_ ./()+@&'-]|:(?=[^ ]))*(?<! )$/u;
/** Words of YAML 1.1, in any case; longer ones there are not. */
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|nan|inf)$/i;
const LONGEST_WORD = 5;
/** Characters that JSON leaves as they are and nobody sees, or a reader takes for a line break. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufeff\ufff9-\uffff]/u;
/** A longer name of a member needs a mark of its own in front. */
const LONGEST_NAME = 1_000;
const INDENT = '  ';

export const yamlText = (value: unknown): string => `${nodeText(jsonValue(value), '')}\n`;

/** Without the line break at its end. A collection that is not empty begins at the line it is put on, behind `at`. */
function nodeText(value: unknown, at: string): string {
  if (typeof value === 'string') return scalarText(value);
  if (typeof value !== 'object' || value === null) return value === undefined ? 'null' : String(value);
  return Array.isArray(value) ? listText(value, at) : mapText(value as Record<string, unknown>, at);
}

function listText(items: readonly unknown[], at: string): string {
  if (items.length === 0) return '[]';
  const within = at + INDENT;
  return items.map((item) => `- ${nodeText(jsonValue(item), within)}`).join(`\n${at}`);
}

function mapText(members: Readonly<Record<string, unknown>>, at: string): string {
  const lines: string[] = [];
  const within = at + INDENT;
  for (const name in members) {
    const value = jsonValue(members[name]);
    if (value === undefined) continue;
    const head = name.length > LONGEST_NAME ? `? ${scalarText(name)}\n${at}:` : `${scalarText(name)}:`;
    lines.push(
      isBlock(value) ? `${head}\n${within}${nodeText(value, within)}` : `${head} ${nodeText(value, within)}`,
    );
  }
  return lines.length === 0 ? '{}' : lines.join(`\n${at}`);
}

function isBlock(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value)
    ? value.length > 0
    : Object.values(value).some((member) => member !== undefined);
}

/** Returns a value as JSON would take it. */
function jsonValue(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  return 'toJSON' in value && typeof value.toJSON === 'function' ? value.toJSON() : value;
}

function scalarText(text: string): string {
  if (PLAIN.test(text)) return text.length <= LONGEST_WORD && WORD.test(text) ? `"${text}"` : text;
  if (!UNSEEN.test(text)) return PLAIN_ANYWHERE.test(text) ? text : JSON.stringify(text);
  return JSON.stringify(text).replace(new RegExp(UNSEEN, 'gu'), escaped);
}

function escaped(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16);
  return code.length > 4 ? `\\U${code.padStart(8, '0')}` : `\\u${code.padStart(4, '0')}`;
}
