/** Rows of a YAML list. Scalars are texts (`044` stays one), and what stands for another part of the file is refused. */
import type { Document } from 'yaml';
import { spotWords } from '../../../core/text-spot.ts';
import type { Columns } from './columns.ts';
import { fileProblem, wordsOfFile } from './file-problem.ts';
import { batchesOf, listIn } from './json.ts';
import type { Batches } from './row.ts';
import { wholeText } from './whole-text.ts';

const MOST_BYTES = 10_000_000;

/** @throws Problem for what is wrong with the file as a whole */
export async function* readYaml(
  pieces: AsyncIterable<Buffer>,
  { name, columns }: { name: string; columns: Columns },
): Batches {
  const yaml = await import('yaml');
  const text = await wholeText(pieces, { name, mostBytes: MOST_BYTES });
  yield* batchesOf(listIn(parsed(yaml, text, name), name), columns);
}

type Yaml = typeof import('yaml');

/**
 * Where a key is an alias, a list or an object: the library makes a text of it only after it has looked for keys that are there twice.
 * Undefined where every key is a text.
 */
export function oddKeyAt({ visit, isScalar, isNode }: Yaml, document: Document.Parsed): number | undefined {
  let at: number | undefined;
  visit(document, {
    Pair(_, { key }) {
      if (!isNode(key) || isScalar(key)) return undefined;
      at = key.range?.[0] ?? 0;
      return visit.BREAK;
    },
  });
  return at;
}

function parsed(yaml: Yaml, text: string, name: string): unknown {
  const file = wordsOfFile(name);
  try {
    const document = yaml.parseDocument(text, { schema: 'failsafe', logLevel: 'error', prettyErrors: true });
    const [problem] = document.errors;
    if (problem) {
      // The library's own words may hold a piece of the file.
      const words = WORDS[problem.code] ?? 'cannot be read';
      throw fileProblem('not_yaml', `${file} is not YAML: ${spotWords(text, problem.pos[0])} ${words}`);
    }
    const odd = oddKeyAt(yaml, document);
    if (odd !== undefined)
      throw fileProblem(
        'not_yaml',
        `${file}: ${spotWords(text, odd)} has a key that is no text`,
        'write it out',
      );
    // An alias within aliases makes a small file a large one: none is followed.
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (error instanceof ReferenceError)
      throw fileProblem('not_yaml', `${file} has an alias (*name)`, 'write out what it stands for');
    if (error instanceof RangeError) throw fileProblem('not_yaml', `${file} is nested too deep`);
    throw error;
  }
}

const WORDS: Readonly<Record<string, string>> = {
  BAD_INDENT: 'has another indentation than it must have',
  DUPLICATE_KEY: 'has a member that is there twice',
  MULTIPLE_DOCS: 'begins a second document',
  TAB_AS_INDENT: 'has a tab in its indentation',
};
