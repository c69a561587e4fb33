import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  createArgv,
  only,
  payArgv,
  paymentFlags,
  paymentJson,
  senderFlags,
  unreachable,
  useBench,
} from '../support/cli.ts';

const bench = useBench({
  setUp: async () => {
    const made = await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    expect(made.stderr).not.toContain('remit:');
  },
});

const create = (...more: string[]) => bench.run(createArgv(undefined, ...more));
interface Tx {
  data: {
    id: string;
    state: string;
    external_id: string;
    input_amount: string;
    recipients: { id: string; state: string }[];
  };
}
const idOf = async (...more: string[]): Promise<string> => (await create(...more)).json<Tx>().data.id;
const balance = async (): Promise<string> =>
  (await bench.run(['balance', 'EUR', '-o', 'json', '--query', 'amount'])).stdout.trim();

describe('tx create', () => {
  it('without a terminal sends exactly the body, amounts as decimal strings, and prints versioned JSON', async () => {
    const run = await create('--external-id', 'inv-1');
    expect(run.code).toBe(0);
    const { version, kind, data } = run.json<Tx & { version: number; kind: string }>();
    expect([version, kind, data.state, data.external_id]).toEqual([1, 'transaction', 'approved', 'inv-1']);
    expect(run.requests).toHaveLength(1);
    expect(run.requests[0]).toEqual({
      method: 'POST',
      path: '/transactions',
      query: '',
      body: {
        transaction: { external_id: 'inv-1', metadata: {}, ...paymentJson() },
      },
    });
    expect(run.stderr).toContain('sandbox · environment · key …7f3c');
    expect(run.stderr).toContain('pay 25000 NGN to Ada Obi, NGN::Bank 044 ••••6700');
  });

  it('on a terminal shows a readable record with the account masked, and the next step', async () => {
    const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--yes'], { tty: true });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^transaction {5,}/m);
    expect(run.stdout).toContain('••••6700');
    expect(run.stdout).not.toContain('0123456700');
    expect(run.stderr).toContain('Next, within the hour: remit tx fund');
    expect(run.requests.map(({ path }) => path)).toEqual(['/transactions/calculate', '/transactions']);
  });

  it('makes an external id where none is given, so that a lost answer can be settled', async () => {
    const run = await create();
    expect(run.json<Tx>().data.external_id).toMatch(/^remit-[0-9a-f-]{36}$/);
  });

  it('--fund without a terminal needs --max-input, and sends nothing without it', async () => {
    const run = await create('--fund');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--max-input AMOUNT');
    expect(run.requests).toEqual([]);
  });

  it('--fund calculates first, then creates, and pays by a debit of what that costs', async () => {
    const run = await create('--fund', '--max-input', '20');
    expect(run.code).toBe(0);
    expect(run.requests.map(({ path }) => path)).toEqual([
      '/transactions/calculate',
      // What would be refused after the creation is looked at before it.
      '/accounts',
      '/senders',
      '/transactions',
      '/accounts/debits',
      // One look afterwards: a payout that failed at once must not read as if it had just begun.
      expect.stringMatching(/^\/transactions\/[0-9a-f-]{36}$/),
    ]);
    expect(run.stderr).toContain('costs 14.99 EUR in all');
    expect(await balance()).toBe('"249985.01"');
  });

  it('--fund above --max-input is refused with 10 and nothing is sent', async () => {
    const run = await create('--fund', '--max-input', '14.98');
    expect(run.code).toBe(10);
    expect(run.requests.map(({ path }) => path)).toEqual(['/transactions/calculate']);
    expect(await balance()).toBe('"250000.00"'.replace('.00', ''));
  });

  it('a validation error is 5, names the fields, and nothing was created', async () => {
    const run = await bench.run([
      'tx',
      'create',
      ...paymentFlags('customer-1').map((flag) => flag.replace('bank_code=044', 'bank_code=xyz')),
      '-o',
      'json',
    ]);
    expect(run.code).toBe(5);
    const error = run.error();
    expect(error).toMatchObject({
      category: 'validation',
      status: 422,
      outcome: 'not applied',
      retryable: false,
    });
    expect(error.fields.map(({ path }: { path: string }) => path)).toContain(
      'recipients.0.payout_method.bank_code',
    );
    expect(error.request_id).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('a misspelt detail is refused before anything is sent', async () => {
    const run = await create('--detail', 'bank_acount=1');
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('bank_acount');
    expect(run.requests).toEqual([]);
  });

  it('the same external id again is known as ours, and nothing new is created', async () => {
    const first = await create('--external-id', 'inv-2');
    const again = await create('--external-id', 'inv-2');
    expect(again.code).toBe(0);
    expect(again.json<Tx>().data.id).toBe(first.json<Tx>().data.id);
    expect(again.stderr).toContain('exists already');
  });

  it('the same external id with another amount is a conflict', async () => {
    await create('--external-id', 'inv-3');
    const other = await create('--external-id', 'inv-3', '--amount', '26000');
    expect(other.code).toBe(1);
    expect(other.stderr).toContain('recipients.0.requested_amount');
  });

  it('the same again after it was cancelled is 1: a script must not go on', async () => {
    const id = await idOf('--external-id', 'inv-4');
    await bench.run(['tx', 'cancel', id]);
    const again = await create('--external-id', 'inv-4');
    expect([again.code, /it is canceled: to pay, take another/.test(again.stderr)]).toEqual([1, true]);
  });

  it('--fund on one that exists unfunded pays that one', async () => {
    const id = await idOf('--external-id', 'inv-6');
    const run = await create('--external-id', 'inv-6', '--fund', '--max-input', '20', '-o', 'json');
    expect([run.code, run.data<{ id: string }>().id]).toEqual([0, id]);
    expect(await balance()).toBe('"249985.01"');
  });

  it('reads YAML whose scalars stay text: 044 is a bank and +234… a phone', async () => {
    const file = `input_currency: EUR
external_id: yaml-1
sender: {external_id: customer-1}
recipients:
  - requested_amount: 100.20
    requested_currency: NGN
    payout_method:
      type: NGN::Bank
      details: {first_name: Ada, last_name: Obi, bank_code: 044, bank_account: 0123456700, email: ada@example.com}
metadata: {phone: +2348012345678}
`;
    writeFileSync(join(bench.dir, 'payment.yaml'), file);
    const run = await bench.run(['tx', 'create', '--file', 'payment.yaml', '-o', 'json']);
    expect(run.stderr).toContain(
      '100.20 NGN will be paid as 101 NGN: NGN is paid in whole units, rounded up',
    );
    expect(run.code).toBe(0);
    const [request] = run.requests;
    const { transaction } = (request?.body ?? {}) as { transaction: Record<string, unknown> };
    expect(transaction.metadata).toEqual({ phone: '+2348012345678' });
    expect(JSON.stringify(transaction)).toContain('"bank_code":"044"');
    expect(JSON.stringify(transaction)).toContain('"bank_account":"0123456700"');
  });

  it.each([
    ['1e3', /not an amount/],
    ['-5', /must be more than 0|not an amount/],
    ['0', /more than 0/],
    ['NaN', /not an amount/],
    ['123456789012345678901234567890', /too large/],
    ['10.001', /two ways: write 10001, or at most 2 decimals/],
    ['10.0001', /more decimals/],
    ['1,000', /two ways: write 1 or 1000/],
    ['450.000', /two ways: write 450 or 450000/],
    ['1,000,000', /thousands separators/],
  ])('amount %s is refused before anything is sent', async (amount, message) => {
    const run = await create(`--amount=${amount}`, '--currency', 'NGN');
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(message);
    expect(run.requests).toEqual([]);
  });
});

describe('tx fund', () => {
  it('sends the amount and the currency as read', async () => {
    const id = await idOf();
    const run = await bench.run(['tx', 'fund', id, '-o', 'json']);
    expect(run.code).toBe(0);
    const debit = run.requests.find(({ path }) => path === '/accounts/debits');
    expect(debit?.body).toEqual({
      debit: { to_id: id, to_type: 'Transaction', currency: 'EUR', amount: '14.99' },
    });
    expect(await balance()).toBe('"249985.01"');
  });

  it('by external id, on a terminal, waits until it is paid', async () => {
    await idOf('--external-id', 'inv-9');
    const run = await bench.run(['tx', 'fund', 'inv-9', '--wait', '--yes'], { tty: true });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/state +paid/);
  });

  it('is refused for one that is funded, and pays nothing', async () => {
    const id = await idOf('--fund', '--max-input', '20');
    const run = await bench.run(['tx', 'fund', id]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('is funded already');
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    expect(await balance()).toBe('"249985.01"');
  });

  it.each([
    [['--fund', '--max-input', '20'], 1, 'is funded already'],
    [[], 75, 'without the id of the transaction'],
  ])('made with %j and read without its id: nothing is sent, and it says why', async (flags, code, says) => {
    await idOf(...flags, '--external-id', 'inv-10');
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      return { ...answer, body: answer.body.replaceAll('"id":', '"not_id":') };
    });
    const run = await bench.run(['tx', 'fund', 'inv-10']);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(says);
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
    const cancelled = await bench.run(['tx', 'cancel', 'inv-10', '-o', 'json']);
    expect(cancelled.code).not.toBe(0);
    expect(cancelled.stdout + cancelled.stderr).not.toContain('a defect of remit');
    expect(cancelled.requests.every(({ method }) => method === 'GET')).toBe(true);
  });

  it("a recipient's id is named as one", async () => {
    const made = await create();
    const [recipient] = made.json<Tx>().data.recipients;
    const run = await bench.run(['tx', 'fund', recipient?.id ?? '']);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain("is a recipient's id");
  });
});

