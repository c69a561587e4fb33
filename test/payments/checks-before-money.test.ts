/**
 * Each check that stands before money holds for both faces (decision 0074): the same request by the command line and by the library is
 * refused in the same words, or told alike, and nothing is sent.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CheckError, RequestError } from '../../src/library/client.ts';
import type * as Public from '../../src/library/client-types.ts';
import { useBothFaces } from '../support/both-faces.ts';
import { createArgv, type Intercept, paymentJson, type Run, writesOf } from '../support/cli.ts';
import { ROOT } from '../support/source-tree.ts';

const faces = useBothFaces();
const { bench } = faces;

type Json = Public.NamedTransaction & { recipients: [Public.NamedTransaction['recipients'][0]] };
const payment = (change: (body: Json) => void = () => {}): Json => {
  const body = { ...structuredClone(paymentJson()), external_id: 'wages-1' } as unknown as Json;
  change(body);
  return body;
};
const paidTo = (type: string, details: Record<string, string>, amount = '10', currency = 'EUR') =>
  payment(({ recipients: [one] }) => {
    Object.assign(one, { requested_amount: amount, requested_currency: currency });
    one.payout_method = { type, details: { first_name: 'Ada', last_name: 'Obi', ...details } };
  });

const byLine = (body: object, ...more: string[]): Promise<Run> =>
  bench.run(['tx', 'create', '--file', '-', '-o', 'json', ...more], {
    stdin: JSON.stringify(body),
    env: faces.env,
  });
const writes = (run: Run) => writesOf(run).filter(({ path }) => path !== '/transactions/calculate');
/** The check that a call was refused by, thrown or answered. */
const refusedBy = async (call: Promise<unknown>): Promise<{ code?: string } & Error> => {
  const ended = await call.catch((error: unknown) => ({ error }));
  return (ended as { error: { code?: string } & Error }).error;
};
const thrownBy = async (call: Promise<unknown>): Promise<{ code?: string } & Error> => {
  const answer = await call.catch((error: unknown) => error);
  expect(answer).toBeInstanceOf(Error);
  return answer as Error;
};
const states = async () =>
  (await faces.client.transactions.list().page(1)).items.map((one) => `${one.external_id} ${one.state}`);
const balance = async () => (await faces.client.accounts.get('EUR')).amount;
const nothingSent = async (run: Run): Promise<void> => {
  expect([writes(run), faces.sent, await balance()]).toEqual([[], [], '250000']);
};

interface Refusal {
  body: Public.NamedTransaction;
  maxInput?: string;
  intercept?: Intercept;
  /** Of both: the code of the command line's error, and of the library's where it has one. */
  code: string;
  library?: string;
  says: string | RegExp;
}

const answersWith =
  (part: string, change: (body: string) => string): Intercept =>
  async (request, next) => {
    const answer = await next(request);
    return request.url.includes(part) ? { ...answer, body: change(answer.body) } : answer;
  };

