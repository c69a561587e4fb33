/** Which operation a logged request was, by its method and the end of its path. */
import { catalogue } from '../../contract/operations/index.ts';
import { type Operation, pathParameters } from '../../contract/operations/operation.ts';
import { PARTNER_PATH } from '../../contract/operations/partner-path.ts';

const rows = Object.values(catalogue) as unknown as Operation[];

/** The first segment of the partner balance is a setting of the service: any will do. */
const patternOf = ({ path }: Operation): RegExp =>
  new RegExp(`(?:^|/v\\d+)${path.replace(`/${PARTNER_PATH}/`, '/[^/]+/').replace(/\{\w+\}/g, '[^/]+')}$`);

/** A literal path is more exact than one with a parameter: /transactions/calculate is no id. */
const routes = rows
  .map((operation) => ({ operation, pattern: patternOf(operation) }))
  .sort((a, b) => weight(a.operation) - weight(b.operation));

function weight({ path }: Operation): number {
  return pathParameters(path).length + (path.startsWith(`/${PARTNER_PATH}/`) ? 1 : 0);
}

/** Undefined where the contract has no such operation. */
export function operationOf(method: string, url: string): Operation | undefined {
  const path = pathOf(url);
  return routes.find(({ operation, pattern }) => operation.method === method && pattern.test(path))
    ?.operation;
}

/** Segments that are words of the contract's paths, and `{…}` for any other: an id, or a name. */
export function routeShown(url: string): string {
  return pathOf(url)
    .split('/')
    .map((part) => (part === '' || WORDS.has(part) ? part : '{…}'))
    .join('/');
}

const WORDS = new Set(rows.flatMap(({ path }) => path.split('/').filter((part) => !part.startsWith('{'))));

const pathOf = (url: string): string =>
  url
    .replace(/[?#].*$/, '')
    .replace(/^https?:\/\/[^/]*/, '')
    .replace(/\/$/, '');
