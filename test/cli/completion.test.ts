import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lists } from '../../src/cli/completion/lists.ts';
import { sourcesOfArguments } from '../../src/cli/completion/sources.ts';
import { describeCommands } from '../../src/cli/help/describe.ts';
import { seededRandom } from '../../src/core/random.ts';
import { openStore } from '../../src/store/open.ts';
import { type Bench, createBench, paymentFlags, senderFlags } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

describe('what is offered', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
  });
  afterEach(() => bench.close());

  const ask = async (...words: string[]): Promise<string[][]> => {
    const run = await bench.run(['__complete', ...words]);
    expect([run.code, run.stderr, run.requests]).toEqual([0, '', []]);
    return run.stdout.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')]));
  };

  it('ids seen in answers, the latest first, by id and by external id', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1']);
    const found = await ask('transaction');
    expect(found.map(([, about]) => about)).toEqual(['transaction', 'transaction wages-1']);
    expect(found[0]?.[0]).toBe('wages-1');
    const [[payment] = [], [recipient] = []] = await ask('recipient');
    expect(payment).toBe('wages-1');
    expect(recipient).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ask('transaction', 'wag')).toHaveLength(1);
    expect(await ask('transaction', 'zzz')).toEqual([]);
    expect(await ask('transaction', '', 'another')).toEqual([]);
    expect((await ask('transaction-id')).map(([, about]) => about)).toEqual(['transaction wages-1']);
  });

  it('intents by id', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--fund', '--max-input', '20']);
    // Its creation, and its debit.
    expect((await ask('intent')).map(([, about]) => about)).toEqual(['applied', 'applied']);
    expect(await ask('unsettled')).toEqual([]);
  });

  it('pay runs of this account by name, the latest first', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    writeFileSync(join(bench.dir, 'wages.csv'), fileOfRows(2));
    const plan = (name: string) =>
      bench.run([
        ...['batch', 'plan', join(bench.dir, 'wages.csv'), '--name', name, '--max-input', 'EUR=9'],
        ...['--repeat', 'wages-10', '--repeat', 'wages-11'],
      ]);
    for (const name of ['wages-10', 'wages-11', 'suppliers']) expect((await plan(name)).code).toBe(0);
    await bench.run(['batch', 'cancel', 'wages-10', '--yes']);
    const all = [
      ['suppliers', 'pay run, planned'],
      ['wages-11', 'pay run, planned'],
      ['wages-10', 'pay run, cancelled'],
    ];
    expect(await ask('run')).toEqual(all);
    expect(await ask('run', 'wages-1')).toEqual(all.slice(1));
    expect(await ask('run', 'zzz')).toEqual([]);
    const elsewhere = { env: { REMIT_BASE_URL: 'http://127.0.0.1:4011/v1' } };
    expect((await bench.run(['__complete', 'run'], elsewhere)).stdout).toBe('');
    const shared = { env: { REMIT_STORE: 'postgres://nobody@127.0.0.1:9/remit' } };
    expect(await bench.run(['__complete', 'run'], shared)).toMatchObject({ code: 0, stdout: '', stderr: '' });
  });

  it('whatever is wrong, nothing is said and nothing is made', async () => {
    writeFileSync(join(bench.dir, 'config.json'), 'no JSON', { mode: 0o600 });
    const before = readdirSync(bench.dir).sort();
    for (const kind of ['profile', 'transaction', 'intent', 'run', 'nonsense', ''])
      expect(await ask(kind)).toEqual([]);
    expect(readdirSync(bench.dir).sort()).toEqual(before);
  });

  it('nothing that a shell, or a terminal, could read as anything but a value', async () => {
    const store = await openStore(join(bench.dir, 'remit.db'), {
      clock: { now: () => 1 },
      random: seededRandom('ids'),
    });
    const hostile = [
      '$(id)',
      '`id`',
      "a'b",
      'a"b',
      'a b',
      'a;b',
      'a|b',
      '-rf',
      '*',
      '~',
      'a\u001b[2J',
      'a\tb',
      'a\nb',
    ];
    store.seen.remember(
      'environment http://127.0.0.1:4010/v1',
      [...hostile, 'é-17', 'crm:17', 'a.b@c/d+e=f'].map((id) => ({
        kind: 'sender',
        id,
        externalId: `of ${id}`,
      })),
    );
    store.close();
    expect((await ask('sender')).map(([id]) => id).sort()).toEqual(['a.b@c/d+e=f', 'crm:17', 'é-17']);
  });
});

