/** Checks an integration before it goes live, from the logs of the service. */

import { counted } from '../../core/amount-words.ts';
import { isoTime } from '../../core/clock.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { renderHint } from '../../frame/output/render-hint.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { readSince, sinceFlag } from '../../payments/cli/flags/when.ts';
import { result } from '../../payments/cli/result.ts';
import type { LogReach } from '../read-logs.ts';
import { type CheckRow, onboardingView, pollingView } from './views/check.ts';

const onboarding = defineCommand({
  description:
    'Before the service opens production to an integration, it demands four things: senders are used again, webhooks come first, errors are learnt of from webhooks, recipients can be cancelled. Each is judged from the log of requests and the log of deliveries; of these only ids and counts are shown. Where the logs say nothing the result is "no evidence", which is not a pass. Ends with 10 unless all pass.',
  flags: { ...sinceFlag },
  shows: [onboardingView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: ['remit check onboarding', 'remit check onboarding --since 1d -o json'],
  read: (input) => ({ since: readSince(input) }),
  async run(context, { since: when }) {
    const [{ readEvidence, sinceOf }, { checkOnboarding }, { RESTS_ON }] = await Promise.all([
      import('../read-logs.ts'),
      import('../onboarding.ts'),
      import('../check-result.ts'),
    ]);
    const since = await sinceOf(context, when);
    const { reach, ...evidence } = await readEvidence(context, since);
    const rows = checkOnboarding(evidence).map((judged): CheckRow => {
      const complete = reach.every(({ log, whole }) => whole || !RESTS_ON[judged.check].includes(log));
      const says =
        judged.verdict === 'pass' && !complete ? `${judged.says} (as far as the log reaches)` : judged.says;
      return { ...judged, says, next: judged.next === null ? null : renderHint(judged.next), complete };
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

const polling = defineCommand({
  description:
    'Counts the reads of each day (UTC) by kind; then the three balances and rates that were read again too soon most often: the same ones once in five minutes; then the three transactions that were read most: six times in the first hour, then once an hour. It counts every request with this key, those of remit too. Ends with 10 if there are more than the service asks for.\nOn a sandbox the clock of the sandbox counts: where it stands still, no hour passes between two reads. When remit itself waits or watches there, it reads far more often than it does at the service; these reads are left out.',
  flags: { ...sinceFlag },
  shows: [pollingView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: ['remit check polling', 'remit check polling --since 2026-11-21 -o csv'],
  read: (input) => ({ since: readSince(input) }),
  async run(context, { since: when }) {
    const [{ readCalls, sinceOf }, { checkPolling }] = await Promise.all([
      import('../read-logs.ts'),
      import('../polling.ts'),
    ]);
    const since = await sinceOf(context, when);
    const { found, reach } = await readCalls(context, since);
    const rows = checkPolling(found);
    const often = found.filter(({ isOften }) => isOften).length;
    await context.remember(rows.flatMap(({ id }) => (id === null ? [] : [{ kind: 'transaction', id }])));
    const isBeyond = rows.some(({ beyond }) => beyond > 0);
    return result(pollingView, rows, {
      exit: isBeyond ? exitCodes.check : exitCodes.ok,
      meta: { complete: reach.whole, looked_at: reach.records, total: null },
      notes: [...(often === 0 ? [] : [oftenWords(often)]), ...reachNotes([reach], since)],
    });
  },
});

const oftenWords = (often: number): string =>
  `${counted(often, 'read')} of remit itself ${often === 1 ? 'is' : 'are'} left out: it reads a sandbox on this machine more often than the service`;

/** The words about how far back a log was read. */
export const reachNotes = (reach: readonly LogReach[], since: number): string[] =>
  reach.map((one) => `the log of ${one.log} ${reachWords(one, minute(isoTime(since)))}`);

function reachWords({ records, from, whole, isCut }: LogReach, since: string): string {
  const read = counted(records, 'record');
  if (whole) return `was read since ${since}: ${read}`;
  if (from === null) return `has nothing since ${since}`;
  if (isCut)
    return `has more than is read at once: the newest ${read}, back to ${minute(from)}; a later --since reads it whole`;
  return `reaches back to ${minute(from)}, and was asked for since ${since}: ${read}`;
}

const minute = (time: string): string => `${time.slice(0, 16).replace('T', ' ')} UTC`;

export const commands = { onboarding, polling };
