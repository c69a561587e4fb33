import { randomUUID } from 'node:crypto';
import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { WireRequest } from '../../src/core/transport.ts';
import { StoreError } from '../../src/disk/store-error.ts';
import { storeProblem } from '../../src/payments/words/problems.ts';
import {
  createArgv,
  type Intercept,
  isCreation,
  isWriteRequest,
  lost,
  lostAfter,
  only,
  payArgv,
  paymentJson,
  unreachable,
  useBench,
  writesOf,
} from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });

const pay = payArgv();
const isPayment = ({ url }: WireRequest) => /\/(?:create_and_fund|accounts\/debits)$/.test(url);

/** Every answer after the first paying request is lost, though the request arrived. */
function loseAnswers(after = isPayment): void {
  let paid = false;
  bench.intercept(async (request, next) => {
    const response = await next(request);
    paid ||= after(request);
    return paid ? lost(request, next) : response;
  });
}
const balance = async (): Promise<string> =>
  (await bench.run(['balance', 'EUR', '-o', 'json', '--query', 'amount'])).stdout.trim();

it('an unknown outcome is 9, names the command that settles it; the same again is refused; settling finds it; one payment', async () => {
  loseAnswers(isCreation);
  const first = await bench.run(pay);
  expect(first.code).toBe(9);
  const error = first.error();
  expect(error).toMatchObject({ category: 'unknown', outcome: 'unknown', retryable: false });
  expect(error.hint).toMatch(/^remit history settle [0-9a-f]{8}$/);

  bench.restore();
  const again = await bench.run(pay);
  expect(again.code).toBe(9);
  expect(again.stderr).toContain('it is not known yet whether it was applied');
  expect(writesOf(again).filter(({ path }) => !path.endsWith('/calculate'))).toEqual([]);

  const settled = await bench.run([...error.hint.split(' ').slice(1), '-o', 'json']);
  expect([settled.code, settled.error()]).toEqual([
    9,
    expect.objectContaining({
      code: 'made_unpaid',
      message: expect.stringMatching(/^made, not paid: transaction [0-9a-f-]+ was created and is not funded/),
      hint: expect.stringMatching(/remit tx fund [0-9a-f-]+ pays it until/),
    }),
  ]);
  expect(await balance()).toBe('"250000"');
  expect((await bench.run(pay)).code).toBe(0);
  expect(await balance()).toBe('"249985.01"');

  const third = await bench.run([...pay, '--external-id', 'another']);
  expect(third.code).toBe(0);
  expect(await balance()).toBe('"249970.02"');
});

it('a debit whose answer was lost is found by the same command, and nothing is left to settle', async () => {
  loseAnswers();
  expect((await bench.run(pay)).code).toBe(9);
  bench.restore();
  const again = await bench.run(pay);
  expect([again.code, await balance()]).toEqual([0, '"249985.01"']);
  expect((await bench.run('history --state open --state unknown -o json')).data()).toEqual([]);
});

it('one that never arrived is not sent again by settling, once the same was made on purpose', async () => {
  bench.intercept(only(isPayment, lost));
  const first = await bench.run(pay);
  bench.restore();
  const second = await bench.run([...pay, '--new-payment']);
  expect([first.code, second.code]).toEqual([9, 0]);
  const { id } = second.data<{ id: string }>();
  const intent = /history settle ([0-9a-f]{8})/.exec(first.stderr)?.[1] ?? '';
  const settled = await bench.run(['history', 'settle', intent]);
  expect(settled.code).toBe(9);
  expect(settled.stderr).toContain('the same was asked for again later');
  expect(settled.stderr).toMatch(
    new RegExp(`look at ${id}, then .*--as applied --because TEXT, or --as not-applied`),
  );
  const full = /history settle (\S{36}) --as/.exec(settled.stderr)?.[1] ?? '';
  expect((await bench.run(['history', 'settle', '--all'])).code).toBe(9);
  expect(await balance()).toBe('"249985.01"');
  expect(
    (await bench.run(['history', 'settle', full, '--as', 'not-applied', '--because', 'the operator said so']))
      .code,
  ).toBe(0);
});

