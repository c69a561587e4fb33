import type { When } from '../../../desk/lists/period.ts';
import { command, result } from '../../command.ts';
import { exitCodes } from '../../exit-codes.ts';
import { readSince, sinceFlag } from '../../flags/when.ts';
import { reachNotes } from '../../output/reach.ts';
import { spelt } from '../../output/spell.ts';
import { type CheckRow, onboardingView } from '../../views/check.ts';

export { onboarding as command };

const onboarding = command({
  description:
    'Before the service opens production to an integration, it demands four things: senders are used again, webhooks come first, errors are learnt of from webhooks, recipients can be cancelled. Each is judged from the log of requests and the log of deliveries; of these only ids and counts are shown. Where the logs say nothing the result is "no evidence", which is not a pass. Ends with 10 unless all pass.',
  flags: { ...sinceFlag },
  shows: [onboardingView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: ['remit check onboarding', 'remit check onboarding --since 1d -o json'],
  read: (input): { since: When } => ({ since: readSince(input) }),
  async run(context, { since: when }) {
    const [{ readEvidence, sinceOf }, { judgeOnboarding }, { RESTS_ON }] = await Promise.all([
      import('../../../desk/golive/read-logs.ts'),
      import('../../../desk/golive/onboarding.ts'),
      import('../../../desk/golive/judged.ts'),
    ]);
    const since = await sinceOf(context, when);
    const { reach, ...evidence } = await readEvidence(context, since);
    const rows = judgeOnboarding(evidence).map((judged): CheckRow => {
      const complete = reach.every(({ log, whole }) => whole || !RESTS_ON[judged.check].includes(log));
      const says =
        judged.verdict === 'pass' && !complete ? `${judged.says} (as far as the log reaches)` : judged.says;
      return { ...judged, says, next: judged.next === null ? null : spelt(judged.next), complete };
    });
    await context.remember(rows.flatMap(({ examples }) => examples));
    const failed = rows.filter(({ verdict }) => verdict === 'fail').length;
    const missing = rows.filter(({ verdict }) => verdict === 'no_evidence').length;
    return result(onboardingView, rows, {
      exit: failed + missing > 0 ? exitCodes.check : exitCodes.ok,
      notes: [
        `${failed} failed, ${missing} without evidence, ${rows.length - failed - missing} passed`,
        ...reachNotes(reach, since),
      ],
    });
  },
});