describe('installing', () => {
  let bench: Bench;
  let home: string;
  beforeEach(async () => {
    bench = await createBench();
    home = mkdtempSync(join(tmpdir(), 'remit-install-'));
  });
  afterEach(async () => {
    await bench.close();
    rmSync(home, { recursive: true, force: true });
  });

  it.each([
    ['bash', '.local/share/bash-completion/completions/remit', 'source '],
    ['zsh', '.local/share/zsh/site-functions/_remit', 'fpath=('],
    ['fish', '.config/fish/completions/remit.fish', 'new shells have it'],
    ['powershell', '.local/share/remit/remit.ps1', '$PROFILE'],
  ])('%s: written where it is looked for, the rest is said', async (shell, path, said) => {
    const dry = await bench.run(['completion', 'install', shell, '--dry-run'], { env: { HOME: home } });
    expect([dry.code, readdirSync(home)]).toEqual([0, []]);
    const run = await bench.run(['completion', 'install', '-o', 'json'], {
      env: { HOME: home, SHELL: `/usr/bin/${shell}` },
    });
    expect(run.json()).toMatchObject({ data: { shell, file: join(home, path), written: true } });
    expect(run.stderr).toContain(said);
    const printed = await bench.run(['completion', shell]);
    expect(readFileSync(join(home, path), 'utf8')).toBe(printed.stdout);
    expect(readdirSync(join(home, path, '..'))).toHaveLength(1);
  });

  it('XDG folders are honoured, and a folder in fpath needs no line', async () => {
    const env = {
      HOME: home,
      XDG_DATA_HOME: join(home, 'data'),
      FPATH: join(home, 'data/zsh/site-functions'),
    };
    const run = await bench.run(['completion', 'install', 'zsh'], { env });
    expect(existsSync(join(home, 'data/zsh/site-functions/_remit'))).toBe(true);
    expect(run.stderr).not.toContain('fpath=');
  });

  it('what cannot be written is refused, and what was there stays', async () => {
    writeFileSync(join(home, '.config'), 'a file');
    const run = await bench.run(['completion', 'install', 'fish'], { env: { HOME: home } });
    expect(run.code).toBe(78);
    expect(run.stderr).toMatch(/remit\.fish cannot be written/);
    expect(run.stderr).toContain('remit completion SHELL > FILE');
    expect(readFileSync(join(home, '.config'), 'utf8')).toBe('a file');
  });

  it('an unknown shell is told those that there are', async () => {
    for (const argv of [
      ['completion', 'tcsh'],
      ['completion', 'install', 'tcsh'],
      ['completion', 'install'],
    ]) {
      const run = await bench.run(argv, { env: { HOME: home, SHELL: '/bin/tcsh' } });
      expect([run.code, run.stdout]).toEqual([2, '']);
      expect(run.stderr).toContain('bash, zsh, fish, powershell');
    }
  });
});

it('behind explain stand codes, categories, states, events and fields, at every place', async () => {
  const explain = (await describeCommands()).find(({ words }) => words === 'explain');
  expect(explain && sourcesOfArguments(explain)).toEqual([['explain 1+', '+words']]);
  const words = lists.words.map(([word]) => word);
  expect(words).toEqual(
    expect.arrayContaining(['416', 'stuck', 'recipient_error', 'recipient.error', 'banned']),
  );
  expect(new Set(words).size).toBe(words.length);
});
