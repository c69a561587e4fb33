/**
 * The completion scripts, loaded in the real shells: typed with TAB in a pseudo-terminal, and asked line by line. Where a shell
 * is missing its tests are skipped and printed so; with REMIT_REQUIRE_SHELLS=1, as in CI, they fail.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { some } from '../support/long.ts';
import { openStore } from '../support/open-store.ts';
import { newRow } from '../support/payrun-stores.ts';
import { openProgram, type Terminal } from '../support/terminal.ts';

const root = resolve(import.meta.dirname, '../..');
const script = (name: string): string => join(root, 'completions', name);
const required = process.env.REMIT_REQUIRE_SHELLS === '1';
const isThere = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0;
const missing = (shell: string): boolean => !required && !isThere(shell);

const TX = '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';
const RECIPIENT = '7a2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';
const SENDER = '8b2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';

let home: string;
let env: Record<string, string>;

/** A home with remit on its PATH, two profiles and a few ids seen; some of them are made to do harm. */
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'remit-shell-'));
  const [bin, settings] = [join(home, 'bin'), join(home, 'settings')];
  mkdirSync(bin);
  mkdirSync(settings, { mode: 0o700 });
  writeFileSync(join(bin, 'remit'), `#!/bin/sh\nexec '${process.execPath}' '${root}/bin/remit.js' "$@"\n`);
  chmodSync(join(bin, 'remit'), 0o755);
  const profile = {
    baseUrl: 'http://127.0.0.1:4010/v1',
    environment: 'sandbox',
    key: 'k',
    secretIn: 'file',
  };
  const profiles = { local: profile, 'ev`touch harm`il': profile, '$(touch harm)': profile };
  writeFileSync(
    join(settings, 'config.json'),
    JSON.stringify({ version: 1, defaultProfile: 'local', profiles }),
    { mode: 0o600 },
  );
  const store = await openStore(join(settings, 'remit.db'), {
    clock: { now: () => 1 },
    random: seededRandom('completion'),
  });
  store.seen.remember(`local ${profile.baseUrl}`, [
    { kind: 'transaction', id: TX, externalId: 'wages-1' },
    { kind: 'recipient', id: RECIPIENT, transactionId: TX, externalId: 'wages-1' },
    { kind: 'sender', id: SENDER, externalId: 'crm:customer-17' },
    { kind: 'sender', id: '$(touch harm)', externalId: '`touch harm`' },
    {
      kind: 'sender',
      id: '9c2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
      externalId: "\u001b]0;x\u0007';touch harm;'",
    },
  ]);
  const payruns = await store.payruns();
  const draft = await payruns.draft({
    name: 'wages-2026-11',
    account: { baseUrl: profile.baseUrl, environment: 'sandbox', profile: 'local', keyLast4: 'made' },
    maker: undefined,
    windowSize: 200,
  });
  await draft.append([newRow(1)]);
  await draft.finish({ digest: 'made-up', plan: '' });
  store.close();
  writeFileSync(join(home, 'payment.yaml'), 'input_currency: EUR\n');
  env = {
    PATH: `${bin}:${process.env.PATH ?? ''}`,
    HOME: home,
    REMIT_CONFIG_DIR: settings,
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm',
  };
});
afterAll(() => {
  expect(readdirSync(home)).not.toContain('harm');
  rmSync(home, { recursive: true, force: true });
});

/** Of the system's packages, not of npm's. */
const FISH = 'fish';

/** Ctrl-C would throw away what is typed behind it. */
const KILL_LINE = '\u0015';

type Line = [typed: string, offered: readonly string[], not?: readonly string[]];

