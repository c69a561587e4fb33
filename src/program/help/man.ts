/**
 * The manual pages: one for each command and each group, and one for the program, made from what help is made from. The build writes them
 * (rolldown.config.js), so none is kept that could grow old (decision 0100).
 */
import type { Command as Commander, Option } from 'commander';
import { byWord } from '../../core/by-word.ts';
import { exitCodeMeanings } from '../../frame/exit-codes.ts';
import { headings } from '../../frame/help/headings.ts';
import { describeOption, isOwn } from '../../frame/help/look.ts';
import type { Command } from '../../payments/cli/command.ts';
import { type Grown, wholeTree } from '../program.ts';
import { children, groups } from '../tree.ts';
import { exitsOf, outputFields, rootSections } from './sections.ts';

/** Letters that mdoc, or the font of a terminal, takes for something else. The name of a flag keeps a hyphen that can be searched for. */
const ESCAPES: Readonly<Record<string, string>> = byWord({
  '\\': '\\e',
  '-': '\\-',
  "'": '\\(aq',
  '"': '\\(dq',
  '`': '\\(ga',
  '^': '\\(ha',
  '~': '\\(ti',
});

/** Control characters have no place in a page: a tab and a line's end are spaces before this. */
const escaped = (text: string): string =>
  text.replace(/[\\\-'"`^~]|[^\x20-\x7e]/gu, (letter) => ESCAPES[letter] ?? `\\[u${codeOf(letter)}]`);

const codeOf = (letter: string): string =>
  (letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');

/** A word that could be the name of a macro is none behind `\&`, and neither is punctuation, which mdoc would set apart. */
const argument = (word: string): string =>
  /^[A-Z%][A-Za-z0-9]{1,2}$|^[.,:;()[\]?!|]+$/.test(word) ? `\\&${escaped(word)}` : escaped(word);

/** The words of a text as arguments of a macro. */
export const argumentsOf = (text: string): string => wordsIn(text).map(argument).join(' ');

const wordsIn = (text: string): string[] => text.split(/\s+/).filter((word) => word !== '');

/** No line of a page is longer: mandoc's lint asks for that. */
const LONGEST = 78;

/** Text to be filled: a line for each sentence at least, which is how mdoc knows where one ends. */
export const prose = (text: string): string[] =>
  text
    .replaceAll(/\s+/g, ' ')
    .trim()
    .split(/(?<=[.!?][)\]'"”]{0,3}) (?=\S)/)
    .flatMap((sentence) => filled(escaped(sentence)))
    .map((line) => (/^[.']/.test(line) ? `\\&${line}` : line));

function filled(sentence: string): string[] {
  const lines: string[] = [];
  for (const word of wordsIn(sentence)) {
    const line = lines.at(-1);
    if (line === undefined || line.length + 1 + word.length > LONGEST) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

/** Lines as they are, which can be copied into a shell: one that is long is broken as `typed` breaks it. */
export const verbatim = (lines: readonly string[]): string[] => [
  '.Bd -literal -offset indent',
  ...lines.flatMap((line) => line.split('\n')).map((line) => `\\&${escaped(line)}`),
  '.Ed',
];

/** A list of terms, each with what it means. */
export const tagged = (rows: readonly (readonly [term: string, meaning: readonly string[]])[]): string[] =>
  rows.length === 0
    ? []
    : ['.Bl -tag -width Ds', ...rows.flatMap(([term, meaning]) => [`.It ${term}`, ...meaning]), '.El'];

interface Section {
  head: string;
  lines: readonly string[];
}

/**
 * Each page by the name of its file: `remit-tx-create.1`.
 * @param date at its foot, as mdoc has it: `November 26, 2026`
 */
export async function manPagesOf(date: string): Promise<Record<string, string>> {
  const { root, commands } = await wholeTree();
  const names = ['', ...Object.keys(groups)];
  return Object.fromEntries([
    ...names.map((group) => [`${nameOf(group)}.1`, page(group, date, groupPage(group, root))]),
    ...commands.map((one) => [`${nameOf(one.leaf.words)}.1`, page(one.leaf.words, date, leafPage(one))]),
  ]);
}

/** `remit-tx-create` */
const nameOf = (words: string): string => ['remit', ...words.split(' ')].filter(Boolean).join('-');

function page(words: string, date: string, sections: readonly Section[]): string {
  const lines = [
    `.Dd ${date}`,
    `.Dt ${nameOf(words).toUpperCase()} 1`,
    '.Os',
    ...sections.flatMap(({ head, lines: those }) => (those.length === 0 ? [] : [`.Sh ${head}`, ...those])),
  ];
  return `${lines.join('\n')}\n`;
}

function leafPage({ leaf: { words, summary }, command, node }: Grown): Section[] {
  const { args = [], examples = [] } = command;
  const about = [`${summary}.`, ...(command.description ?? '').split('\n')].filter((text) => text !== '');
  return [
    naming(words, summary),
    { head: 'SYNOPSIS', lines: [`.Nm remit ${words}`, ...args.map(argumentLine), '.Op Ar FLAGS'] },
    {
      head: 'DESCRIPTION',
      lines: [
        ...paragraphs(about),
        ...(args.length === 0 ? [] : ['.Pp', 'It takes:']),
        ...tagged(args.map(({ name, summary: meaning }) => [`Ar ${argumentsOf(name)}`, prose(meaning)])),
      ],
    },
    { head: 'OPTIONS', lines: optionLines(node.options.filter(isOwn)) },
    { head: 'JSON FIELDS', lines: prose(outputFields(command).join(', ')) },
    { head: 'EXIT STATUS', lines: exitList(exitsOf(command as Command<never>)) },
    { head: 'EXAMPLES', lines: examples.length === 0 ? [] : verbatim(examples) },
    { head: 'SEE ALSO', lines: references(['', ...aboveOf(words), ...besides(words)]) },
  ];
}

function groupPage(group: string, root: Commander): Section[] {
  const isRoot = group === '';
  const summary = isRoot ? root.description().split('\n')[0]?.replace(/\.$/, '') : groups[group];
  const [topics, examples] = rootSections();
  return [
    naming(group, summary ?? ''),
    {
      head: 'SYNOPSIS',
      lines: [`.Nm remit ${group}`.trimEnd(), '.Ar COMMAND', '.Op Ar ARGUMENTS', '.Op Ar FLAGS'],
    },
    {
      head: 'DESCRIPTION',
      lines: paragraphs(isRoot ? root.description().split('\n') : [`${summary}.`]),
    },
    { head: 'COMMANDS', lines: commandLists(group) },
    {
      head: 'OPTIONS',
      lines: isRoot ? flagList(root.createHelp().visibleOptions(root)) : optionLines([]),
    },
    ...(isRoot && topics !== undefined
      ? [
          {
            head: 'HELP TOPICS',
            lines: tagged((topics.rows ?? []).map(([left, right]) => [argumentsOf(left), prose(right)])),
          },
        ]
      : []),
    { head: 'EXIT STATUS', lines: isRoot ? exitList(exitCodeMeanings) : [] },
    { head: 'EXAMPLES', lines: isRoot ? verbatim(examples?.typed ?? []) : [] },
    {
      head: 'SEE ALSO',
      lines: references(isRoot ? children('').map(([name]) => name) : ['', ...besides(`${group} `)]),
    },
  ];
}

const naming = (words: string, summary: string): Section => ({
  head: 'NAME',
  lines: [`.Nm ${nameOf(words)}`, `.Nd ${argumentsOf(summary)}`],
});

const EVERY_COMMAND = ['Flags that every command takes are in', '.Xr remit 1 .'];

/** A list of no flags would be an empty paragraph. */
const optionLines = (own: readonly Option[]): string[] =>
  own.length === 0 ? EVERY_COMMAND : [...flagList(own), '.Pp', ...EVERY_COMMAND];

const argumentLine = ({
  name,
  optional,
  many,
}: {
  name: string;
  optional?: boolean;
  many?: boolean;
}): string => `.${optional ? 'Op ' : ''}Ar ${argumentsOf(name)}${many ? ' ...' : ''}`;

const paragraphs = (texts: readonly string[]): string[] =>
  texts.flatMap((text, index) => [...(index === 0 ? [] : ['.Pp']), ...prose(text)]);

const flagList = (options: readonly Option[]): string[] =>
  tagged(options.map((option) => [flagTerm(option), prose(describeOption(option))]));

/** `Fl o , Fl -output Ar format` */
function flagTerm({ short, long = '', flags }: Option): string {
  const value = /([<[])([^<>[\]]+)[>\]]$/.exec(flags);
  const shape = value === null ? '' : ` ${value[1] === '[' ? 'Op ' : ''}Ar ${argumentsOf(value[2] ?? '')}`;
  return `${short === undefined ? '' : `Fl ${short.slice(1)} , `}Fl ${argumentsOf(long.slice(1))}${shape}`;
}

const exitList = (codes: readonly (readonly [number, string])[]): string[] =>
  tagged(codes.map(([code, meaning]) => [String(code), prose(meaning)]));

function commandLists(group: string): string[] {
  const summaries = new Map(children(group));
  const under = headings[group] ?? { '': [...summaries.keys()].join(' ') };
  return Object.entries(under).flatMap(([heading, names]) => [
    ...(heading === '' ? [] : [`.Ss ${argumentsOf(heading)}`]),
    ...tagged(
      names
        .split(' ')
        .filter((name) => summaries.has(name))
        .map((name) => [`Xr ${nameOf(`${group} ${name}`.trim())} 1`, prose(summaries.get(name) ?? '')]),
    ),
  ]);
}

/** The group of a command; a command of one word has none. */
const aboveOf = (words: string): string[] => (words.includes(' ') ? [words.replace(/ .*/, '')] : []);

/** The other commands of the group; of a group all of its own. */
function besides(words: string): string[] {
  const [group = '', name] = words.split(' ');
  if (name === undefined) return [];
  return children(group)
    .map(([other]) => `${group} ${other}`)
    .filter((other) => other !== words);
}

/** Follows the order that mdoc asks for: by name. */
function references(commands: readonly string[]): string[] {
  const names = [...new Set(commands.map(nameOf))].sort();
  return names.map((name, index) => `.Xr ${name} 1${index === names.length - 1 ? '' : ' ,'}`);
}