/** By the name of its row in the decision. */
const REFUSALS: Record<string, Refusal[]> = {
  'shape of the request': [
    {
      body: payment((body) => Object.assign(body, { colour: 1 })),
      code: 'body',
      says: /colour|does not fit/,
    },
  ],
  'decimals of an amount': [
    {
      body: paidTo('NGN::Bank', { bank_code: '044', bank_account: '0123456700' }, '25.555'),
      code: 'amount',
      says: /more decimals than/,
    },
  ],
  'size of an amount': [
    {
      body: payment(({ recipients: [one] }) => {
        one.requested_amount = '0';
      }),
      code: 'amount',
      says: 'must be more than 0',
    },
    {
      body: payment(({ recipients: [one] }) => {
        one.requested_amount = '1'.repeat(16);
      }),
      code: 'amount',
      says: 'at most 15 whole digits',
    },
  ],
  'names of payout details': [
    {
      body: payment(({ recipients: [one] }) => {
        Object.assign(one.payout_method.details as object, { bank_acount: '1' });
      }),
      code: 'unknown_detail',
      library: 'unknown_detail',
      says: 'NGN::Bank has no detail called bank_acount',
    },
  ],
  'account of a payout': [
    ...[
      paidTo('NGN::Bank', { bank_code: '044', bank_account: '012345670O' }),
      paidTo('NGN::Bank', { bank_code: '044', bank_account: '012345670' }),
    ].map((body) => ({
      body,
      code: 'wrong_account',
      library: 'wrong_account',
      says: 'NGN::Bank does not take this bank_account',
    })),
    {
      body: paidTo('EUR::Bank', { iban: 'DE89370400440532013001' }),
      code: 'wrong_account',
      library: 'wrong_account',
      says: 'does not take this iban',
    },
    {
      body: paidTo('GHS::Mobile', { phone_number: '+23330212340x', mobile_provider: 'mtn' }),
      code: 'wrong_account',
      library: 'wrong_account',
      says: 'does not take this phone_number',
    },
    {
      body: payment(({ recipients }) => {
        const [one] = recipients;
        const details = { ...(one.payout_method.details as object), bank_account: '12' };
        (recipients as unknown[]).push({ ...one, payout_method: { type: 'NGN::Bank', details } });
      }),
      code: 'wrong_account',
      library: 'wrong_account',
      says: 'does not take this bank_account',
    },
  ],
  'names of payin details': [
    {
      body: payment((body) => {
        body.input_currency = 'GHS';
        body.payin_methods = [
          {
            type: 'GHS::Mobile',
            ux_flow: 'ussd_popup',
            in_details: { phone_number: '+233302123400', fone: '1' },
          },
        ];
      }),
      code: 'unknown_detail',
      library: 'unknown_detail',
      says: 'GHS::Mobile by ussd_popup has no detail called fone',
    },
  ],
  'account of a payin': [
    {
      body: payment((body) => {
        body.input_currency = 'GHS';
        body.payin_methods = [
          { type: 'GHS::Mobile', ux_flow: 'ussd_popup', in_details: { phone_number: '+23330212340x' } },
        ];
      }),
      code: 'wrong_account',
      library: 'wrong_account',
      says: 'GHS::Mobile by ussd_popup does not take this phone_number',
    },
  ],
  'limit: no amount': [
    { body: payment(), maxInput: 'ten', code: 'amount', library: 'invalid', says: /not an amount/ },
    { body: payment(), maxInput: '0', code: 'amount', library: 'invalid', says: /must be more than 0/ },
    {
      body: payment(),
      maxInput: '15.0001',
      code: 'amount',
      library: 'invalid',
      says: /more decimals than EUR has/,
    },
  ],
  'limit: calculated above it': [
    {
      body: payment(),
      maxInput: '14.98',
      code: 'above_max_input',
      library: 'above_max_input',
      says: 'it would cost 14.99 EUR, more than the limit that was given, 14.98 EUR',
    },
  ],
  'balance, under a limit': [
    {
      body: payment(),
      maxInput: '20',
      intercept: answersWith('/accounts', (body) => body.replaceAll(/"amount":[^,}]+/g, '"amount":14.98')),
      code: 'insufficient_balance',
      library: 'insufficient_balance',
      says: 'it costs 14.99 EUR, and the balance is 14.98 EUR: 0.01 EUR is missing',
    },
  ],
  "sender's state, under a limit": [
    {
      body: payment(),
      maxInput: '20',
      intercept: answersWith('/senders', (body) => body.replaceAll('"approved"', '"initial"')),
      code: 'sender_not_approved',
      library: 'sender_not_approved',
      says: /is not approved: initial/,
    },
  ],
};

describe.each(Object.entries(REFUSALS))('%s', (_, refusals) => {
  it.each(refusals)(
    'is refused by both before anything is sent: %#',
    async ({ body, maxInput, intercept, code, library, says }) => {
      if (intercept) faces.intercept(intercept);
      // An account that looks wrong is a note against a sandbox.
      if (code === 'wrong_account') faces.goLive();
      const isFunded = body.payin_methods === undefined;
      const line = isFunded ? ['--fund', '--max-input', maxInput ?? '20'] : [];
      const run = await byLine(body, ...line);
      expect([run.code === 0, run.error()]).toEqual([false, expect.objectContaining({ code })]);
      const words = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says);
      const fields: { words: string[] }[] = run.error().fields ?? [];
      expect([run.error().message, JSON.stringify(run.error().fields ?? '')].join(' ')).toEqual(words);
      const { transactions } = faces.client;
      // With a limit and without one: no check depends on it but those of the limit itself.
      const calls = [
        ...(maxInput === undefined ? [() => transactions.create(body)] : []),
        ...(maxInput === undefined && isFunded ? [() => transactions.createAndFund(body)] : []),
        ...(isFunded ? [() => transactions.createAndFund(body, { maxInput: maxInput ?? '20' })] : []),
      ];
      for (const call of calls) {
        const error = await refusedBy(call());
        if (library === undefined) expect(error).toBeInstanceOf(RequestError);
        else expect(error).toMatchObject({ code: library });
        if (library === code) expect(error).toBeInstanceOf(CheckError);
        expect(error.message).toEqual(words);
        if (error instanceof CheckError)
          expect(error.problems.map(({ message }) => [message])).toEqual(fields.map((one) => one.words));
      }
      faces.restore();
      await nothingSent(run);
      expect([await states(), await faces.intents.list()]).toEqual([[], []]);
    },
  );
});

