/** The answer of a tool that failed. A problem quotes payees, providers and the service: its words are data of others. */
import type { Said } from '../../core/next.ts';
import type { Problem } from '../../core/problem.ts';
import { asTheirs, asWord } from '../text.ts';
import { answerOf, type Outcome, type Written } from './written.ts';

type Text = (said: Said) => string;

export const shownProblem = (text: Text, { message, facts }: Problem): NonNullable<Written['problem']> => ({
  category: asWord(facts.category) ?? 'internal',
  code: asWord(facts.code),
  says: asTheirs([message, facts.hint && text(facts.hint)].filter(Boolean).join('; ')),
  fields: (facts.fields ?? [])
    .slice(0, 20)
    .map(({ path, words }) => ({ path: asTheirs(path), says: asTheirs(words.join('; ')) })),
});

const FAILED: Readonly<Record<Outcome, string>> = {
  not_applied: 'NOT APPLIED. It was refused, and nothing was paid, changed or cancelled.',
  applied: 'APPLIED. It was done; this call sent nothing more.',
  unknown: 'UNKNOWN. It may have been done. The tool status finds out; do not plan it anew.',
};

const OUTCOMES: Readonly<Record<string, Outcome>> = {
  'not applied': 'not_applied',
  applied: 'applied',
  unknown: 'unknown',
};

/** @param handle of the plan, where one was carried out: then a problem that says no outcome leaves it unknown */
export function refusedAnswer(text: Text, handle: string | null, problem: Problem) {
  const { outcome: said } = problem.facts;
  const outcome =
    said === undefined ? (handle === null ? 'not_applied' : 'unknown') : (OUTCOMES[said] ?? 'unknown');
  const answer = answerOf(FAILED[outcome], {
    outcome,
    state: outcome === 'not_applied' ? 'refused' : outcome,
    handle,
    problem: shownProblem(text, problem),
    next: handle === null ? null : { tool: 'status', handle },
  });
  return { ...answer, isError: outcome !== 'applied' };
}
