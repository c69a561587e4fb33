/** Help: laid out by job, as wide as the terminal, the same everywhere; and what to say to words that are no command. */
import { describe, expect, it } from 'vitest';
import { globalFlags } from '../../src/cli/flags/globals.ts';
import { commandPage } from '../../src/cli/help/command-page.ts';
import { layOut, wrap } from '../../src/cli/help/layout.ts';
import { children, overview } from '../../src/cli/help/overview.ts';
import { groups, headings, leaves } from '../../src/cli/tree.ts';
import { useBench } from '../support/cli.ts';

const bench = useBench({ once: true });

const heads = (text: string): string[] => text.match(/^[A-Z][A-Z ,]+$/gm) ?? [];

describe('layout', () => {
  it('the program: commands by job, flags, topics, examples', async () => {
    const { stdout } = await bench.run(['--help'], { columns: 80 });
    expect(heads(stdout)).toEqual([
      'USAGE',
      ...Object.keys(headings[''] ?? {}).map((head) => head.toUpperCase()),
      'FLAGS',
      'GLOBAL FLAGS, FOR EVERY COMMAND',
      'HELP TOPICS',
      'EXAMPLES',
      'LEARN MORE',
    ]);
  });

  it('a command: what it takes, what it prints, how it ends', async () => {
    const { stdout } = await bench.run(['tx', 'create', '--help'], { columns: 80 });
    expect(heads(stdout)).toEqual([
      'USAGE',
      'FLAGS',
      'GLOBAL FLAGS',
      'JSON FIELDS',
      'EXAMPLES',
      'ENVIRONMENT',
      'EXIT CODES',
      'LEARN MORE',
    ]);
    expect(stdout).toContain('REMIT_BASE_URL');
    expect(stdout).toMatch(/^ {2}9 +outcome unknown/m);
  });

  it('a command that calls nobody has neither the connection nor its exit codes', async () => {
    const { stdout } = await bench.run(['help', 'webhooks', 'verify']);
    expect(stdout).toContain('REMIT_PUBLIC_URL');
    expect(stdout).not.toContain('REMIT_API_KEY');
    expect(stdout).not.toContain('outcome unknown');
  });

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
    expect(texts[0]).toContain('USAGE');
  });

  it('every command stands under a heading', () => {
    for (const group of Object.keys(headings)) {
      const placed = Object.values(headings[group] ?? {}).flatMap((names) => names.split(' '));
      expect(
        children(group)
          .map(([name]) => name)
          .filter((name) => !placed.includes(name)),
      ).toEqual([]);
      expect(new Set(placed).size).toBe(placed.length);
    }
  });

  it('headings are bold with colour, and nothing is lost without', async () => {
    const [plain, bold] = await Promise.all([bench.run(['tx']), bench.run(['tx', '--color', 'always'])]);
    expect(bold.stdout).toContain('\u001b[1mUSAGE\u001b[22m');
    expect(bold.stdout.replace(/\u001b\[\d+m/g, '')).toBe(plain.stdout);
  });
});

describe('width', () => {
  const pages = async () => [
    ...['', ...Object.keys(groups)].map(overview),
    ...(await Promise.all(leaves.map(async (leaf) => commandPage(leaf, await leaf.load())))),
  ];

  it.each([40, 80, 120])('at %i columns no line is wider, but for a word that alone is', async (columns) => {
    for (const page of await pages()) {
      const wide = layOut(page, { columns, bold: false })
        .split('\n')
        .filter(
          (line) => line.length > Math.min(columns, 100) && /\S\s+\S/.test(line.replace(/^\s*\$ | \\$/g, '')),
        );
      expect(wide).toEqual([]);
    }
  });

  it('no word is lost in a narrow terminal', async () => {
    const words = (text: string): string => text.replace(/\\\n|\s+/g, ' ').replace(/ +/g, ' ');
    for (const page of await pages())
      expect(words(layOut(page, { columns: 40, bold: false }))).toBe(
        words(layOut(page, { columns: 100, bold: false })),
      );
  });

  it('an example that is wrapped can still be typed', () => {
    const long = `remit tx create --external-id "a b" ${'--detail name=value '.repeat(8).trim()}`;
    const text = layOut(
      { intro: '', sections: [{ head: 'x', typed: [long] }] },
      { columns: 40, bold: false },
    );
    const typed = text.slice(text.indexOf('$ ') + 2).trimEnd();
    expect(
      typed
        .split('\n')
        .slice(0, -1)
        .every((line) => line.endsWith(' \\')),
    ).toBe(true);
    expect(typed.replace(/ \\\n +/g, ' ')).toBe(long);
  });

  it('lines that were written apart stay apart', () => {
    expect(wrap('one  two\n  three four', 9, '')).toBe('one  two\n  three\n  four');
  });
});

describe('what is no command', () => {
  it.each([
    ['recipent show', 'did you mean remit recipient show?'],
    ['recipents lst', 'did you mean remit recipient list?'],
    ['tx crate', 'did you mean remit tx create?'],
    ['transaction create', 'did you mean remit tx create?'],
    ['payments get', 'did you mean remit tx show?'],
    ['payout cancel', 'did you mean remit recipient cancel?'],
    ['webhook ls', 'did you mean remit webhooks list?'],
    ['accounts', 'did you mean remit balance?'],
    ['completions', 'did you mean remit completion?'],
    ['sender delete', 'did you mean remit sender disable?'],
    ['-o table recipient cancle x', 'did you mean remit recipient cancel?'],
    ['tx crate --help', 'did you mean remit tx create?'],
    ['help tx crate', 'did you mean remit tx create?'],
    ['help exit', 'did you mean remit help exit-codes?'],
    ['help transactions', 'did you mean remit help tx?'],
    ['qqqqqqq', 'remit --help lists the commands'],
    ['tx qqqqqqq', 'remit tx --help lists the commands'],
    ['help qqqqqqq', 'topics: exit-codes, environment, output; for a command: remit help COMMAND'],
    ['tx create --ammount 5', 'did you mean --amount?'],
    ['balance --profle x', 'did you mean --profile?'],
    ['tx show x --fund', 'remit tx create takes --fund'],
    ['tx create --qqqqqqq', 'remit tx create --help lists its flags'],
    ['--profle x balance', 'did you mean --profile?'],
    ['tx --fund', 'flags of a command go behind its words: remit tx COMMAND [FLAGS]'],
    ['tx show', 'remit tx show <ID> [FLAGS]'],
    ['balance EUR USD', 'remit balance [CURRENCY] [FLAGS]'],
  ])('%s => %s', async (line, next) => {
    const { code, stdout, stderr, requests } = await bench.run(line.split(' '));
    expect([code, stdout, requests]).toEqual([2, '', []]);
    expect(stderr).toContain(`next      ${next}`);
  });
});

describe('topics and the tree', () => {
  it('every variable of a global flag is in help environment', async () => {
    const { stdout } = await bench.run(['help', 'environment']);
    for (const { env } of globalFlags) if (env) expect(stdout).toContain(env);
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
