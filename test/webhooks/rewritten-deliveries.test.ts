/** Deliveries of the sandbox that a handler parsed and wrote again, in the ways of three languages: the body is named only where that is proved. */
import { beforeAll, describe, expect, test } from 'vitest';
import { CONTROL_PATH } from '../../src/contract/controls/index.ts';
import { type Against, diagnose } from '../../src/contract/signatures/diagnose.ts';
import { signedHeaders } from '../../src/contract/signing.ts';
import { credentials, HOOK, startBench } from '../support/sandbox.ts';

const bodies: string[] = [];

beforeAll(async () => {
  const { sandbox, call, received } = await startBench();
  const events = (await call('GET', '/webhooks/events')).body.object;
  await call('POST', '/webhooks', { webhook: { url: HOOK, events } });
  await call('POST', `${CONTROL_PATH}/seed`, { rounds: 1 });
  await sandbox.advance(2 * 3_600_000);
  bodies.push(...received.map(({ request }) => request.body ?? ''));
});

/** Python and PHP keep that a number had a decimal: 120.00 becomes 120.0. */
const asFloat = (body: string): string =>
  body.replace(/:(-?\d+\.\d)(\d*?)0*(?=[,}])/g, (_, some, more) => `:${some}${more}`);

const ways: [language: string, rewrite: (body: string) => string][] = [
  ['JavaScript', (body) => JSON.stringify(JSON.parse(body))],
  ['JavaScript, indented', (body) => JSON.stringify(JSON.parse(body), null, 2)],
  ['Python', (body) => asFloat(body).replaceAll('":', '": ').replaceAll(',"', ', "')],
  ['PHP', (body) => asFloat(body).replaceAll('/', '\\/')],
];

const MAYBE_REWRITTEN: unknown = expect.stringMatching(/parsed and written again.*raw bytes/);

const diagnosed = (
  signed: string,
  received: string,
  secret = credentials.secret,
  sentBy: Against['sentBy'] = 'service',
) =>
  diagnose(
    {
      rawBody: Buffer.from(received),
      url: HOOK,
      headers: signedHeaders(
        { ...credentials, secret },
        { nonce: 'n-1', method: 'POST', url: HOOK, body: signed },
      ),
    },
    { credentials, sentBy },
  );
const causeOf = (...asked: Parameters<typeof diagnosed>): string => diagnosed(...asked).cause;

describe('a delivery that was parsed and written again', () => {
  test.each(ways)('in %s', (_, rewrite) => {
    const changed = bodies.filter((body) => rewrite(body) !== body);
    expect(changed.length).toBeGreaterThan(25);
    const found = changed.map((body) => diagnosed(body, rewrite(body)));
    expect(found.filter(({ cause }) => cause === 'body_rewritten').length).toBeGreaterThan(
      changed.length / 2,
    );
    for (const { cause, hint } of found)
      if (cause !== 'body_rewritten') expect([cause, hint]).toEqual(['secret', MAYBE_REWRITTEN]);
  });

  test('is still a wrong secret where the body came as it was sent', () => {
    expect(bodies.length).toBeGreaterThan(50);
    for (const body of bodies) expect(causeOf(body, body, 'another')).toBe('secret');
  });

  test('and a forged amount is no lost zero', () => {
    const paid = bodies.filter((body) => body.includes('"input_amount":120.00'));
    expect(paid.length).toBeGreaterThan(0);
    for (const body of paid)
      expect(causeOf(body, body.replace('"input_amount":120.00', '"input_amount":121'))).toBe('secret');
  });

  test('is not said of a body that came as it was sent, whatever else is wrong', () => {
    const untouched = '{"amount":25.5,"webhook":"recipient.error"}';
    expect(causeOf(untouched, untouched, 'another')).toBe('secret');
  });

  test('of a caller is proved in the same way', () => {
    const [sent, signed] = ['{"amount":120}', '{"amount":120.00}'];
    expect(causeOf(signed, sent, credentials.secret, 'caller')).toBe('body_rewritten');
    expect(causeOf('{"amount":121.00}', sent, credentials.secret, 'caller')).toBe('secret');
  });
});
