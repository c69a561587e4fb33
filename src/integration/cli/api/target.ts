/** Tells which call is meant: an operation by its name, or a verb and a path; and which row of the catalogue that is. */
import { buildPath } from '../../../client/url.ts';
import { findOperation, operationIds } from '../../../contract/operations/index.ts';
import { type Operation, pathParameters } from '../../../contract/operations/operation.ts';
import { nearest } from '../../../core/distance.ts';
import { usage } from '../../../core/problem.ts';

export interface RawTarget {
  method: string;
  path: string;
  /** Undefined for a path that is not in the catalogue. */
  operation: Operation | undefined;
}

const METHODS = new Set(['GET', 'POST', 'PATCH', 'DELETE', 'PUT']);

/** @throws Problem (usage) */
export function typedTarget([first = '', ...rest]: readonly string[]): RawTarget {
  return METHODS.has(first.toUpperCase()) ? byPath(first.toUpperCase(), rest) : byName(first, rest);
}

function byName(name: string, values: readonly string[]): RawTarget {
  const operation = findOperation(name);
  if (operation === undefined) {
    const close = nearest(name, operationIds);
    throw usage(
      `there is no operation "${name}"`,
      close.length > 0
        ? `did you mean ${close.join(', ')}?`
        : 'remit api --help lists them; or METHOD and PATH',
    );
  }
  const names = pathParameters(operation.path);
  if (values.length !== names.length) {
    throw usage(names.length === 0 ? `${name} takes no path parameter` : `${name} needs ${names.join(', ')}`);
  }
  const params = Object.fromEntries(names.map((parameter, index) => [parameter, values[index] ?? '']));
  return { method: operation.method, path: safePath(buildPath(operation.path, params)), operation };
}

function byPath(method: string, rest: readonly string[]): RawTarget {
  const [path = ''] = rest;
  if (rest.length !== 1) throw usage('METHOD needs exactly one PATH', 'remit api GET /accounts');
  return { method, path: safePath(path), operation: operationAt(method, path) };
}

/** The secret goes to the base URL alone: nothing that could name another place. */
function safePath(path: string): string {
  const bare = path.split('?')[0] ?? '';
  if (/^[a-z][a-z0-9+.-]*:/i.test(path) || !path.startsWith('/'))
    throw usage(
      `"${path}" is not a path`,
      'it begins with / and is below the version segment, such as /accounts',
    );
  if (bare.includes('//') || bare.includes('\\') || /(?:^|\/)(?:\.|%2e){1,2}(?:\/|$)/i.test(bare))
    throw usage(`"${path}" is refused: no //, no . and no .. in a path`);
  if (path.includes('#') || /\s/.test(path))
    throw usage(`"${path}" has a fragment or white space: encode it`);
  return path;
}

/** However it is spelt: a path that the service may read as a row's must pass the guard as that row. */
function operationAt(method: string, path: string): Operation | undefined {
  const bare = plainPath(path.split('?')[0] ?? '').split('/');
  const rows = operationIds.map((id) => findOperation(id)).filter((row) => row !== undefined);
  const fits = rows.filter((row) => {
    const parts = row.path.split('/');
    return (
      row.method === method &&
      parts.length === bare.length &&
      parts.every((part, index) => part.startsWith('{') || part === bare[index])
    );
  });
  // A literal path is more exact than one with a parameter: /transactions/calculate is no id.
  return fits.sort((a, b) => pathParameters(a.path).length - pathParameters(b.path).length)[0];
}

function plainPath(path: string): string {
  try {
    return decodeURIComponent(path)
      .replace(/(?<!\/)\/+$/, '')
      .toLowerCase();
  } catch {
    throw usage(`"${path}" is not an encoded path`);
  }
}
