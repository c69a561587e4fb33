/** Several recipients in one cancel: a row and an ending each, the worst exit code, and nothing sent where one is not found. */
import { expect, it } from 'vitest';
import { paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

async function pay(account: string, externalId: string): Promise<string> {
  const flags = [...paymentFlags('customer-1', account), '--external-id', externalId];
  const run = await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20', '-o', 'json']);
  return run.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
}

interface Rows {
  data: { recipient: { id: string }; ending: string }[];
}

it('ends each on its own, in the order that was asked', async () => {
  const wrong = await pay('0123456719', 'wages-1');
  const paid = await pay('0123456700', 'wages-2');
  const run = await bench.run(['recipient', 'cancel', 'wages-1', paid, '--wait', '-o', 'json']);
  expect(run.json<Rows>().data.map(({ recipient, ending }) => [recipient.id, ending])).toEqual([
    [wrong, 'refunded'],
    [paid, 'paid before'],
  ]);
  // Two payments: none of them is partly refunded, and one was not cancelled.
  expect(run.code).toBe(1);
  expect(run.stderr).not.toContain('partly refunded');
  expect(run.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

it('two that come back are 0', async () => {
  const ids = [await pay('0123456719', 'wages-1'), await pay('0123456708', 'wages-2')];
  const run = await bench.run(['recipient', 'cancel', ...ids, '--wait', '--timeout', '5s', '-o', 'json']);
  expect(run.json<Rows>().data.map(({ ending }) => ending)).toEqual(['refunded', 'refunded']);
  expect(run.code).toBe(0);
});

it('the same one twice is asked once', async () => {
  const id = await pay('0123456719', 'wages-1');
  const run = await bench.run(['recipient', 'cancel', id, 'wages-1']);
  expect(run.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
});

it('sends nothing where one of them is not found', async () => {
  await pay('0123456719', 'wages-1');
  const run = await bench.run(['recipient', 'cancel', 'wages-1', 'nobody-7']);
  expect(run.code).toBe(6);
  expect(run.stderr).toContain('"nobody-7"');
  expect(run.stderr).toContain('not applied (nothing was sent)');
  expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
});

it('those under way are left alone, with the command that asks anyway', async () => {
  const wrong = await pay('0123456719', 'wages-1');
  const slow = await pay('0123456701', 'wages-2');
  const before = await bench.run(['recipient', 'show', slow, '-o', 'json']);
  expect(before.data<{ state: string; may_cancel: boolean }>()).toMatchObject({
    state: 'pending',
    may_cancel: false,
  });
  const run = await bench.run(['recipient', 'cancel', wrong, slow]);
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`remit recipient cancel ${slow} --request --wait`);
  const asked = await bench.run(['recipient', 'cancel', slow, '--request', '-o', 'json']);
  expect(asked.data<{ ending: string }>().ending).toBe('cancellation requested');
  expect(asked.code).toBe(8);
});

it('an unknown outcome names what settles it, no flag that cancel does not have, and is not waited for', async () => {
  const id = await pay('0123456719', 'wages-1');
  bench.intercept(async (request, next) =>
    request.method === 'DELETE' ? { status: 503, headers: {}, body: '' } : next(request),
  );
  for (const _ of [1, 2]) {
    const run = await bench.run(['recipient', 'cancel', id, '--wait', '-o', 'json']);
    expect(run.code).toBe(9);
    const { data } = run.json<{ data: { ending: string; why: string } }>();
    expect(data.ending).toBe('unknown');
    expect(data.why).toContain('remit history settle');
    expect(data.why).not.toContain('--new-payment');
    // One look before it and one after, and what settling looks at by itself.
    expect(run.requests.filter(({ method }) => method === 'GET').length).toBeLessThan(6);
  }
});

it('a transaction that is not found is said with what became of the cancel', async () => {
  for (const words of [
    ['tx', 'cancel'],
    ['tx', 'fund'],
    ['recipient', 'edit'],
    ['recipient', 'cancel'],
  ]) {
    const run = await bench.run([...words, 'nosuch']);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain('not applied (nothing was sent)');
  }
  expect((await bench.run(['tx', 'show', 'nosuch'])).stderr).not.toContain('not applied');
});