/** What changes an account that stands: by argv, and by the library. */
describe('account of a change', () => {
  const made = async () => {
    const paid = await bench.run(createArgv());
    const { id = '', recipients: [one = {}] = [] } = paid.data<{
      id: string;
      recipients: { id?: string }[];
    }>();
    return { transaction_id: id, id: one.id ?? '' };
  };

  it.each([
    [{ bank_account: '012345670O' }, 'wrong_account', 'NGN::Bank does not take this bank_account'],
    [{ bank_acount: '0123456700' }, 'unknown_detail', 'NGN::Bank has no detail called bank_acount'],
  ])('of a recipient: %j', async (details, code, says) => {
    const named = await made();
    faces.goLive();
    const pairs = Object.entries(details).flatMap(([name, value]) => ['--detail', `${name}=${value}`]);
    const run = await bench.run(
      ['recipient', 'edit', named.id, '--tx', named.transaction_id, ...pairs, '-o', 'json', '--yes'],
      { env: faces.env },
    );
    expect(run.error()).toMatchObject({ code, message: says });
    const error = await thrownBy(faces.client.recipients.edit(named, { payout_method: { details } }));
    expect(error).toMatchObject({ name: 'CheckError', code, message: expect.stringContaining(says) });
    expect([writes(run), faces.sent, await faces.intents.list()]).toEqual([[], [], []]);
    await faces.client.recipients.edit(named, { payout_method: { details } }, { accountsAsWritten: true });
    expect(faces.sent).toHaveLength(1);
  });

  it('judges only what changes: an old account that is wrong keeps nobody from correcting a name', async () => {
    const named = await made();
    faces.intercept(answersWith('/transactions', (body) => body.replaceAll('0123456700', '012345670O')));
    const names = ['--detail', 'first_name=Adaeze', '--skip-validation', '--yes', '-o', 'json'];
    const run = await bench.run(['recipient', 'edit', named.id, '--tx', named.transaction_id, ...names]);
    const details = { first_name: 'Adanna' };
    await faces.client.recipients.edit(named, { payout_method: { details } });
    expect([writes(run).length, faces.sent.length]).toEqual([1, 1]);
  });

  it.each([
    [{ bank_account: '012345670O' }, 'wrong_account'],
    [{ bank_acount: '0123456700' }, 'unknown_detail'],
  ])('of a stored payout method, and of one to be stored: %j', async (details, code) => {
    const { details: given } = paymentJson().recipients[0]?.payout_method ?? {};
    const method = { type: 'NGN::Bank', details: { ...given } };
    const wrong = { ...method, details: { ...given, ...details } };
    const pairs = (all: object) =>
      Object.entries(all).flatMap(([name, value]) => ['--detail', `${name}=${value}`]);
    faces.goLive();
    const storing = await bench.run(
      ['payout-method', 'create', '--type', 'NGN::Bank', ...pairs(wrong.details), '-o', 'json'],
      { env: faces.env },
    );
    expect(storing.error()).toMatchObject({ code });
    expect(await thrownBy(faces.client.payoutMethods.create(wrong))).toMatchObject({
      name: 'CheckError',
      code,
    });
    expect([writes(storing), faces.sent]).toEqual([[], []]);
    const stored = await faces.client.payoutMethods.create(method);
    const id = (stored.outcome === 'applied' && stored.record.id) || '';
    faces.sent.length = 0;
    const edit = await bench.run(['payout-method', 'edit', id, ...pairs(details), '-o', 'json', '--yes'], {
      env: faces.env,
    });
    expect(edit.error()).toMatchObject({ code });
    expect(await thrownBy(faces.client.payoutMethods.edit(id, details))).toMatchObject({
      name: 'CheckError',
      code,
    });
    expect([writes(edit), faces.sent]).toEqual([[], []]);
  });

  it.each([
    [{ phone_number: '+23330212340x' }, 'wrong_account'],
    [{ fone: '+233302123400' }, 'unknown_detail'],
  ])('of a collection: %j', async (details, code) => {
    const asked = payment((body) => {
      body.input_currency = 'GHS';
      body.payin_methods = [
        { type: 'GHS::Mobile', ux_flow: 'ussd_popup', in_details: { phone_number: '+233302123400' } },
      ];
      body.recipients = [
        {
          type: 'person',
          requested_amount: '50',
          requested_currency: 'GHS',
          payout_method: { type: 'GHS::Balance', details: { reference: 'order-17' } },
        },
      ];
    });
    const run = await byLine(asked);
    const id = run.data<{ payin_methods: { id: string }[] }>().payin_methods[0]?.id ?? '';
    const pairs = Object.entries(details).flatMap(([name, value]) => ['--detail', `${name}=${value}`]);
    faces.goLive();
    const edit = await bench.run(['payin-method', 'edit', id, ...pairs, '-o', 'json', '--yes'], {
      env: faces.env,
    });
    expect(edit.error()).toMatchObject({ code });
    expect(await thrownBy(faces.client.payinMethods.edit(id, details))).toMatchObject({
      name: 'CheckError',
      code,
    });
    expect([writes(edit), faces.sent]).toEqual([[], []]);
  });
});

