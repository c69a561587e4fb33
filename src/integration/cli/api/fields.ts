/**
 * A body or a query from `-f key=text` and `-F key=typed`. Keys may be nested: `sender[external_id]`, `recipients[0][type]`,
 * `state[]`. Nothing is guessed: a text stays a text, `044` is a bank code and `+2348…` a phone number.
 */
import { Digits } from '../../../core/exact-numbers.ts';
import { usage } from '../../../core/problem.ts';

export interface Field {
  path: readonly string[];
  value: string | boolean | Digits;
}

const AMOUNT = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** @throws Problem (usage) */
export function readFields(texts: readonly string[], typed: readonly string[]): Field[] {
  return [
    ...texts.map((pair) => field(pair, '-f', (value) => value)),
    ...typed.map((pair) => field(pair, '-F', typedValue)),
  ];
}

function field(pair: string, flag: string, read: (value: string, key: string) => Field['value']): Field {
  const at = pair.indexOf('=');
  if (at < 1) throw usage(`${flag} ${pair} is not key=value`, `such as ${flag} external_id=wages-1`);
  const key = pair.slice(0, at);
  return { path: pathOf(key, flag), value: read(pair.slice(at + 1), key) };
}

function typedValue(value: string, key: string): Field['value'] {
  if (value === 'true' || value === 'false') return value === 'true';
  if (AMOUNT.test(value)) return new Digits(value);
  throw usage(
    `-F ${key}: "${value}" is neither an amount nor true or false`,
    `a text is given with -f ${key}=${value}`,
  );
}

/** `a[b][0][]` as its parts; `` for the next place of a list. */
function pathOf(key: string, flag: string): string[] {
  const [head = '', ...rest] = key.split('[');
  if (head === '' || rest.some((part) => !part.endsWith(']')))
    throw usage(`${flag} ${key}: the key is not well formed`, 'such as sender[external_id] or state[]');
  const parts = [head, ...rest.map((part) => part.slice(0, -1))];
  if (parts.some((part) => part === '__proto__')) throw usage(`${flag} ${key}: there is no such member`);
  return parts;
}

/** The names of a query, as the service reads them: `state[]`. Only the last part may be a list. */
export function asQuery(fields: readonly Field[]): [name: string, value: string][] {
  return fields.map(({ path: [head = '', ...rest], value }) => [
    head + rest.map((part) => `[${part}]`).join(''),
    value instanceof Digits ? value.text : String(value),
  ]);
}

interface Branch {
  [name: string]: Node;
}
type Node = Field['value'] | Branch | Node[];

/** JSON text, members in the order given. @throws Problem (usage) where two keys contradict each other */
export function asBody(fields: readonly Field[]): string {
  const root: Branch = {};
  for (const one of fields) put(root, one.path, one.value);
  return jsonOf(root);
}

function put(root: Branch, path: readonly string[], value: Field['value']): void {
  let at: Branch | Node[] = root;
  for (const [depth, name] of path.entries()) {
    const next = path[depth + 1];
    const made = next === undefined ? value : /^\d*$/.test(next) ? [] : ({} as Branch);
    at = step(at, name, made, path) as Branch | Node[];
  }
}

function step(at: Branch | Node[], name: string, made: Node, path: readonly string[]): Node {
  const isLeaf = made instanceof Digits || typeof made !== 'object';
  if (Array.isArray(at)) {
    const index = name === '' ? at.length : Number(name);
    if (!Number.isInteger(index) || index > at.length) throw clash(path);
    const known = at[index];
    if (known === undefined) at[index] = made;
    else if (isLeaf || !isSameKind(known, made)) throw clash(path);
    return at[index] as Node;
  }
  const known = Object.hasOwn(at, name) ? at[name] : undefined;
  if (known === undefined) at[name] = made;
  else if (isLeaf || !isSameKind(known, made)) throw clash(path);
  return at[name] as Node;
}

const isSameKind = (a: Node, b: Node): boolean =>
  typeof a === 'object' && !(a instanceof Digits) && Array.isArray(a) === Array.isArray(b);

const clash = ([head = '', ...rest]: readonly string[]) =>
  usage(
    `${head}${rest.map((part) => `[${part}]`).join('')} is given twice, or as two different things`,
    'lists are filled in order: recipients[0], recipients[1]',
  );

function jsonOf(node: Node): string {
  if (node instanceof Digits) return node.text;
  if (Array.isArray(node)) return `[${node.map(jsonOf).join(',')}]`;
  if (typeof node !== 'object') return JSON.stringify(node);
  return `{${Object.entries(node)
    .map(([name, value]) => `${JSON.stringify(name)}:${jsonOf(value)}`)
    .join(',')}}`;
}
