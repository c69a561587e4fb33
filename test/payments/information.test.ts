/** Documents, currencies, rates, methods and the partner's balance. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWriteRequest, lostAfter, only, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench();

const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };
const png = Buffer.from('89504e470d0a1a0a00', 'hex');
const put = (name: string, bytes: Buffer): string => {
  writeFileSync(join(bench.dir, name), bytes);
  return name;
};

describe('document create', () => {
  it.each([
    ['passport.txt', png, 'image/png'],
    ['passport.png', Buffer.from('ffd8ffe000', 'hex'), 'image/jpeg'],
    ['paper', Buffer.from('%PDF-1.7\n'), 'application/pdf'],
  ])('%s is what its first bytes say, and is never printed', async (name, bytes, contentType) => {
    const flags = ['--file', put(name, bytes), '--type', 'passport', '--expiry', '2031-04-12'];
    const run = await bench.run(['document', 'create', ...flags, '--side', 'front', '-o', 'json', '--debug']);
    expect(run.code).toBe(0);
    const base64 = bytes.toString('base64');
    expect(run.requests[0]?.body).toEqual({
      document: {
        upload: `data:${contentType};base64,${base64}`,
        upload_file_name: name,
        upload_content_type: contentType,
        upload_file_size: bytes.length,
        document_type: 'passport',
        side: 'front',
        expiry_date: '2031-04-12',
        metadata: {},
      },
    });
    expect(run.stdout + run.stderr).not.toContain(base64);
  });

  it('an address is passed on; a service that answers with the file is not believed to be asked for it', async () => {
    bench.intercept(async (request, next) => {
      const response = await next(request);
      const body = String(response.body).replace(/"upload":"[^"]*"/, '"upload":"data:image/png;base64,AAAA"');
      return { ...response, body };
    });
    const url = 'https://example.com/papers/17.pdf';
    const run = await bench.run(['document', 'create', '--url', url, '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.requests[0]?.body).toMatchObject({ document: { upload: url, upload_file_name: '17.pdf' } });
    expect(run.stdout).not.toContain('base64');
    expect((await bench.run(['document', 'list', '-o', 'json'])).stdout).not.toContain('base64');
  });

  it('what is no document sends nothing', async () => {
    put('notes.pdf', Buffer.from('plain text'));
    put('large.png', Buffer.concat([png, Buffer.alloc(7_000_000)]));
    for (const flags of [
      ['--file', 'notes.pdf'],
      ['--file', 'large.png'],
      ['--file', 'absent.png'],
      ['--file', 'notes.pdf', '--url', 'https://example.com/x.pdf'],
      [],
      ['--url', 'papers/17.pdf'],
      ['--url', 'https://example.com/x.pdf', '--expiry', 'soon'],
    ]) {
      const run = await bench.run(['document', 'create', ...flags]);
      expect([flags.join(' '), run.code, run.requests.length]).toEqual([flags.join(' '), 2, 0]);
    }
  });

  it('a lost answer is 9 and not sent again: it would stand twice', async () => {
    bench.intercept(only(isWriteRequest, lostAfter));
    const run = await bench.run(['document', 'create', '--file', put('a.png', png)]);
    expect([run.code, run.requests.length]).toEqual([9, 1]);
    expect(run.stderr).toContain('remit document list');
  });
});

describe('currencies and rates', () => {
  it('a rate with its mid rate, margin and decimals, from the input side', async () => {
    const run = await bench.run(['rates', 'eur', 'ngn', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.json<{ kind: string; data: object }>()).toMatchObject({
      kind: 'rate',
      data: { from: 'EUR', to: 'NGN', rate: '1667.9347826087', margin: '0.01', decimals: 0 },
    });
    expect(run.requests.map(({ path }) => path)).toEqual(['/info/currencies/in']);
  });

  it('are kept for five minutes, not on this machine, and not with --fresh', async () => {
    await bench.run(['rates', 'EUR', 'NGN'], { env: live });
    const kept = await bench.run(['rates', 'EUR', 'GHS'], { env: live });
    expect([kept.code, kept.requests.length]).toEqual([0, 0]);
    expect(kept.stderr).toContain('--fresh asks again');
    expect((await bench.run(['rates', 'EUR', 'GHS', '--fresh'], { env: live })).requests).toHaveLength(1);
    expect((await bench.run(['currencies', '--in'], { env: live })).requests).toHaveLength(0);
    await bench.run(['currencies']);
    expect((await bench.run(['currencies'])).requests).toHaveLength(1);
  });

  it('as a sender gets them, by external id', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    const run = await bench.run(['currencies', '--out', '--sender', 'customer-1', '--fields', 'code']);
    expect(run.requests.at(-1)?.query).toMatch(/^\?sender_id=[0-9a-f-]{36}$/);
    expect(run.stdout).toContain('NGN\n');
  });

  it('rounds an amount that is too fine, and says so', async () => {
    const run = await bench.run(['rates', 'EUR', 'NGN', '1200.505', '-o', 'json']);
    expect([run.code, run.data<{ input_amount: string }>().input_amount]).toEqual([0, '1200.51']);
    expect(run.stderr).toContain('rounded to 1200.51 EUR');
  });

  it.each([
    ['rates EUR XXX', 6],
    ['rates XXX EUR', 6],
    ['rates EURO NGN', 2],
    ['rates EUR', 2],
    ['currencies --in --out', 2],
    ['currencies --sender customer-1', 2],
    ['methods XYZ::Bank', 6],
  ])('%s ends with %i', async (line, code) => {
    expect((await bench.run(line.split(' '))).code).toBe(code);
  });
});

describe('methods', () => {
  it('both ways, with how many fields each takes', async () => {
    const run = await bench.run(['methods', '--fields', 'type,direction,field_count']);
    expect(run.stdout).toContain('NGN::Bank\tout\t8\n');
    expect(run.stdout).toContain('UGX::Mobile\tin\t1\n');
    expect((await bench.run(['methods', '--in'])).stdout).not.toContain('\tout\t');
  });

  it('one: its fields, which are needed, and what they can be', async () => {
    const run = await bench.run(['methods', 'NGN::Bank', '-o', 'json']);
    const fields = run.data<{ field: string; required: boolean; options: object }[]>();
    expect(fields.find(({ field }) => field === 'bank_code')).toMatchObject({
      required: true,
      options: { '044': expect.any(String) },
    });
    expect((await bench.run(['methods', 'EUR::Balance'])).stdout).toMatch(/^reference\tno\t/);
    expect((await bench.run(['methods', 'NGN::Bank', '--in'])).stdout).toContain('account_number');
  });
});

describe('balance --partner', () => {
  it('beside the balance, also where only one of the two is held', async () => {
    const run = await bench.run(['balance', '--partner', '-o', 'csv']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(
      /^currency,amount,amount_after_pending,partner_available,partner_previous_day,partner_date\n/,
    );
    expect(run.stdout).toMatch(/^EUR,250000\.00,250000\.00,,,$/m);
    expect(run.stdout).toMatch(/^KES,,,20000000,20000000,2026-01-05$/m);
    expect((await bench.run(['balance', 'EUR', '--partner'])).stdout.trim().split('\n')).toHaveLength(1);
    expect((await bench.run(['balance', 'EUR', '--partner', '--min', '5'])).code).toBe(2);
  });

  it('where the segment is another, the refusal names partner_path; a variable sets it, and a profile', async () => {
    const at = (path: string) => ({ env: { REMIT_PARTNER_PATH: path } });
    const wrong = await bench.run(['balance', '--partner'], at('elsewhere'));
    expect(wrong.code).toBe(6);
    expect(wrong.stderr).toContain('there is no partner balance at /elsewhere/balance');
    expect(wrong.stderr).toContain('partner_path');
    expect(wrong.stderr).toContain('REMIT_PARTNER_PATH=NAME');
    expect((await bench.run(['balance', '--partner'], at('partner'))).code).toBe(0);
    expect((await bench.run(['balance', '--partner'], at('a/b'))).code).toBe(78);
  });
});
