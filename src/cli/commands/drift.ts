import { resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import type { When } from '../../desk/lists/period.ts';
import { counted } from '../../desk/words/amount.ts';
import { command, result } from '../command.ts';
import type { Context } from '../context.ts';
import { exitCodes } from '../exit-codes.ts';
import { perMinuteFlags, readPerMinute } from '../flags/per-minute.ts';
import { readWhen, sinceFlag } from '../flags/when.ts';
import { reachNotes } from '../output/reach.ts';
import { driftView } from '../views/drift.ts';

interface DriftOptions {
  since: When;
  perMinute: number | undefined;
  report: string | undefined;
}

export { drift as command };

const drift = command({
  description: `Reads the service’s log of requests and log of deliveries, and compares them with the tables that the sandbox is made from: states and their order, events, members, forms of values, reason codes, payout types, statuses, refusals and delays. Each difference is told once, with how often it was seen and with what the sandbox does in its place. It reads only. Ends with 10 where there is a difference.

Nothing of a person gets into the report: a text is shown where it looks like a word of the service, and as its form, such as text(12), where it does not. --report writes it to a new file, which can be sent to whoever maintains remit. docs/drift.md says what is compared, and what is not.`,
  flags: {
    since: {
      ...sinceFlag.since,
      summary: 'read the logs from then on: a day, a time, or an age (3d); if you do not say, 30d',
    },
    ...perMinuteFlags,
    report: { value: 'file', summary: 'write the report to this new file too, as JSON' },
  },
  shows: [driftView],
  effect: 'read',
  exits: [exitCodes.check],
  examples: [
    'remit drift',
    'remit drift --since 7d --per-minute 60 --report drift.json',
    'remit drift -o json',
  ],
  read: (input): DriftOptions => ({
    since: readWhen(input.flags.since ?? '30d', 'since'),
    perMinute: readPerMinute(input),
    report: input.flags.report,
  }),
  async run(context, { since: when, perMinute, report }) {
    const [{ searchDrift, driftReport }, { sinceOf }, { paceAt }] = await Promise.all([
      import('../../desk/drift/drift.ts'),
      import('../../desk/golive/read-logs.ts'),
      import('../../desk/books/sync.ts'),
    ]);
    const { baseUrl } = await context.connection();
    const since = await sinceOf(context, when);
    const found = await searchDrift(context, { since, perMinute: perMinute ?? paceAt(baseUrl) });
    const { differences, left, unread, reach } = found;
    if (report !== undefined)
      await writeReport(context, report, driftReport(found, { since, version: context.world.version }));
    const isNothing = reach.every(({ records }) => records === 0);
    const looked = reach.reduce((sum, { records }) => sum + records, 0);
    return result(driftView, differences, {
      meta: { complete: reach.every(({ whole }) => whole), looked_at: looked, total: null },
      exit: differences.length > 0 ? exitCodes.check : exitCodes.ok,
      notes: [
        ...(isNothing ? ['nothing to compare: both logs are empty, so nothing is shown by this'] : []),
        ...(left > 0 ? [`${counted(left, 'difference')} more found no room in the report`] : []),
        ...(unread > 0
          ? [`${counted(unread, 'body', 'bodies')} could not be read: the log had cut them short`]
          : []),
        ...reachNotes(reach, since),
      ],
    });
  },
});

/** @throws Problem (usage) where something has that name already */
async function writeReport({ world, newId }: Context, path: string, report: string): Promise<void> {
  const { makeOwnFile } = await import('../../files/own-file.ts');
  const whole = resolve(world.cwd, path);
  if (makeOwnFile(whole, Buffer.from(report), { draft: `${whole}.${newId()}.part` })) return;
  throw usage(`${path} is there already`, 'name a new file: --report FILE');
}
