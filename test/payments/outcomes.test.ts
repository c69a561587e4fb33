/** Words, outcome and exit code agree, wherever a write ends: the command, the same again, settling and history. */

import { type PassThrough, Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ApiError } from '../../src/client/errors.ts';
import type { WireRequest } from '../../src/core/transport.ts';
import { exitOf } from '../../src/frame/exit-codes.ts';
import { renderHint } from '../../src/frame/output/render-hint.ts';
import { outcomeProblem } from '../../src/payments/outcome-problem.ts';
import {
  answering,
  createArgv,
  lost,
  only,
  payArgv,
  type Run,
  senderFlags,
  unreachable,
  useBench,
  words,
} from '../support/cli.ts';

const bench = useBench({ sender: true });

const pay = (account = '0123456700', ...rest: string[]): Promise<Run> =>
  bench.run(payArgv(account, '--external-id', 'wages-1', ...rest));
interface Made {
  id: string;
  recipients: { id: string }[];
}
const made = (run: Run): Made => run.data<Made>();
const edit = (recipient: string, tx: string, account: string): Promise<Run> =>
  bench.run([
    ...['recipient', 'edit', recipient, '--tx', tx, '--detail', `bank_account=${account}`],
    ...['--skip-validation', '-o', 'json'],
  ]);

it('a second creation of a payment whose recipient was edited: not applied, 1, with the id and what to type', async () => {
  const { id, recipients } = made(await pay('0123456719'));
  expect((await edit(recipients[0]?.id ?? '', id, '0123456708')).code).toBe(0);
  const again = await pay('0123456719');
  expect(again.code).toBe(1);
  expect(again.error()).toMatchObject({
    category: 'conflict',
    outcome: 'not applied',
    hint: `remit tx show ${id}`,
  });
  expect(again.error().message).toContain(id);
  expect(again.error().message).toContain('bank_account');
});

async function overtaken() {
  const { id, recipients } = made(await pay('0123456719'));
  const recipient = recipients[0]?.id ?? '';
  let late: (() => Promise<unknown>) | undefined;
  bench.intercept(async (request, next) => {
    if (request.method !== 'PATCH') return next(request);
    late = () => next(request);
    bench.intercept(unreachable);
    return lost(request, next);
  });
  expect((await edit(recipient, id, '0123456708')).code).toBe(9);
  bench.restore();
  const newer = await edit(recipient, id, '1123456708');
  expect(newer.stderr).toMatch(
    /an older edit of this recipient has no answer, and may still arrive until 20\S+ by the service/,
  );
  expect(newer.code).toBe(0);
  const [second, older] = (await bench.run(['history', '-o', 'json'])).data<Kept[]>();
  return { id, newer: second, older, arrives: () => late?.() };
}
const settling = async (words: string): Promise<(boolean | number)[]> => {
  const run = await bench.run(`history settle ${words} -o json`);
  return [run.code, run.requests.every(({ method }) => method === 'GET')];
};

it('an edit whose answer was lost is open for an hour once a later one set the same again', async () => {
  const { newer, older } = await overtaken();
  expect(older).toMatchObject({ state: 'unknown', note: `overtaken by ${newer?.id}` });
  for (const words of [older?.id ?? '', '--all --yes']) expect(await settling(words)).toEqual([8, true]);
  await bench.run('sandbox clock advance 61m');
  expect(await settling('--all --yes')).toEqual([0, true]);
  const [, now] = (await bench.run(['history', '-o', 'json'])).data<Kept[]>();
  expect(now).toMatchObject({
    state: 'conflict',
    note: `overtaken by ${newer?.id}; it may have stood before`,
  });
});

it.each(['tx show', 'history settle'])('one that arrives after all is said by %s', async (words) => {
  const { id, newer, older, arrives } = await overtaken();
  await arrives();
  const given = words === 'history settle' ? older?.id : id;
  const run = await bench.run(`${words} ${given}`);
  expect(run.stderr).toContain(newer?.id);
  expect(run.stderr).toContain('arrived after a newer one');
  const [, now] = (await bench.run(['history', '-o', 'json'])).data<Kept[]>();
  expect(now).toMatchObject({ state: 'applied', note: `found; it undid ${newer?.id}` });
});

