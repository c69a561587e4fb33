/** YAML from elsewhere: scalars are texts (`044` stays one), and what stands for another part of the file is refused. */

import type { Document } from 'yaml';
import { byWord } from '../core/by-word.ts';
import { spotWords } from '../core/json-members.ts';
import { fileProblem, wordsOfFile } from './row.ts';

type Yaml = typeof import('yaml');

/** A key that no object may have: one that is an alias, a list or an object, or one that is there twice. */
export interface WrongKey {
  /** Where it stands in the text, from 0. */
  at: number;
  words: string;
  next: string;
}

/** The library compares each key with all before it, which takes minutes for a file made for that: this is turned off. */
export const PARSED_WITH = { schema: 'failsafe', logLevel: 'error', uniqueKeys: false } as const;

/** Undefined where every key is a text, and is there once. */
export function wrongKeyIn(
  { visit, isScalar, isNode }: Yaml,
  document: Document.Parsed,
): WrongKey | undefined {
  let found: WrongKey | undefined;
  visit(document, {
    Map(_, { items }) {
      const seen = new Set<string>();
      for (const { key } of items) {
        if (!isNode(key)) continue;
        const at = key.range?.[0] ?? 0;
        if (!isScalar(key)) found = { at, words: 'has a key that is no text', next: 'write it out' };
        else if (seen.has(String(key.value)))
          found = { at, words: 'has a member that is there twice', next: 'delete one of the two' };
        else seen.add(String(key.value));
        if (found) return visit.BREAK;
      }
      return undefined;
    },
  });
  return found;
}

/** @throws Problem */
export async function parsedYaml(text: string, name: string): Promise<unknown> {
  const yaml = await import('yaml');
  const file = wordsOfFile(name);
  try {
    const document = yaml.parseDocument(text, { ...PARSED_WITH, prettyErrors: true });
    const [problem] = document.errors;
    if (problem) {
      // The library's own words may hold a piece of the file.
      const words = WORDS[problem.code] ?? 'cannot be read';
      throw fileProblem('not_yaml', `${file} is not YAML: ${spotWords(text, problem.pos[0])} ${words}`);
    }
    const wrong = wrongKeyIn(yaml, document);
    if (wrong)
      throw fileProblem('not_yaml', `${file}: ${spotWords(text, wrong.at)} ${wrong.words}`, wrong.next);
    // An alias within aliases makes a small file a large one: none is followed.
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw fileProblem('not_yaml', `${file} has an alias (*name)`, 'write out what it stands for');
    if (error instanceof RangeError) throw fileProblem('not_yaml', `${file} is nested too deep`);
    throw error;
  }
}

const WORDS: Readonly<Record<string, string>> = byWord({
  BAD_INDENT: 'has another indentation than it must have',
  MULTIPLE_DOCS: 'begins a second document',
  TAB_AS_INDENT: 'has a tab in its indentation',
});
