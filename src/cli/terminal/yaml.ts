/** YAML that every reader takes for the same: what an older one reads as a truth value, a time, a day or a number is quoted. */
import { Document, Scalar, visit } from 'yaml';

/** Words of YAML 1.1, in any case. */
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|[+-]?\.(?:nan|inf)|nan|inf|~|=|<<)$/i;
/** Numbers with underscores, in other bases, to the base of sixty; days and times. */
const NUMBER = /^[-+.]?\d[\d_,.:eE+\-xXoObBa-fA-FtTzZ \t]*$/;
/** Readers differ in what they do with tabs, and with what nobody sees. */
const UNSEEN = /[\p{Cc}\p{Default_Ignorable_Code_Point}\u2028\u2029\ufeff]/u;

export function yamlText(value: unknown): string {
  const document = new Document(value, { compat: 'yaml-1.1', aliasDuplicateObjects: false });
  visit(document, {
    Scalar(_, node) {
      const { value: text } = node;
      if (typeof text === 'string' && isDoubtful(text)) node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  return document.toString();
}

const isDoubtful = (text: string): boolean =>
  WORD.test(text) || NUMBER.test(text) || UNSEEN.test(text) || text !== text.trim();
