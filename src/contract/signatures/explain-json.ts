/**
 * The other ways to write one JSON text. It works on the text's own tokens: numbers keep their form (12.50), keys their order,
 * and a key that stands twice stays twice, none of which `JSON.parse` would keep.
 */

/** A text, number or word as it was written, or what is in a list or an object. */
type Value = string | { items: Value[] } | { members: [name: string, value: Value][] };

/** An amount that has no decimals, or one: most languages read 120.00 as a number and write 120, or 120.0. Nothing is always 0. */
const SHORT_AMOUNT = /"([a-z_]*amount)":(\s*)(-?\d+)(?:\.(\d))?(?=\s*[,}\]])/g;
/** A body has four or five amounts of different names. Each more doubles the texts that are tried. */
const MOST_NAMES = 6;

/** Yields the text with two decimals again in the amounts of some names: a service writes those of one name in one way. */
function* withDecimals(json: string): Generator<string> {
  const names = [...new Set([...json.matchAll(SHORT_AMOUNT)].map(([, name]) => name))].slice(0, MOST_NAMES);
  for (let some = 1; some < 2 ** names.length; some++) {
    const isChosen = (name: string): boolean => (some & (1 << names.indexOf(name))) !== 0;
    yield json.replace(SHORT_AMOUNT, (all, name, blank, whole, one = '') =>
      names.includes(name) && isChosen(name) ? `"${name}":${blank}${whole}.${one.padEnd(2, '0')}` : all,
    );
  }
}

/** Some may be the received text, or the same as another. */
export function* rewrittenForms(text: string): Generator<string> {
  const asWritten = treeOf(text);
  if (asWritten === null) return;
  for (const layout of LAYOUTS) yield write(asWritten, layout);
  const plainText = unescaped(text);
  const plain = plainText === text ? asWritten : treeOf(plainText);
  if (plain === null) return;
  if (plain !== asWritten) for (const layout of LAYOUTS) yield write(plain, layout);
  const sorted = inOrder(plain);
  for (const layout of ON_ONE_LINE) {
    const whole = write(plain, layout);
    for (const spell of SPELLINGS) {
      const spelt = spell(whole);
      if (spelt !== whole) yield spelt;
    }
    yield write(sorted, layout);
  }
  yield* withDecimals(write(plain, ON_ONE_LINE[0]));
}

const ESCAPES = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\(?:u[\da-fA-F]{4}|["\\/bfnrt])/g;

/** Takes away escapes that JSON does not need. They stand in texts alone, so the whole can be treated at once. What JSON has no escape for stays. */
const unescaped = (json: string): string =>
  json.replace(ESCAPES, (found) => JSON.stringify(JSON.parse(`"${found}"`)).slice(1, -1));

const escaped = (letter: string): string => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`;
const ascii = (json: string): string => json.replace(/[\u0080-\uffff]/g, escaped);
/** Some servers write these as escapes so that the text is safe inside a page. */
const pageSafe = (json: string): string => json.replace(/[&<>\u2028\u2029]/g, escaped);
const slashed = (json: string): string => json.replaceAll('/', '\\/');

/** Serialisers of several languages escape a text in these ways. */
const SPELLINGS: readonly ((json: string) => string)[] = [
  ascii,
  pageSafe,
  (json) => pageSafe(json).replace(/['=]/g, escaped),
  slashed,
  (json) => ascii(slashed(json)),
];

interface Layout {
  comma: string;
  colon: string;
  /** A new line for each member, and how far each level goes in; absent on one line. */
  step?: string;
}

const ON_ONE_LINE = [
  { comma: ',', colon: ':' },
  { comma: ', ', colon: ': ' },
] as const;
const LAYOUTS: readonly Layout[] = [
  ...ON_ONE_LINE,
  ...['  ', '    ', '\t'].map((step) => ({ comma: ',', colon: ': ', step })),
];

function write(value: Value, layout: Layout, depth = 0): string {
  if (typeof value === 'string') return value;
  const { comma, colon, step } = layout;
  const isList = 'items' in value;
  const parts = isList
    ? value.items.map((item) => write(item, layout, depth + 1))
    : value.members.map(([name, member]) => `${name}${colon}${write(member, layout, depth + 1)}`);
  const [open, close] = isList ? '[]' : '{}';
  const isFlat = step === undefined || parts.length === 0;
  const line = isFlat ? '' : `\n${step.repeat(depth + 1)}`;
  const end = isFlat ? '' : `\n${step.repeat(depth)}`;
  return `${open}${line}${parts.join(`${comma}${line}`)}${end}${close}`;
}

/** The members of every object in the order of their names; those of one name stay as they came. */
function inOrder(value: Value): Value {
  if (typeof value === 'string') return value;
  if ('items' in value) return { items: value.items.map(inOrder) };
  const members = value.members.map(([name, member]): [string, Value] => [name, inOrder(member)]);
  return { members: members.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)) };
}

/** Deeper than any delivery, and far from what recursion can take. */
const MAX_DEPTH = 100;
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"?|[{}[\],:]|[^\s{}[\],:"]+/g;

/** Null where the text is not JSON, or too deep to be a delivery. */
function treeOf(json: string): Value | null {
  if (!isJson(json)) return null;
  const tokens = (json.match(TOKENS) ?? []).filter((token) => token !== ',' && token !== ':');
  let at = 0;
  const read = (depth: number): Value | null => {
    const token = tokens[at++] ?? '';
    if (token !== '{' && token !== '[') return token;
    if (depth === MAX_DEPTH) return null;
    const values: Value[] = [];
    while (tokens[at] !== '}' && tokens[at] !== ']') {
      const value = read(depth + 1);
      if (value === null) return null;
      values.push(value);
    }
    at++;
    return token === '[' ? { items: values } : { members: pairsOf(values) };
  };
  return read(0);
}

/** Names and values alternate. */
const pairsOf = (values: readonly Value[]): [string, Value][] =>
  Array.from({ length: values.length / 2 }, (_, i) => [String(values[2 * i]), values[2 * i + 1] ?? '']);

export function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
