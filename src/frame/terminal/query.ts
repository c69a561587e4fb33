/**
 * --query: a JMESPath expression over a result. One that keeps, picks from or flattens each record by itself, as `[*].id`,
 * `[?state=='paid'].{id: id}` and `[].recipients[]` do, goes through a list page by page (decision 0018). What counts, sorts, adds
 * up or takes a place in the list needs all of it.
 */

import { usage } from '../../core/problem.ts';
import { expressionOf, type Node } from '../query/expression.ts';
import { scalar } from './cells.ts';
import { formatInfo } from './format.ts';
import type { PageWriter, Rendering } from './rendering.ts';

const HINT = 'remit help output says how --query reads amounts';

type Asked = Pick<Rendering, 'query' | 'format' | 'spreadsheet'>;

/** True where the whole list must be held before the first line is printed. */
export async function needsAll(query: string | undefined): Promise<boolean> {
  if (query === undefined) return false;
  return !isByRecord((await expressionOf(query)).node);
}

/**
 * True of an expression whose result over a list is that over its parts, one behind the other. To the left of a projection stands
 * the list. What is to its right, and the condition of a filter, is given one element at a time and may be anything.
 */
function isByRecord({ type, children: [left, right] = [] }: Node): boolean {
  switch (type) {
    case 'Identity':
    case 'Current':
      return true;
    case 'Projection':
    case 'FilterProjection':
    case 'Flatten':
      return left !== undefined && isByRecord(left);
    case 'Pipe':
      return left !== undefined && right !== undefined && isByRecord(left) && isByRecord(right);
    default:
      return false;
  }
}

/** @throws Problem (usage) for an expression that does not suit the data */
async function finder({ query = '@' }: Asked): Promise<(data: unknown) => unknown> {
  const expression = await expressionOf(query);
  return (data) => {
    try {
      return expression.find(data);
    } catch (error) {
      throw usage(`--query does not fit the result: ${(error as Error).message}`, HINT);
    }
  };
}

/** @throws Problem (usage) */
export async function queried(data: unknown, asked: Asked): Promise<string> {
  const found = (await finder(asked))(data);
  const { isJson, isYaml, hasCells } = formatInfo(asked.format);
  if (isJson) return `${JSON.stringify(found)}\n`;
  if (isYaml) return (await import('./yaml.ts')).yamlText(found);
  if (hasCells) {
    const { csvFound, byteOrderMark } = await import('./csv.ts');
    return byteOrderMark(asked) + csvFound(found, asked);
  }
  return linesOf(found);
}

const linesOf = (found: unknown): string =>
  (Array.isArray(found) ? found : [found]).map((line) => `${scalar(line)}\n`).join('');

/** The same bytes as over the whole list, for an expression that does not need all of it. */
export async function queryPages(asked: Asked): Promise<PageWriter<unknown>> {
  const find = await finder(asked);
  const { head, part, between, empty, tail } = await partsOf(asked);
  let begun = false;
  return {
    page(rows) {
      const found = find(rows) as unknown[];
      if (found.length === 0) return '';
      const before = begun ? between : head;
      begun = true;
      return before + part(found);
    },
    end: () => (begun ? tail : empty),
  };
}

interface Parts {
  head: string;
  part(found: readonly unknown[]): string;
  between: string;
  tail: string;
  /** Where nothing was found. */
  empty: string;
}

async function partsOf(asked: Asked): Promise<Parts> {
  const plain = { head: '', between: '', tail: '', empty: '' };
  const { isJson, isYaml, hasCells } = formatInfo(asked.format);
  if (isJson) {
    const part = (found: readonly unknown[]): string => JSON.stringify(found).slice(1, -1);
    return { head: '[', part, between: ',', tail: ']\n', empty: '[]\n' };
  }
  if (isYaml) {
    const { yamlText } = await import('./yaml.ts');
    return { ...plain, part: yamlText, empty: yamlText([]) };
  }
  if (hasCells) {
    const { csvFound, byteOrderMark } = await import('./csv.ts');
    const mark = byteOrderMark(asked);
    return { ...plain, head: mark, part: (found) => csvFound(found, asked), empty: mark };
  }
  return { ...plain, part: linesOf };
}
