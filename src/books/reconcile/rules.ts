/**
 * The rules of reconciling, in one file that people keep (decision 0059): column maps, the accounts of banks, whose a movement is, tolerances
 * for charges, bundles, and decisions. A rule suggests; a decision alone changes how a difference counts.
 */
import type { Document } from 'yaml';
import * as z from 'zod/mini';
import { counted } from '../../core/amount-words.ts';
import { currencyRule } from '../../core/currency.ts';
import { spotWords } from '../../core/json-members.ts';
import { isDecimal, isZero } from '../../core/money.ts';
import { refuse } from '../../core/problem.ts';
import { isDay } from '../../core/zone.ts';
import { fileProblem, shortName, wordsOfFile } from '../../tables/row.ts';
import { utf8Pieces } from '../../tables/utf8.ts';
import { wholeText } from '../../tables/whole-text.ts';
import { PARSED_WITH, wrongKeyIn } from '../../tables/yaml.ts';
import { DAY_ORDERS } from './dates.ts';
import { LEDGER_COLUMNS, type LedgerColumn, PAYMENT_SIGNS } from './ledger-columns.ts';

const MOST_BYTES = 2_000_000;
const MOST_FAULTS = 20;

const text = z.string().check(z.trim(), z.minLength(1, 'is empty'), z.maxLength(500, 'is too long'));
const numberTo = (most: number) => {
  const isIn = (given: string): boolean => /^\d{1,4}$/.test(given) && +given >= 1 && +given <= most;
  return z.pipe(
    z.string().check(z.refine(isIn, `is not a whole number from 1 to ${most}`)),
    z.transform(Number),
  );
};
const isAmount = (given: string): boolean => isDecimal(given) && /^[\d.]+$/.test(given) && !isZero(given);
const currency = z
  .string()
  .check(z.refine((given) => currencyRule(given) !== undefined, 'is not a known currency'));

const columnMap = z.strictObject({
  ...(Object.fromEntries(LEDGER_COLUMNS.map((name) => [name, z.optional(text)])) as Record<
    LedgerColumn,
    z.ZodMiniOptional<typeof text>
  >),
  decimal_comma: z.optional(
    z.pipe(
      z.enum(['true', 'false'], 'is not true or false'),
      z.transform((given) => given === 'true'),
    ),
  ),
  dates: z.optional(z.enum(DAY_ORDERS, `is not one of ${DAY_ORDERS.join(', ')}`)),
  payments: z.optional(z.enum(PAYMENT_SIGNS, `is not one of ${PAYMENT_SIGNS.join(', ')}`)),
});

const decision = z.strictObject({
  id: text,
  what: z.enum(['accept', 'open'], 'is not one of accept, open'),
  who: text,
  when: z.string().check(z.refine(isDay, 'is not a day such as 2026-11-30')),
  why: text,
});

const schema = z.strictObject({
  columns: z.optional(z.record(text, columnMap)),
  accounts: z.optional(z.record(text, z.strictObject({ bank: text, ledger: z.optional(text) }))),
  counterparties: z.optional(
    z.array(z.strictObject({ name: text, text, kind: z.optional(text), account: z.optional(text) })),
  ),
  tolerances: z.optional(
    z.record(currency, z.string().check(z.refine(isAmount, 'is not an amount above zero'))),
  ),
  bundles: z.optional(z.strictObject({ rows: numberTo(500), days: numberTo(99) })),
  decisions: z.optional(z.array(decision)),
});

export type Rules = z.output<typeof schema>;
export type RuledDecision = z.output<typeof decision>;

/** @throws Problem that names each line which cannot be read */
export async function readRules(bytes: AsyncIterable<Uint8Array>, name: string): Promise<Rules> {
  const given = await wholeText(utf8Pieces(bytes, name), { name, mostBytes: MOST_BYTES });
  const document = await documentOf(given, name);
  const read = schema.safeParse(contentOf(document, name));
  const issues = read.success ? repeated(read.data) : read.error.issues;
  if (read.success && issues.length === 0) return read.data;
  const fields = issues.slice(0, MOST_FAULTS).map((issue) => faultOf(issue, document, given));
  throw refuse(
    'usage',
    'rules',
    `${counted(issues.length, 'entry', 'entries')} of ${wordsOfFile(name)} cannot be read, so nothing was compared`,
    { fields, hint: 'docs/reconcile.md says what a file of rules may have' },
  );
}

