/** A new key for the same account: what the old one left unknown stays this account's, and nothing is paid a second time by it. */

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  answering,
  baseUrl,
  createArgv,
  credentials,
  type Intercept,
  isCreation,
  lost,
  lostAfter,
  only,
  type Run,
  useBench,
  writesOf,
} from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const REMOTE = 'https://api.example.com/v1';
const OLD = credentials.key;
const NEW = 'key_test_9c9c';
const KEY = 'Authorization-Key';

const bench = useBench({ sender: true });
const env = (name: string) => ({
  REMIT_BASE_URL: undefined,
  REMIT_API_KEY: undefined,
  REMIT_API_SECRET: undefined,
  REMIT_PROFILE: name,
});

/** The service takes the new key for the same account: the signature does not cover the key. */
const sameAccount: Intercept = (request, next) =>
  next(request.headers[KEY] === NEW ? { ...request, headers: { ...request.headers, [KEY]: OLD } } : request);
/** `intercept` stands in front of that. */
const behind =
  (intercept: Intercept): Intercept =>
  (request, next) =>
    intercept(request, (one) => sameAccount(one, next));

/** It arrives, and neither its answer nor a look comes back. */
const arrivesUnseen: Intercept = (request, next) =>
  isCreation(request) ? lostAfter(request, next) : only(isLook, lost)(request, next);
const isLook = ({ method, url }: { method: string; url: string }) =>
  method === 'GET' && url.includes('/transactions?');

const run = (argv: string | readonly string[], name = 'acme', stdin?: string): Promise<Run> =>
  bench.run(argv, { env: env(name), ...(stdin === undefined ? {} : { stdin }) });
const login = (url: string, key: string, ...more: string[]): Promise<Run> =>
  run(
    [
      'login',
      '--profile',
      'acme',
      '--base-url',
      url,
      '--environment',
      'sandbox',
      '--key',
      key,
      '--secret-stdin',
      ...more,
    ],
    'acme',
    credentials.secret,
  );
const rotate = (key = NEW): Promise<Run> =>
  run(['profiles', 'rotate', 'acme', '--key', key, '--secret-stdin'], 'acme', credentials.secret);
const pay = (...more: string[]): Promise<Run> => run([...createArgv(undefined), ...more]);
const keyInUse = async (): Promise<string> =>
  (await run('profiles -o json')).data<{ key: string }[]>()[0]?.key ?? '';
const payments = async (): Promise<number> => (await bench.run('tx list -o json')).data<unknown[]>().length;
const unknownId = async (): Promise<string> =>
  (await run('history -o json'))
    .data<{ id: string; state: string }[]>()
    .find(({ state }) => state === 'unknown')?.id ?? '';

beforeEach(async () => {
  bench.intercept(sameAccount);
  expect((await login(REMOTE, OLD)).code).toBe(0);
});

describe('profiles rotate', () => {
  it.each<[string, Intercept, number]>([
    ['arrived', arrivesUnseen, 0],
    ['did not arrive', only(isCreation, lost), 1],
  ])(
    'a payment of the old key that %s is settled with the new one, and is there once',
    async (_, cut, sends) => {
      await pay('--external-id', 'first', '--amount', '77');
      bench.intercept(behind(cut));
      expect((await pay()).code).toBe(9);
      bench.intercept(sameAccount);
      const rotated = await rotate();
      expect([rotated.code, rotated.stderr]).toEqual([
        0,
        expect.stringContaining('it reads what that key made'),
      ]);
      expect(await keyInUse()).toContain('9c9c');
      const again = await pay();
      expect([again.code, writesOf(again)]).toEqual([9, []]);
      const settled = await run(['history', 'settle', await unknownId(), '--yes']);
      expect(settled.code, settled.stderr).toBe(0);
      expect(writesOf(settled)).toHaveLength(sends);
      expect(await payments()).toBe(2);
    },
  );

  it('without a record of the old key the new one looks, and sends nothing', async () => {
    bench.intercept(behind(only(isCreation, lost)));
    expect((await pay()).code).toBe(9);
    bench.intercept(sameAccount);
    const rotated = await rotate();
    expect([rotated.code, rotated.stderr]).toEqual([
      0,
      expect.stringContaining('only looked for, and never sent'),
    ]);
    const again = await pay();
    expect([again.code, writesOf(again)]).toEqual([9, []]);
    const settled = await run(['history', 'settle', await unknownId(), '--yes']);
    expect([settled.code, writesOf(settled)]).toEqual([9, []]);
  });

  it('and what the old key had paid is found by looking, and closed', async () => {
    bench.intercept(behind(arrivesUnseen));
    expect((await pay()).code).toBe(9);
    bench.intercept(sameAccount);
    await rotate();
    const settled = await run(['history', 'settle', await unknownId(), '--yes']);
    expect([settled.code, writesOf(settled)]).toEqual([0, []]);
  });

  it('a key that does not find what the old one made is of another account: refused, and nothing is changed', async () => {
    await pay();
    bench.intercept((request, next) =>
      request.headers[KEY] === NEW && request.url.includes('/transactions/')
        ? answering(404, '{"status":404,"error":"Not Found"}')(request, next)
        : sameAccount(request, next),
    );
    const refused = await rotate();
    expect([refused.code, refused.stderr]).toEqual([78, expect.stringContaining('is of another account')]);
    expect(await keyInUse()).toContain('7f3c');
    // Not joined: under the new key it is another account's payment.
    expect((await login(REMOTE, NEW, '--another-account')).code).toBe(0);
    expect((await pay()).code).toBe(0);
  });

  it('a key that the service refuses changes nothing', async () => {
    bench.intercept((request, next) =>
      request.headers[KEY] === NEW ? answering(401, '{"status":401}')(request, next) : next(request),
    );
    expect((await rotate()).code).toBe(4);
    expect(await keyInUse()).toContain('7f3c');
  });

  it('refuses the key that the profile has, and a profile that is not there', async () => {
    expect((await rotate(OLD)).code).toBe(2);
    const none = await run(['profiles', 'rotate', 'none', '--key', NEW, '--secret-stdin'], 'acme', 's');
    expect(none.code).toBe(6);
  });

  it('what was paid and told is asked about under the new key too', async () => {
    expect((await pay()).code).toBe(0);
    await rotate();
    const again = await pay();
    expect([again.code, writesOf(again), again.stderr]).toEqual([
      2,
      [],
      expect.stringContaining('was made already'),
    ]);
  });
});

