import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyDigest } from '../../src/contract/signing.ts';
import { asBody, readFields } from '../../src/integration/cli/api/fields.ts';
import { paymentFlags, type Run, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench();
const api = (...argv: string[]): Promise<Run> => bench.run(['api', ...argv]);

describe('--dry-run', () => {
  it('prints the text to sign, with the digest of the exact bytes, and sends nothing', async () => {
    const run = await api('POST', '/senders', '-F', 'sender[x]=12.50', '--dry-run', '-o', 'json');
    expect(run.code).toBe(0);
    expect(run.requests).toEqual([]);
    const body = '{"sender":{"x":12.50}}';
    const { url, ...data } = run.data<{ url: string; body: string; string_to_sign: string }>();
    expect(data).toMatchObject({ body, string_to_sign: `<nonce>&POST&${url}&${bodyDigest(body)}` });
  });

  it('masks, and leaves a query out where output is kept', async () => {
    const body = ['-f', 'sender[phone_number]=+4915112345678'];
    expect((await api('POST', '/senders', ...body, '--dry-run')).stdout).not.toContain('49151123');
    const { stdout } = await bench.run(['api', 'GET', '/senders?external_id=c-17', '--dry-run'], {
      env: { CI: 'true' },
    });
    expect(stdout).toContain('/senders?…');
    expect(stdout).not.toContain('c-17');
  });
});

describe('fields', () => {
  it('are the query of a GET, lists included', async () => {
    const run = await api('recipients.list', '-f', 'state[]=error', '-f', 'state[]=manual', '-F', 'per=5');
    expect(run.code).toBe(0);
    expect(run.requests[0]?.query).toBe('?state[]=error&state[]=manual&per=5');
  });

  it('are the body of anything else: texts stay texts, amounts keep their digits', async () => {
    const run = await api(
      ...['webhooks.create', '-f', 'webhook[url]=http://127.0.0.1:9/hooks'],
      ...['-f', 'webhook[events][]=recipient.error', '-f', 'webhook[events][]=recipient.paid_out'],
      ...['-f', 'webhook[metadata][bank]=044', '-F', 'webhook[metadata][live]=false'],
    );
    expect(`${run.code} ${run.stderr}`).toMatch(/^0 /);
    expect(run.requests[0]?.body).toEqual({
      webhook: {
        url: 'http://127.0.0.1:9/hooks',
        events: ['recipient.error', 'recipient.paid_out'],
        metadata: { bank: '044', live: false },
      },
    });
  });

  it('make a payment that passes the guard and the journal', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    const details = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' };
    const recipient = 'transaction[recipients][0]';
    const run = await api(
      ...['transactions.create', '-f', 'transaction[input_currency]=EUR'],
      ...['-f', 'transaction[external_id]=wages-1', '-f', 'transaction[sender][external_id]=customer-1'],
      ...['-f', `${recipient}[type]=person`, '-F', `${recipient}[requested_amount]=25000`],
      ...['-f', `${recipient}[requested_currency]=NGN`, '-f', `${recipient}[payout_method][type]=NGN::Bank`],
      ...Object.entries(details).flatMap(([name, value]) => [
        '-f',
        `${recipient}[payout_method][details][${name}]=${value}`,
      ]),
    );
    expect(`${run.code} ${run.stderr}`).toMatch(/^0 sandbox · environment/);
    expect((await bench.run(['tx', 'show', 'wages-1'])).code).toBe(0);
    expect((await bench.run(['history'])).stdout).toContain('POST /transactions');
  });

  it('any text survives as it was typed, and any amount with its digits', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(JSON.parse(asBody(readFields([`note=${text}`], [])))).toEqual({ note: text });
      }),
    );
    const digits = fc.stringMatching(/^(?:0|[1-9]\d{0,30})(?:\.\d{1,30})?$/);
    fc.assert(
      fc.property(digits, (amount) => {
        expect(asBody(readFields([], [`amount=${amount}`]))).toBe(`{"amount":${amount}}`);
      }),
    );
  });

  it.each([
    [['-F', 'bank_code=044'], 'neither an amount nor true or false'],
    [['-F', 'name=Ada'], 'a text is given with -f name=Ada'],
    [['-f', 'name'], 'is not key=value'],
    [['-f', 'a=1', '-f', 'a[b]=2'], 'given twice, or as two different things'],
    [['-f', 'a=1', '-f', 'a=2'], 'given twice'],
    [['-f', 'a[1]=x'], 'given twice, or as two different things'],
    [['-f', 'a[b=1'], 'is not well formed'],
    [['-f', '__proto__[x]=1'], 'there is no such member'],
    [['-f', 'a=1', '--input', '-'], 'the body is given twice'],
    [['--paginate'], '--paginate is for a GET'],
  ])('%j is refused, and nothing is sent', async (flags, words) => {
    const run = await api('senders.create', ...flags);
    expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
    expect(run.stderr).toContain(words);
  });
});

it('--paginate reads every page, and ends by itself', async () => {
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
  for (let i = 0; i < 5; i++)
    await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', `wages-${i}`]);
  const run = await api('GET', '/transactions', '--paginate', '-f', 'per=2');
  expect(run.code).toBe(0);
  expect(run.requests.map(({ query }) => query)).toEqual(['?per=2&page=1', '?per=2&page=2', '?per=2&page=3']);
  const ids = run.stdout
    .trim()
    .split('\n')
    .flatMap((line) => (JSON.parse(line) as { object: { external_id: string }[] }).object)
    .map((one) => one.external_id);
  expect(new Set(ids).size).toBe(5);
});

it('a name that is nearly right is named', async () => {
  const run = await api('recipients.lst');
  expect(run).toMatchObject({ code: 2, requests: [] });
  expect(run.stderr).toContain('did you mean recipients.list?');
});
