import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { buildCompletionIndex, lists } from '../../src/program/completion/build-index.ts';
import { sourcesOfArguments } from '../../src/program/completion/sources.ts';
import { describeCommands } from '../../src/program/help/describe.ts';
import { type Bench, createBench, paymentFlags, senderFlags } from '../support/cli.ts';
import { openStore } from '../support/open-store.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

describe('what this machine has seen', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
  });
  afterEach(() => bench.close());

  const ask = (...line: string[]): Promise<string[][]> => answerTo(bench, line);

  it('ids seen in answers, the latest first, by id and by external id', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1']);
    const found = await ask('tx', 'show', '');
    expect(found.map(([, about]) => about)).toEqual(['transaction', 'transaction wages-1']);
    expect(found[0]?.[0]).toBe('wages-1');
    const [[payment] = [], [recipient] = []] = await ask('recipient', 'show', '');
    expect(payment).toBe('wages-1');
    expect(recipient).toMatch(/^[0-9a-f-]{36}$/);
    expect(await ask('tx', 'show', 'wag')).toHaveLength(1);
    expect(await ask('tx', 'show', 'zzz')).toEqual([]);
    expect(await ask('--profile', 'another', 'tx', 'show', '')).toEqual([]);
    expect(await ask('--profile=another', 'tx', 'show', '')).toEqual([]);
    expect((await ask('api', 'transactions.get', '')).map(([, about]) => about)).toEqual([
      'transaction wages-1',
    ]);
  });

  it('intents by id', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...paymentFlags('customer-1'), '--fund', '--max-input', '20']);
    // Its creation, and its debit.
    expect((await ask('history', 'show', '')).map(([, about]) => about)).toEqual(['applied', 'applied']);
    expect(await ask('history', 'settle', '')).toEqual([]);
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
    expect(await ask('batch', 'show', '')).toEqual(all);
    expect(await ask('batch', 'show', 'wages-1')).toEqual(all.slice(1));
    expect(await ask('batch', 'show', 'zzz')).toEqual([]);
    const elsewhere = { env: { REMIT_BASE_URL: 'http://127.0.0.1:4011/v1' } };
    expect((await bench.run(['__complete', '--', 'batch', 'show', ''], elsewhere)).stdout).toBe('');
    const shared = { env: { REMIT_STORE: 'postgres://nobody@127.0.0.1:9/remit' } };
    expect(await bench.run(['__complete', '--', 'batch', 'show', ''], shared)).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
  });

  it('whatever is wrong, nothing is said and nothing is made; commands are still offered', async () => {
    writeFileSync(join(bench.dir, 'config.json'), 'no JSON', { mode: 0o600 });
    const before = readdirSync(bench.dir).sort();
    for (const line of [
      '--profile ',
      'tx show ',
      'history show ',
      'batch run ',
      'nonsense ',
      'constructor toString ',
    ])
      expect(await ask(...line.split(' '))).toEqual([]);
    expect((await ask('tx', 'fun')).map(([value]) => value)).toContain('fund');
    for (const argv of [['__complete'], ['__complete', 'profile'], ['__complete', '--blank']])
      expect(await bench.run(argv)).toMatchObject({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(bench.dir).sort()).toEqual(before);
  });

  it('at most fifty', async () => {
    const store = await openStore(join(bench.dir, 'remit.db'), {
      clock: { now: () => 1 },
      random: seededRandom('many'),
    });
    store.seen.remember(
      'environment http://127.0.0.1:4010/v1',
      Array.from({ length: 60 }, (_, i) => ({ kind: 'sender', id: `s-${i}`, externalId: `of-${i}` })),
    );
    store.close();
    expect(await ask('sender', 'show', '')).toHaveLength(50);
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
    expect((await ask('sender', 'show', '')).map(([id]) => id).sort()).toEqual([
      'a.b@c/d+e=f',
      'crm:17',
      'é-17',
    ]);
  });
});

/** The lines of the answer, each in its parts. */
async function answerTo(bench: Bench, line: readonly string[]): Promise<string[][]> {
  const run = await bench.run(['__complete', '--', ...line]);
  expect([run.code, run.stderr, run.requests]).toEqual([0, '', []]);
  return run.stdout.split('\n').flatMap((one) => (one === '' ? [] : [one.split('\t')]));
}

