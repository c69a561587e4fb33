/** The four things that an integration must do before the service opens production to it (docs/going-live.md). */

import { counted } from '../core/amount-words.ts';
import { hint } from '../core/next.ts';
import type { LoggedCall } from './evidence.ts';
import { type CheckResult, type Evidence, examplesOf } from './judged.ts';
import { judgeSenders } from './senders.ts';
import { judgeErrors, judgeWebhooks } from './states.ts';

export const judgeOnboarding = (evidence: Evidence): CheckResult[] => [
  judgeSenders(evidence.calls),
  judgeWebhooks(evidence),
  judgeErrors(evidence),
  judgeCancels(evidence.calls),
];

const REQUESTS = ['request to cancel a recipient', 'requests to cancel a recipient'] as const;

function judgeCancels(calls: readonly LoggedCall[]): CheckResult {
  const asked = calls.filter(({ does }) => does === 'cancel_recipient');
  const accepted = asked.filter(({ succeeded }) => succeeded);
  const check = 'cancels' as const;
  const counts = { asked: asked.length, accepted: accepted.length };
  const evidenceNext = hint`${{ do: 'start_sandbox' }} runs a sandbox: have your service cancel there the recipient of a payment that is not funded`;
  if (accepted.length > 0)
    return {
      check,
      verdict: 'pass',
      says: `the service accepted ${accepted.length} of ${counted(asked.length, ...REQUESTS)}`,
      counts,
      examples: examplesOf(
        'recipient',
        accepted.map(({ id }) => id),
      ),
      next: null,
    };
  if (asked.length > 0)
    return {
      check,
      verdict: 'fail',
      says: `the service accepted none of ${counted(asked.length, ...REQUESTS)}`,
      counts,
      examples: examplesOf(
        'recipient',
        asked.map(({ id }) => id),
      ),
      next: evidenceNext,
    };
  return {
    check,
    verdict: 'no_evidence',
    says: 'no recipient was cancelled',
    counts,
    examples: [],
    next: evidenceNext,
  };
}
