/** When a write may leave: after a read that the service answered with this key, and again after an answer that is not its own. */
import { describe, expect, it } from 'vitest';
import {
  NetworkError,
  NotReadyError,
  RequestError,
  UnreadableAnswerError,
} from '../../../src/client/errors.ts';
import { isOwnRefusal } from '../../../src/client/fields.ts';
import { createDebits, listAccounts } from '../../../src/contract/operations/accounts.ts';
import type { WireRequest, WireResponse } from '../../../src/core/transport.ts';
import { clientFor, json, lost } from '../../support/scripted.ts';

const ID = '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';
const debit = { debit: { to_id: ID, to_type: 'Transaction' as const } };
const EVENTS = json(200, { object: ['transaction.created'] });
const NOTHING = json(200, { object: [] });
const DONE = json(201, { object: [{ to_id: ID, amount: '1' }] });
const PAGE = { ...json(200, ''), body: '<html>sign in</html>' };
const OWN = json(422, { object: { errors: { base: [{ error: 'insufficient_balance' }] } } });

type Answer = WireResponse | Error;
/** A client that has read nothing yet. */
const fresh = (answers: Answer[]) => {
  const { client, requests } = clientFor(answers, { fresh: true, retries: { tries: 1, firstDelayMs: 0 } });
  const asked = () => requests.map(({ method, url }) => `${method} ${url.split('/v1')[1]}`);
  return { client, asked };
};
const write = ({ client }: ReturnType<typeof fresh>) => client.call(createDebits, { body: debit });

