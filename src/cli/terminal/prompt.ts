/** Questions on stderr, so that stdout stays the result. Labels from outside are escaped; Ctrl-C ends with 130. */
import { confirm, input, password, search, select } from '@inquirer/prompts';
import type { Context } from '../context.ts';
import { escapeLine } from './escape.ts';

const LONG_LIST = 12;

function surroundings({ streams, world }: Context) {
  return { input: streams.stdin, output: streams.stderr, signal: world.interrupt };
}

export function askConfirm(context: Context, message: string, fallback = false): Promise<boolean> {
  return confirm({ message: escapeLine(message), default: fallback }, surroundings(context));
}

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
  const shown = options.shown ?? options.default;
  const meant = (text: string): string => (text.trim() === shown ? (options.default ?? '') : text.trim());
  return input(
    {
      message: escapeLine(message),
      ...(shown === undefined ? {} : { default: shown }),
      required: options.required ?? false,
      validate: (text) => options.validate?.(meant(text)) ?? true,
    },
    surroundings(context),
  ).then(meant);
}

export function askSecret(context: Context, message: string): Promise<string> {
  return password({ message, mask: '•' }, surroundings(context));
}

export interface Choice {
  value: string;
  label: string;
  /** The label alone, without the value behind it. */
  bare?: boolean;
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
  const shown = all.map(({ value, label, bare }) => ({
    value,
    name: escapeLine(bare || value === '' || label === value ? label : `${label} (${value})`),
  }));
  if (shown.length <= LONG_LIST) {
    return select(
      {
        message: escapeLine(message),
        choices: shown,
        ...(fallback === undefined ? {} : { default: fallback }),
      },
      surroundings(context),
    );
  }
  return search(
    {
      message: `${escapeLine(message)} (type to search ${shown.length})`,
      source: (term) => {
        const wanted = (term ?? '').toLowerCase();
        return shown.filter(({ value, name }) => `${value} ${name}`.toLowerCase().includes(wanted));
      },
      pageSize: 8,
      ...(fallback === undefined ? {} : { default: fallback }),
    },
    surroundings(context),
  );
}