describe('tx cancel', () => {
  it('before funding: one DELETE per recipient, exit 0', async () => {
    const id = await idOf();
    const run = await bench.run(['tx', 'cancel', id, '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(run.data<{ ending: string }[]>()[0]?.ending).toBe('cancelled before funding');
  });

  it('after a refusal by the bank: refunded, exit 0, the balance back to the cent', async () => {
    const made = await bench.run(payArgv('0123456719'));
    const run = await bench.run(['tx', 'cancel', made.json<Tx>().data.id, '--wait', '--yes'], {
      tty: true,
      columns: 160,
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('refunded');
    expect(await balance()).toBe('"250000"');
  });

  it('paid before is 1, and never called cancelled', async () => {
    const id = await idOf('--fund', '--max-input', '20');
    const run = await bench.run(['tx', 'cancel', id, '-o', 'json']);
    expect(run.code).toBe(1);
    expect(run.data<{ ending: string }[]>()[0]?.ending).toBe('paid before');
    expect(run.stderr).not.toContain('refunded');
  });

  it('one paid before and one refunded is a partial refund: 10, with both sums', async () => {
    const file = { external_id: 'two', ...paymentJson('0123456700', '0123456719') };
    writeFileSync(join(bench.dir, 'two.json'), JSON.stringify(file));
    const made = await bench.run(['tx', 'create', '--file', 'two.json', '--fund', '--max-input', '30']);
    expect(made.code, made.stderr).toBe(0);
    const run = await bench.run(['tx', 'cancel', 'two', '-o', 'json']);
    expect(run.code).toBe(10);
    expect(run.data<{ ending: string }[]>().map(({ ending }) => ending)).toEqual(['paid before', 'refunded']);
    expect(run.stderr).toContain('partly refunded: 14.99 EUR came back, 14.99 EUR had been paid out before');
    expect(run.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(1);
    expect(await balance()).toBe('"249985.01"');
  });

  it('the connection that never opens is 75, not a cancel that failed', async () => {
    const id = await idOf();
    bench.intercept(only(({ method }) => method === 'DELETE', unreachable));
    const run = await bench.run(['tx', 'cancel', id, '-o', 'json']);
    expect([run.code, run.data<{ ending: string }[]>()[0]?.ending]).toEqual([75, 'not cancelled']);
  });

  it('with the bank: left alone without --request, asked with it (8)', async () => {
    const made = await bench.run(payArgv('0123456701'));
    const { id } = made.json<Tx>().data;
    const left = await bench.run(['tx', 'cancel', id, '-o', 'json']);
    expect(left.code).toBe(1);
    expect(left.requests.some(({ method }) => method === 'DELETE')).toBe(false);
    const asked = await bench.run(['tx', 'cancel', id, '--request', '-o', 'json']);
    expect(asked.code).toBe(8);
    expect(asked.data<{ ending: string }[]>()[0]?.ending).toBe('cancellation requested');
  });
});

describe('tx show, list, calculate', () => {
  it('shows by id, external id and the beginning of an id that was seen', async () => {
    const id = await idOf('--external-id', 'inv-5');
    for (const given of [id, 'inv-5', id.slice(0, 8)]) {
      const run = await bench.run(['tx', 'show', given, '-o', 'json']);
      expect([given, run.code, run.json<Tx>().data.id]).toEqual([given, 0, id]);
    }
  });

  it('what does not exist is 6', async () => {
    for (const given of ['nothing-like-it', '00000000-0000-4000-8000-000000000000']) {
      expect((await bench.run(['tx', 'show', given])).code).toBe(6);
    }
  });

  it('lists page by page', async () => {
    for (let i = 0; i < 12; i++) await idOf('--external-id', `many-${i}`, '--new-payment');
    const all = await bench.run(['tx', 'list', '--all', '-o', 'json']);
    expect(all.data<unknown[]>()).toHaveLength(12);
    const some = await bench.run(['tx', 'list', '--limit', '3']);
    expect(some.stdout.trim().split('\n')).toHaveLength(3);
    expect(some.stdout.split('\n')[0]?.split('\t')).toHaveLength(9);
  });

  it('calculates without creating', async () => {
    const run = await bench.run(['tx', 'calculate', ...paymentFlags('customer-1')], {
      tty: true,
      env: { REMIT_NO_INPUT: '1' },
    });
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/you pay +14.99 EUR/);
    expect((await bench.run(['tx', 'list', '-o', 'json'])).data<unknown[]>()).toHaveLength(0);
  });
});
