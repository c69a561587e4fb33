/** The one table that decides who may ask the console: by the request's line and its headers alone. */
import { describe, expect, it } from 'vitest';
import { checkRequest, type GuardedRequest } from '../../../src/console/request-guard.ts';
import { headers, routes } from '../../../src/console/wire.ts';

const HOST = '127.0.0.1:4711';
const CALL = {
  host: HOST,
  origin: `http://${HOST}`,
  'sec-fetch-site': 'same-origin',
  'content-type': 'application/json',
  [headers.nonce]: 'a-nonce-of-the-page',
  [headers.token]: 'a-token',
};

const asked = (
  url: string,
  given: Record<string, string>,
  rest: Partial<GuardedRequest> = {},
): GuardedRequest => ({
  method: 'POST',
  httpVersion: '1.1',
  url,
  headersDistinct: Object.fromEntries(Object.entries(given).map(([name, value]) => [name, [value]])),
  ...rest,
});
const judged = (request: GuardedRequest, hosts = [HOST]) => {
  const found = checkRequest(request, hosts);
  return found.kind === 'refused' ? found.status : found.kind;
};
const without = (name: string): Record<string, string> =>
  Object.fromEntries(Object.entries(CALL).filter(([one]) => one !== name));

describe('a call', () => {
  it.each(Object.entries(routes))(
    '%s is let in from the page itself, and by POST alone',
    (name, { path }) => {
      expect(checkRequest(asked(path, CALL), [HOST])).toEqual({
        kind: 'call',
        route: name,
        token: 'a-token',
        nonce: 'a-nonce-of-the-page',
        isAwake: false,
      });
      for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS', 'post'])
        expect(judged(asked(path, CALL, { method })), method).toBe(405);
    },
  );

  it.each([
    ['host', 421],
    ['origin', 403],
    ['sec-fetch-site', 403],
    ['content-type', 415],
    [headers.nonce, 400],
    [headers.token, 403],
  ])('is refused without %s', (name, status) => {
    expect(judged(asked('/api/payout', without(name)))).toBe(status);
  });

  it('opens a session without one, and with nothing else left out', () => {
    expect(judged(asked('/api/session', without(headers.token)))).toBe('call');
    for (const name of ['host', 'origin', 'sec-fetch-site', 'content-type', headers.nonce])
      expect(judged(asked('/api/session', without(name))), name).toBeTypeOf('number');
  });

  it.each([
    ['host', 'localhost:4711', 421],
    ['host', '127.0.0.1', 421],
    ['host', '127.0.0.1:4711.', 421],
    ['host', '127.0.0.1.:4711', 421],
    ['host', 'evil.example:4711', 421],
    ['host', '127.0.0.1:4712', 421],
    ['origin', 'null', 403],
    ['origin', 'http://127.0.0.1:4712', 403],
    ['origin', 'https://127.0.0.1:4711', 403],
    ['origin', 'http://127.0.0.1:4711.evil.example', 403],
    ['sec-fetch-site', 'none', 403],
    ['sec-fetch-site', 'same-site', 403],
    ['sec-fetch-site', 'cross-site', 403],
    ['content-type', 'text/plain', 415],
    ['content-type', 'application/json; charset=utf-8', 415],
    ['content-type', 'application/x-www-form-urlencoded', 415],
    [headers.nonce, 'short', 400],
    [headers.nonce, '!a-nonce-of-the-page', 400],
    [headers.nonce, 'n'.repeat(65), 400],
    [headers.nonce, `${'n'.repeat(30)}\n`, 400],
  ])('is refused where %s is %j', (name, value, status) => {
    expect(judged(asked('/api/payout', { ...CALL, [name]: value }))).toBe(status);
  });

  it('is refused where its length comes twice: two lengths are two requests', () => {
    const request = asked('/api/payout', { ...CALL, 'content-length': '2' });
    const headersDistinct = { ...request.headersDistinct, 'content-length': ['2', '2'] };
    expect(judged({ ...request, headersDistinct })).toBe(400);
  });

  it.each(['host', 'origin', 'content-type', 'sec-fetch-site', headers.token, headers.nonce])(
    'is refused where %s comes twice, alike or not',
    (name) => {
      for (const second of [CALL[name as keyof typeof CALL], 'other'] as string[]) {
        const request = asked('/api/payout', CALL);
        const twice = [CALL[name as keyof typeof CALL], second];
        const headersDistinct = { ...request.headersDistinct, [name]: twice };
        expect(judged({ ...request, headersDistinct })).toBe(400);
      }
    },
  );

  it.each([
    '/%61pi/payout',
    '//api/payout',
    '/x/../api/payout',
    '/api/payout/',
    '/api/payout?x=1',
    '/api/./payout',
    '/API/payout',
    '/api%2fpayout',
    'http://127.0.0.1:4711/api/payout',
    '*',
    '',
    '/api',
    '/..',
  ])('names no route by %j', (target) => {
    expect(judged(asked(target, CALL))).toBe(404);
  });

  it.each(['1.0', '0.9', '2.0'])('is refused in HTTP/%s', (httpVersion) => {
    expect(judged(asked('/api/payout', CALL, { httpVersion }))).toBe(505);
  });

  it('knows the second host that was named, with its own origin and no other', () => {
    const at = '127.0.0.1:8080';
    const there = { ...CALL, host: at, origin: `http://${at}` };
    expect(judged(asked('/api/payout', there), [HOST, at])).toBe('call');
    expect(judged(asked('/api/payout', { ...there, origin: `http://${HOST}` }), [HOST, at])).toBe(403);
    expect(judged(asked('/api/payout', there))).toBe(421);
  });
});

describe('the document', () => {
  const open = (given: Record<string, string>, method = 'GET') => judged(asked('/', given, { method }));

  it('may be navigated to from anywhere, by its own host', () => {
    expect(open({ host: HOST })).toBe('document');
    expect(open({ host: HOST, 'sec-fetch-site': 'cross-site' })).toBe('document');
    expect(open({ host: 'evil.example' })).toBe(421);
    expect(open({})).toBe(421);
    expect(open({ host: HOST }, 'POST')).toBe(405);
    expect(open({ host: HOST }, 'HEAD')).toBe(405);
  });
});
