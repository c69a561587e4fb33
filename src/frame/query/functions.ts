/** The functions of JMESPath. Those that calculate do so with decimals (numbers.ts). */
import { byWord } from '../../core/by-word.ts';
import * as money from '../../core/money.ts';
import { asData, digitsOf, Exact, equal, isNumeric, isPlainRecord, like, order } from './numbers.ts';

/** An expression handed to a function: `&input_amount`. */
export class Reference {
  readonly find: (value: unknown) => unknown;
  constructor(find: (value: unknown) => unknown) {
    this.find = find;
  }
}

/** An error in an expression, in a sentence. */
export class QueryError extends Error {
  override readonly name = 'QueryError';
}

type Call = (...args: never[]) => unknown;
interface Entry {
  /** The kind of each argument. `...` behind the last: one or more of it. */
  takes: readonly (keyof typeof kinds | `${keyof typeof kinds}...`)[];
  call: Call;
}

const isList = (value: unknown): value is unknown[] => Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isMeasured = (value: unknown): boolean => digitsOf(value) !== null;

const kinds = {
  anything: () => true,
  'a text': isText,
  'a list': isList,
  'an object': isPlainRecord,
  'an expression, such as &id': (value: unknown) => value instanceof Reference,
  'a text or a list': (value: unknown) => isText(value) || isList(value),
  'a text, a list or an object': (value: unknown) => isText(value) || isList(value) || isPlainRecord(value),
  'a number or an amount': isMeasured,
  'a list of numbers or amounts': (value: unknown) => isList(value) && value.every(isMeasured),
  'a list of texts': (value: unknown) => isList(value) && value.every(isText),
  'a list of texts or of numbers': (value: unknown) => isList(value) && isSortable(value),
} as const;

const isSortable = (list: readonly unknown[]): boolean => list.every(isText) || list.every(isMeasured);

/** An average that never ends is rounded here. */
const AVERAGE_DECIMALS = 10;

const digits = (value: unknown): money.Decimal => digitsOf(value) ?? '0';

function sum(list: readonly unknown[]): unknown {
  if (list.length === 0) return 0;
  const places = list.map((one) => (isText(one) ? (one.split('.')[1] ?? '').length : 0));
  const total = money.sum(list.map(digits));
  return like(list[0], money.format(total, isText(list[0]) ? places.reduce((a, b) => Math.max(a, b), 0) : 0));
}

function average(list: readonly unknown[]): unknown {
  if (list.length === 0) return null;
  const exact = money.div(money.sum(list.map(digits)), String(list.length));
  return like(list[0], money.round(exact, AVERAGE_DECIMALS, 'half_up').replace(/(?:\.0+|(?<!0)0+)$/, ''));
}

function toWhole(value: unknown, up: boolean): unknown {
  const text = digits(value);
  const towardsZero = money.round(text, 0, 'down');
  const isOff = !money.eq(towardsZero, text) && money.gt(text, '0') === up;
  return like(value, isOff ? money.add(towardsZero, up ? '1' : '-1') : money.add(towardsZero, '0'));
}

/** Amounts by size. Where one text among them is no amount, all are in the order of the alphabet. */
function sorted(list: readonly unknown[], key: (value: unknown) => unknown = (one) => one): unknown[] {
  const keyed = list.map((value) => ({ value, key: key(value) }));
  const keys = keyed.map((one) => one.key);
  if (!isSortable(keys)) throw new QueryError('only texts alone, or numbers alone, can be put in order');
  const bySize = keys.every(isMeasured);
  return keyed
    .sort((a, b) => (bySize ? order(a.key, b.key) : alphabet(a.key, b.key)) ?? 0)
    .map((one) => one.value);
}

const alphabet = (a: unknown, b: unknown): number => (a === b ? 0 : String(a) > String(b) ? 1 : -1);
const by = (list: readonly unknown[], reference?: Reference): unknown[] => sorted(list, reference?.find);

/** The first of the largest, as `max_by` has it. */
const largest = (list: readonly unknown[], reference?: Reference): unknown =>
  by([...list].reverse(), reference).at(-1) ?? null;
const smallest = (list: readonly unknown[], reference?: Reference): unknown => by(list, reference)[0] ?? null;

function typeOf(value: unknown): string {
  if (isNumeric(value)) return 'number';
  if (value instanceof Reference) return 'expref';
  return value === null ? 'null' : isList(value) ? 'array' : typeof value;
}