/** The rate is better when it is calculated than when it is paid: 9.99 EUR, and then 14.99. */
const rateMoves = answersWith('/transactions/calculate', (body) => body.replaceAll('14.99', '9.99'));
const isDebit = ({ url }: { url: string }) => url.endsWith('/accounts/debits');

describe('limit: created above it', () => {
  it('is paid by neither: it stands at the terminal, and the library calls it off', async () => {
    faces.intercept(rateMoves);
    const run = await byLine({ ...payment(), external_id: 'wages-2' }, '--fund', '--max-input', '10');
    const says = 'the rate moved: it costs 14.99 EUR now, more than the limit, 10.00 EUR';
    expect([run.code, run.error()]).toEqual([
      10,
      expect.objectContaining({ code: 'above_max_input', message: expect.stringContaining(says) }),
    ]);
    const made = await faces.client.transactions.createAndFund(payment(), { maxInput: '10' });
    expect(made).toMatchObject({
      outcome: 'not_applied',
      why: expect.stringContaining(says),
      conflict: { record: { external_id: 'wages-1' } },
    });
    expect([writes(run).map(({ method, path }) => `${method} ${path}`), faces.sent]).toEqual([
      ['POST /transactions'],
      ['POST /transactions', expect.stringMatching(/^DELETE \/recipients\//)],
    ]);
    expect([(await states()).sort(), await balance()]).toEqual([
      ['wages-1 canceled', 'wages-2 approved'],
      '250000',
    ]);
  });
});

describe('limit: the debit binds', () => {
  it('both debit exactly what the transaction costs', async () => {
    const debits: unknown[] = [];
    faces.intercept((request, next) => {
      if (isDebit(request)) debits.push(JSON.parse(request.body ?? '').debit);
      return next(request);
    });
    const run = await byLine({ ...payment(), external_id: 'wages-2' }, '--fund', '--max-input', '14.99');
    const made = await faces.client.transactions.createAndFund(payment(), { maxInput: '14.99' });
    expect([run.code, made.outcome]).toEqual([0, 'applied']);
    const exact = { to_type: 'Transaction', amount: '14.99', currency: 'EUR' };
    expect(debits).toEqual([expect.objectContaining(exact), expect.objectContaining(exact)]);
    expect([writes(run).length, faces.sent]).toEqual([2, ['POST /transactions', 'POST /accounts/debits']]);
  });
});

describe('limit: of what stands', () => {
  const created = async () => {
    const made = await faces.client.transactions.create(payment());
    faces.sent.length = 0;
    return (made.outcome === 'applied' && made.record.id) || '';
  };
  const debit = (id: string) => ({ to_id: id, to_type: 'Transaction' as const });

  it('below its cost is refused by both when it is funded', async () => {
    const id = await created();
    const run = await bench.run(['tx', 'fund', id, '--max-input', '14.98', '-o', 'json']);
    expect([run.code, run.error().message]).toEqual([2, 'this costs 14.99 EUR, more than 14.98 EUR']);
    const error = await refusedBy(faces.client.debits.create(debit(id), { maxInput: '14.98' }));
    expect(error).toMatchObject({
      name: 'CheckError',
      code: 'above_max_input',
      operation: 'debits.create',
    });
    await nothingSent(run);
  });

  it('below its cost is refused by both when it is created again, and a higher one pays it', async () => {
    await created();
    const run = await byLine(payment(), '--fund', '--max-input', '14.98');
    expect([run.code, run.error()]).toEqual([
      10,
      expect.objectContaining({ hint: expect.stringMatching(/stands unpaid until/) }),
    ]);
    const { transactions } = faces.client;
    const error = await refusedBy(transactions.createAndFund(payment(), { maxInput: '14.98' }));
    expect(error).toMatchObject({
      code: 'above_max_input',
      message: expect.stringMatching(/stands unpaid until/),
    });
    await nothingSent(run);
    expect(await transactions.createAndFund(payment(), { maxInput: '14.99' })).toMatchObject({
      outcome: 'applied',
    });
    expect(faces.sent).toEqual(['POST /accounts/debits']);
  });

  it('at its cost pays it, by a debit of exactly that', async () => {
    const id = await created();
    const paid = await faces.client.debits.create(debit(id), { maxInput: '14.99' });
    expect([paid.outcome, await balance()]).toEqual(['applied', '249985.01']);
    // The same again is answered with what stands, whatever its limit.
    expect(await faces.client.debits.create(debit(id), { maxInput: '1' })).toMatchObject({ how: 'earlier' });
    expect(faces.sent).toEqual(['POST /accounts/debits']);
  });

  it('of another amount or currency is refused', async () => {
    const id = await created();
    for (const other of [{ amount: '14.98' }, { currency: 'GBP' }])
      expect(
        await thrownBy(faces.client.debits.create({ ...debit(id), ...other }, { maxInput: '20' })),
      ).toBeInstanceOf(RequestError);
    expect([faces.sent, await balance()]).toEqual([[], '250000']);
  });

  it('is no option where nothing is paid', async () => {
    const error = await thrownBy(faces.client.transactions.create(payment(), { maxInput: '1' } as never));
    expect(error).toMatchObject({ name: 'OptionError', code: 'unknown', option: 'maxInput' });
  });
});

describe('accountsAsWritten', () => {
  it('sends what the checks would refuse, and the service decides', async () => {
    const wrong = paidTo('NGN::Bank', { bank_code: '044', bank_account: '012345670O' });
    const made = await faces.client.transactions.createAndFund(wrong, { accountsAsWritten: true });
    expect([made.outcome, faces.sent.length > 0]).toEqual(['not_applied', true]);
  });
});

describe('rounding of an amount', () => {
  const odd = paidTo('NGN::Bank', { bank_code: '044', bank_account: '0123456700' }, '2500.50', 'NGN');

  it('is told by both', async () => {
    const run = await byLine({ ...odd, external_id: 'wages-2' }, '--fund', '--max-input', '20');
    expect([run.code, run.stderr]).toEqual([
      0,
      expect.stringContaining('2500.50 NGN will be paid as 2501 NGN'),
    ]);
    const rounded = [
      { path: 'recipients.0.requested_amount', currency: 'NGN', asked: '2500.50', becomes: '2501' },
    ];
    const { transactions } = faces.client;
    expect(await transactions.createAndFund(odd, { maxInput: '20' })).toMatchObject({
      outcome: 'applied',
      rounded,
    });
    expect(await transactions.createAndFund(odd, { maxInput: '20' })).toMatchObject({
      how: 'earlier',
      rounded,
    });
    expect(await transactions.create({ ...odd, external_id: 'wages-3' })).toMatchObject({
      outcome: 'applied',
      rounded,
    });
  });

  it('is not told where nothing is rounded', async () => {
    const [whole, euros] = [
      payment(),
      paidTo('NGN::Bank', { bank_code: '044', bank_account: '0123456700' }, '10.55'),
    ];
    for (const body of [whole, { ...euros, external_id: 'wages-2' }]) {
      expect((await byLine({ ...body, external_id: `${body.external_id}-line` })).stderr).not.toContain(
        'will be paid as',
      );
      expect(await faces.client.transactions.create(body)).not.toHaveProperty('rounded');
    }
  });
});

it('the decision has a row for each of these, and each row that both hold is tested here', () => {
  const text = readFileSync(join(ROOT, 'docs/decisions/0074-checks-that-stand-before-money.md'), 'utf8');
  const [both = ''] = text.split('## The desk alone');
  const rows = [...both.matchAll(/^\| ([^|]+) \|.*`checks-before-money`/gm)].map(([, name]) => name?.trim());
  const apart = [
    'account of a change',
    'rounding of an amount',
    'limit: created above it',
    'limit: the debit binds',
    'limit: of what stands',
  ];
  const here = [...Object.keys(REFUSALS), ...apart];
  expect(rows.sort()).toEqual(here.sort());
});