/** What is typed, and what it stands for when TAB is pressed; the same in every shell. */
const lines: readonly Line[] = [
  ['remit t', ['tx']],
  ['remit tx c', ['calculate', 'create', 'cancel'], ['fund']],
  ['remit -o json recipient ', ['show', 'edit', 'cancel'], ['balance']],
  ['remit --profile=local recipient s', ['show']],
  ['remit -o ', ['table', 'ndjson', 'yaml']],
  ['remit --output n', ['ndjson']],
  ['remit tx create --max', ['--max-input'], ['--min']],
  ['remit tx list --qu', ['--query', '--quiet']],
  ['remit sandbox start --clock ', ['running', 'standing']],
  ['remit rates EUR N', ['NGN'], ['EUR']],
  ['remit tx create --type NGN', ['NGN::Bank'], ['GHS::Bank']],
  ['remit sandbox fail response-', ['response-lost']],
  ['remit help ', ['exit-codes', 'environment', 'output', 'tx']],
  ['remit help tx ca', ['calculate', 'cancel']],
  ['remit api transactions.get 6f', [TX], ['wages-1']],
  ['remit tx show ', ['wages-1', TX], [RECIPIENT]],
  ['remit recipient show ', [RECIPIENT], [TX]],
  ['remit sender show 8b', [SENDER]],
  ['remit sender show ', ['crm:customer-17'], ['touch', '$(']],
  ['remit --profile ', ['local'], ['harm']],
  ['remit profiles use ', ['local'], ['harm']],
  ['remit completion install ', ['bash', 'zsh', 'fish', 'powershell']],
  ['remit batch run ', ['wages-2026-11'], ['wages-1']],
  ['remit batch show wages-', ['wages-2026-11']],
  ['remit batch show wages-2026-11 ', [], ['wages-2026-11']],
  ['remit tx create --file paym', ['payment.yaml']],
];

function expectOffered(found: readonly string[], [, offered, not = []]: Line): void {
  expect(found).toEqual(expect.arrayContaining([...offered]));
  for (const word of not)
    expect(found.filter((one) => one.includes(word) && !offered.includes(one))).toEqual([]);
}

describe.skipIf(missing('bash'))('bash', () => {
  /** Called as bash calls it, with bash-completion absent; words split as its COMP_WORDBREAKS does. */
  function complete(typed: string): string[] {
    const words = [...(typed.match(/[=:@]+|[^\s=:@]+/g) ?? []), ...(typed.endsWith(' ') ? [''] : [])];
    const quoted = words.map((word) => `'${word}'`).join(' ');
    const program = `set -u; . '${script('remit.bash')}'
      COMP_LINE='${typed}' COMP_POINT=${typed.length} COMP_WORDS=(${quoted}) COMP_CWORD=${words.length - 1}
      COMP_WORDBREAKS=$' \\t\\n"\\'@><=;|&(:'
      _remit; printf '%s\\n' "\${COMPREPLY[@]-}"`;
    const run = spawnSync('bash', ['--norc', '--noprofile', '-c', program], {
      env,
      cwd: home,
      encoding: 'utf8',
    });
    expect(run.stderr).toBe('');
    return run.stdout.split('\n').filter((line) => line !== '');
  }

  it.each(lines.map((line) => [line[0], line] as const))('%s', (typed, line) => {
    expectOffered(complete(typed), line);
  });

  it('what follows = and : in a word is what is put in', () => {
    expect(complete('remit --output=js')).toEqual(['json']);
    expect(complete('remit tx create --type NGN::')).toEqual(['Bank']);
    expect(complete('remit tx create --type=NGN::B')).toEqual(['Bank']);
    expect(complete('remit tx list --sender=crm:c')).toEqual(['customer-17']);
    expect(complete('remit api GET --data @paym')).toEqual(['payment.yaml']);
    expect(complete('remit tx create --file=paym')).toEqual(['payment.yaml']);
  });

  it('in a terminal, with TAB', async () => {
    const shell = openProgram('bash', ['--norc', '--noprofile', '-i'], { ...env, PS1: '> ' });
    shell.types(`. '${script('remit.bash')}'; cd; echo re''ady\r`);
    await shell.sees('ready');
    await tabbed(shell, 'remit tx cre', 'remit tx create ');
    await tabbed(shell, '--type=NG', '--type=NGN::Bank');
    await tabbed(shell, ' --file pay', 'payment.yaml ');
    await tabbed(shell, '--sender crm', '--sender crm:customer-17');
    // No blank comes behind a value that goes on.
    shell.types(`${KILL_LINE}remit profiles set local repeat_\t7\t`);
    await shell.sees('set local repeat_days=7');
    await leave(shell);
  });
});

/** Types it with TAB, and sees the line as it then stands. */
async function tabbed(shell: Terminal, typed: string, line: string): Promise<void> {
  shell.types(`${typed}\t`);
  await shell.sees(line);
}

async function leave(shell: Terminal): Promise<void> {
  shell.types(`${KILL_LINE}exit\r`);
  await shell.exit;
}