function toNumber(value: unknown): unknown {
  if (isNumeric(value)) return value;
  const text = isText(value) ? money.toDecimal(value) : null;
  return text === null ? null : new Exact(money.add(text, '0'));
}

const toText = (value: unknown): string =>
  isText(value) ? value : value instanceof Exact ? value.digits : JSON.stringify(asData(value));

const reverse = (value: string | unknown[]): unknown =>
  isText(value) ? [...value].reverse().join('') : [...value].reverse();
const includes = (whole: string | unknown[], part: unknown): boolean =>
  isText(whole) ? isText(part) && whole.includes(part) : whole.some((one) => equal(one, part));
const lengthOf = (value: string | unknown[] | object): number =>
  isText(value) ? [...value].length : Object.keys(value).length;

const REFERENCE = 'an expression, such as &id';

const functions: Readonly<Record<string, Entry>> = byWord({
  abs: {
    takes: ['a number or an amount'],
    call: (value: unknown) => like(value, digits(value).replace('-', '')),
  },
  avg: { takes: ['a list of numbers or amounts'], call: average },
  ceil: { takes: ['a number or an amount'], call: (value: unknown) => toWhole(value, true) },
  contains: { takes: ['a text or a list', 'anything'], call: includes },
  ends_with: { takes: ['a text', 'a text'], call: (text: string, end: string) => text.endsWith(end) },
  floor: { takes: ['a number or an amount'], call: (value: unknown) => toWhole(value, false) },
  join: { takes: ['a text', 'a list of texts'], call: (glue: string, list: string[]) => list.join(glue) },
  keys: { takes: ['an object'], call: (value: object) => Object.keys(value) },
  length: { takes: ['a text, a list or an object'], call: lengthOf },
  map: { takes: [REFERENCE, 'a list'], call: ({ find }: Reference, list: unknown[]) => list.map(find) },
  max: { takes: ['a list of texts or of numbers'], call: largest },
  max_by: { takes: ['a list', REFERENCE], call: largest },
  merge: { takes: ['an object...'], call: (...all: object[]) => Object.assign({}, ...all) },
  min: { takes: ['a list of texts or of numbers'], call: smallest },
  min_by: { takes: ['a list', REFERENCE], call: smallest },
  not_null: { takes: ['anything...'], call: (...all: unknown[]) => all.find((one) => one !== null) ?? null },
  reverse: { takes: ['a text or a list'], call: reverse },
  sort: { takes: ['a list of texts or of numbers'], call: (list: unknown[]) => sorted(list) },
  sort_by: { takes: ['a list', REFERENCE], call: by },
  starts_with: { takes: ['a text', 'a text'], call: (text: string, start: string) => text.startsWith(start) },
  sum: { takes: ['a list of numbers or amounts'], call: sum },
  to_array: { takes: ['anything'], call: (value: unknown) => (isList(value) ? value : [value]) },
  to_number: { takes: ['anything'], call: toNumber },
  to_string: { takes: ['anything'], call: toText },
  type: { takes: ['anything'], call: typeOf },
  values: { takes: ['an object'], call: (value: object) => Object.values(value) },
});

/** Known before there are data. @throws QueryError */
export function checkCall(name: string, count: number): void {
  const entry = functions[name];
  if (entry === undefined)
    throw new QueryError(`there is no function ${name}; there are ${Object.keys(functions).join(', ')}`);
  const least = entry.takes.length;
  const isOpen = entry.takes.at(-1)?.endsWith('...') === true;
  if (count < least || (count > least && !isOpen))
    throw new QueryError(`${name} takes ${least}${isOpen ? ' or more' : ''} in its brackets, not ${count}`);
}

/** @throws QueryError where an argument is of another kind */
export function callFunction(name: string, args: readonly unknown[]): unknown {
  checkCall(name, args.length);
  const { takes = [], call: run } = functions[name] as Entry;
  for (const [index, arg] of args.entries()) {
    const kind = (takes[index] ?? takes.at(-1) ?? 'anything').replace('...', '') as keyof typeof kinds;
    if (!kinds[kind](arg)) throw new QueryError(`${name} takes ${kind}, and was given ${shown(arg)}`);
  }
  return run(...(args as never[]));
}

function shown(value: unknown): string {
  if (value instanceof Reference) return 'an expression';
  const list = isList(value) ? value.find((one) => !isMeasured(one)) : undefined;
  const text = toText(list === undefined ? value : list);
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text;
  return list === undefined ? short : `a list with ${short}`;
}
