/**
 * Questions for payout details, built from `fields` descriptors: those of the service's list before anything was sent (remit's own where
 * it cannot be read), those of its refusal after a 422. Wire formats are run in a worker with a time limit (format-check.ts); unknown types
 * are plain input. Labels are the corridor's own.
 */

import { accountFault, faultWords } from '../../../contract/corridors/accounts.ts';
import type { CorridorField, PartyKind } from '../../../contract/corridors/corridor.ts';
import { loadCorridor } from '../../../contract/corridors/index.ts';
import type { FieldDescription } from '../../../contract/resources/info.ts';
import { byWord } from '../../../core/by-word.ts';
import { askChoice, askText, type PromptChoice } from '../../../frame/terminal/prompt.ts';
import { matchesFormat } from '../../format-check.ts';
import { type Descriptors, knownFields, offeredFields, offeredTypes } from '../../offered.ts';
import { shownValue } from '../../words/changes.ts';
import { refuseMasked } from '../../words/mask.ts';
import type { Context } from '../context.ts';
import type { AskedForm, Question } from './form.ts';

export type AskedDetails = Record<string, unknown>;

/** Tells which payout type; `standing` is what was answered before. */
export async function askType(
  context: Context,
  standing: string | undefined,
  back: boolean,
): Promise<string> {
  const offered = await offeredTypes(context);
  const choices = offered.map(({ type, label }) => ({ value: type, label }));
  return askChoice(context, 'How is it paid out?', choices, { standing, noun: 'payout types', back });
}

export interface DetailsAt {
  type: string;
  kind: PartyKind;
  /** Where they are in the request: `payout_method.details.`. */
  prefix: string;
  descriptors: Descriptors;
  /** The answers so far; they are put in here. */
  details: AskedDetails;
  /** The details that stand at the service already: Enter keeps them. */
  current?: Readonly<AskedDetails> | undefined;
  isOpen(name: string, required: boolean): boolean;
}

/** A question for each field, in the order of the descriptors. */
export async function detailQuestions(context: Context, at: DetailsAt): Promise<Question[]> {
  const fields = await corridorFields(at.type, at.kind);
  return Object.entries(at.descriptors).map(([name, field]) =>
    fieldQuestion(context, at, { name, field, known: fields.find((one) => one.name === name) }),
  );
}

/** Its labels, and what an account is like, are the corridor's, whatever the service's descriptors leave unsaid. */
async function corridorFields(type: string, kind: PartyKind): Promise<readonly CorridorField[]> {
  const kinds = (await loadCorridor(type))?.recipientKinds;
  return kinds?.[kind] ?? kinds?.person ?? [];
}

/** Returns the details that are not given yet: all of them, or the required ones where something was given. */
export async function openDescriptors(
  context: Context,
  { type, kind, isOpen }: Pick<DetailsAt, 'type' | 'kind' | 'isOpen'>,
): Promise<Descriptors> {
  // Where nothing is left to ask the service is not troubled for its list: it says what else it wants when it refuses.
  const known = await knownFields(type, kind);
  const isLeft = Object.entries(known ?? {}).some(([name, field]) => isOpen(name, isRequired(field)));
  if (known && !isLeft) return known;
  return (await offeredFields(context, type, kind)) ?? {};
}

/** By the details that were given before anybody was asked: all is open where there were none, else what is required. */
export function openBeside(given: readonly string[]): DetailsAt['isOpen'] {
  return (name, required) => given.length === 0 || (required && !given.includes(name));
}

export interface DescribedField {
  name: string;
  field: FieldDescription;
  known?: CorridorField | undefined;
}

const isRequired = (field: FieldDescription): boolean => field.validations?.presence === true;

export function fieldQuestion(
  context: Context,
  at: Pick<DetailsAt, 'type' | 'kind' | 'prefix' | 'details' | 'current' | 'isOpen'>,
  described: DescribedField,
): Question {
  const { name, field, known } = described;
  const { details, current = {} } = at;
  const label = known?.label ?? titled(name);
  const answer = textOf(details[name]) ?? textOf(current[name]);
  return {
    path: `${at.prefix}${name}`,
    label,
    dependsOn: at.type,
    isOpen: at.isOpen(name, isRequired(field)),
    shown: answer === undefined ? undefined : shownAnswer(context, described, answer),
    ask: (how) =>
      askField(context, { ...described, label, current: answer, details: { ...current, ...details } }, how),
    take(text) {
      if (text === '') delete details[name];
      else details[name] = text;
    },
  };
}

