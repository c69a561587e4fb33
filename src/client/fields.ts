/** Collects validation problems from a 422 (docs/wire.md 3): flat, dotted on the parent, and in each nested resource. */
import type { FieldProblem } from '../core/problem.ts';

const NESTED = ['sender', 'payout_method', 'recipients', 'payin_methods', 'documents'];

export function collectFields(resource: unknown): FieldProblem[] {
  const found = new Map<string, Set<string>>();
  walk(resource, '', found);
  dropUnindexedTwins(found);
  return [...found].map(([path, words]) => ({ path, words: [...words] }));
}

function walk(value: unknown, prefix: string, found: Map<string, Set<string>>): void {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) walk(item, join(prefix, String(index)), found);
    return;
  }
  if (!isRecord(value)) return;
  if (isRecord(value.errors)) readErrors(value.errors, prefix, found);
  for (const name of NESTED) walk(value[name], join(prefix, name), found);
}

function readErrors(errors: Record<string, unknown>, prefix: string, found: Map<string, Set<string>>): void {
  for (const [name, entries] of Object.entries(errors)) {
    const words = (Array.isArray(entries) ? entries : [entries]).map(wordOf).filter((word) => word !== '');
    if (words.length === 0) continue;
    const path = join(prefix, name.replace(/\[(\d+)\]/g, '.$1'));
    const known = found.get(path) ?? new Set<string>();
    for (const word of words) known.add(word);
    found.set(path, known);
  }
}

function wordOf(entry: unknown): string {
  if (typeof entry === 'string') return entry;
  return isRecord(entry) && typeof entry.error === 'string' ? entry.error : '';
}

/** A parent may list `recipients.payout_method.x` without the index that its child shows: keep the exact one. */
function dropUnindexedTwins(found: Map<string, Set<string>>): void {
  const bare = new Set(
    [...found.keys()].filter((path) => /\.\d+\./.test(path)).map((path) => path.replace(/\.\d+(?=\.)/g, '')),
  );
  for (const path of bare) found.delete(path);
}

/**
 * True where an answer has the form in which the service itself refuses a call (docs/wire.md 3). `namesRecord`: the
 * path has the id of a record, which alone can be missing. Pages and empty objects come from what stands in front of
 * the service.
 */
export function isOwnRefusal(status: number, body: unknown, namesRecord: boolean): boolean {
  if (!isRecord(body)) return false;
  switch (status) {
    case 400:
      return body.status === 400 && typeof body.error === 'string';
    case 404:
      return namesRecord && !isEmpty(body);
    case 422:
      return (isRecord(body.meta) && !isEmpty(body.meta)) || collectFields(body.object).length > 0;
    default:
      return false;
  }
}

const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

const join = (prefix: string, name: string): string => (prefix === '' ? name : `${prefix}.${name}`);

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