it('a payment that was paid and told is asked about, though the clock was set back an hour since', async () => {
  expect((await bench.run(pay)).code).toBe(0);
  machine.ms -= 3_600_000;
  const again = await bench.run(pay);
  machine.ms += 3_600_000;
  expect([again.code, again.requests.some(({ path }) => path.endsWith('/accounts/debits'))]).toEqual([
    2,
    false,
  ]);
  expect(again.stderr).toContain('--new-payment');
  expect(await balance()).toBe('"249985.01"');
});

it('--new-payment sends a second one on purpose', async () => {
  loseAnswers();
  await bench.run(pay);
  bench.restore();
  expect((await bench.run([...pay, '--new-payment'])).code).toBe(0);
  expect(await balance()).toBe('"249970.02"');
});

it('nothing left the socket: 75, not applied, and the same again is sent', async () => {
  bench.intercept(only(isPayment, unreachable));
  const refused = await bench.run(pay);
  expect(refused.code).toBe(75);
  expect(refused.stderr).toContain('"outcome":"not applied"');
  bench.restore();
  expect((await bench.run(pay)).code).toBe(0);
  expect(await balance()).toBe('"249985.01"');
});

describe('the journal cannot be written', () => {
  it.each([
    ['the folder is not one', () => writeFileSync(join(bench.dir, 'file'), ''), 'file/remit.db'],
    [
      'the file is no database',
      () => writeFileSync(join(bench.dir, 'bad.db'), 'x'.repeat(5_000), { mode: 0o600 }),
      'bad.db',
    ],
    ['the folder is a file system that is full', () => {}, '/dev/full'],
  ])('%s: nothing is sent', async (_, prepare, path) => {
    prepare();
    const run = await bench.run(pay, {
      env: { REMIT_STORE: path.startsWith('/') ? path : join(bench.dir, path) },
    });
    expect(run.code).toBe(78);
    expect(run.requests.some(({ path: sent }) => sent.endsWith('/accounts/debits'))).toBe(false);
    expect(run.stderr).toContain('without its journal remit sends no money');
    // A file that may hold what was sent is kept; another folder is for one that holds nothing.
    expect(run.stderr.includes('a file in another folder')).toBe(path !== 'bad.db');
    expect(await balance()).toBe('"250000"');
  });

  it.each([
    ['others may read it', (path: string) => chmodSync(path, 0o644)],
    [
      'it is damaged',
      (path: string) => {
        for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
        writeFileSync(path, 'x'.repeat(5_000));
      },
    ],
  ])(
    'where a payment in it is unknown and %s, no hint leads to another file, which would pay again',
    async (_, harm) => {
      const path = join(bench.dir, 'kept', 'remit.db');
      const env = { REMIT_STORE: path };
      loseAnswers();
      expect((await bench.run(pay, { env })).code).toBe(9);
      bench.restore();
      harm(path);
      const run = await bench.run(pay, { env });
      const sent = writesOf(run).filter((write) => !write.path.endsWith('/calculate'));
      expect([run.code, sent]).toEqual([78, []]);
      expect(run.stderr).not.toMatch(/another folder|REMIT_STORE|move it away|choose another/);
      expect(run.error().hint).toContain('keep the same file, because a new one does not know what was sent');
    },
  );

  it.each([
    'full',
    'unwritable',
    'broken',
    'busy',
    'corrupt',
    'newer',
    'older',
    'unsafe',
    'unavailable',
    'failed',
  ] as const)('%s: only a journal that is not there yet may be somewhere else', (kind) => {
    const path = join(bench.dir, 'not-yet.db');
    const hint = () =>
      JSON.stringify(storeProblem(new StoreError(kind, path, '', { holds: 'journal' })).facts);
    expect(hint()).toContain('"set":"store"');
    writeFileSync(path, '');
    expect(hint()).toContain('"set":"store"');
    writeFileSync(path, 'SQLite format 3');
    expect(hint()).not.toContain('"set":"store"');
    expect(hint()).toContain('keep the same file');
  });

  it('one that several machines share is never to be changed for another', () => {
    const shared = new StoreError('unreachable', 'postgres://a/b', '', { holds: 'journal' });
    expect(storeProblem(shared).facts.hint).toContain('with the same database');
  });

  it('a read goes on without it', async () => {
    mkdirSync(join(bench.dir, 'closed'), { mode: 0o700 });
    writeFileSync(join(bench.dir, 'closed', 'bad.db'), 'x'.repeat(5_000));
    chmodSync(join(bench.dir, 'closed', 'bad.db'), 0o600);
    expect(
      (await bench.run(['tx', 'list'], { env: { REMIT_STORE: join(bench.dir, 'closed', 'bad.db') } })).code,
    ).toBe(0);
  });
});