it('two edits of one recipient at once are answered one after the other', async () => {
  const { id, recipients } = made(await pay('0123456719'));
  const recipient = recipients[0]?.id ?? '';
  let going = 0;
  let most = 0;
  bench.intercept(async (request, next) => {
    if (request.method !== 'PATCH') return next(request);
    going += 1;
    most = Math.max(most, going);
    // Time stands still here: the other would be sent within these turns.
    for (let turns = 0; turns < 50; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    const answer = await next(request);
    going -= 1;
    return answer;
  });
  const both = await Promise.all([edit(recipient, id, '0123456708'), edit(recipient, id, '1123456708')]);
  expect([both.map(({ code }) => code), most]).toEqual([[0, 0], 1]);
});

interface Kept {
  id: string;
  state: string;
  note: string;
}

it('an edit that is undone by an older one says so, 1, and the same command again corrects it', async () => {
  const { id, recipients } = made(await pay('0123456719'));
  const recipient = recipients[0]?.id ?? '';
  let late: (() => Promise<unknown>) | undefined;
  bench.intercept(async (request, next) => {
    if (request.method !== 'PATCH') return next(request);
    late = () => next(request);
    bench.intercept(unreachable);
    return lost(request, next);
  });
  expect((await edit(recipient, id, '0123456708')).code).toBe(9);
  // It arrives when the newer edit was answered.
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    if (request.method === 'PATCH') await late?.();
    return answer;
  });
  const undone = await edit(recipient, id, '1123456708');
  expect([undone.code, undone.error()]).toMatchObject([1, { code: 'undone', outcome: null }]);
  expect(undone.error().message).toMatch(
    /an older edit \([0-9a-f-]{36}\) arrived after this one.*bank_account/,
  );
  bench.restore();
  const states = (await bench.run(['history', '-o', 'json'])).data<Kept[]>().slice(0, 2);
  expect(states.map(({ state }) => state)).toEqual(['conflict', 'applied']);
  expect((await edit(recipient, id, '1123456708')).code).toBe(0);
  const { stdout } = await bench.run(['recipient', 'show', recipient, '--tx', id, '--reveal', '-o', 'json']);
  expect(stdout).toContain('1123456708');
});

it('an older edit of other members stays unknown', async () => {
  const { id, recipients } = made(await pay('0123456719'));
  const recipient = recipients[0]?.id ?? '';
  bench.intercept(only(({ method }) => method === 'PATCH', lost));
  expect((await edit(recipient, id, '0123456708')).code).toBe(9);
  bench.restore();
  const name = words(`recipient edit ${recipient} --tx ${id} --detail first_name=Eve --skip-validation`);
  expect((await bench.run(name)).code).toBe(0);
  const [, older] = (await bench.run(['history', '-o', 'json'])).data<Kept[]>();
  expect(older?.state).toBe('unknown');
  // Beside the later one it is only looked for.
  const settled = await bench.run(['history', 'settle', older?.id ?? '', '-o', 'json']);
  expect([settled.code, settled.requests.every(({ method }) => method === 'GET')]).toEqual([9, true]);
  expect(settled.error().hint).toContain('--as applied');
});

it.each([
  ['recipient edit', 'PATCH', ['recipient', 'edit']],
  ['recipient cancel', 'DELETE', ['recipient', 'cancel']],
])(
  '%s, its answer lost: the same again finds nothing to do, and leaves nothing open',
  async (_, verb, words) => {
    const { id, recipients } = made(await pay('0123456719'));
    const argv = [...words, recipients[0]?.id ?? '', '--tx', id];
    if (verb === 'PATCH') argv.push('--detail', 'bank_account=0123456708', '--skip-validation');
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (request.method !== verb) return answer;
      bench.intercept(unreachable);
      return lost(request, next);
    });
    expect((await bench.run(argv)).code).toBe(9);
    bench.restore();
    expect((await bench.run(argv)).code).toBe(0);
    const open = await bench.run(['history', '--state', 'unknown', '--state', 'open', '-o', 'json']);
    expect(open.data<unknown[]>()).toEqual([]);
  },
);