function shownAnswer(context: Context, { name, field }: DescribedField, answer: string): string {
  const option = choicesOf(field).find(({ value }) => value === answer);
  return option ? `${option.label} (${answer})` : shownValue(context, name, answer);
}

const textOf = (value: unknown): string | undefined =>
  value === undefined || value === null || value === '' ? undefined : String(value);

interface FieldAsked extends DescribedField {
  label: string;
  current: string | undefined;
  details: Readonly<AskedDetails>;
}

function askField(context: Context, asked: FieldAsked, { wasRefused, back }: AskedForm): Promise<string> {
  const { name, field, label } = asked;
  // A one-time code is typed again, and never shown.
  const current = name === 'otp' ? undefined : asked.current;
  const required = isRequired(field);
  const message = required ? label : `${label} (optional)`;
  const choices = choicesOf(field);
  if (field.type === 'select' && choices.length > 0) {
    const offered: PromptChoice[] = required ? choices : [{ value: '', label: 'leave out' }, ...choices];
    // A value that was refused is not offered again.
    const standing = (wasRefused ? undefined : current) ?? (required ? undefined : '');
    return askChoice(context, message, offered, { standing, noun: NOUNS[name], back });
  }
  const doubted = new Set<string>();
  return askText(context, message, {
    default: current,
    // A value that was typed just now and refused is shown whole: a wrong digit must be seen.
    shown: current === undefined || wasRefused ? undefined : shownValue(context, name, current),
    required,
    back,
    // A value that stands is not held against anybody: it was taken before.
    validate: async (text) => (text === current && !wasRefused) || checkText(asked, text, doubted),
  });
}

/** A list that is longer is sorted by its labels. */
const MANY = 8;

/** The nouns for the entries of a long list, for its question. */
const NOUNS: Readonly<Record<string, string>> = byWord({
  bank_code: 'banks',
  bank_name: 'banks',
  branch_code: 'branches',
  country: 'countries',
  mobile_provider: 'providers',
  nature_of_business: 'kinds of business',
  transfer_reason: 'reasons',
});

/** `inclusion` or `options`, whichever the service sent. */
function choicesOf(field: FieldDescription): { value: string; label: string }[] {
  const options = field.options ?? field.validations?.inclusion?.in ?? {};
  const choices = Object.entries(options).map(([value, text]) => ({ value, label: String(text) }));
  // The order of a JSON object means nothing.
  return choices.length > MANY ? choices.sort((a, b) => a.label.localeCompare(b.label, 'en')) : choices;
}

async function checkText(
  { name, field, known, label, details }: FieldAsked,
  text: string,
  doubted: Set<string>,
): Promise<true | string> {
  if (text === '') return true;
  try {
    refuseMasked(name, text);
  } catch (error) {
    return (error as Error).message;
  }
  const fault = known && accountFault(known, { ...details, [name]: text });
  if (fault && !doubted.has(text)) {
    // It may be meant: the same text, given again, is taken, and asked about once more before anything is sent.
    doubted.add(text);
    return `${label} ${faultWords(fault)}. Enter again keeps it`;
  }
  const format = field.validations?.format;
  const source = typeof format === 'string' ? format : (format?.with ?? undefined);
  if (source === undefined || source === null) return true;
  return (await matchesFormat(source, text)) === false
    ? `${label} does not have the form that the service asks for${known?.note ? `: ${known.note}` : ''}`
    : true;
}

/** Deletes answers that another payout type than before does not know. */
export function dropForeign(details: AskedDetails, descriptors: Descriptors): void {
  for (const [name, value] of Object.entries(details)) {
    const field = Object.hasOwn(descriptors, name) ? descriptors[name] : undefined;
    const isOffered = field?.type !== 'select' || Object.hasOwn(field.options ?? {}, String(value));
    if (field === undefined || !isOffered) delete details[name];
  }
}

/** For a field that remit has no label of. */
export const titled = (name: string): string => {
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};