describe('what every machine knows', () => {
  let bench: Bench;
  beforeEach(async () => {
    bench = await createBench();
  });
  afterEach(() => bench.close());

  const ask = async (typed: string): Promise<string[]> =>
    (await answerTo(bench, typed.split(' '))).map(([value]) => value ?? '');

  it.each([
    ['', ['tx', 'help'], ['create', 'exit-codes']],
    ['help ', ['tx', 'exit-codes'], ['create']],
    ['help tx ', ['create'], ['exit-codes']],
    ['help explain ', [], ['416']],
    ['nonsense sandbox exec ', [], [':programs', ':files']],
    ['tx ', ['create', 'fund'], ['tx', '--fund']],
    ['tx list -', ['--sender', '--output', '--help'], ['-o', 'list']],
    ['-', ['--profile'], ['--sender']],
    ['-o ', ['json'], ['tx']],
    ['tx show wages-1 ', [], ['wages-1', 'show']],
    ['explain ', ['416', 'recipient.error'], []],
    ['explain 416 ', ['stuck'], []],
    ['webhooks sign --event ', ['recipient.error'], []],
    ['history ', ['settle'], ['table']],
    ['tx create --external-id -- --type ', ['NGN::Bank'], []],
    ['tx list -- --', [], ['--sender']],
    ['sandbox exec -- ', [':programs'], []],
    ['sandbox exec -- node --test ', [':files'], []],
    ['tx create --file ', [':files'], []],
    ['sandbox scenario ', [':files'], []],
    ['api GET --data ', [], [':files']],
  ])('remit %s', async (typed, offered, not) => {
    const found = await ask(typed);
    expect(found).toEqual(expect.arrayContaining(offered));
    expect(found.filter((value) => not.includes(value))).toEqual([]);
  });

  it.each([
    ['--output=js', [':before --output='], 'json'],
    ['api GET --data @pay', [':before @', ':files'], undefined],
    ['api GET --data=@pay', [':before --data=@', ':files'], undefined],
    ['profiles set local repeat_', [':nospace'], 'repeat_days='],
  ] as const)('%s: the script is told what to do', async (typed, told, value) => {
    const found = await ask(typed);
    expect(found.filter((one) => one.startsWith(':'))).toEqual(told);
    if (value !== undefined) expect(found).toContain(value);
  });

  it('a blank comes behind a value that is whole', async () => {
    expect(await ask('profiles set local ')).not.toContain(':nospace');
    expect(await ask('profiles set local read')).not.toContain(':nospace');
  });

  it('a flag that was given is offered again only where it may be repeated', async () => {
    const found = await ask('tx list --sender s-1 --state paid -o json --');
    expect(found).toContain('--state');
    expect(found).not.toContain('--sender');
    expect(found).not.toContain('--output');
    expect(await ask('tx list --output=json -')).not.toContain('--output');
    // The word under the cursor is not over yet.
    expect(await ask('tx list --sender')).toContain('--sender');
  });

  it('--blank stands for an empty word, which a shell may drop', async () => {
    const [blank, empty] = [
      await bench.run(['__complete', '--blank', '--', 'tx']),
      await bench.run(['__complete', '--', 'tx', '']),
    ];
    expect(blank.stdout).toBe(empty.stdout);
    expect(blank.stdout).toMatch(/^fund\tFund a transaction from the balance$/m);
  });

  it('no value is what a script could take for more than a value', async () => {
    const { words, topics, flags, lists, sources } = await buildCompletionIndex();
    const rows = [...Object.values(words), topics, ...Object.values(lists)].flat();
    const choices = Object.values(sources).flatMap((source) =>
      source.startsWith('=') ? source.slice(1).split(' ') : [],
    );
    const values = [...rows.map(([value]) => value), ...choices];
    expect(values.filter((value) => !/^[A-Za-z0-9][\w:.=[\]-]*$/.test(value))).toEqual([]);
    const abouts = [
      ...rows.map(([, about]) => about),
      ...Object.values(flags).flatMap((all) => all.map(({ about }) => about)),
    ];
    expect(abouts.filter((about) => /[\t\n]/.test(about))).toEqual([]);
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

  it.each(['bash', 'fish'])(
    '%s: half a path in them is passed over, and never below this folder',
    async (shell) => {
      const halves = { XDG_DATA_HOME: 'here', XDG_CONFIG_HOME: 'here' };
      const written = async (env: object) =>
        (
          await bench.run(['completion', 'install', shell, '--dry-run', '--query', 'file'], {
            env: { HOME: home, ...env },
          })
        ).stdout;
      expect(await written(halves)).toBe(await written({}));
      expect(await written(halves)).toContain(home);
    },
  );

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
