/** Builds the URL that is signed and sent. Whatever stands in it afterwards is sent to the byte as it is. */
import type { Operation } from '../contract/operations/operation.ts';

export type QueryValue = string | number | readonly string[] | undefined;
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
