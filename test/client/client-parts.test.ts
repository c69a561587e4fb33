/** The parts of the client that only reckon: URLs, JSON, pages, errors, retries, base URLs. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryAfter } from '../../src/client/decode.ts';
import {
  ApiError,
  isTemporary,
  NetworkError,
  RequestError,
  UnreadableAnswerError,
} from '../../src/client/errors.ts';
import { collectFields } from '../../src/client/fields.ts';
import { isDead, isFunded } from '../../src/client/funded.ts';
import { hasRiskyNumber, hasTooLongNumber, readJson } from '../../src/client/json.ts';
import { readRetries, retryDelay } from '../../src/client/retry.ts';
import { buildPath, buildQuery, operationUrl } from '../../src/client/url.ts';
import { BaseUrlError, checkBaseUrl } from '../../src/contract/base-url.ts';
import { wireAmount } from '../../src/contract/resources/common.ts';
import { isLoopback } from '../../src/core/hosts.ts';
import { eq, toDecimal } from '../../src/core/money.ts';
import { seededRandom } from '../../src/core/random.ts';
import { anyText } from '../support/any-text.ts';

const isWellFormed = (text: string): boolean => Buffer.from(text).toString() === text;

describe('queries', () => {
  const text = anyText().filter((value) => isWellFormed(value));
  const name = text.filter((value) => value !== '' && value !== '__proto__' && !/^\d+$/.test(value));
  const query = fc.dictionary(name, fc.oneof(text, fc.integer(), fc.array(text, { minLength: 1 })), {
    noNullPrototype: true,
  });

  it('lose nothing: read back, every parameter is there, in order', () => {
    fc.assert(
      fc.property(query, (given) => {
        const sent = [...new URLSearchParams(buildQuery(given))];
        const expected = Object.entries(given).flatMap(([key, value]) =>
          typeof value === 'object' ? value.map((item) => [`${key}[]`, item]) : [[key, String(value)]],
        );
        expect(sent).toEqual(expected);
      }),
    );
  });

  it('are plain bytes that a URL keeps as they are', () => {
    fc.assert(
      fc.property(query, (given) => {
        const url = `http://127.0.0.1/v1/recipients${buildQuery(given)}`;
        expect(url).toMatch(/^[\x21-\x7e]+$/);
        // The URL class alone would write these two otherwise; what is signed is sent as it stands.
        expect(new URL(url).href.replaceAll('%27', "'")).toBe(url.replaceAll('%27', "'"));
      }),
    );
  });

  it('spell arrays with brackets, repeated, and leave out what is undefined', () => {
    expect(buildQuery({ state: ['error', 'initial'], page: 2, per: undefined })).toBe(
      '?state%5B%5D=error&state%5B%5D=initial&page=2',
    );
    expect(buildQuery({})).toBe('');
    expect(buildQuery({ state: [] })).toBe('');
    expect(buildQuery({ external_id: '' })).toBe('?external_id=');
  });
});

describe('paths', () => {
  it('keep a parameter within its segment', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (id) => {
        fc.pre(id !== '.' && id !== '..' && isWellFormed(id));
        const path = buildPath('/recipients/{id}/proof', { id });
        expect(path.split('/')).toHaveLength(4);
        expect(path).not.toMatch(/[?#\\]/);
        expect(decodeURIComponent(path.split('/')[2] ?? '')).toBe(id);
      }),
    );
  });

  it.each(['', '.', '..', undefined])('refuse %j', (id) => {
    expect(() => buildPath('/recipients/{id}', id === undefined ? {} : { id })).toThrow(RangeError);
  });

  it('stand behind the base URL', () => {
    const row = { path: '/accounts/{currency}' };
    expect(operationUrl('https://h/v1', row, { currency: 'USD::P' }, { page: 1 })).toBe(
      'https://h/v1/accounts/USD%3A%3AP?page=1',
    );
  });
});

describe('JSON', () => {
  const digits = fc
    .tuple(fc.bigInt({ min: 1n, max: 10n ** 24n }), fc.nat(12))
    .map(([value, places]) =>
      places === 0 ? `${value}` : `${value}.${String(value % 10n ** BigInt(places)).padStart(places, '0')}`,
    );

  it('an amount keeps every digit, however many', async () => {
    await fc.assert(
      fc.asyncProperty(digits, async (text) => {
        const { a } = (await readJson(`{"a": ${text}, "b": [1, ${text}]}`)) as { a: unknown };
        const read = wireAmount.safeParse(a);
        expect(read.success && eq(read.data, text)).toBe(true);
      }),
    );
  });

  it.each([
    ['{"a":1e3}', '1000'],
    ['{"a":1.5E-7}', '0.00000015'],
    ['{"a":12345678901234567890.12}', '12345678901234567890.12'],
    ['{"a":-0.1}', '-0.1'],
  ])('%s is %s', async (text, expected) => {
    const { a } = (await readJson(text)) as { a: unknown };
    const read = wireAmount.safeParse(a);
    expect(read.success && eq(read.data, expected)).toBe(true);
  });

  it('loses nothing of a number with an exponent that JSON.parse reads at once', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e15 + 1, max: 1e15 - 1 }),
        fc.integer({ min: -60, max: 60 }),
        (digits, exponent) => {
          const text = `${digits}e${exponent}`;
          fc.pre(!hasTooLongNumber(`[${text}]`));
          expect(eq(toDecimal(JSON.parse(text)) ?? 'none', toDecimal(text) ?? 'none')).toBe(true);
        },
      ),
    );
    expect(
      ['[1234567890.123456]', '{"a": -0.1234567890123456}', '[1234567890123456e2]'].map(hasTooLongNumber),
    ).toEqual([true, true, true]);
    expect(['[123456789012345]', '{"a":"1234567890123456"}', '[1e5]'].map(hasTooLongNumber)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('reads everything else as JSON.parse does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue({ noUnicodeString: false } as object), async (value) => {
        const text = JSON.stringify(value);
        fc.pre(!hasRiskyNumber(text));
        expect(await readJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  it.each(['', '<html>', '{"a":', '{"a":12345678901234567890', 'nul'])('%j is none', async (text) => {
    await expect(readJson(text)).rejects.toThrow();
  });
});

describe('fields of a refusal', () => {
  const paths = (resource: unknown) =>
    Object.fromEntries(collectFields(resource).map(({ path, words }) => [path, words]));

  it('flat, several words, and bare texts', () => {
    expect(
      paths({ errors: { city: [{ error: 'blank' }, { error: 'invalid' }], otp: 'invalid', base: ['no'] } }),
    ).toEqual({
      city: ['blank', 'invalid'],
      otp: ['invalid'],
      base: ['no'],
    });
  });

  it('nested once, though the parent repeats it with dots', () => {
    const bank = { errors: { bank_code: [{ error: 'invalid' }] } };
    expect(
      paths({ payout_method: bank, errors: { 'payout_method.bank_code': [{ error: 'invalid' }] } }),
    ).toEqual({
      'payout_method.bank_code': ['invalid'],
    });
  });

  it('in a list with its index, however the parent writes it', () => {
    const recipients = [{ errors: {} }, { payout_method: { errors: { phone: [{ error: 'blank' }] } } }];
    for (const parent of [
      'recipients.payout_method.phone',
      'recipients[1].payout_method.phone',
      'recipients.1.payout_method.phone',
    ]) {
      expect(paths({ recipients, errors: { [parent]: [{ error: 'blank' }] } })).toEqual({
        'recipients.1.payout_method.phone': ['blank'],
      });
    }
  });

  it.each([
    undefined,
    null,
    'text',
    5,
    [],
    {},
    { errors: null },
    { errors: { a: [] } },
    { errors: { a: [{}] } },
  ])('%j has none', (resource) => expect(collectFields(resource)).toEqual([]));

  it('whatever a service sends, it is read without falling over', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => Array.isArray(collectFields(value))));
    fc.assert(
      fc.property(fc.jsonValue(), (value) =>
        Array.isArray(collectFields({ errors: value, recipients: value })),
      ),
    );
  });
});

const call = { operation: 'accounts.list', nonce: 'n', effect: 'read' as const };
const api = (status: number, retryAfterMs?: number) =>
  new ApiError(status, call, {
    fields: [],
    meta: {},
    existing: {},
    resource: undefined,
    isOwn: true,
    retryAfterMs,
  });
const network = new NetworkError('may_have_arrived', 'ECONNRESET', call, 'cut');

describe('retries', () => {
  it.each([429, 502, 503, 504])('%i is temporary', (status) => expect(isTemporary(api(status))).toBe(true));
  it.each([200, 400, 401, 404, 422, 500, 501])('%i is not', (status) =>
    expect(isTemporary(api(status))).toBe(false),
  );
  it('a network that fails is; what is our own fault, or cannot be read, is not', () => {
    expect(isTemporary(network)).toBe(true);
    expect(isTemporary(new UnreadableAnswerError(200, call, 'x'))).toBe(false);
    expect(isTemporary(new RequestError('x', []))).toBe(false);
  });

  it('waits between half of the ceiling and the ceiling, doubling, and ends', () => {
    fc.assert(
      fc.property(
        fc.integer(),
        fc.integer({ min: 1, max: 6 }),
        fc.integer({ min: 1, max: 60_000 }),
        (seed, attempt, firstDelayMs) => {
          const delay = retryDelay(network, attempt, { tries: 6, firstDelayMs }, seededRandom(seed));
          if (attempt === 6) return delay === null;
          const ceiling = Math.min(firstDelayMs * 2 ** (attempt - 1), 30_000);
          return delay !== null && delay >= ceiling / 2 && delay <= ceiling + 1;
        },
      ),
    );
  });

  it('never sooner than Retry-After asks, and not at all where it asks for too long', () => {
    expect(retryDelay(api(429, 7000), 1, readRetries, seededRandom(1))).toBe(7000);
    expect(retryDelay(api(429, 31_000), 1, readRetries, seededRandom(1))).toBeNull();
    expect(retryDelay(api(503, 0), 1, readRetries, seededRandom(1))).toBeGreaterThan(0);
  });

  it.each([
    ['120', 120_000],
    [' 3 ', 3000],
    ['Thu, 01 Jan 1970 00:00:10 GMT', 9000],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['soon', undefined],
    ['-5', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('Retry-After %j at 1 s is %s ms', (value, ms) => expect(retryAfter(value, 1000)).toBe(ms));
});

describe('base URLs', () => {
  it.each([
    ['https://api.example.com/v1', 'https://api.example.com/v1'],
    [' https://api.example.com/v1/ ', 'https://api.example.com/v1'],
    ['HTTPS://API.example.com:443/v1', 'https://api.example.com/v1'],
    ['http://127.0.0.1:4010/v1', 'http://127.0.0.1:4010/v1'],
    ['http://[::1]:4010/v1', 'http://[::1]:4010/v1'],
    ['http://localhost:4010/deep/v12', 'http://localhost:4010/deep/v12'],
  ])('%j is %s', (text, expected) => expect(checkBaseUrl(text)).toBe(expected));

  it.each([
    ['api.example.com/v1', 'no scheme'],
    ['ftp://api.example.com/v1', 'is ftp'],
    ['//api.example.com/v1', 'no scheme'],
    ['', 'no scheme'],
    ['https://', 'not a URL'],
    ['https://user:pw@api.example.com/v1', 'user name or password'],
    ['https://user@api.example.com/v1', 'user name or password'],
    ['https://api.example.com/v1?x=1', 'query'],
    ['https://api.example.com/v1?', 'query'],
    ['https://api.example.com/v1#top', 'fragment'],
    ['https://api.example.com', 'version segment'],
    ['https://api.example.com/v1/transactions', 'version segment'],
    ['http://api.example.com/v1', 'plain HTTP'],
    ['http://127.0.0.1.example.com/v1', 'plain HTTP'],
  ])('%j is refused: %s', (text, why) => {
    expect(() => checkBaseUrl(text)).toThrow(BaseUrlError);
    expect(() => checkBaseUrl(text)).toThrow(why);
  });

  it('never repeats a password', () => {
    expect(() => checkBaseUrl('https://user:hunter2@h/v1')).toThrow(/^(?!.*hunter2)/);
  });

  it('plain HTTP to another host only where it is asked for', () => {
    expect(checkBaseUrl('http://api.example.com/v1', { insecure: true })).toBe('http://api.example.com/v1');
  });

  it.each(['localhost', 'LOCALHOST', '127.0.0.1', '127.9.9.9', '[::1]', '::1'])(
    '%s is this machine',
    (host) => expect(isLoopback(host)).toBe(true),
  );
  it.each(['127.0.0.1.example.com', 'localhost.example.com', '128.0.0.1', '0.0.0.0', ''])(
    '%j is not',
    (host) => expect(isLoopback(host)).toBe(false),
  );
});

describe('funded or not', () => {
  const tx = (state: string, paid_amount?: string | null) =>
    ({ state, paid_amount, input_amount: '100' }) as never;
  it.each(['received', 'paid', 'refunded', 'manual', 'mispaid'])('%s is', (state) =>
    expect(isFunded(tx(state))).toBe(true),
  );
  it.each(['initial', 'approved', 'canceled'])('%s is not', (state) =>
    expect(isFunded(tx(state, '0'))).toBe(false),
  );
  it.each(['pending', 'processing', 'exception'])('%s is where money came in', (state) => {
    expect([isFunded(tx(state, '0')), isFunded(tx(state, '100')), isFunded(tx(state, null))]).toEqual([
      false,
      true,
      true,
    ]);
  });
  it('cancelled is dead only where it is known that nothing was paid', () => {
    expect([
      isDead(tx('canceled', '0')),
      isDead(tx('canceled', '50')),
      isDead(tx('canceled', '100')),
      isDead(tx('canceled', null)),
    ]).toEqual([true, false, false, false]);
  });
});
