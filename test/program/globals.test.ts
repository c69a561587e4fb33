/** What every command takes: flag over environment over profile over default; colour, quiet, and what debugging shows. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type GlobalFlag, globalFlags } from '../../src/frame/flags/globals.ts';
import { spelling } from '../../src/frame/flags/option.ts';
import { baseUrl, credentials, noAccount, paymentFlags, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench();

/** A profile instead of the three variables. */
function withProfile(members: object): Record<string, string | undefined> {
  const profile = { baseUrl, environment: 'sandbox', key: credentials.key, secretIn: 'file', ...members };
  writeFileSync(join(bench.dir, 'config.json'), JSON.stringify({ profiles: { mine: profile } }), {
    mode: 0o600,
  });
  writeFileSync(join(bench.dir, 'secrets.json'), JSON.stringify({ mine: credentials.secret }), {
    mode: 0o600,
  });
  return noAccount;
}

describe('an empty variable', () => {
  it('counts as not set, whichever it is', async () => {
    const env = withProfile({ output: 'json' });
    const helps = await Promise.all(['flags', 'environment'].map((topic) => bench.run(['help', topic])));
    const found = helps.flatMap(({ stdout }) => stdout.match(/\bREMIT_[A-Z_]+/g) ?? []);
    const names = [...new Set(found)].filter((name) => name !== 'REMIT_CONFIG_DIR');
    expect(names.length).toBeGreaterThan(20);
    const allEmpty = Object.fromEntries(names.map((name) => [name, '']));
    const body = join(bench.dir, 'body.json');
    writeFileSync(body, '{"webhook":"w","event":"recipient.error","object":{}}');
    for (const argv of [
      ['profiles'],
      ['whoami'],
      ['balance', 'EUR'],
      ['history'],
      ['sandbox', 'env'],
      ['webhooks', 'sign', '--body', body],
      ['doctor', '--query', '[].[name,status]'],
      ['logout'],
    ]) {
      withProfile({ output: 'json' });
      const unset = await bench.run(argv, { env });
      withProfile({ output: 'json' });
      const { code, stdout, stderr } = await bench.run(argv, { env: { ...env, ...allEmpty } });
      expect([code, stdout, stderr], argv.join(' ')).toEqual([unset.code, unset.stdout, unset.stderr]);
    }
  });
});

