/**
 * Questions on stderr, so that stdout stays the result. Whatever is drawn is escaped here: messages, choices, what stands, what
 * was typed or pasted, and what is wrong with it. Ctrl-C and Ctrl-D end with 130.
 */

import { styleText } from 'node:util';
import { confirm, input, password } from '@inquirer/prompts';
import { escapeLine } from '../../core/escape.ts';
import type { FrameContext } from '../context.ts';
import { asking } from './asking.ts';
import { bestMatches, choicePrompt } from './choosing.ts';
import { wrapLine } from './wrap.ts';

const LONG_LIST = 8;

/** A mark in front, and the answer behind. */
const AROUND = 20;

/** Lines that fit, so that the terminal breaks no word. */
const fitting = ({ streams }: FrameContext, message: string): string =>
  wrapLine(escapeLine(message), Math.max(AROUND, streams.columns - AROUND), 2);

/** The default is No. It hears only what is typed after it was drawn. */
export function askConfirm(context: FrameContext, message: string): Promise<boolean> {
  const config = { message: fitting(context, message), default: false, theme: answered };
  return asking(context, (at) => confirm(config, at), { fresh: true });
}

/** A confirmation that a word is typed to. It hears only what is typed after it was drawn. */
export function askWord(context: FrameContext, message: string): Promise<string> {
  return askText(context, message, { required: true, fresh: true });
}

/** The style of an answer: it is drawn as it is typed, and once more when it is over. */
const answered = { style: { answer: (text: string) => styleText('cyan', escapeLine(text)) } };

type Judged = true | string | Promise<true | string>;

export interface TextQuestion {
  default?: string | undefined;
  /** How the default is shown, where it is not for every eye; Enter keeps the default itself. */
  shown?: string | undefined;
  required?: boolean;
  /** Says how an answer is wrong; gets the answer without the blanks and newlines around it. */
  validate?: ((text: string) => Judged) | undefined;
  /** Esc goes back one question. */
  back?: boolean | undefined;
  /** Only what is typed after it was drawn is heard. */
  fresh?: boolean;
}

/** @throws GoBack */
export function askText(context: FrameContext, message: string, options: TextQuestion = {}): Promise<string> {
  const standing = standingText(options.default, options.shown);
  const config = {
    message: fitting(context, message),
    ...(standing.shown === undefined ? {} : { default: standing.shown }),
    transformer: (text: string, { isFinal }: { isFinal: boolean }) =>
      isFinal ? answered.style.answer(text.trim()) : escapeLine(text),
  };
  const judge = async (text: string): Promise<true | string> => {
    const meant = standing.meant(text);
    if (options.required && meant.trim() === '') return NEEDED;
    const said = standing.mixed(text) ?? (await options.validate?.(meant)) ?? true;
    return said === true || said.split('\n').map(escapeLine).join('\n');
  };
  return asking(
    context,
    (at) => input({ ...config, validate: (text) => at.judging(judge(text)) }, at),
    options,
  ).then(standing.meant);
}

const NEEDED = 'An answer is needed here';

/** @throws GoBack */
export async function askSecret(
  context: FrameContext,
  message: string,
  options: Pick<TextQuestion, 'required'> = {},
): Promise<string> {
  const validate = (text: string) => (options.required && text.trim() === '' ? NEEDED : true);
  const typed = await asking(context, (at) =>
    password({ message: fitting(context, message), mask: '•', validate }, at),
  );
  return typed.trim();
}

export interface PromptChoice {
  value: string;
  label: string;
  /** The label alone, without the value behind it. */
  bare?: boolean;
  /** Shown below the list while this is the one that is marked. */
  below?: string;
}

export interface ChoiceQuestion {
  /** The value that Enter keeps. Without it nothing is chosen in advance. */
  standing?: string | undefined;
  /** The things that are counted: `banks`. */
  noun?: string | undefined;
  back?: boolean | undefined;
  fresh?: boolean;
}

/** `Air freight services` says what `air_freight_services` says. */
const saysSame = (label: string, value: string): boolean =>
  label === value || lettersOf(label) === lettersOf(value);
const lettersOf = (text: string): string => text.toLowerCase().replace(/[ _,/-]/g, '');

/**
 * A list is filtered by what is typed. Enter keeps what stands: a value that is not offered any more is offered as it is, so that
 * nothing is changed by looking at it. @throws GoBack
 */
export function askChoice(
  context: FrameContext,
  message: string,
  choices: readonly PromptChoice[],
  { standing, noun = 'choices', back, fresh = false }: ChoiceQuestion = {},
): Promise<string> {
  const isOffered = standing === undefined || choices.some(({ value }) => value === standing);
  const all = isOffered ? choices : [{ value: standing, label: 'as it is' }, ...choices];
  const shown = all.map(({ value, label, bare, below }) => ({
    value,
    label,
    ...(below === undefined ? {} : { description: below.split('\n').map(escapeLine).join('\n') }),
    name: escapeLine(bare || value === '' || saysSame(label, value) ? label : `${label} (${value})`),
  }));
  const count = all.length > LONG_LIST ? ` (${all.length} ${noun}, type to filter)` : '';
  const config = {
    message: fitting(context, message),
    count,
    matching: (typed: string) => bestMatches(typed, shown),
    drawn: escapeLine,
    standing,
  };
  return asking(context, (at) => choicePrompt(config, at), { back, fresh });
}

/**
 * A standing text is a value that stands already, as a prompt shows it: masked where it is not for every eye,
 * escaped always. Accepted unchanged it keeps its true value; a text that was made only to be looked at is
 * never sent back.
 */
interface StandingText {
  /** The text as it is drawn; undefined where nothing stands. */
  shown: string | undefined;
  /** Returns the meaning of an answer: the true value where it is what was shown. */
  meant(answer: string): string;
  /** Says how an answer is wrong that has a piece of what was only shown. */
  mixed(answer: string): string | undefined;
}

const ESCAPE = /\\(?:x[0-9a-f]{2}|u[0-9a-f]{4}|u\{[0-9a-f]+\}|[nt])/g;

function standingText(value: string | undefined, masked: string | undefined): StandingText {
  const shown = value === undefined && masked === undefined ? undefined : escapeLine(masked ?? value ?? '');
  const isKept = (answer: string): boolean => answer === shown || answer.trim() === shown?.trim();
  // An escape that the value itself has is its own text.
  const made = (shown?.match(ESCAPE) ?? []).filter((piece) => !value?.includes(piece));
  return {
    shown,
    meant: (answer) => (isKept(answer) ? (value ?? '') : answer.trim()),
    mixed: (answer) =>
      !isKept(answer) && made.some((piece) => answer.includes(piece))
        ? 'this has a character that is shown escaped: type it whole, or press Enter to keep the present value'
        : undefined,
  };
}