describe.skipIf(missing('fish'))('fish', () => {
  function complete(typed: string): string[] {
    const program = `source '${script('remit.fish')}'; complete -C '${typed}'`;
    const out = execFileSync(FISH, ['--no-config', '-c', program], { env, cwd: home, encoding: 'utf8' });
    return out.split('\n').flatMap((line) => (line === '' ? [] : [line.split('\t')[0] ?? '']));
  }

  it.each(some(lines, 8).map((line) => [line[0], line] as const))('%s', (typed, line) => {
    expectOffered(complete(typed), line);
  });

  it('values are joined to their flags', () => {
    expect(complete('remit --output=js')).toEqual(['--output=json']);
    expect(complete('remit tx create --type=NG')).toEqual(['--type=NGN::Bank']);
    expect(complete('remit tx create --file=paym')).toEqual(['--file=payment.yaml']);
    expect(complete('remit api GET --data @paym')).toEqual(['@payment.yaml']);
  });

  it('descriptions stand beside them', () => {
    const program = `source '${script('remit.fish')}'; complete -C 'remit tx fun'`;
    const out = execFileSync(FISH, ['--no-config', '-c', program], { env, encoding: 'utf8' });
    expect(out).toBe('fund\tFund a transaction from the balance\n');
  });
});

describe.skipIf(missing('zsh'))('zsh, in a terminal', () => {
  let shell: Terminal;
  beforeAll(async () => {
    const folder = join(home, 'zsh-functions');
    mkdirSync(folder);
    execFileSync('cp', [script('_remit'), folder]);
    writeFileSync(
      join(home, '.zshrc'),
      `PS1='> '; fpath=('${folder}' $fpath); autoload -Uz compinit; compinit -D -u; cd; LISTMAX=0
setopt no_auto_menu no_list_beep; bindkey -e; zstyle ':completion:*' list-colors ''`,
    );
    shell = openProgram('zsh', ['-i'], env, { cols: 160, rows: 60 });
    shell.types('echo re""ady\r');
    await shell.sees('ready');
  });
  afterAll(() => leave(shell));

  /** One is put into the line, several are listed below it: all are seen. Then the line is given up. */
  async function expectTab(typed: string, words: readonly string[]): Promise<void> {
    shell.types(`${typed}\t`);
    await shell.sees(new RegExp(words.map((word) => `(?=[\\s\\S]*${word.replace(/\W/g, '\\$&')})`).join('')));
    shell.types(`${KILL_LINE}echo do''ne\r`);
    await shell.sees(/\bdone\r/);
  }

  it.each(some(lines, 8).map(([typed, offered]) => [typed, offered] as const))('%s', (typed, offered) =>
    expectTab(typed, offered),
  );

  it.each([
    ['remit --output=js', '--output=json'],
    ['remit tx create --type=NG', '--type=NGN::Bank'],
    ['remit api GET --data @paym', '@payment.yaml'],
    ['remit api GET --data=@paym', '--data=@payment.yaml '],
    ['remit tx create --file=paym', '--file=payment.yaml '],
    ['remit profiles set local repeat_\t7', 'local repeat_days=7'],
    ["remit --profile '' tx cre", 'tx create '],
  ])('%s: the value is joined to its flag', (typed, line) => expectTab(typed, [line]));

  it('descriptions stand beside them', () =>
    expectTab('remit tx c', ['cancel     -- Cancel every recipient']));
});

describe('PowerShell', () => {
  // It is not in the distribution, so the script is only looked at: quotes and brackets close.
  const text = readFileSync(script('remit.ps1'), 'utf8');
  const bare = text
    .replace(/^\s*#.*$/gm, '')
    .replace(/"[^"]*"|'(?:[^'\u2018-\u201b]|['\u2018-\u201b]{2})*'/g, '');

  it.each([
    ['{', '}'],
    ['(', ')'],
    ['[', ']'],
  ] as const)('%s is closed by %s as often as it is opened', (open, close) => {
    expect(bare.split(close).length).toBe(bare.split(open).length);
  });

  it('no quote is left over', () => {
    expect(bare).not.toMatch(/['"\u2018-\u201b]/);
  });

  it('it registers itself, and asks remit', () => {
    expect(text).toContain('Register-ArgumentCompleter -Native -CommandName remit');
    expect(text).toContain('& remit __complete @asked');
    for (const told of [':before ', ':files']) expect(text).toContain(`'${told}'`);
  });
});
