import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lost, senderFlags, useBench, writesOf } from '../support/cli.ts';

const bench = useBench({ sender: true });

/** Answers to this method are lost: all of them, or the first. */
function lose(method: string, times = Number.POSITIVE_INFINITY): void {
  let left = times;
  bench.intercept(async (request, next) => {
    const response = await next(request);
    return request.method === method && left-- > 0 ? lost(request, next) : response;
  });
}

describe('sender list', () => {
  it('filters, limits and pages as the other lists do', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-2')]);
    const all = await bench.run(['sender', 'list', '-o', 'json']);
    expect(all.data<unknown[]>()).toHaveLength(2);
    const one = await bench.run(['sender', 'list', '--external-id', 'customer-2', '--fields', 'external_id']);
    expect(one.stdout).toBe('customer-2\n');
    const some = await bench.run(['sender', 'list', '--since', '2026-01-01', '--limit', '1']);
    expect(some.requests[0]?.query).toBe('?created_at_from=2026-01-01&per=1&page=1');
    expect(some.stdout.trim().split('\n')).toHaveLength(1);
    expect((await bench.run(['sender', 'list', '--since', 'tomorrow'])).code).toBe(2);
  });
});

describe('sender create', () => {
  it('sends documents with the sender; another kind of file sends nothing', async () => {
    const png = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
    writeFileSync(join(bench.dir, 'front.jpg'), png);
    writeFileSync(join(bench.dir, 'notes.txt'), 'no picture');
    const create = ['sender', 'create', ...senderFlags('customer-3')];
    const made = await bench.run([...create, '--document', 'passport=front.jpg', '--document', 'front.jpg']);
    expect(made.code, made.stderr).toBe(0);
    const { body } = made.requests.find(({ path }) => path === '/senders') ?? {};
    const { documents } = (body as { sender: { documents: Record<string, unknown>[] } }).sender;
    expect(documents.map((one) => [one.document_type, one.upload_file_name])).toEqual([
      ['passport', 'front.jpg'],
      [undefined, 'front.jpg'],
    ]);
    expect(documents[0]?.upload).toBe(`data:image/png;base64,${png.toString('base64')}`);
    const refused = await bench.run([...create, '--document', 'notes.txt']);
    expect([refused.code, refused.requests]).toEqual([2, []]);
    expect(refused.stderr).toContain('is not a PNG, JPEG or PDF');
  });
});

describe('sender edit', () => {
  it('shows what changes and sends only that', async () => {
    const run = await bench.run([
      ...['sender', 'edit', 'customer-1', '--email', 'new@example.com'],
      ...['--set', 'city=Porto', '--set', 'street=Rua do Ouro 12', '-o', 'json'],
    ]);
    expect(run.code).toBe(0);
    expect(writesOf(run).map(({ body }) => body)).toEqual([
      { sender: { email: 'new@example.com', city: 'Porto' } },
    ]);
    expect(run.stderr).toContain('city: Lisboa -> Porto');
    expect(run.data<{ city: string }>().city).toBe('Porto');
  });

  it('on a terminal masks what was there, in CI both', async () => {
    const argv = (number: string) => ['sender', 'edit', 'customer-1', '--phone-number', number];
    const terminal = await bench.run(argv('911111111'), { tty: true });
    expect(terminal.stderr).toContain('phone_number: ••••5678 -> 911111111');
    const ci = await bench.run(argv('922222222'), { env: { CI: 'true' } });
    expect(ci.stderr).toContain('phone_number: ••••1111 -> ••••2222');
  });

  it.each([
    ['nothing to change, without a terminal', [], 2],
    ['a member that senders do not have', ['--set', 'shoe_size=42'], 2],
    ['a masked value', ['--phone-number', '••••5678'], 2],
  ])('%s sends nothing', async (_, flags, code) => {
    const run = await bench.run(['sender', 'edit', 'customer-1', ...flags]);
    expect([run.code, writesOf(run)]).toEqual([code, []]);
  });

  it('what reads so already is not sent; nobody is 6; a refusal is 5 with its field', async () => {
    const same = await bench.run(['sender', 'edit', 'customer-1', '--set', 'city=Lisboa']);
    expect([same.code, writesOf(same)]).toEqual([0, []]);
    expect(same.stderr).toContain('nothing was sent');
    expect((await bench.run(['sender', 'edit', 'nobody', '--email', 'a@b.c'])).code).toBe(6);
    const refused = await bench.run(['sender', 'edit', 'customer-1', '--set', 'country=Portugal']);
    expect(refused.code).toBe(5);
    expect(refused.stderr).toContain('country');
  });

  it('a lost answer is settled by reading the sender again', async () => {
    lose('PATCH', 1);
    const run = await bench.run(['sender', 'edit', 'customer-1', '--set', 'city=Porto']);
    expect(run.code).toBe(0);
    expect(writesOf(run)).toHaveLength(1);
    expect(run.stderr).toContain('remit looked, and found it');
  });

  it('what nobody can tell is 9, and says how to look', async () => {
    let sent = false;
    bench.intercept(async (request, next) => {
      sent ||= request.method === 'PATCH';
      return (sent ? lost : next)(request, next);
    });
    const run = await bench.run(['sender', 'edit', 'customer-1', '--set', 'city=Porto']);
    expect(run.code).toBe(9);
    expect(run.stderr).toMatch(/next +remit sender show [0-9a-f-]{36}/);
  });
});

describe('sender disable', () => {
  it('takes something away: in production nothing is sent unasked', async () => {
    const run = await bench.run(['sender', 'disable', 'customer-1'], {
      env: { REMIT_BASE_URL: 'https://api.example.com/v1' },
    });
    expect([run.code, writesOf(run)]).toEqual([2, []]);
  });

  it('once, by external id; the second time nothing is sent', async () => {
    const run = await bench.run(['sender', 'disable', 'customer-1', '--fields', 'state']);
    expect([run.code, run.stdout]).toEqual([0, 'disabled\n']);
    const again = await bench.run(['sender', 'disable', 'customer-1']);
    expect([again.code, writesOf(again)]).toEqual([0, []]);
  });

  it('a lost answer is settled by reading the sender again', async () => {
    lose('DELETE');
    const run = await bench.run(['sender', 'disable', 'customer-1']);
    expect([run.code, writesOf(run).length]).toEqual([0, 1]);
  });
});
