/** One of several that fit what was given: asked for on a terminal; elsewhere refused, with all of them. */

import { Failure } from '../../core/problem.ts';
import type { Context } from '../context.ts';

export interface Candidate<T> {
  item: T;
  id: string;
  /** What tells it from the others. */
  line: string;
}

export interface Choosing {
  /** Said where nobody can be asked. */
  message: string;
  question: string;
}

/** @throws Failure (usage) with every candidate */
export async function chooseOne<T>(
  context: Context,
  candidates: readonly Candidate<T>[],
  { message, question }: Choosing,
): Promise<T> {
  if (!context.interactive)
    throw new Failure({
      category: 'usage',
      code: 'ambiguous_id',
      message,
      fields: candidates.map(({ id, line }) => ({ path: id, words: [line] })),
      hint: 'take one of these ids',
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    });
  const { askChoice } = await import('../terminal/prompt.ts');
  const choices = candidates.map(({ id, line }) => ({ value: id, label: line }));
  const chosen = await askChoice(context, question, choices);
  return (candidates.find(({ id }) => id === chosen) as Candidate<T>).item;
}
