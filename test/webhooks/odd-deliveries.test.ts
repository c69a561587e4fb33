/** Deliveries of any form: none is taken that was not signed, and none ends in an error of the language. */
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { diagnoseWebhook, parseWebhook, verifyWebhook } from '../../src/library/webhooks.ts';

const key = 'key_demo_7f3c';
const secret = 'demo-secret-9c1e4b';
const url = 'https://a.example/hooks';
const body = '{"webhook":"w","event":"e","object":{"id":"r"}}';
const headers = signedHeaders({ key, secret }, { nonce: 'n', method: 'POST', url, body });
const names = Object.keys(headers);

const unheard: unknown[] = [
  ...[5, 0, null, undefined, true, Number.NaN, 10n, Symbol('x'), () => 1],
  ...[{}, [], [5], [null], [['x']], [{}], Object.create(null), new Date(0), Buffer.from('x')],
  ...['', ' ', '\0', '\ud800', 'x'.repeat(10_000), ['', ''], ['a', 'b']],
];
const others = [
  'content-encoding',
  'host',
  'x-forwarded-host',
  'x-forwarded-port',
  'x-forwarded-prefix',
  'authorization',
];
const urls = [
  'x',
  'http://',
  'http://[::1',
  '//a',
  'mailto:a',
  '?',
  '#',
  'https://a.example/%',
  'https://a.example/%E0%A4%A',
  'http://a b/',
];
const bodies = [
  '',
  '{',
  'null',
  '5',
  '"x"',
  '\ud800',
  '{"__proto__":1}',
  '{"type":"Buffer","data":[999,"x",null]}',
  '{"type":"Buffer","data":5}',
  '%7B%',
  '"\\ud800"',
  new DataView(new ArrayBuffer(4)),
  Buffer.from([0xff, 0xfe]),
];

type Given = Parameters<typeof verifyWebhook>[0];

const forged: [what: string, given: unknown][] = [
  ...names.flatMap((name) =>
    unheard.map(
      (value) =>
        [name, { url, body, headers: { ...headers, [name]: value }, key, secret }] as [string, unknown],
    ),
  ),
  ...others.flatMap((name) =>
    unheard.map(
      (value) =>
        [name, { url, body: `${body} `, headers: { ...headers, [name]: value }, key, secret }] as [
          string,
          unknown,
        ],
    ),
  ),
  ...urls.map((one) => [one, { url: one, body, headers, key, secret }] as [string, unknown]),
  ...bodies.map((one) => [String(one), { url, body: one, headers, key, secret }] as [string, unknown]),
  ...['url', 'body', 'headers', 'key', 'secret'].flatMap((name) =>
    unheard.map(
      (value) => [name, { url, body: 'x', headers, key, secret, [name]: value }] as [string, unknown],
    ),
  ),
];

const nameOf = (error: unknown): string => (error as Error).constructor.name;

describe('a forged delivery of any form', () => {
  it('is refused, or what is wrong with the call is said', () => {
    expect(forged.length).toBeGreaterThan(350);
    for (const [what, given] of forged) {
      const answer = outcome(() => verifyWebhook(given as Given).valid);
      expect([what, answer]).toEqual([what, expect.toBeOneOf([false, 'OptionError'])]);
    }
  });

  it('has a cause in words', () => {
    for (const [what, given] of forged) {
      const answer = outcome(() => (diagnoseWebhook(given as Given)?.message.length ?? 0) > 10);
      expect([what, answer]).toEqual([what, expect.toBeOneOf([true, 'OptionError'])]);
    }
  });

  it('is no delivery to read', () => {
    for (const one of [...bodies, ...unheard])
      expect(['DeliveryError', 'OptionError']).toContain(outcome(() => parseWebhook(one as string)));
  });
});

function outcome<T>(work: () => T): T | string {
  try {
    return work();
  } catch (error) {
    return nameOf(error);
  }
}
