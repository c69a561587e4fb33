/** Help: laid out by job, as wide as the terminal, the same everywhere; and what to say to words that are no command. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type GlobalFlag, globalFlags } from '../../src/frame/flags/globals.ts';
import { spelling } from '../../src/frame/flags/option.ts';
import { headings } from '../../src/frame/help/headings.ts';
import { helpWidths } from '../../src/frame/help/width.ts';
import type { Process } from '../../src/frame/process.ts';
import { main } from '../../src/program/main.ts';
import { rootHelp, wholeTree } from '../../src/program/program.ts';
import { rootHelpPages } from '../../src/program/start.ts';
import { children, groups, leaves } from '../../src/program/tree.ts';
import { useBench } from '../support/cli.ts';

const bench = useBench({ once: true });

const heads = (text: string): string[] => text.match(/^[A-Z][\w ]+(?=:$)/gm) ?? [];

describe('layout', () => {
  it('the program: commands by job, flags, topics, examples', async () => {
    const { stdout } = await bench.run(['--help'], { columns: 80 });
    expect(heads(stdout)).toEqual([
      ...Object.keys(headings[''] ?? {}),
      'Global flags',
      'Help topics',
      'Examples',
      'Learn more',
    ]);
  });

  it('a command: what it takes, what it prints, how it ends', async () => {
    const { stdout } = await bench.run(['tx', 'create', '--help'], { columns: 80 });
    expect(heads(stdout)).toEqual(['Flags', 'JSON fields', 'Examples', 'Learn more']);
    expect(stdout).toMatch(/^Usage: remit tx create \[FLAGS\]\n/);
    expect(stdout.match(/remit help flags/g)).toHaveLength(1);
    expect(stdout).toMatch(/exit codes mean: 0, 1, 2, 4, 5, 6, 8, 9, 75,\s+78, 130\n/);
  });

  it('a command that calls nobody has only the exit codes that it can end with', async () => {
    const { stdout } = await bench.run(['help', 'webhooks', 'verify'], { columns: 100 });
    expect(stdout).toContain('REMIT_PUBLIC_URL');
    expect(stdout).toContain('exit codes mean: 0, 1, 2, 7, 78\n');
  });

  it('a simple command fits a screen of 24 lines', async () => {
    const { stdout } = await bench.run(['whoami', '--help'], { columns: 80 });
    expect(stdout.split('\n').length).toBeLessThanOrEqual(24);
  });

  it.each(['whoami', 'tx', 'tx create'])(
    'remit %s --help points to the flags of every command, and root help has them',
    async (words) => {
      const { stdout } = await bench.run([...words.split(' '), '--help']);
      for (const [key, flag] of Object.entries(globalFlags))
        expect(stdout).not.toContain(`  ${spelling(key, flag)}`);
      expect(stdout).toContain('remit help flags');
      expect((await bench.run(['--help'])).stdout).toContain('--profile <name>');
    },
  );

  it.each([
    [['tx'], ['tx', '--help'], ['help', 'tx'], ['tx', '-h']],
    [[], ['--help'], ['help'], ['-h']],
    [
      ['tx', 'create', '--help'],
      ['help', 'tx', 'create'],
      ['tx', '--help', 'create'],
      ['tx', 'create', '-h'],
    ],
  ])('%j is the same however it is asked for', async (...ways) => {
    const texts = await Promise.all(ways.map(async (argv) => (await bench.run(argv)).stdout));
    expect(new Set(texts).size).toBe(1);
    expect(texts[0]).toContain('Usage: remit');
  });

  it('every command stands under a heading', () => {
    for (const group of Object.keys(headings)) {
      const placed = Object.values(headings[group] ?? {}).flatMap((names) => names.split(' '));
      expect([...placed].sort()).toEqual(
        children(group)
          .map(([name]) => name)
          .sort(),
      );
    }
  });

  it('headings are bold with colour, and nothing is lost without', async () => {
    const [plain, bold] = await Promise.all([bench.run(['tx']), bench.run(['tx', '--color', 'always'])]);
    expect(bold.stdout).toContain('\u001b[1mUsage:\u001b[22m');
    expect(bold.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout);
  });
});

/** Every page of help, by the words it is about. */
async function pages(columns: number): Promise<Map<string, string>> {
  let text = '';
  const streams = {
    out: (part: string) => {
      text += part;
    },
    columns,
    colour: { stdout: false, stderr: false },
  };
  const { root, commands } = await wholeTree({ version: '', streams });
  const ofGroups = root.commands.filter(({ commands }) => commands.length > 0);
  return new Map(
    [root, ...ofGroups, ...commands.map(({ node }) => node)].map((node) => {
      text = '';
      node.outputHelp();
      return [`${node.parent?.name() ?? ''} ${node.name()}`, text];
    }),
  );
}

