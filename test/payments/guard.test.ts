import { describe, expect, it } from 'vitest';
import { paymentFlags, senderFlags, useBench, words } from '../support/cli.ts';

const live = { REMIT_BASE_URL: 'https://api.example.com/v1' };
const bench = useBench({ sender: true });

const writes = (run: { requests: { method: string; path: string }[] }) =>
  run.requests.filter(({ method, path }) => method !== 'GET' && path !== '/transactions/calculate');

describe('production without a terminal', () => {
  const create = ['tx', 'create', ...paymentFlags('customer-1')];
  it.each([
    ['nothing', []],
    ['--yes alone', ['--yes']],
    ['--live alone', ['--live', 'key:7f3c']],
    ['--live naming another profile', ['--yes', '--live', 'staging']],
    ['--live naming another key', ['--yes', '--live', 'key:0000']],
  ])('%s sends nothing', async (_, flags) => {
    const run = await bench.run([...create, ...flags], { env: live });
    expect(run.code).toBe(2);
    expect(writes(run)).toEqual([]);
  });

  it('--live environment names no account: the three variables hold any', async () => {
    const run = await bench.run([...create, '--yes', '--live', 'environment'], { env: live });
    expect(run.code).toBe(2);
    expect(run.requests).toEqual([]);
    expect(run.stderr).toContain('if it is meant: --live=key:7f3c');
  });

  it('nor does it for a signature with the production secret', async () => {
    const sign = ['webhooks', 'sign', '--event', 'sender.created', '--url', 'https://example.com/hooks'];
    const flags = ['--as-profile', '--save', 'signed.json', '--live', 'environment'];
    const run = await bench.run([...sign, ...flags], { env: live, tty: true, stdin: 'y\r' });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain('--live=key:7f3c');
  });

  it.each(['key:7f3c'])('--yes --live %s sends, and says where', async (name) => {
    const run = await bench.run([...create, '--yes', '--live', name], { env: live });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('production · environment · key …7f3c');
    expect(writes(run).map(({ path }) => path)).toEqual(['/transactions']);
  });

  it('funding, cancelling, editing, removing a webhook and raw writes pass the same guard', async () => {
    const made = await bench.run([...create, '-o', 'json']);
    const { id, recipients } = made.data<{ id: string; recipients: { id: string }[] }>();
    const recipient = recipients[0]?.id ?? '';
    const hook = await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/', '-o', 'json']);
    for (const argv of [
      ['tx', 'fund', id],
      ['tx', 'cancel', id],
      ['recipient', 'cancel', recipient],
      ['recipient', 'edit', recipient, '--detail', 'bank_account=1234567800'],
      ['webhooks', 'remove', hook.data<{ id: string }>().id],
      ['api', 'recipients.cancel', recipient],
      ['api', 'POST', '/not/in/the/catalogue'],
    ]) {
      const run = await bench.run(argv, { env: live });
      expect([argv[0], argv[1], run.code]).toEqual([argv[0], argv[1], 2]);
      expect(run.stderr).toContain('--live=key:7f3c');
      expect(writes(run)).toEqual([]);
    }
  });

  it('sandbox-only calls are refused before anything is sent', async () => {
    for (const argv of [
      ['sandbox', 'payout', 'x'],
      ['sandbox', 'payin', 'x'],
      ['sandbox', 'clock', 'advance', '1h'],
      ['api', 'transactions.payout', '00000000-0000-4000-8000-000000000000'],
      ['api', 'POST', '/transactions/00000000-0000-4000-8000-000000000000/payout/'],
      ['api', 'POST', '/transactions/00000000-0000-4000-8000-000000000000/p%61yout'],
    ]) {
      const run = await bench.run([...argv, '--yes', '--live', 'key:7f3c'], { env: live });
      expect([argv.join(' '), run.code, run.requests.length]).toEqual([argv.join(' '), 2, 0]);
    }
  });

  it('reads pass, and a plain write only prints its line', async () => {
    expect((await bench.run(['balance'], { env: live })).code).toBe(0);
    const run = await bench.run(['sender', 'create', ...senderFlags('customer-2')], { env: live });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('production · environment');
  });
});

describe('what is shown of people and secrets', () => {
  const secret = 'made-up-secret-for-tests';
  it('a terminal and a pipe get the last four, a pipe is told so once; CI gets less; --reveal shows all of it', async () => {
    const made = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '-o', 'json']);
    const { id } = made.data<{ id: string }>();
    const show = ['tx', 'show', id, '-o', 'json'];
    const pipe = await bench.run(show);
    expect(pipe.stdout).not.toContain('0123456700');
    expect(pipe.stdout).toContain('••••6700');
    expect(pipe.stderr.match(/--reveal shows them whole/g)).toHaveLength(1);
    expect((await bench.run([...show, '--reveal'])).stdout).toContain('0123456700');
    expect((await bench.run(['tx', 'show', id])).stderr).not.toContain('--reveal');
    const terminal = (await bench.run(show, { tty: true })).stdout;
    expect(terminal).not.toContain('0123456700');
    expect(terminal).toContain('"first_name": "Ada"');
    const ci = (await bench.run(show, { env: { CI: 'true' } })).stdout;
    expect(ci).not.toMatch(/0123456700|"Ada"|Obi|ines@example/);
    expect((await bench.run([...show, '--reveal'], { env: { CI: 'true' } })).stdout).toContain('0123456700');
  });

  it('debug output and history hold no secret, nonce, signature or name', async () => {
    const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--debug', '-o', 'json'], {
      env: { REMIT_DEBUG: '1' },
    });
    const nonce = /nonce ([0-9a-f]{8})…/.exec(run.stderr)?.[1];
    expect(nonce).toBeDefined();
    expect(run.stderr).not.toMatch(new RegExp(`${secret}|[0-9a-f]{128}|${nonce}-`));
    const history = await bench.run(['history', '-o', 'json']);
    expect(history.stdout).toContain('25000 NGN to A••• NGN::Bank 044 ••••6700');
    expect(history.stdout).not.toMatch(/Ada|Obi|0123456700/);
    expect(history.stdout).not.toContain(secret);
  });

  it('what comes from outside cannot move the cursor or hide a digit', async () => {
    const evil = 'Ada\u001b[2J\u202Eevil\u200b';
    const run = await bench.run(
      ['tx', 'create', ...paymentFlags('customer-1'), '--detail', `middle_name=${evil}`, '--yes'],
      { tty: true },
    );
    expect(run.code).toBe(0);
    for (const format of ['table', 'json', 'yaml', 'text', 'csv', 'ndjson']) {
      const shown = await bench.run(['tx', 'list', '-o', format, '--fields', 'recipients'], { tty: true });
      expect(shown.stdout, format).not.toMatch(/[\u001b\u202e\u200b]/);
    }
    const listed = await bench.run(['recipient', 'list'], { tty: true, columns: 300 });
    expect(listed.stdout).toContain('\\x1b[2J\\u202eevil\\u200b');
  });
});

it('login --environment production on this machine means production: a tunnel to the service ends here too', async () => {
  const login = words('login --profile tunnel --base-url http://127.0.0.1:4010/v1 --environment production');
  const made = await bench.run([...login, '--key', 'key_test_7f3c', '--secret-stdin'], {
    env: { REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined },
    stdin: 'made-up-secret-for-tests',
  });
  expect(made.code, made.stderr).toBe(0);
  const env = { REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined };
  const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--profile', 'tunnel'], {
    env,
  });
  expect(run.code).toBe(2);
  expect(writes(run)).toEqual([]);
  expect(run.stderr).toContain('production · tunnel');
});
