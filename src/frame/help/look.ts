/** How help looks where it is not as commander has it: bold headings, readable in a narrow terminal too, and sections of our own. */
import { type Command as Commander, Help, type HelpConfiguration, type Option } from 'commander';
import { globalFlags } from '../flags/globals.ts';
import { FlagOption, spelling } from '../flags/option.ts';
import type { TopicRow } from './topics.ts';
import { helpWidth } from './width.ts';

export interface Section {
  head: string;
  rows?: readonly TopicRow[];
  text?: string;
  /** Lines to be typed: wrapped so that they still can be. */
  typed?: readonly string[];
}

/** The heading of the flags that every command takes. */
export const GLOBAL = 'Global flags:';
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
  // Flags that have a letter are in line with those that have none.
  optionTerm: ({ flags }) => (flags.startsWith('--') ? `    ${flags}` : flags),
  optionDescription: describeOption,
  subcommandTerm: (command) => command.name(),
  commandUsage(command) {
    const line = usual.commandUsage.call(this, command);
    return indented(this.boxWrap?.(line, widthOf(this) - 'Usage: '.length) ?? line, 7);
  },
  formatHelp(command, helper) {
    // Flags that every command takes are a section behind in root help, and on no other page.
    const own = (): Option[] => helper.visibleOptions(command).filter(isOwn);
    const listing = Object.assign(Object.create(helper) as Help, { visibleOptions: own });
    return usual.formatHelp.call(this, command, listing);
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

export const isOwn = ({ helpGroupHeading }: Option): boolean => helpGroupHeading !== GLOBAL;

/** Its choices are told where its summary does not name them. */
export function describeOption(option: Option): string {
  const { description, argChoices = [] } = option;
  const env = option instanceof FlagOption ? option.flag.env : undefined;
  const isTold = argChoices.every((choice) => description.includes(choice));
  const choices = isTold ? '' : `; one of ${argChoices.join(', ')}`;
  return `${description}${choices}${env === undefined ? '' : ` (${env})`}`;
}

/** For `remit help flags`: each flag with what it does and its variable. */
export const globalFlagRows = (): TopicRow[] =>
  Object.entries(globalFlags).map(([key, flag]) => [
    spelling(key, flag),
    describeOption(new FlagOption(key, flag)),
  ]);

const widthOf = ({ helpWidth: width }: { helpWidth?: number | undefined }): number => width ?? 80;
const indented = (text: string, by: number): string => text.replaceAll('\n', `\n${' '.repeat(by)}`);

/** Returns the text behind commander's own part of a page: for the root its flags, then the sections. */
export function sectionsText(command: Commander, sections: readonly Section[]): string {
  const helper = command.createHelp();
  helper.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const width = widthOf(helper);
  const flags = command.parent === null ? helper.visibleOptions(command) : [];
  const flagRows = flags.map((one): TopicRow => [helper.optionTerm(one), helper.optionDescription(one)]);
  const lines = [{ head: GLOBAL.slice(0, -1), rows: flagRows }, ...sections].flatMap(
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
