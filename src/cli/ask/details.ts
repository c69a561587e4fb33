/**
 * Prompts for payout details, built from `fields` descriptors: those of the service's list before anything was sent (remit's own where
 * it cannot be read), those of its refusal after a 422. Wire formats are run in a worker with a time limit (format-check.ts); unknown types are plain input.
 */
import { accountFault, faultWords } from '../../contract/corridors/accounts.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { loadCorridor } from '../../contract/corridors/index.ts';
import type { FieldDescription } from '../../contract/resources/info.ts';
import { matchesFormat } from '../../desk/payments/format-check.ts';
import { type Descriptors, knownFields, offeredFields, offeredTypes } from '../../desk/payments/offered.ts';
import { shownValue } from '../../desk/words/changes.ts';
import { refuseMasked } from '../../desk/words/mask.ts';
import type { Context } from '../context.ts';
import { askChoice, askText } from '../terminal/prompt.ts';

export async function askType(context: Context): Promise<string> {
  const offered = await offeredTypes(context);
  return askChoice(
    context,
    'How is it paid out?',
    offered.map(({ type, label }) => ({ value: type, label })),
  );
}

/** What is wrong with a value, in words that follow the name of its field; null where nothing is. */
export type Judge = (name: string, details: Readonly<Record<string, unknown>>) => string | null;

/** Accounts as the corridor takes them, whatever the service's descriptors leave unsaid. */
export async function accountJudge(type: string, kind: PartyKind): Promise<Judge> {
  const kinds = (await loadCorridor(type))?.recipientKinds;
  const fields = kinds?.[kind] ?? kinds?.person ?? [];
  return (name, details) => {
    const field = fields.find((one) => one.name === name);
    const fault = field && accountFault(field, details);
    return fault ? faultWords(fault) : null;
  };
}

/** What is not given yet: all of it, or what is required where something was given. */
export async function askOpenDetails(
  context: Context,
  { type, kind, details }: { type: string; kind: PartyKind; details: Readonly<Record<string, unknown>> },
): Promise<Record<string, unknown>> {
  const given = Object.keys(details);
  const openOf = (fields: Descriptors): string[] =>
    Object.entries(fields).flatMap(([name, { validations }]) =>
      given.length === 0 || (!given.includes(name) && validations?.presence === true) ? [name] : [],
    );
  // Where nothing is left to ask the service is not troubled for its list: it says what else it wants when it refuses.
  const known = await knownFields(type, kind);
  if (known && openOf(known).length === 0) return details;
  const descriptors = await offeredFields(context, type, kind);
  if (descriptors === undefined) return details;
  const only = openOf(descriptors);
  const judge = await accountJudge(type, kind);
  return { ...details, ...(await askDetails(context, descriptors, { only, current: details, judge })) };
}

/** Asks for each field named, or for all; answers only what has a value. */
export async function askDetails(
  context: Context,
  descriptors: Descriptors,
  options: {
    only?: readonly string[];
    current?: Readonly<Record<string, unknown>>;
    problems?: Record<string, string>;
    judge?: Judge;
  } = {},
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  for (const [name, field] of Object.entries(descriptors)) {
    if (options.only && !options.only.includes(name)) continue;
    const said = options.problems?.[name];
    if (said) context.say(`${label(name)} ${said}`, context.paint.yellow);
    const answer = await askField(context, name, field, {
      current: textOf(options.current?.[name]),
      wasRefused: said !== undefined,
      wrong: (text) => options.judge?.(name, { ...options.current, ...answers, [name]: text }) ?? null,
    });
    if (answer !== '') answers[name] = answer;
  }
  return answers;
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

interface StandingAnswer {
  current: string | undefined;
  wasRefused: boolean;
  wrong: (text: string) => string | null;
}

async function askField(
  context: Context,
  name: string,
  field: FieldDescription,
  { current, wasRefused, wrong }: StandingAnswer,
): Promise<string> {
  const required = field.validations?.presence === true;
  const message = required ? label(name) : `${label(name)} (optional)`;
  const choices = choicesOf(field);
  if (field.type === 'select' && choices.length > 0) {
    const offered = required ? choices : [{ value: '', label: 'leave out' }, ...choices];
    // What was refused is not offered again.
    const standing = wasRefused ? undefined : current;
    return askChoice(context, message, offered, standing ?? (required ? undefined : ''));
  }
  return askText(context, message, {
    default: current,
    // What was typed just now and refused is shown whole: a wrong digit must be seen.
    shown: current === undefined || wasRefused ? undefined : shownValue(context, name, current),
    required,
    // What stands is not held against anybody: it was taken before.
    validate: (text) => checkText({ name, field, wrong: text === current ? () => null : wrong }, text),
  });
}

/** `inclusion` or `options`, whichever the service sent. */
function choicesOf(field: FieldDescription): { value: string; label: string }[] {
  const options = field.options ?? field.validations?.inclusion?.in ?? {};
  return Object.entries(options).map(([value, text]) => ({ value, label: String(text) }));
}

interface DetailQuestion {
  name: string;
  field: FieldDescription;
  wrong: StandingAnswer['wrong'];
}

async function checkText({ name, field, wrong }: DetailQuestion, text: string): Promise<true | string> {
  if (text === '') return field.validations?.presence === true ? `${label(name)} is needed` : true;
  try {
    refuseMasked(name, text);
  } catch (error) {
    return (error as Error).message;
  }
  const fault = wrong(text);
  if (fault !== null) return `${label(name)} ${fault}`;
  const format = field.validations?.format;
  const source = typeof format === 'string' ? format : (format?.with ?? undefined);
  if (source === undefined || source === null) return true;
  return (await matchesFormat(source, text)) === false
    ? `${label(name)} does not have the form that the service asks for`
    : true;
}

export const label = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
