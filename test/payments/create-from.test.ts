/** A payment like an earlier one, and a dry run that sends nothing. */
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  collectionFlags,
  credentials,
  paymentFlags,
  type Run,
  senderFlags,
  useBench,
} from '../support/cli.ts';

const bench = useBench({ sender: true });

const first = (...rest: string[]): Promise<Run> =>
  bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1', ...rest]);
const like = (...rest: string[]): Promise<Run> => bench.run(['tx', 'create', '--from', 'wages-1', ...rest]);
const posted = ({ requests }: Run): Record<string, unknown>[] =>
  requests
    .filter(({ method, path }) => method === 'POST' && path.startsWith('/transactions'))
    .map(({ body }) => (body as { transaction: Record<string, unknown> }).transaction);

describe('--from', () => {
  it('takes everything over but the external id', async () => {
    const [before] = posted(await first('--metadata', '{"order":"17"}', '--no-auto-refund'));
    const run = await like('--new-payment');
    expect(run.code).toBe(0);
    const [after] = posted(run);
    const { external_id: firstId, sender: _, ...rest } = before ?? {};
    expect(firstId).toBe('wages-1');
    expect(after).toMatchObject(rest);
    expect(after?.external_id).toMatch(/^remit-/);
    expect(after?.sender).toEqual({ id: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    expect(run.stderr).toContain('like wages-1: 25000 NGN to Ada Obi NGN::Bank 044 ••••6700');
  });

  it('lays the flags over it', async () => {
    await first();
    const [after] = posted(
      await like('--external-id', 'wages-2', '--amount', '1200.50', '--detail', 'last_name=Okoye'),
    );
    expect(after).toMatchObject({
      external_id: 'wages-2',
      recipients: [
        {
          requested_amount: '1200.5',
          payout_method: { details: { last_name: 'Okoye', bank_account: '0123456700' } },
        },
      ],
    });
  });

  it.each([
    [['--file', 'x.json'], 2, 'take one of them'],
    [['--from', 'nobody-7'], 6, 'no transaction has the external id'],
    [['--from', 'EUR'], 2, '--input-currency EUR'],
  ])('with %s ends with %i and sends nothing', async (flags, code, words) => {
    await first();
    const run = await like(...flags);
    expect(run.code).toBe(code);
    expect(run.stderr).toContain(words);
    expect(posted(run)).toEqual([]);
  });

  it('starts no collection again', async () => {
    const collected = await bench.run([
      ...['tx', 'create', ...collectionFlags(), '--payin-detail', 'mobile_provider=mtn'],
      ...['--detail', 'reference=order-17', '--external-id', 'wages-1'],
    ]);
    expect(collected.code).toBe(0);
    const run = await like();
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('is a collection');
  });
});

describe('--dry-run', () => {
  interface Shown {
    data: {
      method: string;
      url: string;
      body: { transaction: { recipients: object[] } };
      string_to_sign: string;
      amounts: { requested: string; paid_as: string; currency: string }[];
    };
  }
  const dry = (...rest: string[]): Promise<Run> => first('--dry-run', ...rest);

  it('makes no call, keeps no intent, and shows exactly what would be signed', async () => {
    const run = await dry('--amount', '1200.50', '-o', 'json', '--reveal');
    expect(run).toMatchObject({ code: 0, requests: [] });
    const { data } = run.json<Shown>();
    expect(data).toMatchObject({ method: 'POST', url: 'http://127.0.0.1:4010/v1/transactions' });
    expect(data.amounts).toEqual([{ requested: '1200.5', paid_as: '1201', currency: 'NGN' }]);
    const digest = createHash('sha512').update(JSON.stringify(data.body)).digest('hex');
    expect(data.string_to_sign).toBe(`<nonce>&POST&${data.url}&${digest}`);
    expect(run.stdout + run.stderr).not.toContain(credentials.secret);
    expect((await bench.run(['history'])).stdout).toBe('');
    const sent = await first('--amount', '1200.50');
    expect(sent.requests.find(({ method }) => method === 'POST')?.body).toEqual(data.body);
  });

  it('says the rounding in words, and names the call that --fund makes first', async () => {
    const run = await dry('--amount', '1200.50', '--fund', '-o', 'json');
    expect(run).toMatchObject({ code: 0, requests: [] });
    expect(run.json<Shown>().data.url).toMatch(/\/transactions$/);
    expect(run.stderr).toContain(
      'paid by a debit of exactly that, at most the price that is shown then, and 0.5 % more',
    );
    expect(run.stderr).toContain('1200.50 NGN will be paid as 1201 NGN');
  });

  it('is readable on a terminal, accounts masked', async () => {
    const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--dry-run'], { tty: true });
    expect(run.requests).toEqual([]);
    expect(run.stdout).toMatch(/^request +POST http/);
    expect(run.stdout).toContain('"bank_account": "••••6700"');
    expect(run.stdout).toMatch(/string to sign\s+<nonce>&POST&/);
    expect(run.stderr).toContain('--reveal shows the body as it is sent');
  });

  it('with --from only reads', async () => {
    await first();
    const run = await bench.run(['tx', 'create', '--from', 'wages-1', '--dry-run']);
    expect(run.code).toBe(0);
    expect(run.requests.every(({ method }) => method === 'GET')).toBe(true);
  });
});

it('tx list --sender takes an external id too', async () => {
  await first();
  await bench.run(['sender', 'create', ...senderFlags('customer-2')]);
  const own = await bench.run(['tx', 'list', '--sender', 'customer-1', '-o', 'json']);
  expect(own.data<{ external_id: string }[]>().map((one) => one.external_id)).toEqual(['wages-1']);
  expect((await bench.run(['tx', 'list', '--sender', 'customer-2', '--query', 'length(@)'])).stdout).toBe(
    '0\n',
  );
  expect((await bench.run(['tx', 'list', '--sender', 'nobody-7'])).code).toBe(6);
});

it('a sender that nobody has is named, not asked for member by member', async () => {
  for (const words of [
    ['tx', 'create'],
    ['tx', 'calculate'],
  ]) {
    const run = await bench.run([...words, ...paymentFlags('nobody-7')]);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain('no sender has the external id "nobody-7"');
    expect(run.stderr).toContain('remit sender create --external-id nobody-7');
    expect(run.stderr).not.toContain('sender.ip');
  }
});

it.each([['create'], ['create', '--fund', '--max-input', '90'], ['calculate'], ['validate']])(
  'tx %s %s: a sender that is there and lacks what the payout type asks for: the field is named, and what puts it in',
  async (...verb) => {
    const brl = {
      city: 'Rio',
      identity_card_id: '1',
      transfer_reason: 'personal_account',
      pix_key_type: 'email',
    };
    const details = { first_name: 'Ada', last_name: 'Obi', ...brl, pix_key_value: 'ada@example.com' };
    const pay = (sender: string) =>
      bench.run([
        ...['tx', ...verb, '--sender', sender, '--input-currency', 'EUR', '--amount', '20'],
        ...['--currency', 'EUR', '--type', 'BRL::Bank'],
        ...Object.entries(details).flatMap(([name, value]) => ['--detail', `${name}=${value}`]),
      ]);
    const run = await pay('customer-1');
    expect(run.code).toBe(5);
    expect(run.stderr).toMatch(/sender\.identification_number +is missing/);
    expect(run.stderr.replaceAll(/\s+/g, ' ')).toContain(
      'remit sender edit customer-1 --set identification_type=… --set identification_number=…',
    );
    expect(run.stderr).not.toContain('no sender has');
    const ghost = await pay('ghost-1');
    expect([ghost.code, ghost.stderr]).toEqual([
      5,
      expect.stringContaining('no sender has the external id "ghost-1"'),
    ]);
    expect(ghost.stderr).not.toContain('is missing');
  },
);
