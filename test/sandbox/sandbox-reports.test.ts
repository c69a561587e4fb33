/** The reports host of a sandbox: its two calls, the address that holds ten minutes, and the files behind it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { signedHeaders } from '../../src/contract/signing.ts';
import { add, type Decimal } from '../../src/core/money.ts';
import { type Bench, credentials, HOST, paymentBody, startBench } from '../support/sandbox.ts';

let bench: Bench;
let nonces = 0;

beforeEach(async () => {
  bench = await startBench();
  bench.sandbox.servedAt(`http://${HOST}`);
});

async function raw(method: string, url: string, body?: string, headers: Record<string, string> = {}) {
  const answer = await bench.sandbox.handle({ method, url, headers: { host: HOST, ...headers }, body });
  return { ...answer, text: String(answer.body) };
}

async function signed(method: string, url: string, body?: object) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const request = { nonce: `r-${++nonces}`, method, url: `http://${HOST}${url}`, body: text };
  const answer = await raw(method, url, text, signedHeaders(credentials, request));
  return { ...answer, json: JSON.parse(answer.text) };
}

const list = async (query = ''): Promise<string[]> =>
  (await signed('GET', `/reports${query}`)).json.available_reports;

/** Below the host. */
async function addressOf(path: string): Promise<string> {
  const { json } = await signed('POST', '/authenticated_url', { path });
  expect(Object.keys(json)).toEqual(['authenticated_url']);
  return json.authenticated_url.slice(`http://${HOST}`.length);
}

const linesOf = (text: string): string[] => text.trimEnd().split('\n');

async function report(type: string, month: string): Promise<Record<string, string>[]> {
  const path = (await list(`?type=${type}`)).find((one) => one.endsWith(`_${month}.csv`)) ?? '';
  const { status, headers, text } = await raw('GET', await addressOf(path));
  expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8']);
  const [head = '', ...rows] = linesOf(text);
  const names = head.split(',');
  return rows.map((row) => {
    const cells = row.split(',');
    return Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']));
  });
}

const pay = (externalId: string, number?: string) =>
  bench.call('POST', '/transactions/create_and_fund', paymentBody(externalId, number));
const days = (count: number): Promise<unknown> => Promise.resolve(bench.sandbox.advance(count * 86_400_000));