it('a used external id with another sender is another payment: not applied, 1, and named', async () => {
  await bench.run(['sender', 'create', ...senderFlags('customer-2')]);
  expect((await pay()).code).toBe(0);
  const other = payArgv('0123456700', '--external-id', 'wages-1').map((word) =>
    word === 'customer-1' ? 'customer-2' : word,
  );
  for (const argv of [other, [...other, '--new-payment']]) {
    const run = await bench.run(argv);
    expect([run.code, run.error()]).toMatchObject([1, { code: 'external_id_taken', outcome: 'not applied' }]);
    expect(run.error().message).toContain('it differs in sender.external_id');
  }
  const { length } = (await bench.run(['tx', 'list', '--all', '-o', 'json'])).data<unknown[]>();
  expect(length).toBe(1);
});

it('a debit that was accepted for a transaction that reads as unfunded is not called funded', async () => {
  const { id } = made(await bench.run(createArgv(undefined, '--external-id', 'wages-1')));
  let sent = 0;
  const unfunded = await bench.direct(await signedGet(id));
  bench.intercept(async (request, next) => {
    if (request.url.endsWith('/accounts/debits')) sent += 1;
    const answer = await next(request);
    return sent > 0 && request.method === 'GET' ? unfunded : answer;
  });
  const run = await bench.run(['tx', 'fund', id, '-o', 'json']);
  expect([run.code, run.error().outcome]).toEqual([9, 'unknown']);
});

/** The bytes of an answer as it reads now, to be given again later. */
async function signedGet(id: string) {
  let seen: WireRequest | undefined;
  bench.intercept(async (request, next) => {
    seen = request;
    return next(request);
  });
  await bench.run(['api', 'transactions.get', id]);
  bench.restore();
  if (seen === undefined) throw new Error('nothing was asked');
  const { signedHeaders } = await import('../../src/contract/signing.ts');
  const { credentials } = await import('../support/cli.ts');
  const headers = signedHeaders(credentials, {
    nonce: 'of-the-test',
    method: 'GET',
    url: seen.url,
    body: undefined,
  });
  return { ...seen, headers };
}

describe('every way in which a write can end', () => {
  const call = { operation: 'debits.create', nonce: 'n', effect: 'money' } as const;
  const refusal = (status: number) =>
    new ApiError(status, call, { fields: [], meta: {}, existing: {}, resource: undefined, isOwn: true });
  const transaction = { id: 't1' };

  it.each([
    [9, 'unknown', { kind: 'unknown', error: refusal(500) }],
    [9, 'unknown', { kind: 'unknown', error: undefined }],
    [9, 'unknown', { kind: 'unknown', error: undefined, why: 'it reads otherwise', value: transaction }],
    [2, 'not applied', { kind: 'not_applied', error: refusal(400) }],
    [4, 'not applied', { kind: 'not_applied', error: refusal(401) }],
    [4, 'not applied', { kind: 'not_applied', error: refusal(403) }],
    [6, 'not applied', { kind: 'not_applied', error: refusal(404) }],
    [5, 'not applied', { kind: 'not_applied', error: refusal(422) }],
    [1, 'not applied', { kind: 'not_applied', error: undefined, why: 'paid meanwhile' }],
    [1, 'not applied', { kind: 'conflict', value: transaction, differences: ['requested_amount'] }],
    [1, 'not applied', { kind: 'conflict', value: transaction, differences: ['state: not funded'] }],
    [1, 'not applied', { kind: 'conflict', value: transaction, differences: ['a'], why: 'perhaps edited' }],
  ] as const)('exit %s, %s', (exit, outcome, ended) => {
    const failure = outcomeProblem(ended as Parameters<typeof outcomeProblem>[0], 'b1e9d2c4');
    expect([exitOf(failure), failure.facts.outcome]).toEqual([exit, outcome]);
    if (outcome === 'unknown')
      expect(renderHint(failure.facts.hint ?? '')).toContain('remit history settle b1e9d2c4');
  });
});

