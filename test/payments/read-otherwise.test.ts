/** The service makes the payment, and writes it otherwise than it was sent: nobody is told that it was not made, and no debit follows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { useBothFaces } from '../support/both-faces.ts';
import { type Intercept, paymentJson, type Run } from '../support/cli.ts';

const faces = useBothFaces({ sandbox: { settings: { strict_senders: false } } });
const { bench } = faces;

interface Shown {
  id?: string;
  external_id?: string;
  input_currency: string;
  metadata: object;
  recipients: {
    requested_amount: number;
    requested_currency: string;
    payout_method: { details: { bank_account: string } };
  }[];
}
type Rewrite = (shown: Shown) => void;

const rounded: Rewrite = ({ recipients: [one] }) => {
  if (one) one.requested_amount = Math.ceil(one.requested_amount / 5) * 5;
};
const lowered: Rewrite = (shown) => {
  shown.input_currency = shown.input_currency.toLowerCase();
  for (const one of shown.recipients) one.requested_currency = one.requested_currency.toLowerCase();
};
const without =
  (member: 'metadata' | 'external_id'): Rewrite =>
  (shown) => {
    if (member === 'metadata') shown.metadata = {};
    else delete shown.external_id;
  };
const doubled: Rewrite = ({ recipients: [one] }) => {
  if (one) one.requested_amount *= 2;
};
const toAnother: Rewrite = ({ recipients: [one] }) => {
  if (one) one.payout_method.details.bank_account = '0123456799';
};

const isTransaction = (path: string): boolean =>
  /\/transactions(?:\/(?!calculate)[^/]+)?$/.test(path.split('?')[0] ?? '');

/** `everywhere`, or in the answer to the request that makes it alone. */
const rewriting =
  (rewrite: Rewrite, where: 'everywhere' | 'answer'): Intercept =>
  async (request, next) => {
    const response = await next(request);
    const isAnswer = request.method === 'POST';
    if (!isTransaction(request.url) || response.status > 299 || (where === 'answer' && !isAnswer))
      return response;
    const body = JSON.parse(response.body) as { object: Shown | Shown[] };
    for (const one of [body.object].flat()) rewrite(one);
    return { ...response, body: JSON.stringify(body) };
  };

const payment = {
  ...paymentJson(),
  external_id: 'wages-1',
  metadata: { order: '17' },
};
if (payment.recipients[0]) payment.recipients[0].requested_amount = '24998';

const create = async (...more: string[]): Promise<Run> => {
  writeFileSync(join(bench.dir, 'payment.json'), JSON.stringify(payment));
  return bench.run(['tx', 'create', '--file', 'payment.json', '-o', 'json', ...more]);
};
/** Requests that make or pay one. */
const sentBy = ({ requests }: Run): string[] =>
  requests
    .filter(({ method, path }) => method === 'POST' && !path.endsWith('/calculate'))
    .map(({ path }) => path.replace(/^.*\/v1/, ''));
const balance = async (): Promise<string> => {
  const run = await bench.run(['balance', 'EUR', '-o', 'json', '--query', 'amount']);
  return run.stdout.trim();
};
const WHOLE = '"250000"';

const OURS: [string, Rewrite, 'everywhere' | 'answer'][] = [
  ['an amount rounded to fives', rounded, 'everywhere'],
  ['currencies in lower case', lowered, 'everywhere'],
  ['metadata left out', without('metadata'), 'everywhere'],
  ['an answer without an external id', without('external_id'), 'answer'],
  ['an amount that is other in the answer alone', doubled, 'answer'],
];
const OTHERS: typeof OURS = [
  ['another amount', doubled, 'everywhere'],
  ['another account', toAnother, 'everywhere'],
];

