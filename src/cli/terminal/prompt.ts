/**
 * Questions on stderr, so that stdout stays the result. Whatever is drawn is escaped here: messages, choices, what stands, what
 * was typed or pasted, and what is wrong with it. Ctrl-C and Ctrl-D end with 130.
 */
import { styleText } from 'node:util';
import { confirm, input, password, search, select } from '@inquirer/prompts';
import { escapeLine } from '../../desk/words/escape.ts';
import type { Context } from '../context.ts';
import { asking } from './asking.ts';
import { standingText } from './standing-text.ts';

const LONG_LIST = 12;

export function askConfirm(context: Context, message: string, fallback = false): Promise<boolean> {
  const config = { message: escapeLine(message), default: fallback, theme: answered };
  return asking(context, (at) => confirm(config, at));
}

/** What was typed is drawn as it is typed, and once more when it is over. */
const answered = { style: { answer: (text: string) => styleText('cyan', escapeLine(text)) } };

export function askText(
  context: Context,
  message: string,
  options: {
    default?: string | undefined;
    /** How the default is shown, where it is not for every eye; Enter keeps the default itself. */
    shown?: string | undefined;
    required?: boolean;
    validate?: (text: string) => true | string | Promise<true | string>;
  } = {},
): Promise<string> {
  const standing = standingText(options.default, options.shown);
  const config = {
    message: escapeLine(message),
    ...(standing.shown === undefined ? {} : { default: standing.shown }),
    required: options.required ?? false,
    transformer: (text: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? answered.style.answer(text) : escapeLine(text),
    validate: async (text: string) => {
      const said = standing.mixed(text) ?? (await options.validate?.(standing.meant(text))) ?? true;
      return said === true || escapeLine(said);
    },
  };
  return asking(context, (at) => input(config, at)).then(standing.meant);
}

export function askSecret(context: Context, message: string): Promise<string> {
  return asking(context, (at) => password({ message: escapeLine(message), mask: '•' }, at));
}

export interface Choice {
  value: string;
  label: string;
  /** The label alone, without the value behind it. */
  bare?: boolean;
  /** Shown below the list while this is the one that is marked. */
  below?: string;
}

/**
 * A short list is shown; a long one is searched by code or by label. Enter keeps what stands: a value that is not offered any
 * more is offered as it is, so that nothing is changed by looking at it.
 */
export function askChoice(
  context: Context,
  message: string,
  choices: readonly Choice[],
  fallback?: string,
): Promise<string> {
  const isOffered = fallback === undefined || choices.some(({ value }) => value === fallback);
  const all = isOffered ? choices : [{ value: fallback, label: 'as it is' }, ...choices];
  const shown = all.map(({ value, label, bare, below }) => ({
    value,
    ...(below === undefined ? {} : { description: below.split('\n').map(escapeLine).join('\n') }),
    name: escapeLine(bare || value === '' || label === value ? label : `${label} (${value})`),
  }));
  const config = {
    message: escapeLine(message),
    ...(fallback === undefined ? {} : { default: fallback }),
  };
  if (shown.length <= LONG_LIST) return asking(context, (at) => select({ ...config, choices: shown }, at));
  return asking(context, (at) =>
    search(
      {
        ...config,
        message: `${config.message} (type to search ${shown.length})`,
        source: (term) => {
          const wanted = escapeLine(term ?? '').toLowerCase();
          return shown.filter(({ value, name }) => `${value} ${name}`.toLowerCase().includes(wanted));
        },
        pageSize: 8,
        theme: { style: { searchTerm: (term: string) => styleText('cyan', escapeLine(term)) } },
      },
      at,
    ),
  );
}
