/** Builds the URL that is signed and sent. Whatever stands in it afterwards is sent to the byte as it is. */

import type { Operation, QueryKind } from '../contract/operations/operation.ts';
import { RequestError } from './errors.ts';

type QueryValue = string | number | readonly string[] | undefined;
export type Query = Readonly<Record<string, QueryValue>>;

/** Array filters go out Rails-style, `state%5B%5D=error`, repeated in the order given (docs/wire.md 2). */
export function buildQuery(query: Query): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    if (typeof value === 'object') {
      for (const item of value) parts.push(`${encoded(`${name}[]`)}=${encoded(item)}`);
    } else {
      parts.push(`${encoded(name)}=${encoded(String(value))}`);
    }
  }
  return parts.length === 0 ? '' : `?${parts.join('&')}`;
}

/** The URL class writes an apostrophe in a query so: it must find nothing to change in what was signed. */
const encoded = (text: string): string => encodeURIComponent(text).replaceAll("'", '%27');

/** A path parameter that would change where the request goes, or is not there. Nothing was sent. */
export class PathError extends RangeError {
  override readonly name = 'PathError';
  readonly kind = 'path';
}

export function buildPath(template: string, params: Readonly<Record<string, string>> = {}): string {
  if (!template.includes('{')) return template;
  return template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined || value === '') throw new PathError(`${name} is missing`);
    if (value === '.' || value === '..') throw new PathError(`${name} cannot be "${value}"`);
    return encodeURIComponent(value);
  });
}

export function operationUrl(
  baseUrl: string,
  operation: Pick<Operation, 'path'>,
  params: Readonly<Record<string, string>> | undefined,
  query: Query | undefined,
): string {
  return baseUrl + buildPath(operation.path, params) + (query === undefined ? '' : buildQuery(query));
}

/**
 * Filters of a list, against the contract: one that the service does not know would be passed over, and
 * everything be returned.
 * @throws RequestError for a filter that the call does not have, or that is of another kind; nothing was sent
 */
export function checkFilters({ id, query: known }: Pick<Operation, 'id' | 'query'>, query: Query = {}): void {
  const problems = Object.entries(query).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const parameter = known.find((one) => one.name === name);
    const message = parameter === undefined ? unknownFilter(name, known) : wrong(parameter.kind, value);
    return message === undefined ? [] : [{ path: name, message }];
  });
  if (problems.length > 0) throw new RequestError(id, problems);
}

function unknownFilter(name: string, known: Operation['query']): string {
  const snake = name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  if (known.some((one) => one.name === snake)) return `is no filter of this call: did you mean ${snake}?`;
  const names = known.map((one) => one.name);
  return `is no filter of this call: ${names.length === 0 ? 'it has none' : `it has ${names.join(', ')}`}`;
}

const DAY = /^\d{4}-\d{2}-\d{2}/;

function wrong(kind: QueryKind, value: NonNullable<QueryValue>): string | undefined {
  if (kind === 'list') return undefined;
  if (typeof value === 'object') return 'takes one value';
  if (kind === 'integer' && !/^[1-9]\d*$/.test(String(value))) return 'is a whole number above 0';
  if (kind === 'date' && !DAY.test(String(value))) return 'is a day, such as 2026-01-31';
  return undefined;
}
