import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answering, paymentFlags, senderFlags, useBench, words } from '../support/cli.ts';

const bench = useBench({ sender: true });

const file = (details: Record<string, string>, externalId: string): string =>
  JSON.stringify({
    input_currency: 'EUR',
    external_id: externalId,
    sender: { external_id: 'customer-1' },
    recipients: [
      {
        requested_amount: 25000,
        requested_currency: 'NGN',
        payout_method: { type: 'NGN::Bank', details },
      },
    ],
  });
const ada = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456719' };
const create = (details: Record<string, string>, externalId: string, env = {}) =>
  bench.run(['tx', 'create', '--file', '-'], { stdin: file(details, externalId), env });

describe('what comes from outside cannot drive the terminal', () => {
  const hostile = { ...ada, first_name: 'A\u001b[8mda\u202e', last_name: 'O\u009bbi\nforged: paid' };

  it('not in the lines before a write either', async () => {
    const made = await create(hostile, 'hostile-1');
    expect(made.code).toBe(0);
    const runs = [made];
    for (const words of [
      ['tx', 'fund', 'hostile-1'],
      ['tx', 'cancel', 'hostile-1'],
    ])
      runs.push(await bench.run(words, { tty: true }));
    for (const { stderr } of runs) {
      expect(stderr).toContain('A\\x1b[8mda\\u202e O\\x9bbi\\nforged: paid');
      expect(stderr).not.toMatch(/\u202e|\u009b|\u001b\[8m|^forged/m);
    }
  });

  it('not in a raw answer that ends with a line', async () => {
    bench.intercept(answering(200, 'gone\u001b]0;mine\u0007\n'));
    const run = await bench.run(['api', 'GET', '/accounts'], { tty: true });
    expect(run.stdout).toBe('gone\\x1b]0;mine\\x07\n');
  });
});

describe('CI keeps what it prints', () => {
  const env = { CI: 'true' };
  it('so people and accounts are masked on both streams', async () => {
    const made = await create(ada, 'ci-1', env);
    const funded = await bench.run(['tx', 'fund', 'ci-1'], { env });
    const { recipients } = (await bench.run(['tx', 'show', 'ci-1', '-o', 'json'])).data<{
      recipients: { id: string }[];
    }>();
    const id = recipients[0]?.id ?? '';
    const edited = await bench.run(
      ['recipient', 'edit', id, '--detail', 'bank_account=0123456700', '--name-as-given'],
      { env },
    );
    const cancelled = await bench.run(['tx', 'cancel', 'ci-1'], { env });
    const sender = await bench.run(['sender', 'create', ...senderFlags('customer-2')], { env });
    expect([made, funded, edited, sender].map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    for (const { stdout, stderr } of [made, funded, edited, cancelled, sender])
      expect(stdout + stderr).not.toMatch(/Ada|Obi|Ines|01234567/);
    expect(edited.stderr).toContain('bank_account: ••••6719 -> ••••6700');
  });

  it('so are the bodies in a log, and on a terminal the accounts in them', async () => {
    await create(ada, 'log-1');
    const id = (
      await bench.run([
        'logs',
        'api',
        '-o',
        'json',
        '--query',
        "[?contains(request_body||'', 'log-1')].id | [0]",
      ])
    ).json<string>() as string;
    const inCi = await bench.run(['logs', 'show', id, '-o', 'json'], { env });
    expect(inCi.stdout).not.toMatch(/Ada|Obi|0123456719/);
    const seen = await bench.run(['logs', 'show', id], { tty: true });
    expect(seen.stdout).toContain('••••6719');
    expect(seen.stdout).not.toContain('0123456719');
    expect((await bench.run(['logs', 'show', id, '--reveal'], { tty: true })).stdout).toContain('0123456719');
  });
});

it('a signature or a secret in a log is cut, revealed or not', async () => {
  const signature = 'ab'.repeat(64);
  const log = {
    id: randomUUID(),
    request_headers: { HTTP_AUTHORIZATION_SIGNATURE: signature, HTTP_AUTHORIZATION_SECRET: 'topsecret' },
  };
  bench.intercept(async () => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ object: log }),
  }));
  for (const argv of [
    ['logs', 'show', log.id, '-o', 'json', '--reveal'],
    ['api', 'api_logs.get', log.id],
    ['api', 'api_logs.get', log.id, '--reveal'],
  ]) {
    const run = await bench.run(argv);
    expect([argv[0], run.code]).toEqual([argv[0], 0]);
    expect(run.stdout).toContain('abababab…');
    expect(run.stdout).not.toMatch(/(?:ab){9}|topsecret/);
  }
});

it('an external id may look like an id of the service', async () => {
  const externalId = randomUUID();
  await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', externalId]);
  const shown = await bench.run(['tx', 'show', externalId, '-o', 'json']);
  expect(shown.data<{ external_id: string }>().external_id).toBe(externalId);
  expect((await bench.run(['tx', 'fund', externalId])).code).toBe(0);
  expect((await bench.run(['tx', 'show', randomUUID()])).code).toBe(6);
});

it('login says whether the profile is the default', async () => {
  const login = (name: string) =>
    bench.run(
      [
        ...words(`login --profile ${name} --no-check --base-url http://127.0.0.1:1/v1 --key abcdefgh`),
        ...words('--secret-env S -o csv --fields name,default'),
      ],
      { env: { S: 's3cret' } },
    );
  expect((await login('first')).stdout).toContain('first,yes');
  expect((await login('second')).stdout).not.toContain('yes');
});

it('a request is found by the id that its error named, however many came after it; no record comes twice', async () => {
  const failed = await bench.run(['api', 'POST', '/transactions', '-d', '{}']);
  expect(failed.code).toBe(5);
  for (let count = 0; count < 30; count++) await bench.run(['balance']);
  const logs = ['logs', 'api', '-o', 'json', '--query', '[].request_headers.HTTP_AUTHORIZATION_NONCE'];
  const nonces = (await bench.run([...logs, '--status', '4xx'])).json<string[]>();
  expect(nonces).toHaveLength(1);
  const found = await bench.run([...logs, '--request', nonces[0] ?? '']);
  expect([found.code, found.json<string[]>()]).toEqual([0, nonces]);
  const all = (await bench.run([...logs, '--limit', '25'])).json<string[]>();
  expect(new Set(all).size).toBe(25);
  expect((await bench.run([...logs, '--request', randomUUID()])).code).toBe(6);
});
