/** Help of the program and of a group of commands, from the tree alone: no command and no package is loaded. */
import { groups, headings, leaves } from '../tree.ts';
import { globalRows, helpRow, versionRow } from './flag-rows.ts';
import type { Page, Row, Section } from './layout.ts';
import { topicRows } from './topics.ts';

const ABOUT = `The partner's terminal for a cross-border money transfer service.
New here? remit demo shows the main job end to end on a sandbox of its own.`;

/** '' is the program itself. */
export function overview(group: string): Page {
  return group === '' ? programPage() : groupPage(group);
}

function programPage(): Page {
  return {
    intro: ABOUT,
    sections: [
      { head: 'Usage', text: 'remit COMMAND [SUBCOMMAND] [ARGUMENTS] [FLAGS]' },
      ...listing(''),
      { head: 'Flags', rows: [helpRow, versionRow] },
      { head: 'Global flags, for every command', rows: globalRows() },
      { head: 'Help topics', rows: topicRows('remit help ') },
      {
        head: 'Examples',
        typed: ['remit demo', 'remit sandbox start', 'remit balance', 'remit tx create'],
      },
      {
        head: 'Learn more',
        rows: [
          ['remit COMMAND --help', 'what a command takes, with examples'],
          ['remit commands -o json', 'every command and flag, for programs'],
        ],
      },
    ],
  };
}

function groupPage(group: string): Page {
  return {
    intro: `${groups[group] ?? ''}.`,
    sections: [
      { head: 'Usage', text: `remit ${group} COMMAND [ARGUMENTS] [FLAGS]` },
      ...listing(group),
      { head: 'Flags', rows: [helpRow] },
      { head: 'Global flags', rows: globalRows() },
      {
        head: 'Learn more',
        rows: [
          [`remit ${group} COMMAND --help`, 'what a command takes, with examples'],
          ['remit help', 'all commands, and topics'],
        ],
      },
    ],
  };
}

/** Names with their summaries, under the headings of the tree. What has no heading comes last. */
function listing(group: string): Section[] {
  const words = children(group);
  const width = Math.max(...words.map(([name]) => name.length));
  // One column for all headings, so that the eye goes down one line.
  const rows = words.map(([name, summary]): Row => [name.padEnd(width), summary]);
  const placed = Object.entries(headings[group] ?? {}).map(([head, names]) => ({
    head,
    rows: names.split(' ').flatMap((name) => rows.filter(([left]) => left.trimEnd() === name)),
  }));
  const rest = rows.filter((row) => placed.every((section) => !section.rows.includes(row)));
  return [...placed, { head: placed.length > 0 ? 'More' : 'Commands', rows: rest }];
}

/** The words that may come next, with what they are. */
export function children(group: string): Row[] {
  const rows = new Map<string, string>();
  for (const { words, summary } of leaves) {
    const [first = '', second] = words.split(' ');
    if (group === '') rows.set(first, second === undefined ? summary : (groups[first] ?? ''));
    else if (first === group && second !== undefined) rows.set(second, summary);
  }
  return [...rows];
}
