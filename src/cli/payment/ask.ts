/**
 * Prompts for payout details, built from `fields` descriptors: the corridor's own before anything was sent, the service's
 * after a 422. Wire formats are run in a worker with a time limit (format-check.ts); unknown types are plain input.
 */
import { accountFault, faultWords } from '../../contract/corridors/accounts.ts';
import { describeFields } from '../../contract/corridors/check.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { corridorTypes, loadCorridor, loadOptionsOf } from '../../contract/corridors/index.ts';
import type { FieldDescription } from '../../contract/resources/info.ts';
import { shownValue } from '../changes.ts';
import type { Context } from '../context.ts';
import { askChoice, askText } from '../terminal/prompt.ts';
import { matchesFormat } from './format-check.ts';
import { refuseMasked } from './pairs.ts';

export type Descriptors = Record<string, FieldDescription>;

/** Descriptors of a payout type that we know; undefined for another. */
export async function knownDescriptors(type: string, kind: PartyKind): Promise<Descriptors | undefined> {
  const corridor = await loadCorridor(type);
  if (!corridor) return undefined;
  return describeFields(corridor, kind, await loadOptionsOf(corridor)) as Descriptors;
}

export function askType(context: Context): Promise<string> {
  return askChoice(
    context,
    'How is it paid out?',
    corridorTypes.map(({ type, summary }) => ({ value: type, label: summary })),
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

/** Asks for each field named, or for all; answers only what has a value. */
export async function askDetails(
  context: Context,
  descriptors: Descriptors,
  options: {
    only?: readonly string[];
    current?: Record<string, unknown>;
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

interface Standing {
  current: string | undefined;
  wasRefused: boolean;
  wrong: (text: string) => string | null;
}

async function askField(
  context: Context,
  name: string,
  field: FieldDescription,
  { current, wasRefused, wrong }: Standing,
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
    validate: (text) => checkText(name, field, text, text === (current ?? '') ? () => null : wrong),
  });
}

/** `inclusion` or `options`, whichever the service sent. */
function choicesOf(field: FieldDescription): { value: string; label: string }[] {
  const options = field.options ?? field.validations?.inclusion?.in ?? {};
  return Object.entries(options).map(([value, text]) => ({ value, label: String(text) }));
}

async function checkText(
  name: string,
  field: FieldDescription,
  text: string,
  wrong: (text: string) => string | null,
): Promise<true | string> {
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