it('history lists, shows, and filters; an unknown id is 6', async () => {
  await bench.run(pay);
  const listed = await bench.run(['history', '-o', 'json']);
  const [intent] = listed.data<{ id: string; state: string; command: string; result_id: string }[]>();
  expect(intent).toMatchObject({ state: 'applied', command: 'tx create' });
  expect((await bench.run(['history', 'show', intent?.id.slice(0, 8) ?? ''], { tty: true })).stdout).toMatch(
    /outcome +applied/,
  );
  expect((await bench.run(['history', '--state', 'unknown', '-o', 'json'])).data<unknown[]>()).toEqual([]);
  expect((await bench.run(['history', 'settle', intent?.id ?? ''])).stderr).toContain(
    'it is settled: applied',
  );
  expect((await bench.run(['history', 'show', 'ffffffff'])).code).toBe(6);
  expect((await bench.run(['history', 'mend'])).code).toBe(2);
});

describe('a raw call that moves money', () => {
  const body = (externalId: string) =>
    JSON.stringify({ transaction: { external_id: externalId, metadata: {}, ...paymentJson() } });
  const raw = (externalId: string) => ['api', 'transactions.create_and_fund', '-d', body(externalId)];

  it('is in the journal, masked; lost, it is refused until it is settled, and paid once', async () => {
    const before = await balance();
    loseAnswers();
    const first = await bench.run(raw('raw-1'));
    expect(first.code).toBe(9);
    expect(first.stderr).toMatch(/remit history settle [0-9a-f]{8}$/m);
    bench.restore();
    const again = await bench.run(raw('raw-1'));
    expect([again.code, again.requests]).toEqual([9, []]);
    const listed = await bench.run(['history', '-o', 'json']);
    expect(listed.stdout).not.toMatch(/Ada|0123456700/);
    const [intent] = listed.data<{ id: string; state: string }[]>();
    expect(intent?.state).toBe('unknown');
    expect((await bench.run(['history', 'settle', intent?.id ?? ''])).code).toBe(0);
    expect([before, await balance()]).toEqual(['"250000"', '"249985.01"']);
  });

  it('that remit cannot look for is settled by hand; one that was refused leaves nothing open', async () => {
    const call = ['api', 'POST', `/not/in/the/catalogue/${randomUUID()}`, '-d', '{}'];
    expect((await bench.run(call)).code).toBe(6);
    bench.intercept(only(isWriteRequest, lost));
    expect((await bench.run(call)).code).toBe(9);
    bench.restore();
    const refused = await bench.run(call);
    expect([refused.code, refused.requests]).toEqual([9, []]);
    const [intent] = (await bench.run(['history', '-o', 'json'])).data<{ id: string }[]>();
    expect((await bench.run(['history', 'settle', intent?.id ?? ''])).code).toBe(2);
    expect(
      (
        await bench.run([
          'history',
          'settle',
          intent?.id ?? '',
          '--as',
          'not-applied',
          '--because',
          'the operator said so',
        ])
      ).code,
    ).toBe(0);
    expect((await bench.run(call)).code).toBe(6);
  });
});

it('a raw duplicate may be our own earlier try: a look finds the same payment, which is applied once', async () => {
  const made = await bench.run([...pay, '--external-id', 'raw-1']);
  expect(made.code).toBe(0);
  const { body } =
    made.requests.find(({ method, path }) => method === 'POST' && path === '/transactions') ?? {};
  const raw = await bench.run(['api', 'transactions.create_and_fund', '-d', JSON.stringify(body)]);
  expect(raw.code).toBe(0);
  expect(raw.stderr).toContain('the service refused it, and yet it is applied');
  expect(await balance()).toBe('"249985.01"');
});