describe('where a format comes from', () => {
  it('is the flag, else the environment, else the profile, else text without a terminal', async () => {
    const env = withProfile({ output: 'yaml' });
    const all = { ...env, REMIT_OUTPUT: 'csv' };
    expect((await bench.run(['balance', 'EUR', '-o', 'json'], { env: all })).stdout).toMatch(
      /^\{"version":1/,
    );
    expect((await bench.run(['balance', 'EUR'], { env: all })).stdout).toMatch(/^currency,amount/);
    expect((await bench.run(['balance', 'EUR'], { env })).stdout).toMatch(/^version: 1\n/);
    expect((await bench.run(['balance', 'EUR'])).stdout).toMatch(/^EUR\t/);
  });

  it('is named where the environment names none that there is', async () => {
    for (const env of [{ REMIT_OUTPUT: 'xml' }, { REMIT_COLOR: 'sometimes' }]) {
      const run = await bench.run(['balance'], { env });
      expect(run).toMatchObject({ code: 2, stdout: '', requests: [] });
      expect(run.stderr).toContain('choose one of');
    }
  });
});

it('every flag but --live and --no-color has a variable', () => {
  const without = Object.entries<GlobalFlag>(globalFlags)
    .filter(([, { env }]) => env === undefined)
    .map(([key, flag]) => spelling(key, flag));
  expect(without).toEqual(['--live <what>', '--no-color']);
});

it.each([
  ['REMIT_FIELDS', 'currency', ['--fields', 'currency']],
  ['REMIT_QUERY', 'amount', ['--query', 'amount']],
  ['REMIT_OUTPUT', 'json', ['-o', 'json']],
])('%s says the same as its flag', async (name, value, flags) => {
  const byFlag = await bench.run(['balance', 'EUR', ...flags]);
  const byVariable = await bench.run(['balance', 'EUR'], { env: { [name]: value } });
  expect(byFlag.code).toBe(0);
  expect(byVariable.stdout).toBe(byFlag.stdout);
});

describe('colour', () => {
  const coloured = /\u001b\[/;
  it('follows the flag, then REMIT_COLOR, then NO_COLOR, then the terminal', async () => {
    const on = { NO_COLOR: '', FORCE_COLOR: undefined };
    const show = (argv: string[], env: object, tty = true) =>
      bench.run(['balance', ...argv], { env: { ...on, ...env }, tty });
    expect((await show([], {})).stdout).toMatch(coloured);
    expect((await show([], {}, false)).stdout).not.toMatch(coloured);
    expect((await show([], { NO_COLOR: '1' })).stdout).not.toMatch(coloured);
    expect((await show([], { NO_COLOR: '1', REMIT_COLOR: 'always' })).stdout).toMatch(coloured);
    expect((await show(['--color', 'never'], { REMIT_COLOR: 'always' })).stdout).not.toMatch(coloured);
    expect((await show(['--no-color'], {})).stdout).not.toMatch(coloured);
    expect((await show(['--color=always', '-o', 'table'], {}, false)).stdout).toMatch(coloured);
  });

  it('is in errors about flags as well', async () => {
    const run = await bench.run(['balance', '--nonsense', '--color=always']);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(coloured);
  });
});

describe('--quiet', () => {
  it('leaves notes out, and says still where a write goes and what fails', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    const flags = ['tx', 'create', ...paymentFlags('customer-1')];
    const loud = await bench.run(flags);
    expect(loud.stderr).toContain('Next, within the hour: remit tx fund');
    const quiet = await bench.run([...flags, '--external-id', 'other-1', '--quiet']);
    expect(quiet.stderr).toMatch(/^sandbox · environment · key …7f3c\n {2}pay/);
    expect(quiet.stderr).not.toContain('next:');
    const failed = await bench.run(['tx', 'show', 'nobody'], { env: { REMIT_QUIET: '1' } });
    expect(failed.stderr).toContain('no transaction has the external id');
  });
});

describe('REMIT_DEBUG=api', () => {
  const env = { REMIT_DEBUG: 'api' };
  it('prints each request and answer, people and accounts masked, no signature and no nonce in full', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    const run = await bench.run(['tx', 'create', ...paymentFlags('customer-1', '0123456719')], { env });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain('debug: > POST http://127.0.0.1:4010/v1/transactions');
    expect(run.stderr).toContain('debug: < 201 in');
    expect(run.stderr).toContain('"bank_account": "••••6719"');
    for (const secret of ['0123456719', '"Ada"', '"Obi"', 'Marques', '912345678', credentials.secret])
      expect(run.stderr.replace(/^(?!debug).*$/gm, '')).not.toContain(secret);
    expect(run.stderr).not.toMatch(/[0-9a-f]{8}-[0-9a-f-]{27}, signature/);
    expect(run.stderr).not.toMatch(/[0-9a-f]{64}/);
  });

  it('shows people with --reveal, and never a signature in a log', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    const sender = await bench.run(['sender', 'find', 'customer-1', '--reveal'], { env });
    expect(sender.stderr).toContain('"last_name": "Marques"');
    const logs = await bench.run(['logs', 'api', '--reveal', '-o', 'json'], { env });
    expect(logs.code).toBe(0);
    expect(logs.stderr).not.toMatch(/[0-9a-f]{64}/);
  });

  it('is quiet where nothing was asked for, and a line each with --debug', async () => {
    expect((await bench.run(['balance'])).stderr).toBe('');
    expect((await bench.run(['balance', '--debug'])).stderr).toMatch(
      /^debug: GET \S+ -> 200 in \d+ ms \(accounts\.list, nonce \w{8}…\)\n$/,
    );
  });
});

describe('switches from the environment', () => {
  it.each(['REMIT_QUIET', 'REMIT_DEBUG', 'REMIT_YES', 'REMIT_NO_INPUT'])(
    '%s is on, off, or refused',
    async (name) => {
      for (const word of ['1', 'true', 'YES', 'on', '0', 'false', 'no', 'off', ''])
        expect((await bench.run(['corridors'], { env: { [name]: word } })).code, word).toBe(0);
      const run = await bench.run(['corridors'], { env: { [name]: 'maybe' } });
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain(`${name} is "maybe"`);
    },
  );
});
