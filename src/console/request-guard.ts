/**
 * Decides who may ask, before anything else is looked at: by the request's line and its headers alone, and by the route that the raw
 * target equals. A target is never decoded, joined or split, so that `/%61pi`, `//api` and `/x/../api` name no route. What a browser
 * always sends and is not there is refused, not passed. Pure.
 */
import type { IncomingMessage } from 'node:http';
import { headers, type RouteName, routes } from './wire.ts';

/** `url` is the target as it stood in the request's line. */
export type GuardedRequest = Pick<IncomingMessage, 'method' | 'url' | 'httpVersion' | 'headersDistinct'>;

export type GuardVerdict =
  | { kind: 'document' }
  | { kind: 'call'; route: RouteName; token: string | undefined; nonce: string; isAwake: boolean }
  | { kind: 'refused'; status: 400 | 403 | 404 | 405 | 415 | 421 | 505; why: string };

const PATHS: ReadonlyMap<string, RouteName> = new Map(
  (Object.keys(routes) as RouteName[]).map((name) => [routes[name].path, name]),
);

/** Headers that decide something: one that comes twice says two things. */
const ONCE = [
  'host',
  'origin',
  'content-type',
  'content-length',
  'sec-fetch-site',
  headers.token,
  headers.nonce,
  headers.awake,
];
const NONCE = /^[\w-]{16,64}$/;

/** @param hosts what `Host` may be: `127.0.0.1:PORT`, and the one that was named at the start */
export function checkRequest(asked: GuardedRequest, hosts: readonly string[]): GuardVerdict {
  if (asked.httpVersion !== '1.1') return refused(505, 'only HTTP/1.1 is spoken here');
  const given = asked.headersDistinct;
  const twice = ONCE.find((name) => (given[name]?.length ?? 0) > 1);
  if (twice !== undefined) return refused(400, `${twice} came twice`);
  const one = (name: string): string | undefined => given[name]?.[0];
  const host = one('host');
  if (host === undefined || !hosts.includes(host)) return refused(421, 'this is not the host of this page');
  if (asked.url === '/')
    return asked.method === 'GET' ? { kind: 'document' } : refused(405, 'the page is read with GET');
  const route = PATHS.get(asked.url ?? '');
  if (route === undefined) return refused(404, 'there is nothing here');
  if (asked.method !== 'POST') return refused(405, 'a call is a POST');
  if (one('sec-fetch-site') !== 'same-origin') return refused(403, 'only this page may ask');
  if (one('origin') !== `http://${host}`) return refused(403, 'only this page may ask');
  if (one('content-type') !== 'application/json') return refused(415, 'a call is JSON');
  const nonce = one(headers.nonce);
  if (nonce === undefined || !NONCE.test(nonce)) return refused(400, 'a call has a nonce');
  const token = one(headers.token);
  if (token === undefined && routes[route].asks !== 'open') return refused(403, 'a call has a session');
  return { kind: 'call', route, token, nonce, isAwake: one(headers.awake) !== undefined };
}

const refused = (
  status: Extract<GuardVerdict, { kind: 'refused' }>['status'],
  why: string,
): GuardVerdict => ({
  kind: 'refused',
  status,
  why,
});
