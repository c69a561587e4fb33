/**
 * A refused choice, such as a bank code, with what is near it and how to see all: the service sends every choice with its refusal
 * (`fields`), and two hundred banks are too many.
 */

import type { ApiError } from '../../client/errors.ts';
import { corridorTypes } from '../../contract/corridors/index.ts';
import { distance, hasDigit, isCodeOf } from '../../core/distance.ts';
import { type Hint, hint } from '../../core/next.ts';
import type { FieldProblem } from '../../core/problem.ts';

interface Refused {
  /** The payout type, where the resource names one. */
  type: string;
  name: string;
  given: string;
  options: Readonly<Record<string, string>>;
}

const FEW = 8;
const NEAREST = 3;

/** The problems with a sentence more for each refused choice, and the command that shows all of the first. */
export function withNearChoices({ details }: ApiError): { fields: FieldProblem[]; hint: Hint | undefined } {
  let hint: Hint | undefined;
  const fields = details.fields.map((problem) => {
    const refused = problem.words.includes('invalid') ? refusedChoice(details.resource, problem.path) : null;
    if (refused === null) return problem;
    hint ??= seeAll(refused);
    const said = sentenceOf(refused);
    return said === null ? problem : { ...problem, words: [...problem.words, said] };
  });
  return { fields, hint };
}

function refusedChoice(resource: unknown, path: string): Refused | null {
  const steps = path.split('.').filter((step) => step !== 'details' && step !== 'in_details');
  const name = steps.pop() ?? '';
  const owner = steps.reduce(memberOf, resource);
  const field = memberOf(memberOf(owner, 'fields'), name);
  const inclusion = memberOf(memberOf(memberOf(field, 'validations'), 'inclusion'), 'in');
  const options = textsOf(memberOf(field, 'options') ?? inclusion);
  const given = memberOf(memberOf(owner, 'details') ?? memberOf(owner, 'in_details') ?? owner, name);
  if (Object.keys(options).length === 0 || typeof given !== 'string') return null;
  return { type: String(memberOf(owner, 'type') ?? ''), name, given, options };
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(typeof value === 'object' && value !== null ? value : {}).map(([code, label]) => [
      code,
      String(label),
    ]),
  );

function sentenceOf({ given, options }: Refused): string | null {
  const entries = Object.entries(options);
  const near = entries
    .map(([code, label]) => ({ code, label, far: howFar(given.toLowerCase().trim(), code, label) }))
    .filter(({ far }) => far < Infinity)
    .sort((a, b) => a.far - b.far)
    .slice(0, NEAREST);
  if (near.length > 0) return `near it: ${near.map(({ code, label }) => shown(code, label)).join(', ')}`;
  return entries.length > FEW ? null : `one of: ${entries.map(([code]) => code).join(', ')}`;
}

const shown = (code: string, label: string): string => (code === label ? code : `${code} (${label})`);

/**
 * From 0 (the same) to 1, or infinite: to its code where that is a word, to its label or from word to word, since people type a name
 * where a code is asked for. Of a word a third may be wrong.
 */
function howFar(given: string, code: string, label: string): number {
  if (isCodeOf(given, code)) return 0;
  if (/^[\d\s.-]*$/.test(given)) return Infinity;
  const name = label.toLowerCase();
  if (given.length >= 3 && name.includes(given)) return 0;
  const words = [...(hasDigit(code) ? [] : [code.toLowerCase()]), name, ...wordsOf(name)];
  const pairs = [given, ...wordsOf(given)].flatMap((term) => words.map((word) => apart(term, word)));
  return Math.min(...pairs);
}

function apart(term: string, word: string): number {
  const far = distance(term, word);
  return far <= Math.max(1, Math.floor(term.length / 3)) ? far / term.length : Infinity;
}

/** These words tell one bank from another. */
const wordsOf = (text: string): string[] =>
  text.split(/\s+/).filter((word) => word.length > 3 && word !== 'bank');

function seeAll({ type, name }: Refused): Hint {
  return corridorTypes.some((one) => one.type === type)
    ? hint`see all: ${{ do: 'show_corridor', type, option: name }}`
    : hint`see all: ${{ do: 'list_methods', type }}`;
}