describe('width', () => {
  it.each([40, 60, 80, 100, 140])(
    'at %i columns no line is wider, but for a word that alone is',
    async (columns) => {
      const all = await pages(columns);
      expect(all.size).toBe(leaves.length + Object.keys(groups).length + 1);
      for (const page of all.values()) {
        const wide = page
          .split('\n')
          .filter(
            (line) =>
              line.length > Math.min(columns, 100) && /\S\s+\S/.test(line.replace(/^\s*\$ | \\$/g, '')),
          );
        expect(wide).toEqual([]);
      }
    },
  );

  it('no word is lost in a narrow terminal', async () => {
    const words = (text: string | undefined): string | undefined =>
      text?.replace(/\\\n|\s+/g, ' ').replace(/ +/g, ' ');
    const [narrow, wide] = [await pages(40), await pages(100)];
    for (const [name, page] of wide) expect(words(narrow.get(name))).toBe(words(page));
  });

  it('an example that is wrapped can still be typed', async () => {
    const { commands } = await wholeTree();
    const examples = new Set(commands.flatMap(({ command }) => command.examples ?? []));
    for (const page of (await pages(40)).values()) {
      const block = /^Examples:\n([\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(page)?.[1] ?? '';
      const typed = block.split(/^ {2}\$ /m).map((line) => line.trimEnd().replace(/ \\\n +/g, ' '));
      for (const line of typed.slice(1)) examples.delete(line);
    }
    expect([...examples]).toEqual([]);
  });
});

describe('root help that the build wrote', () => {
  it('is what the tree says, at every width', async () => {
    const built = JSON.parse(readFileSync(new URL('../../dist/root-help.json', import.meta.url), 'utf8'));
    expect(built).toEqual(await rootHelpPages());
    expect(Object.keys(built)).toEqual(helpWidths.map(String));
    expect(rootHelp(140)).toBe(rootHelp(100));
  });

  it.each([
    ['--help', 80, 'never'],
    ['', 47, 'never'],
    ['help', 200, 'always'],
  ])('%j in %i columns is printed from it as it would be made', async (words, columns, colour) => {
    const built = await rootHelpPages();
    const printed = async (rootHelp?: Process['rootHelp']): Promise<string> => {
      const parts: string[] = [];
      const streams = {
        out: (text: string) => parts.push(text),
        lost: async () => undefined,
        columns,
        colour: { stdout: false, stderr: false },
      };
      const process = { env: { REMIT_COLOR: colour }, version: '', streams, rootHelp } as unknown as Process;
      expect(
        await main(
          words.split(' ').filter((word) => word !== ''),
          process,
        ),
      ).toBe(0);
      return parts.join('');
    };
    const made = await printed();
    expect(await printed(() => built)).toBe(made);
    expect(made.includes('\u001b[1mMoney:\u001b[22m')).toBe(colour === 'always');
  });
});

describe('what is no command', () => {
  it.each([
    ['recipent show', 'did you mean remit recipient show?'],
    ['recipent show wages-1', 'did you mean remit recipient show wages-1?'],
    ['triage', 'did you mean remit recipient triage?'],
    ['triage --state error', 'did you mean remit recipient triage --state error?'],
    ['cancel wages-1', 'did you mean remit tx cancel wages-1, or remit recipient cancel wages-1, or remit'],
    ['find obi EUR', 'did you mean remit search obi EUR, or remit sender find obi EUR?'],
    ['proofs x', 'did you mean remit recipient proofs x?'],
    ['payout nothing x', 'did you mean remit recipient?'],
    ['recipents lst', 'did you mean remit recipient list?'],
    ['tx crate', 'did you mean remit tx create?'],
    ['transaction create', 'did you mean remit tx create?'],
    ['payments get', 'did you mean remit tx show?'],
    ['tx get', 'did you mean remit tx show?'],
    ['payout cancel', 'did you mean remit recipient cancel?'],
    ['webhook ls', 'did you mean remit webhooks list?'],
    ['accounts', 'did you mean remit balance?'],
    ['completions', 'did you mean remit completion?'],
    ['sender delete', 'did you mean remit sender disable?'],
    ['-o table recipient cancle x', 'did you mean remit recipient cancel x -o table?'],
    ['--profile x tx --quiet crate', 'did you mean remit tx create --profile x --quiet?'],
    ['tx crate --help', 'did you mean remit tx create?'],
    ['--help tx crate', 'did you mean remit tx create?'],
    ['help tx crate', 'did you mean remit tx create?'],
    ['help exit', 'did you mean remit help exit-codes?'],
    ['help recipent', 'did you mean remit help recipient?'],
    ['qqqqqqq', 'remit --help lists the commands'],
    ['tx qqqqqqq', 'remit tx --help lists the commands'],
    ['help qqqqqqq', 'topics: exit-codes, flags, environment, output; for a command: remit help COMMAND'],
    ['tx create --ammount 5', 'did you mean --amount?'],
    ['balance --profle x', 'did you mean --profile?'],
    ['tx show x --fund', 'remit tx create takes --fund'],
    ['tx create --qqqqqqq', 'remit tx create --help shows what it takes'],
    ['--profle x balance', 'did you mean --profile?'],
    ['tx --fund', 'flags of a command go behind its words: remit tx COMMAND [ARGUMENTS] [FLAGS]'],
    ['tx show', 'remit tx show <ID> [FLAGS]'],
    ['balance EUR USD', 'remit balance [CURRENCY] [FLAGS]'],
    ['tx list --profile', 'remit tx list --help shows what it takes'],
  ])('%s => %s', async (line, next) => {
    const { code, stdout, stderr, requests } = await bench.run(line.split(' '));
    expect([code, stdout, requests]).toEqual([2, '', []]);
    expect(stderr).toContain(`next      ${next}`);
  });

  it('is one error of the usual shape in JSON too', async () => {
    const run = await bench.run(['tx', 'crate', '-o', 'json']);
    expect(run.code).toBe(2);
    expect(run.json()).toMatchObject({
      error: {
        category: 'usage',
        message: "unknown command 'crate'",
        hint: 'did you mean remit tx create -o json?',
        outcome: 'not applied',
      },
    });
  });

  it('what others call a command is told and never run: it might move money', async () => {
    const run = await bench.run(['tx', 'rm', '00000000-0000-4000-8000-000000000001', '--yes']);
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.stderr).toContain('did you mean remit tx cancel 00000000-0000-4000-8000-000000000001 --yes?');
    const spaced = await bench.run(['find', "o'b\u001b", 'x y']);
    expect(spaced.stderr).toContain("remit search $'o\\x27b\\x1b' 'x y', or");
  });
});

describe('global flags', () => {
  it.each([
    ['-o json tx list'],
    ['tx -o json list'],
    ['tx list -o json'],
    ['--output=json tx list'],
    ['-ojson tx list'],
    ['-o text tx list -o json'],
    ['--no-input tx --quiet list -o json'],
  ])('%s: wherever they stand, and the last counts', async (line) => {
    const run = await bench.run(line.split(' '));
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.json()).toMatchObject({ kind: 'transaction' });
  });

  it('a value that is a word of the tree is no word', async () => {
    const run = await bench.run(['--profile', 'tx', 'balance']);
    expect(run.stderr).toContain('tx');
    expect(run.stderr).not.toContain('unknown command');
  });
});

