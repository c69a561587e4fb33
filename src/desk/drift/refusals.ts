/** The fields and words of a refusal (422), against those that the double can say. Sentences under `base` are for people, and are not compared. */

import type { Operation } from '../../contract/operations/operation.ts';
import { personalOf } from '../../contract/personal.ts';
import { knownRefusals, refusalWords } from '../words/refusal.ts';
import type { Finding } from './differences.ts';
import { isPlain, type Known, knownOf } from './known-members.ts';
import { type Personal, shownAs } from './wire-word.ts';

export function refusalsOf(
  operation: Operation,
  body: unknown,
  personal: Personal,
): Omit<Finding, 'within'>[] {
  const found: Omit<Finding, 'within'>[] = [];
  for (const [field, word] of errorsIn(body)) {
    if (/(?:^|\.)base$/.test(field)) continue;
    const where = `${operation.id} 422`;
    const name = shownAs('name', field, personal);
    if (!isField(operation, field))
      found.push({ difference: 'refusal', where, seen: name, ours: 'no refusal of such a field' });
    if (refusalWords(word) === undefined) {
      const seen = `${name}: ${shownAs('word', word, personal)}`;
      found.push({ difference: 'refusal', where, seen, ours: knownRefusals.join(', ') });
    }
  }
  return found;
}

function* errorsIn(body: unknown): Generator<[field: string, word: string]> {
  if (Array.isArray(body)) for (const item of body) yield* errorsIn(item);
  if (!isPlain(body)) return;
  for (const [name, value] of Object.entries(body)) {
    if (name === 'metadata') continue;
    if (name !== 'errors' || !isPlain(value)) yield* errorsIn(value);
    else for (const [field, words] of Object.entries(value)) yield* wordsIn(field, words);
  }
}

function* wordsIn(field: string, words: unknown): Generator<[field: string, word: string]> {
  for (const one of Array.isArray(words) ? words : [words]) {
    const word = isPlain(one) ? one.error : one;
    if (typeof word === 'string') yield [field, word];
  }
}

/** Each name of a dotted field is a member of the contract, or of the operation's body or query. */
function isField(operation: Operation, field: string): boolean {
  const names = fieldNames(operation);
  return field
    .split('.')
    .filter((part) => !/^\d{1,3}$/.test(part))
    .every((part) => part === 'base' || personalOf(part) !== undefined || names.has(part));
}

const fieldsOf = new Map<string, ReadonlySet<string>>();

function fieldNames(operation: Operation): ReadonlySet<string> {
  const made = fieldsOf.get(operation.id);
  if (made !== undefined) return made;
  const names = new Set(operation.query.map(({ name }) => name));
  if (operation.body !== undefined) collect(knownOf(operation.body), names);
  collect(knownOf(operation.answer), names);
  fieldsOf.set(operation.id, names);
  return names;
}

function collect(known: Known, names: Set<string>): void {
  if (known.kind === 'list' || known.kind === 'map') collect(known.of, names);
  if (known.kind === 'either') for (const option of known.options) collect(option, names);
  if (known.kind !== 'record') return;
  for (const [name, inner] of known.members) {
    names.add(name);
    collect(inner, names);
  }
}