describe.each(OURS)('%s', (_, rewrite, where) => {
  const rewrites = (): void => faces.intercept(rewriting(rewrite, where));

  it('is applied, once, where the record of our external id shows that very transaction', async () => {
    rewrites();
    const run = await create();
    expect([run.code, sentBy(run)], run.stderr).toEqual([0, ['/transactions']]);
    expect(await bench.run('history -o json').then((all) => all.data())).toMatchObject([
      { state: 'applied', result_id: run.data<Shown>().id },
    ]);
  });

  it('is paid with --fund, once, whoever asks for it again', async () => {
    rewrites();
    const run = await create('--fund', '--max-input', '20');
    expect([run.code, sentBy(run)], run.stderr).toEqual([0, ['/transactions', '/accounts/debits']]);
    const paid = await balance();
    expect(paid).not.toBe(WHOLE);
    const again = await create('--fund', '--max-input', '20');
    expect([again.code, sentBy(again)], again.stderr).toEqual([0, ['/transactions']]);
    expect(await balance()).toBe(paid);
  });

  it('is told alike by the library', async () => {
    rewrites();
    const created = await faces.client.transactions.create(payment as never);
    expect([created.outcome, faces.sent]).toEqual(['applied', ['POST /transactions']]);
    const bound = { ...payment, external_id: 'wages-2' } as never;
    for (const posted of [['POST /transactions', 'POST /accounts/debits'], []]) {
      faces.sent.length = 0;
      const paid = await faces.client.transactions.createAndFund(bound, { maxInput: '20' });
      expect([paid.outcome, faces.sent], JSON.stringify(paid)).toEqual(['applied', posted]);
    }
    faces.sent.length = 0;
    const atOnce = { ...payment, external_id: 'wages-3' } as never;
    const one = await faces.client.transactions.createAndFund(atOnce);
    expect([one.outcome, faces.sent]).toEqual(['applied', ['POST /transactions/create_and_fund']]);
  });
});

it('what the service writes otherwise is said, and what it leaves out is not', async () => {
  faces.intercept(rewriting(lowered, 'everywhere'));
  const run = await create();
  expect(run.stderr).toContain(
    'has it otherwise than it was sent, in input_currency, recipients.0.requested_currency',
  );
  faces.intercept(rewriting(without('metadata'), 'everywhere'));
  payment.external_id = 'wages-9';
  expect((await create()).stderr).not.toContain('otherwise');
  payment.external_id = 'wages-1';
});

it('a service that never shows an external id is believed by its answer, to the letter', async () => {
  faces.intercept(rewriting(without('external_id'), 'everywhere'));
  const run = await create();
  expect([run.code, sentBy(run)], run.stderr).toEqual([0, ['/transactions']]);
  faces.intercept(
    rewriting((shown) => [without('external_id'), rounded].map((one) => one(shown)), 'everywhere'),
  );
  payment.external_id = 'wages-9';
  const unclear = await create();
  expect([unclear.code, unclear.error().outcome], unclear.stderr).toEqual([9, 'unknown']);
  payment.external_id = 'wages-1';
});

it('an answer to somebody else is none: its transaction is looked for', async () => {
  faces.intercept(rewriting((shown) => Object.assign(shown, { external_id: 'another' }), 'answer'));
  const run = await create();
  expect([run.code, sentBy(run)], run.stderr).toEqual([0, ['/transactions']]);
});