describe('login over a profile with another key', () => {
  it('asks whether it is the same account; without a terminal a flag says it', async () => {
    const asked = await login(REMOTE, NEW);
    expect([asked.code, asked.stderr]).toEqual([2, expect.stringContaining('--same-account')]);
    expect(await keyInUse()).toContain('7f3c');
    expect((await login(REMOTE, NEW, '--same-account', '--another-account')).code).toBe(2);
  });

  it('--same-account joins the keys', async () => {
    await pay('--external-id', 'first', '--amount', '77');
    bench.intercept(behind(arrivesUnseen));
    await pay();
    bench.intercept(sameAccount);
    const joined = await login(REMOTE, NEW, '--same-account');
    expect([joined.code, joined.stderr]).toEqual([0, expect.stringContaining('takes the place of')]);
    expect((await run(['history', 'settle', await unknownId(), '--yes'])).code).toBe(0);
    expect(await payments()).toBe(2);
  });

  it('the same key, or another URL, is no question', async () => {
    expect((await login(REMOTE, OLD)).code).toBe(0);
    expect((await login('https://api.example.org/v1', NEW, '--no-check')).code).toBe(0);
  });

  it('beside what a key that is not joined left unknown, a payment is made only on purpose', async () => {
    bench.intercept(behind(only(isCreation, lost)));
    await pay();
    bench.intercept(sameAccount);
    await login(REMOTE, NEW, '--another-account');
    const refused = await pay();
    expect([refused.code, writesOf(refused)]).toEqual([2, []]);
    expect(refused.stderr).toContain('was sent with another key (…7f3c');
    const settled = await run(['history', 'settle', await unknownId(), '--yes']);
    expect([settled.code, writesOf(settled)]).toEqual([78, []]);
    const made = await pay('--new-payment');
    expect([made.code, made.stderr]).toEqual([0, expect.anything()]);
  });

  it('on this machine it is a note: a sandbox has a new key each time', async () => {
    const local = (key: string) => login(baseUrl, key, '--no-check');
    await local(OLD);
    bench.intercept(behind(only(isCreation, lost)));
    expect((await pay()).code).toBe(9);
    bench.intercept(sameAccount);
    expect((await local(NEW)).code).toBe(0);
    const made = await pay();
    expect([made.code, made.stderr]).toEqual([0, expect.stringContaining('with another key (…7f3c)')]);
  });
});

describe('a run that was planned with the old key', () => {
  const plan = async (): Promise<string> => {
    writeFileSync(join(bench.dir, 'wages.csv'), fileOfRows(3));
    const planned = await run('batch plan wages.csv --name wages --max-input EUR=100 -o json');
    expect(planned.code, planned.stderr).toBe(0);
    return planned.data<{ digest: string }>().digest;
  };

  it('is paid with the new one, and has the digest that it had', async () => {
    const digest = await plan();
    await rotate();
    const paid = await run('batch run wages --yes -o json');
    expect(paid.code, paid.stderr).toBe(0);
    expect((await run('batch status wages -o json')).data<{ digest: string }>().digest).toBe(digest);
    expect(await payments()).toBe(3);
  });

  it('is not paid with a key that is not joined', async () => {
    await plan();
    await login(REMOTE, NEW, '--another-account');
    const refused = await run('batch run wages --yes');
    expect([refused.code, writesOf(refused)]).toEqual([78, []]);
  });

  it('for two persons is not approved with the new one: they are one person', async () => {
    await run('profiles set acme two_person=true');
    const digest = await plan();
    await rotate();
    const own = await run(['batch', 'approve', 'wages', '--digest', digest]);
    expect([own.code, own.stderr]).toEqual([2, expect.stringContaining('two_person wants another')]);
  });
});