describe('the first write of a client', () => {
  it.each<[string, Answer[], string[]]>([
    ['is answered', [EVENTS], ['GET /webhooks/events']],
    [
      'is not allowed to this key',
      [json(403, {}), NOTHING],
      ['GET /webhooks/events', 'GET /transactions?per=1'],
    ],
    ['is not served', [json(404, {}), NOTHING], ['GET /webhooks/events', 'GET /transactions?per=1']],
    [
      'is served otherwise, and the next not allowed',
      [json(200, { object: {} }), json(403, {}), NOTHING],
      ['GET /webhooks/events', 'GET /transactions?per=1', 'GET /accounts'],
    ],
  ])('leaves after a read that %s', async (_, reads, asked) => {
    const one = fresh([...reads, DONE]);
    expect(one.client.isReady()).toBe(false);
    await write(one);
    expect(one.asked()).toEqual([...asked, 'POST /accounts/debits']);
    expect(one.client.isReady()).toBe(true);
    await write(one);
    expect(one.asked()).toHaveLength(asked.length + 2);
  });

  it.each<[string, Answer[], unknown]>([
    ['the key is refused', [json(401, {})], { status: 401 }],
    ['the service is down', [json(503, {})], { status: 503 }],
    ['nothing answers', [lost], expect.any(NetworkError)],
    ['no read is allowed', [json(403, {})], { status: 403, call: { operation: 'webhooks.events' } }],
    ['nothing is found', [json(404, {})], { status: 404 }],
    ['pages answer', [PAGE], expect.any(UnreadableAnswerError)],
  ])('does not leave where %s', async (_, reads, cause) => {
    const one = fresh(reads);
    const failed = await write(one).catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(NotReadyError);
    expect((failed as NotReadyError).cause).toMatchObject(cause as object);
    expect(one.asked().every((line) => line.startsWith('GET'))).toBe(true);
    expect(one.client.isReady()).toBe(false);
  });

  it('leaves after any read of the same client, of its undisturbed self too', async () => {
    const one = fresh([NOTHING, DONE]);
    await one.client.call(listAccounts);
    expect(one.client.undisturbed().isReady()).toBe(true);
    await one.client.undisturbed().call(createDebits, { body: debit });
    expect(one.asked()).toEqual(['GET /accounts', 'POST /accounts/debits']);
    const other = fresh([NOTHING, DONE]);
    await other.client.undisturbed().call(listAccounts);
    expect(other.client.isReady()).toBe(true);
  });

  it('waits for one read, however many begin together', async () => {
    const one = fresh([EVENTS, DONE]);
    await Promise.all([write(one), write(one), one.client.raw(rawWrite('/x'))]);
    expect(one.asked().filter((line) => line.startsWith('GET'))).toHaveLength(1);
    const failing = fresh([lost, EVENTS, DONE]);
    await expect(write(failing)).rejects.toBeInstanceOf(NotReadyError);
    await write(failing);
    expect(failing.asked()).toHaveLength(3);
  });

  it('that is raw waits too; a raw read does not, and shows nothing of the key', async () => {
    const one = fresh([PAGE]);
    await one.client.raw({ method: 'GET', path: '/accounts', effect: 'read' });
    expect(one.client.isReady()).toBe(false);
    await expect(one.client.raw(rawWrite('/x'))).rejects.toBeInstanceOf(NotReadyError);
    expect(one.asked().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  it('that meets a defect of ours does not leave, and the defect is thrown on', async () => {
    const defect = new TypeError('x');
    const nonce = () => {
      throw defect;
    };
    const { client, requests } = clientFor([EVENTS], { fresh: true, nonce });
    await expect(client.call(createDebits, { body: debit })).rejects.toBeInstanceOf(RequestError);
    expect(requests).toEqual([]);
  });

  it.each<[string, (string | undefined)[], number | undefined]>([
    ['is none before anything was answered', [], undefined],
    ['is as the last answer says', ['Wed, 25 Nov 2026 10:00:00 GMT', 'Wed, 25 Nov 2026 10:00:05 GMT'], 5_000],
    ['stays where an answer says none', ['Wed, 25 Nov 2026 10:00:00 GMT', undefined], 0],
    ['is none where no answer said it', [undefined], undefined],
    ['is none where it is no date', ['soon'], undefined],
    ['is what a refusal says too', ['Wed, 25 Nov 2026 10:00:02 GMT'], 2_000],
  ])('the time of the service %s', async (what, dates, after) => {
    const status = what.includes('refusal') ? 403 : 200;
    const answers = dates.map((date) => json(status, { object: [] }, date === undefined ? {} : { date }));
    const { client } = clientFor(answers, { fresh: true, retries: { tries: 1, firstDelayMs: 0 } });
    for (const _ of dates) await client.call(listAccounts).catch(() => undefined);
    const began = Date.UTC(2026, 10, 25, 10);
    expect(client.date()).toBe(after === undefined ? undefined : began + after);
    expect(client.undisturbed().date()).toBe(client.date());
  });

  it('is made on the terms of the write', async () => {
    const { client, requests } = clientFor([EVENTS, DONE], { fresh: true });
    await client.call(createDebits, { body: debit, timeoutMs: 250 });
    expect(requests.map((request: WireRequest) => request.responseTimeoutMs)).toEqual([250, 250]);
    const once = clientFor([json(503, {})], { fresh: true });
    await expect(once.client.call(createDebits, { body: debit, retries: 0 })).rejects.toBeInstanceOf(
      NotReadyError,
    );
    expect(once.requests).toHaveLength(1);
  });
});

const rawWrite = (path: string) => ({ method: 'POST', path, body: '{}', effect: 'money' as const });

describe('after a write that is answered with', () => {
  it.each<[string, Answer, boolean]>([
    ['401', json(401, {}), false],
    ['403', json(403, { error: 'blocked' }), false],
    ['404', json(404, { status: 404, error: 'Not Found' }), false],
    ['a page and 422', json(422, '<html>'), false],
    ['an empty object and 422', json(422, {}), false],
    ['a page and 200', PAGE, false],
    ['a redirect', json(302, ''), false],
    ['a refusal of its own', OWN, true],
    ['429', json(429, ''), true],
    ['500', json(500, ''), true],
    ['nothing', lost, true],
  ])('%s, the next write goes without a read: %j', async (_, answer, isReady) => {
    const one = fresh([EVENTS, answer, EVENTS, DONE]);
    await write(one).catch(() => undefined);
    expect(one.client.isReady()).toBe(isReady);
    if (isReady) return;
    await write(one);
    expect(one.asked().slice(2)).toEqual(['GET /webhooks/events', 'POST /accounts/debits']);
  });

  it('a refusal of a raw call, only one of its own leaves the key accepted', async () => {
    const missing = json(404, { status: 404, error: 'Not Found' });
    const raw = async (path: string, answer: WireResponse) => {
      const one = fresh([EVENTS, answer]);
      await one.client.raw(rawWrite(path));
      return one.client.isReady();
    };
    expect(await raw(`/things/${ID}`, missing)).toBe(true);
    expect(await raw('/things', missing)).toBe(false);
    expect(await raw('/things', DONE)).toBe(true);
  });
});

it.each<[number, unknown, boolean, boolean]>([
  [400, { status: 400, error: 'Bad Request' }, false, true],
  [400, { status: 401, error: 'Bad Request' }, false, false],
  [400, { error: 'Bad Request' }, false, false],
  [400, { status: 400 }, false, false],
  [404, { status: 404, error: 'Not Found' }, true, true],
  [404, { status: 404, error: 'Not Found' }, false, false],
  [404, {}, true, false],
  [404, undefined, true, false],
  [404, [], true, false],
  [422, { object: { errors: { amount: [{ error: 'blank' }] } } }, false, true],
  [422, { object: { recipients: [{ errors: { base: ['no'] } }] } }, false, true],
  [422, { object: {}, meta: { error: 'no' } }, false, true],
  [422, { object: {}, meta: {} }, true, false],
  [422, { object: { errors: {} } }, true, false],
  [422, {}, true, false],
  [422, 'no', true, false],
  [401, { status: 401, error: 'Unauthorized' }, true, false],
  [403, { object: { errors: { base: ['no'] } } }, true, false],
  [500, { status: 500, error: 'x' }, true, false],
])('%i with %j, where the path has an id: %j; it is the service’s own: %j', (status, body, named, is) =>
  expect(isOwnRefusal(status, body, named)).toBe(is),
);