describe('topics and the tree', () => {
  it('help flags has every global flag with its variable', async () => {
    const { data } = (await bench.run(['help', 'flags', '-o', 'json'])).json<{
      data: { name: string; meaning: string }[];
    }>();
    for (const [key, flag] of Object.entries<GlobalFlag>(globalFlags))
      expect(data.find(({ name }) => name === spelling(key, flag))?.meaning).toContain(flag.env ?? '');
  });

  it('every variable of a global flag is in help environment', async () => {
    const { stdout } = await bench.run(['help', 'environment']);
    for (const { env } of Object.values<GlobalFlag>(globalFlags)) if (env) expect(stdout).toContain(env);
    expect(stdout).toContain('REMIT_API_SECRET');
  });

  it('commands -o json has every command, with what it takes, prints and can end with', async () => {
    const { data } = (await bench.run(['commands', '-o', 'json'])).json<{
      data: {
        words: string;
        flags: { long: string }[];
        json_fields: string[];
        effect: string;
        exit_codes: number[];
      }[];
    }>();
    expect(data.map(({ words }) => words)).toEqual(leaves.map(({ words }) => words));
    const create = data.find(({ words }) => words === 'tx create');
    expect(create?.flags.map(({ long }) => long)).toContain('--max-input');
    expect(create).toMatchObject({ effect: 'money' });
    expect(create?.exit_codes).toContain(9);
    expect(create?.json_fields).toContain('external_id');
  });

  it('commands on a terminal is a table', async () => {
    const { stdout } = await bench.run(['commands'], { tty: true, columns: 100 });
    expect(stdout).toMatch(/^COMMAND +SUMMARY\n/);
    expect(stdout).toContain('remit tx create');
  });
});