describe('which there are', () => {
  it('a report of each type for each month from the first movement on, of the environment test', async () => {
    expect((await list()).map((path) => path.replace(/\/[0-9a-f-]{36}\//, '/ID/'))).toEqual([
      'test/ID/monthly/transaction_report_2026-01.csv',
      'test/ID/monthly/account_report_2026-01.csv',
    ]);
    await days(27);
    const accounts = await list('?type=account&environment=test');
    expect(accounts.map((path) => path.split('/').at(-1))).toEqual([
      'account_report_2026-01.csv',
      'account_report_2026-02.csv',
    ]);
    expect(await list('?environment=live')).toEqual([]);
  });

  it('a filter that there is not is a 400, and so is a body without a path', async () => {
    expect((await signed('GET', '/reports?type=weekly')).status).toBe(400);
    expect((await signed('GET', '/reports?environment=prod')).status).toBe(400);
    expect((await signed('POST', '/authenticated_url', { file: 'x' })).status).toBe(400);
  });

  it.each(['test/x/monthly/account_report_2026-01.csv', '../../etc/passwd', ''])(
    '%j is no report: 404',
    async (path) => {
      expect((await signed('POST', '/authenticated_url', { path })).status).toBe(404);
    },
  );

  it('both calls want a signature, query included, and no other call is there', async () => {
    expect((await raw('GET', '/reports')).status).toBe(401);
    expect((await raw('POST', '/authenticated_url', '{}')).status).toBe(401);
    const request = { nonce: 'n', method: 'GET', url: `http://${HOST}/reports`, body: undefined };
    const headers = signedHeaders(credentials, request);
    expect((await raw('GET', '/reports?type=account', undefined, headers)).status).toBe(401);
    expect((await signed('DELETE', '/reports')).status).toBe(404);
    expect((await signed('GET', '/authenticated_url')).status).toBe(404);
  });
});

describe('the address', () => {
  it('is read without a signature for ten minutes of the clock, and not after', async () => {
    const [path = ''] = await list();
    const address = await addressOf(path);
    await bench.sandbox.advance(599_999);
    expect((await raw('GET', address)).status).toBe(200);
    await bench.sandbox.advance(1);
    expect((await raw('GET', address)).status).toBe(403);
    expect((await raw('GET', await addressOf(path))).status).toBe(200);
  });

  it('opens this report alone, and as long as it says', async () => {
    const [path = ''] = await list();
    const address = await addressOf(path);
    expect((await raw('GET', address.replace('transaction_report', 'account_report'))).status).toBe(403);
    expect((await raw('GET', address.replace('expires=', 'expires=9'))).status).toBe(403);
    expect((await raw('GET', address.split('?')[0] ?? '')).status).toBe(403);
    expect((await raw('POST', address)).status).toBe(404);
  });
});

describe('the files', () => {
  it('the transaction report has a row for each recipient of the month, exact, without a name or an account', async () => {
    await pay('wages, "one"');
    await pay('wages-2', '0123456719');
    await days(27);
    await pay('wages-3');
    const [path = ''] = await list('?type=transaction');
    const { text } = await raw('GET', await addressOf(path));
    expect(linesOf(text)[0]).toBe(
      'transaction_id,external_id,created_at,funded_at,transaction_state,sender_id,recipient_id,recipient_state,reason_code,payout_type,input_currency,input_amount,rate,output_currency,output_amount,paid_at,refunded_at',
    );
    expect(linesOf(text)).toHaveLength(3);
    expect(text).toContain(',"wages, ""one""",');
    expect(text).not.toMatch(/Chidi|Eze|0123456719/);
    const [february] = await report('transaction', '2026-02');
    expect(february).toMatchObject({
      external_id: 'wages-3',
      transaction_state: 'paid',
      recipient_state: 'success',
      input_currency: 'EUR',
      input_amount: '10.00',
      refunded_at: '',
    });
    expect(february?.paid_at).toMatch(/^2026-02-.*Z$/);
  });

  it('the account report has each movement with the balance after it; together they are the balance', async () => {
    await pay('wages-1');
    const failing = await pay('wages-2', '0123456719');
    const [recipient] = failing.body.object.recipients;
    await bench.call('DELETE', `/recipients/${recipient.id}`);
    await days(27);
    await pay('wages-3');
    await bench.call('POST', '/_sandbox/balances/EUR', { amount: '70' });
    const months = [await report('account', '2026-01'), await report('account', '2026-02')];
    const euros = months.map((rows) => rows.filter(({ currency }) => currency === 'EUR'));
    expect(euros[0]?.map(({ kind, amount, balance }) => [kind, amount, balance])).toEqual([
      ['opening', '250000.00', '250000.00'],
      ['debit', '-10.00', '249990.00'],
      ['debit', '-10.00', '249980.00'],
      ['refund', '10.00', '249990.00'],
    ]);
    expect(euros[1]?.map(({ kind, balance }) => [kind, balance])).toEqual([
      ['debit', '249980.00'],
      ['top_up', '250050.00'],
    ]);
    expect(euros[0]?.at(-1)).toMatchObject({
      transaction_id: failing.body.object.id,
      recipient_id: recipient.id,
    });
    const accounts = await bench.call('GET', '/accounts');
    for (const { currency, amount } of accounts.body.object) {
      const all = months.flat().filter((row) => row.currency === currency);
      const sum = all.reduce<Decimal>((total, row) => add(total, row.amount as Decimal), '0');
      expect([currency, Number(sum)]).toEqual([currency, amount]);
    }
  });

  it('a payout to a balance of ours is a credit of it', async () => {
    const own = paymentBody('top-up');
    const [recipient] = own.transaction.recipients;
    Object.assign(recipient ?? {}, {
      requested_currency: 'GHS',
      payout_method: { type: 'GHS::Balance', details: { reference: 'top-up' } },
    });
    const paid = await bench.call('POST', '/transactions/create_and_fund', own);
    expect(paid.status, JSON.stringify(paid.body)).toBe(201);
    await days(1);
    const cedis = (await report('account', '2026-01')).filter(({ currency }) => currency === 'GHS');
    expect(cedis.map(({ kind }) => kind)).toEqual(['opening', 'credit']);
  });

  it('the same is the same, byte for byte', async () => {
    await pay('wages-1');
    const [path = ''] = await list();
    const [one, two] = [await raw('GET', await addressOf(path)), await raw('GET', await addressOf(path))];
    expect(one.text).toBe(two.text);
  });

  it('and these calls are not in the log of requests', async () => {
    await list();
    expect((await bench.call('GET', '/api_logs')).body.object).toEqual([]);
  });
});
