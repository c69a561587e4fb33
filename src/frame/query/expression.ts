/**
 * JMESPath expressions. The package reads them. They are evaluated here, since the package's own arithmetic is that of floats, and
 * amounts must not pass through one (decision 0018).
 */
import { callFunction, checkCall, QueryError, Reference } from './functions.ts';
import { asData, equal, isPlainRecord, order } from './numbers.ts';

/** A node of the tree that the package makes of an expression. */
export interface Node {
  type: string;
  name?: string;
  value?: unknown;
  children?: readonly Node[];
}
/** Its types leave this out. */
interface Compiler {
  compile(expression: string): Node;
}

export interface Expression {
  node: Node;
  /** @throws QueryError where it does not suit the data */
  find(data: unknown): unknown;
}

/** @throws Error for what is no expression */
export async function expressionOf(text: string): Promise<Expression> {
  const { default: jmespath } = await import('jmespath');
  const node = (jmespath as unknown as Compiler).compile(text);
  checkFunctions(node);
  checkLiterals(text);
  return { node, find: (data) => asData(evaluate(node, data)) };
}

function checkFunctions(node: Node): void {
  if (node.type === 'Function') checkCall(node.name ?? '', node.children?.length ?? 0);
  for (const child of node.children ?? []) if (isPlainRecord(child)) checkFunctions(child);
  if (node.type === 'KeyValuePair') checkFunctions(node.value as Node);
}

/** The package reads numbers between backticks as floats, which hold fifteen digits. */
function checkLiterals(text: string): void {
  for (const [literal] of text.replace(/'(?:[^'\\]|\\.)*'?/g, '').matchAll(/`[^`"]*`/g)) {
    const long = /(?<![\w.])\d[\d.]*(?![\w.])/.exec(literal)?.[0];
    if (long !== undefined && long.replace(/\D/g, '').replace(/^0+/, '').length > 15)
      throw new QueryError(`${long} has more digits than fit between backticks: write '${long}'`);
  }
}

function evaluate(node: Node, value: unknown): unknown {
  const [left, right, condition] = node.children ?? [];
  const of = (child: Node | undefined, at: unknown): unknown =>
    child === undefined ? null : evaluate(child, at);
  const project = (list: readonly unknown[]): unknown[] =>
    list.map((one) => of(right, one)).filter((one) => one !== null);
  switch (node.type) {
    case 'Field':
      return memberOf(value, node.name ?? '');
    case 'Identity':
    case 'Current':
      return value;
    case 'Literal':
      return node.value;
    case 'Subexpression':
    case 'IndexExpression':
    case 'Pipe':
      return of(right, of(left, value));
    case 'Index':
      return Array.isArray(value) ? (value.at(Number(node.value)) ?? null) : null;
    case 'Slice':
      return Array.isArray(value) ? slice(value, node.children as unknown as Bounds) : null;
    case 'Projection': {
      const list = of(left, value);
      return Array.isArray(list) ? project(list) : null;
    }
    case 'ValueProjection': {
      const record = of(left, value);
      return isPlainRecord(record) ? project(Object.values(record)) : null;
    }
    case 'FilterProjection': {
      const list = of(left, value);
      return Array.isArray(list) ? project(list.filter((one) => holds(of(condition, one)))) : null;
    }
    case 'Flatten': {
      const list = of(left, value);
      return Array.isArray(list) ? list.flat() : null;
    }
    case 'Comparator':
      return compare(node.name ?? '', of(left, value), of(right, value));
    case 'MultiSelectList':
      return value === null ? null : (node.children ?? []).map((child) => of(child, value));
    case 'MultiSelectHash':
      return value === null
        ? null
        : Object.fromEntries(
            (node.children ?? []).map(({ name, value: one }) => [name, of(one as Node, value)]),
          );
    case 'OrExpression': {
      const first = of(left, value);
      return holds(first) ? first : of(right, value);
    }
    case 'AndExpression': {
      const first = of(left, value);
      return holds(first) ? of(right, value) : first;
    }
    case 'NotExpression':
      return !holds(of(left, value));
    case 'Function':
      return callFunction(
        node.name ?? '',
        (node.children ?? []).map((child) => of(child, value)),
      );
    case 'ExpressionReference':
      return new Reference((at) => of(left, at));
    default:
      throw new QueryError(`${node.type} is not known here`);
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  isPlainRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null;

/** True where a value holds, as JMESPath itself counts: false, null and empty values do not. */
export function holds(found: unknown): boolean {
  if (found === null || found === undefined || found === false || found === '') return false;
  if (Array.isArray(found)) return found.length > 0;
  return !isPlainRecord(found) || Object.keys(found).length > 0;
}

function compare(sign: string, a: unknown, b: unknown): boolean | null {
  if (sign === 'EQ') return equal(a, b);
  if (sign === 'NE') return !equal(a, b);
  const found = order(a, b);
  if (found === null) return null;
  if (sign === 'GT') return found > 0;
  if (sign === 'GTE') return found >= 0;
  return sign === 'LT' ? found < 0 : found <= 0;
}

type Bounds = readonly [start: number | null, stop: number | null, step: number | null];

/** From start to before stop, as Python has it. */
function slice(list: readonly unknown[], [start, stop, step]: Bounds): unknown[] {
  const by = step ?? 1;
  if (by === 0) throw new QueryError('a slice cannot go in steps of 0');
  const [first, last] = by > 0 ? [0, list.length] : [-1, list.length - 1];
  const at = (bound: number): number =>
    Math.min(Math.max(bound < 0 ? bound + list.length : bound, first), last);
  const from = start === null ? (by > 0 ? 0 : list.length - 1) : at(start);
  const to = stop === null ? (by > 0 ? list.length : -1) : at(stop);
  const found: unknown[] = [];
  for (let index = from; by > 0 ? index < to : index > to; index += by) found.push(list[index]);
  return found;
}
