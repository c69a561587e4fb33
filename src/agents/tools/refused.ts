/** The answer of a tool that failed. A problem quotes payees, providers and the service: its words are data of others. */
import { byWord } from '../../core/by-word.ts';
import type { Hint } from '../../core/next.ts';
import type { Problem } from '../../core/problem.ts';
import { asTheirs, asWord } from '../text.ts';
import { answerOf, type WriteAnswer, type WriteOutcome } from './written.ts';

type Text = (said: Hint) => string;

export const shownProblem = (
  text: Text,
  { message, facts }: Problem,
): NonNullable<WriteAnswer['problem']> => ({
  category: asWord(facts.category) ?? 'internal',
  code: asWord(facts.code),
  says: asTheirs([message, facts.hint && text(facts.hint)].filter(Boolean).join('; ')),
  fields: (facts.fields ?? [])
    .slice(0, 20)
    .map(({ path, words }) => ({ path: asTheirs(path), says: asTheirs(words.join('; ')) })),
});

const FAILED: Readonly<Record<WriteOutcome, string>> = {
  not_applied: 'NOT APPLIED. It was refused: this call paid, changed and cancelled nothing.',
  applied: 'APPLIED. It was done; this call sent nothing more.',
  unknown: 'UNKNOWN. It may have been done. The tool status finds out; do not plan it anew.',
};

const OUTCOMES: Readonly<Record<string, WriteOutcome>> = byWord({
  'not applied': 'not_applied',
  applied: 'applied',
  unknown: 'unknown',
});

/**
 * Refusals that follow from a look at the plan, which found nothing of it. All else (the service is away, the key is refused) says nothing of what an
 * earlier call, or another caller, did under it.
 */
const REFUSALS: ReadonlySet<string> = new Set(['usage', 'validation', 'conflict', 'check', 'not_found']);

/** @param handle of the plan that was carried out, or looked at; null where nothing was to be sent */
export function refusedAnswer(text: Text, handle: string | null, problem: Problem) {
  const { outcome: said, category } = problem.facts;
  const isRefusal = handle === null || REFUSALS.has(category);
  const known =
    said === undefined && handle !== null ? 'unknown' : (OUTCOMES[said ?? 'not applied'] ?? 'unknown');
  const outcome = known === 'not_applied' && !isRefusal ? 'unknown' : known;
  const answer = answerOf(FAILED[outcome], {
    outcome,
    state: outcome === 'not_applied' ? 'refused' : outcome,
    handle,
    problem: shownProblem(text, problem),
    next: handle === null ? null : { tool: 'status', handle },
  });
  return { ...answer, isError: outcome !== 'applied' };
}