/** Finds ids and names that are there twice: they are ambiguous. */
function repeated({ decisions = [], counterparties = [] }: Rules): Issue[] {
  const again = (names: readonly string[], at: (string | number)[][]): Issue[] =>
    names.flatMap((name, i) =>
      names.indexOf(name) < i
        ? [{ code: 'custom', path: at[i] ?? [], message: 'is there twice' } as Issue]
        : [],
    );
  return [
    ...again(
      decisions.map(({ id }) => id),
      decisions.map((_, i) => ['decisions', i, 'id']),
    ),
    ...again(
      counterparties.map(({ name }) => name),
      counterparties.map((_, i) => ['counterparties', i, 'name']),
    ),
  ];
}

type Issue = z.core.$ZodIssue;

function faultOf(issue: Issue, document: Document.Parsed, given: string): { path: string; words: string[] } {
  const { path } = issue;
  const member = path.map((part) => (typeof part === 'number' ? part + 1 : part)).join('.');
  if (issue.code === 'unrecognized_keys') {
    const [key = ''] = issue.keys;
    const where = [...path, key];
    return {
      path: spotOf(where, document, given),
      words: [`${[member, shortName(key)].filter(Boolean).join('.')} is no member that is known`],
    };
  }
  const words = issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? 'is wrong') : wordsOf(issue);
  return { path: spotOf(path, document, given), words: [`${shortName(member) || 'the file'} ${words}`] };
}

function wordsOf(issue: Issue): string {
  if (issue.code !== 'invalid_type') return issue.message;
  const kinds: Readonly<Record<string, string>> = { array: 'a list', string: 'a text' };
  const kind = kinds[issue.expected] ?? 'an object with members';
  return issue.input === undefined ? `is missing, or is not ${kind}` : `is not ${kind}`;
}

/** A member that is missing has the place of what it is missing in. */
function spotOf(path: readonly PropertyKey[], document: Document.Parsed, given: string): string {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const last = path[length - 1];
    const items = (parent as { items?: readonly unknown[] } | undefined)?.items ?? [];
    const item =
      typeof last === 'number'
        ? items[last]
        : items.map((one) => (one as { key?: { value?: unknown } }).key).find((key) => key?.value === last);
    const [at] = (item as { range?: readonly number[] } | undefined)?.range ?? [];
    if (at !== undefined) return spotWords(given, at);
  }
  return spotWords(given, 0);
}

async function documentOf(given: string, name: string): Promise<Document.Parsed> {
  const yaml = await import('yaml');
  const file = wordsOfFile(name);
  const document = yaml.parseDocument(given, { ...PARSED_WITH, prettyErrors: true });
  const [problem] = document.errors;
  // The library's own words may hold a piece of the file.
  if (problem)
    throw fileProblem('not_yaml', `${file} is not YAML: ${spotWords(given, problem.pos[0])} cannot be read`);
  const wrong = wrongKeyIn(yaml, document);
  if (wrong)
    throw fileProblem('not_yaml', `${file}: ${spotWords(given, wrong.at)} ${wrong.words}`, wrong.next);
  return document;
}

function contentOf(document: Document.Parsed, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    if (!(error instanceof ReferenceError)) throw error;
    throw fileProblem(
      'not_yaml',
      `${wordsOfFile(name)} has an alias (*name)`,
      'write out what it stands for',
    );
  }
}

/**
 * The text of the file with these decisions behind those that it has. Comments and the order of everything stay.
 * @param before undefined where there is no file yet
 */
export async function withDecisions(
  before: string | undefined,
  added: readonly RuledDecision[],
  name: string,
): Promise<string> {
  const document = await documentOf(before ?? '', name);
  for (const one of added) {
    const { decisions } = (document.toJS() as Rules | null) ?? {};
    const node = document.createNode(one);
    if (decisions === undefined) document.setIn(['decisions'], document.createNode([one]));
    else document.addIn(['decisions'], node);
  }
  return document.toString({ lineWidth: 0 });
}