describe('what --query or --fields cannot show', () => {
  it.each([['['], ['foo(@)']])('%s is refused before anything is sent', async (query) => {
    const run = await pay('0123456700', '--query', query);
    expect([run.code, run.requests.length]).toEqual([2, 0]);
    expect(run.error().outcome).toBe('not applied');
  });

  it.each([
    ['--query', 'length(amount)'],
    ['--query', 'no_such_member'],
    ['--query', "recipients[?state=='paid']"],
    ['--query', 'metadata'],
    ['--fields', 'nonsense'],
  ])('of a payment, %s %s leaves the result whole: it was made', async (...flags) => {
    const run = await pay('0123456700', ...flags);
    expect([run.code, made(run).id]).toEqual([0, expect.any(String)]);
    expect(run.stderr).toContain('the whole result is shown');
    expect(run.stderr).not.toContain('not applied');
  });

  it('of a read it is a mistake of whoever typed it', async () => {
    expect((await bench.run(['tx', 'list', '--fields', 'nonsense'])).code).toBe(0);
    await pay();
    expect((await bench.run(['tx', 'list', '--fields', 'nonsense'])).code).toBe(2);
  });
});

describe('a raw call', () => {
  const isWrite = ({ method, url }: { method: string; url: string }) =>
    method !== 'GET' && !url.endsWith('/calculate');
  const writesAnswer = (status: number, body: string): void =>
    bench.intercept(only(isWrite, answering(status, body)));
  const body = JSON.stringify({ transaction: { input_currency: 'EUR', sender: {}, recipients: [] } });
  const raw = () => bench.run(['api', 'transactions.create', '--data', body, '--new-payment']);

  it.each(['{"object":{"a":1}}', '{"object":[null]}', '{"object":{"id":null}}', '{"object":[]}'])(
    'a success with %s shows no record: 9',
    async (answer) => {
      writesAnswer(200, answer);
      expect((await raw()).code).toBe(9);
    },
  );

  it('a duplicate may be its own first copy: 9', async () => {
    writesAnswer(422, '{"object":{},"meta":{"existing":{"transaction":{"id":"t1"}}}}');
    expect((await raw()).code).toBe(9);
  });

  it.each([
    ['money', ['api', 'transactions.create', '--data', body]],
    ['a cancellation', ['api', 'recipients.cancel', '5723f4d2-ea9f-412f-8068-b2510401de8d']],
  ])(
    'of %s, refused for its key while reads are not: 9, and how to look; refused like reads: 4',
    async (_, argv) => {
      writesAnswer(401, '{}');
      const run = await bench.run(argv);
      expect(run.code).toBe(9);
      expect(run.stderr).toContain('it may have been applied');
      bench.intercept(answering(401, '{}'));
      expect((await bench.run([...argv, '--new-payment'])).code).toBe(4);
    },
  );
});

it('a write without an intent, whose result cannot be written, tells outcome and id where errors go', async () => {
  const full = new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error('no space left'), { code: 'ENOSPC' })),
  });
  const argv = ['sender', 'create', ...senderFlags('customer-9')];
  const run = await bench.run(argv, { stdout: full as unknown as PassThrough });
  const { id } = made(await bench.run(['sender', 'find', 'customer-9', '-o', 'json']));
  expect(run.code).toBe(1);
  expect(run.stderr).toContain(`applied (${id})`);
});

it('a record that was read before it was paid is not shown as if it were how it stands', async () => {
  const { id } = made(await bench.run(createArgv()));
  let debited = false;
  bench.intercept(async (request, next) => {
    if (debited) return unreachable(request, next);
    debited = request.url.endsWith('debits');
    return next(request);
  });
  const run = await bench.run(['tx', 'fund', id, '-o', 'json']);
  expect(run.code).toBe(0);
  expect(run.stderr).toContain('it is funded; it could not be read again: this is how it was before');
});
