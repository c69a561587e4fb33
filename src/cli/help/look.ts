/** How help looks where it is not as commander has it: bold headings, readable in a narrow terminal too, and sections of our own. */
import { type Command as Commander, Help, type HelpConfiguration, type Option } from 'commander';
import { FlagOption } from '../flags/option.ts';
import type { Row } from './topics.ts';
import { helpWidth } from './width.ts';

export interface Section {
  head: string;
  rows?: readonly Row[];
  text?: string;
  /** Lines to be typed: wrapped so that they still can be. */
  typed?: readonly string[];
}

/** Where the right column would be narrower than this, it goes under the left one. */
const READABLE = 26;
const LEFT_AT_MOST = 32;
const usual = Help.prototype;

export const look: HelpConfiguration = {
  minWidthToWrap: 1,
  prepareContext({ helpWidth: columns = 80 }) {
    this.helpWidth = helpWidth(columns);
  },
  styleTitle: (title) => `\u001b[1m${title}\u001b[22m`,
  // Those with one letter are in line with those without.
  optionTerm: ({ flags }) => (flags.startsWith('--') ? `    ${flags}` : flags),
  optionDescription: describeOption,
  subcommandTerm: (command) => command.name(),
  commandUsage(command) {
    const line = usual.commandUsage.call(this, command);
    return indented(this.boxWrap?.(line, widthOf(this) - 'Usage: '.length) ?? line, 7);
  },
  formatHelp(command, helper) {
    // The commands of a group stand before its flags, which are the same everywhere: those are a section behind.
    const listing = Object.assign(Object.create(helper) as Help, { visibleOptions: () => [] });
    return usual.formatHelp.call(this, command, command.commands.length > 0 ? listing : helper);
  },
  padWidth(command, helper) {
    return Math.min(usual.padWidth.call(this, command, helper), LEFT_AT_MOST);
  },
  formatItem(term, termWidth, description, helper) {
    if (widthOf(helper) - termWidth - 4 < READABLE)
      return `  ${term.trim()}\n      ${indented(helper.boxWrap(description, widthOf(helper) - 6), 6)}`;
    const isLong = helper.displayWidth(term) > termWidth;
    const item = usual.formatItem.call(helper, isLong ? '' : term, termWidth, description, helper);
    return isLong ? `  ${term}\n${item}` : item;
  },
};

/** Its choices are told where its summary does not name them. */
function describeOption(option: Option): string {
  const { description, argChoices = [] } = option;
  const env = option instanceof FlagOption ? option.flag.env : undefined;
  const isTold = argChoices.every((choice) => description.includes(choice));
  const choices = isTold ? '' : `; one of ${argChoices.join(', ')}`;
  return `${description}${choices}${env === undefined ? '' : ` (${env})`}`;
}

const widthOf = ({ helpWidth: width }: { helpWidth?: number | undefined }): number => width ?? 80;
const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** What stands behind commander's own part of a page: of a group its flags, then the sections. */
export function sectionsText(command: Commander, sections: readonly Section[]): string {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = widthOf(helper);
  const flags = command.commands.length > 0 ? helper.visibleOptions(command) : [];
  const flagRows = flags.map((one): Row => [helper.optionTerm(one), helper.optionDescription(one)]);
  const lines = [{ head: 'Global flags', rows: flagRows }, ...sections].flatMap(
    ({ head, rows = [], text = '', typed = [] }: Section) => {
      const pad = Math.min(LEFT_AT_MOST, Math.max(0, ...rows.map(([left]) => left.length)));
      const items = [
        ...rows.map(([left, right]) => helper.formatItem(left, pad, right, helper)),
        ...(text === '' ? [] : [`  ${indented(helper.boxWrap(text, width - 2), 2)}`]),
        ...typed.map((line) => typedText(line, helper)),
      ];
      return helper.formatItemList(`${head}:`, items, helper);
    },
  );
  return `\n${lines.join('\n').trimEnd()}`;
}

/** Breaks a line as a shell lets it be broken, never within quotes, so that it can still be pasted. */
function typedText(line: string, helper: Help): string {
  const whole = line.replace(/"[^"]*"|'[^']*'/g, (quoted) => quoted.replaceAll(' ', '\0'));
  const width = widthOf(helper) - '  $ '.length;
  if (line.length <= width) return `  $ ${line}`;
  const broken = helper.boxWrap(whole, width - 4).replaceAll('\n', ' \\\n      ');
  return `  $ ${broken.replaceAll('\0', ' ')}`;
}
