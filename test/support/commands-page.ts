/** `docs/commands.md`, made from what each command declares. `npm run docs` writes it. */
import { exitCodeMeanings } from '../../src/frame/exit-codes.ts';
import type { DescribedCommand, DescribedFlag } from '../../src/frame/help/described.ts';
import { describeCommands, describeShapes } from '../../src/program/help/describe.ts';

const HEAD = `# Commands

Every command, and the flags that are its own. \`remit COMMAND --help\` says what each flag means and gives examples;
\`remit commands -o json\` is all of it for programs. This page is made from the commands by \`npm run docs\`.
`;

export async function commandsPage(): Promise<string> {
  const commands = await describeCommands();
  const groups = [...new Set(commands.map(groupOf))].sort((a, b) => Number(a === '') - Number(b === ''));
  return [
    HEAD,
    ...groups.map((group) =>
      table(
        group === '' ? 'One by one' : `remit ${group}`,
        ['command', 'what it does', 'its flags', 'its result'],
        commands.filter((one) => groupOf(one) === group).map(rowOf),
      ),
    ),
    table(
      'Flags of every command',
      ['flag', 'what it does', 'variable'],
      (commands[0]?.global_flags ?? []).map((flag) => [
        spelt(flag),
        oneLine(flag.summary),
        flag.env === null ? '' : `\`${flag.env}\``,
      ]),
    ),
    'A flag stands over its variable, that over the profile, and that over the default.\n',
    table(
      'Results',
      ['kind', 'version', 'members'],
      (await describeShapes()).map(({ kind, version, schema }) => [
        `\`${kind}\``,
        String(version),
        Object.keys((schema.properties ?? {}) as object)
          .map((name) => `\`${name}\``)
          .join(' '),
      ]),
    ),
    'Each is the record at `data` of `-o json`, where `version` and `kind` stand beside it. `remit commands --shapes -o json` has each as a JSON Schema. A version rises when a member changes its meaning or goes away.\n',
    table(
      'Exit codes',
      ['code', 'meaning'],
      exitCodeMeanings.map(([code, meaning]) => [String(code), meaning]),
    ),
  ].join('\n');
}

/** The first of two words; commands of one word stand together. */
const groupOf = ({ words }: DescribedCommand): string =>
  words.includes(' ') ? (words.split(' ')[0] ?? '') : '';

function rowOf({ words, args, summary, flags, results }: DescribedCommand): string[] {
  const shape = args.map(({ name, optional, many }) => {
    const text = `${name}${many ? '...' : ''}`;
    return optional ? `[${text}]` : text;
  });
  return [
    `\`remit ${[words, ...shape].join(' ')}\``,
    oneLine(summary),
    flags.map(spelt).join(' '),
    results.map(({ kind }) => `\`${kind}\``).join(' '),
  ];
}

const spelt = ({ short, long, value }: DescribedFlag): string =>
  `\`${short === null ? '' : `${short}, `}${long}${value === null ? '' : ` ${value.toUpperCase()}`}\``;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

function table(title: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `## ${title}\n\n${lines.join('\n')}\n`;
}
