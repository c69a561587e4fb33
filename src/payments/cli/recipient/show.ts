import { defaultFormat, formatInfo } from '../../../frame/terminal/format.ts';
import { withProgress } from '../../../frame/terminal/progress.ts';
import { caseNow } from '../../cases/facts.ts';
import type { FoundRecipient } from '../../lookup/recipient.ts';
import { chooseRecipient } from '../ask/find.ts';
import { defineCommand } from '../command.ts';
import type { Context } from '../context.ts';
import { recipientArgument, txFlag } from '../flags/ids.ts';
import { type Result, result } from '../result.ts';
import { storyView } from '../views/story.ts';
import { drawnView, momentView } from '../views/timeline.ts';

export const command = defineCommand({
  description:
    'One screen to read out: what happened, when, what can be done now, and what to tell the customer. --timeline shows the history of the payout: states, events and what you asked for, from the logs of the service and from the inbox of this machine.',
  args: [recipientArgument],
  flags: {
    ...txFlag,
    timeline: { summary: 'show the history: states, events, and what you asked for' },
    all: { summary: 'with --timeline: read the logs of the service to their ends' },
  },
  shows: [storyView, drawnView, momentView],
  effect: 'read',
  examples: [
    'remit recipient show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient show wages-1 --timeline',
    'remit recipient show wages-1 -o json --query standing.tell_the_customer',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    tx: input.flags.tx,
    timeline: input.flags.timeline,
    all: input.flags.all,
  }),
  async run(context, { id, tx, timeline, all }) {
    const found = await chooseRecipient(context, id, { tx, use: 'read' });
    if (timeline) return drawn(context, found, all);
    return result(storyView, await caseNow(context, found));
  },
});

/** A picture on a terminal, rows for everything else. */
async function drawn(context: Context, found: FoundRecipient, all: boolean): Promise<Result> {
  const { timelineOf } = await import('../../cases/timeline.ts');
  const { moments, looked, whole } = await withProgress(context, 'reading the logs of the service', () =>
    timelineOf(context, found, { all }),
  );
  const notes = [
    ...(moments.some(({ event }) => event !== null)
      ? []
      : ['The service logs a state when it sends a webhook. remit webhooks add registers an address.']),
    ...(whole ? [] : [`Made from the newest ${looked} records of the logs. --all reads the older ones too.`]),
  ];
  const { globals, streams } = context;
  const isPicture = formatInfo(globals.output ?? defaultFormat(streams.stdoutIsTerminal)).isDrawn;
  return isPicture ? result(drawnView, { moments }, { notes }) : result(momentView, moments, { notes });
}
