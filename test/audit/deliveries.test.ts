/** Webhooks on their way to a program behind a proxy or in a container: signed for its public address, sent to this machine alone. */
import { describe, expect, it } from 'vitest';
import type { AuditCase } from '../../src/audit/case.ts';
import { type Delivered, deliveringTo } from '../../src/audit/deliveries.ts';
import type { WireRequest } from '../../src/core/transport.ts';
import { auditOf, node } from '../support/audits.ts';
import { freePort } from '../support/fire-listener.ts';

const PUBLIC = 'https://pay.example.test/hooks';
const HERE = 'http://127.0.0.1:4011/inner';

describe('a webhook for', () => {
  async function sent(url: string, faults: AuditCase = []) {
    const left: WireRequest[] = [];
    const deliveries: Delivered[] = [];
    const deliver = deliveringTo({
      ...{ case: faults, deliveries, through: { publicUrl: PUBLIC, webhook: HERE } },
      moment: () => ({ at: 0, start: 1 }),
      send: async (request) => {
        left.push(request);
        return { status: 200, headers: {}, body: '' };
      },
    });
    const headers = { 'Authorization-Signature': 'ab0' };
    const wire = { method: 'POST', url, headers, body: '{"event":"recipient.paid_out"}' };
    const error = await deliver({ ...wire, connectTimeoutMs: 1, responseTimeoutMs: 1 }).then(
      () => undefined,
      ({ message }: Error) => message,
    );
    return { urls: left.map((one) => one.url), headers: left[0]?.headers, error };
  }

  it.each([
    ['the public address', PUBLIC, HERE],
    ['another path of it', 'https://pay.example.test/other?a=1', 'http://127.0.0.1:4011/other?a=1'],
    ['this machine', 'http://127.0.0.1:9/hooks', 'http://127.0.0.1:9/hooks'],
  ])('%s goes to this machine', async (_, url, to) => {
    expect((await sent(url)).urls).toEqual([to]);
  });

  it.each(['https://pay.example.test:8443/hooks', 'https://other.example.test/hooks'])(
    '%s goes nowhere',
    async (url) => {
      const { urls, error } = await sent(url);
      expect([urls, error]).toEqual([[], expect.stringContaining('is not this machine')]);
    },
  );

  it('the public address has its host, and a signature that is spoilt where the case says so', async () => {
    expect((await sent(PUBLIC)).headers).toEqual({
      Host: 'pay.example.test',
      'Authorization-Signature': 'ab0',
    });
    const { headers } = await sent(PUBLIC, [{ way: 'webhook-missigned', nth: 1 }]);
    expect(headers).toEqual({ Host: 'pay.example.test', 'Authorization-Signature': 'ab1' });
  });
});

it('a program behind a proxy verifies what it gets for the address by which it knows itself', async () => {
  const port = await freePort();
  const audited = await auditOf([...node('hooked'), 'drops'], {
    replay: [{ way: 'webhook-missigned', nth: 1 }],
    program: {
      ...{ webhook: `http://127.0.0.1:${port}/inner`, publicUrl: PUBLIC },
      env: { ...process.env, HOOK_URL: PUBLIC, HOOK_PORT: String(port) },
    },
  });
  // It ends with 0 only where both webhooks verified: so did both runs without a fault. Forged ones it dropped.
  expect(audited.found).toEqual([]);
  expect(audited.counts).toMatchObject({ said_failed: 1 });
});