describe('numbers of metadata leave, and come back, as they are written', () => {
  const METADATA =
    '"metadata":{"order_id":839299365868340225,"f":12.60,"deep":{"list":[1e2,-0.10,7]},"text":"12.60"}';
  const bodyOf = (externalId: string): string =>
    JSON.stringify({ ...paymentJson(), external_id: externalId }).replace(/\}$/, `,${METADATA}}`);
  const put = (text: string): string => {
    writeFileSync(join(bench.dir, 'pay.json'), text);
    return 'pay.json';
  };
  /** The texts of the creations that left, and of all answers; the first `losing` creations are not answered. */
  function listening(losing: number, losingBy: Intercept): { sent: string[]; answers: string[] } {
    const heard = { sent: [] as string[], answers: [] as string[] };
    bench.intercept(async (request, next) => {
      if (isCreation(request)) heard.sent.push(String(request.body));
      const isLost = isCreation(request) && heard.sent.length <= losing;
      const answer = await (isLost ? losingBy(request, next) : next(request));
      heard.answers.push(answer.body);
      return answer;
    });
    return heard;
  }

  it.each([
    ['tx create -f', 'whose answers are lost', lostAfter],
    ['tx create -f', 'that does not arrive until it is settled', lost],
    ['api POST /transactions --input', 'whose answers are lost', lostAfter],
    ['api POST /transactions --input', 'that does not arrive until it is settled', lost],
  ] as const)(
    '%s, of a payment %s: each try has the same bytes, which the sandbox keeps',
    async (words, _, losingBy) => {
      const heard = listening(words.startsWith('tx') ? 2 : 1, losingBy);
      const body = words.startsWith('tx') ? bodyOf('exact') : `{"transaction":${bodyOf('exact')}}`;
      const run = await bench.run([...words.split(' '), put(body), '-o', 'json']);
      // Where it arrived, a look has found it already: it is the one that was asked for.
      expect(run.code, run.stderr).toBe(words.startsWith('tx') && losingBy === lostAfter ? 0 : 9);
      const settled = await bench.run('history settle --all');
      expect(settled.code, settled.stderr).toBe(0);
      expect(heard.sent.length).toBeGreaterThan(losingBy === lost ? 1 : 0);
      for (const one of heard.sent) expect(one).toContain(METADATA);
      const found = heard.answers.filter((answer) => answer.includes('"exact"'));
      expect(found.length).toBeGreaterThan(0);
      for (const one of found) expect(one).toContain(METADATA);
      const [intent] = (await bench.run('history -o json')).data<{ state: string }[]>();
      expect(intent?.state).toBe('applied');
    },
  );

  it('of a sender, of a payee that is corrected, and of a flag', async () => {
    const sent: string[] = [];
    bench.intercept(async (request, next) => {
      if (request.body) sent.push(String(request.body));
      return next(request);
    });
    const digits = '{"order_id":839299365868340225,"f":12.60}';
    const file = put(`{"metadata":${digits}}`);
    const edited = await bench.run(['sender', 'edit', 'customer-1', '-f', file]);
    const made = await bench.run([...createArgv(), '--metadata', digits]);
    expect([edited.code, made.code], edited.stderr + made.stderr).toEqual([0, 0]);
    expect(sent.filter((body) => body.includes(`"metadata":${digits}`)).length).toBeGreaterThanOrEqual(2);
    const dry = await bench.run([...createArgv(), '--metadata', digits, '--dry-run', '--new-payment']);
    expect(dry.stdout).toContain('839299365868340225');
  });

  it('two payments whose numbers differ in the last digit are two', async () => {
    const withId = (id: string) => createArgv(undefined, '--metadata', `{"order_id":${id}}`);
    const runs = [
      await bench.run(withId('839299365868340225')),
      await bench.run(withId('839299365868340226')),
    ];
    expect(runs.map(({ code }) => code)).toEqual([0, 0]);
    expect((await bench.run(withId('839299365868340226'))).code).toBe(2);
  });
});