describe.each(OTHERS)('%s', (_, rewrite, where) => {
  it('is made otherwise, 10, whoever asks for it again, and is not made twice', async () => {
    faces.intercept(rewriting(rewrite, where));
    for (const posted of [['/transactions'], []]) {
      const run = await create();
      const { code, outcome, message, hint } = run.error();
      expect([run.code, code, outcome, sentBy(run)], run.stderr).toEqual([
        10,
        'made_otherwise',
        null,
        posted,
      ]);
      expect(message).toMatch(
        /asked: 24998 NGN to A\S+ .* it stands as: \d+ NGN to A\S+ .*\(state: approved\); nothing was debited for it$/,
      );
      expect(hint).toMatch(
        /^remit tx show \S+ shows it; remit tx cancel \S+ .*remit tx fund \S+ pays it as it stands/,
      );
    }
    const [intent] = (await bench.run('history -o json')).data<
      { id: string; state: string; note: string }[]
    >();
    expect(intent).toMatchObject({
      state: 'applied',
      note: expect.stringMatching(/^made otherwise: it differs in/),
    });
    const settled = await bench.run(`history settle ${intent?.id} -o json`);
    expect([settled.code, sentBy(settled)]).toEqual([0, []]);
    // The service speaks as before: it is what was asked for, and it stands already.
    faces.restore();
    const again = await create();
    expect(again.code, again.stderr).toBe(0);
    expect((await bench.run('tx list -o json')).data()).toHaveLength(1);
  });

  it('is not debited with --fund; a person pays what stands, or ends it', async () => {
    faces.intercept(rewriting(rewrite, where));
    for (const posted of [['/transactions'], []]) {
      const run = await create('--fund', '--max-input', '20');
      expect([run.code, run.error().code, sentBy(run)], run.stderr).toEqual([10, 'made_otherwise', posted]);
    }
    expect(await balance()).toBe(WHOLE);
    const all = await bench.run('history settle --all --yes -o json');
    expect([all.code, sentBy(all)], all.stderr).toEqual([0, []]);
    expect(await balance()).toBe(WHOLE);
    const { hint } = (await create('--fund', '--max-input', '20')).error();
    const funded = await bench.run(`${/remit (tx fund \S+)/.exec(hint)?.[1]} --yes`);
    expect(funded.code, funded.stderr).toBe(0);
    const paid = await balance();
    expect(paid).not.toBe(WHOLE);
    const again = await create('--fund', '--max-input', '20');
    expect([again.code, again.error().code, sentBy(again)], again.stderr).toEqual([10, 'paid_otherwise', []]);
    expect(await balance()).toBe(paid);
  });

  it('is not debited by the same command either where the service speaks as before: a person looked at nothing yet', async () => {
    faces.intercept(rewriting(rewrite, where));
    expect((await create('--fund', '--max-input', '20')).code).toBe(10);
    faces.restore();
    const again = await create('--fund', '--max-input', '20');
    expect([again.code, again.error().code, sentBy(again)], again.stderr).toEqual([10, 'made_otherwise', []]);
    expect(await balance()).toBe(WHOLE);
  });

  it('is unknown for the library, paid at once or not, and is sent once', async () => {
    faces.intercept(rewriting(rewrite, where));
    for (const [path, external_id, options] of [
      ['create', 'wages-1', {}],
      ['createAndFund', 'wages-2', {}],
      ['createAndFund', 'wages-3', { maxInput: '20' }],
    ] as const) {
      faces.sent.length = 0;
      const body = { ...payment, external_id } as never;
      for (let times = 0; times < 2; times += 1)
        expect(await faces.client.transactions[path](body, options)).toMatchObject({
          outcome: 'unknown',
          why: expect.stringMatching(/otherwise|another payee|as it was asked/),
        });
      expect(faces.sent).toHaveLength(1);
    }
  });
});

it.each([...OURS, ...OTHERS])(
  'a raw call, %s: is looked for, and sent once',
  async (name, rewrite, where) => {
    faces.intercept(rewriting(rewrite, where));
    const raw = await bench.run([
      'api',
      'transactions.create',
      '--data',
      JSON.stringify({ transaction: payment }),
    ]);
    expect(sentBy(raw)).toEqual(['/transactions']);
    const [{ id } = { id: '' }] = (await bench.run('history -o json')).data<{ id: string }[]>();
    const settled = await bench.run(`history settle ${id} -o json`);
    expect([settled.code, sentBy(settled)], settled.stderr).toEqual([
      OURS.some(([one]) => one === name) ? 0 : 10,
      [],
    ]);
  },
);

describe('a row of a pay run', () => {
  const FILE = `key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account
K-1,NGN::Bank,24998,EUR,customer-1,Ada,Obi,044,0123456700
`;
  const run = (words: string): Promise<Run> => bench.run(words);
  const rows = async () => (await run('batch rows wages -o json')).data<{ state: string }[]>();
  const creations = ({ requests }: Run): number =>
    requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

  it.each([...OURS, ...OTHERS])('%s: is paid once, never refused', async (name, rewrite, where) => {
    writeFileSync(join(bench.dir, 'wages.csv'), FILE);
    const planned = await run('batch plan wages.csv --name wages --max-input EUR=1000 -o json');
    expect(planned.code, planned.stderr).toBe(0);
    faces.intercept(rewriting(rewrite, where));
    const isOurs = OURS.some(([one]) => one === name);
    const paid = await run('batch run wages');
    expect([paid.code, creations(paid)], paid.stderr).toEqual([isOurs ? 0 : 10, 1]);
    expect(await rows()).toMatchObject([
      { state: expect.stringMatching(/^(?:paid|created)$/), found: isOurs ? null : 'otherwise' },
    ]);
    if (!isOurs)
      expect(paid.stderr).toMatch(
        /1 row, \S+ EUR, was made otherwise than the run asked.*Do not pay it again/s,
      );
    for (const words of ['batch settle wages --yes', 'batch run wages', 'batch status wages']) {
      const next = await run(words);
      expect([next.code, creations(next)], `${words}: ${next.stderr}`).toEqual([isOurs ? 0 : 10, 0]);
    }
  });
});
