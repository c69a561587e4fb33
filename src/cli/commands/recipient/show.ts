import { storyOf } from '../../../desk/cases/story.ts';
import type { FoundRecipient } from '../../../desk/lookup/recipient.ts';
import { serviceNow } from '../../../desk/sandbox/service-time.ts';
import { findRecipient } from '../../ask/find.ts';
import { command, type Result, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { flagOn, flagText } from '../../flags/flag.ts';
import { recipientArgument, txFlag } from '../../flags/ids.ts';
import { withProgress } from '../../terminal/progress.ts';
import { storyView } from '../../views/story.ts';
import { drawnView, momentView } from '../../views/timeline.ts';

export { show as command };

export interface ShowOptions {
  id: string;
  tx: string | undefined;
  timeline: boolean;
}

const show = command<ShowOptions>({
  description:
    'One screen to read out: what happened, when, what can be done now, and what to tell the customer. --timeline draws the life of the payout from the logs of the service: states, tries, events, and what you asked for.',
  args: [recipientArgument],
  flags: [txFlag, { flags: '--timeline', summary: 'draw how it came to stand where it stands' }],
  shows: [storyView, drawnView, momentView],
  effect: 'read',
  examples: [
    'remit recipient show 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11',
    'remit recipient show wages-1 --timeline',
    'remit recipient show wages-1 -o json --query standing.tell_the_customer',
  ],
  read: (input) => ({
    id: input.args[0] ?? '',
    tx: flagText(input, 'tx'),
    timeline: flagOn(input, 'timeline'),
  }),
  async run(context, { id, tx, timeline }) {
    const found = await findRecipient(context, id, { tx, use: 'read' });
    if (timeline) return drawn(context, found);
    return result(storyView, storyOf(found.recipient, await serviceNow(context), found.transaction));
  },
});

/** A picture on a terminal, rows for everything else. */
async function drawn(context: Context, { recipient, transaction }: FoundRecipient): Promise<Result> {
  const { timelineOf } = await import('../../../desk/cases/timeline.ts');
  const client = await context.client();
  const { moments, looked, whole } = await withProgress(context, 'reading the logs of the service', () =>
    timelineOf(client, recipient, transaction),
  );
  const notes = [
    ...(moments.some(({ event }) => event !== null)
      ? []
      : ['the service logs a state when it sends a webhook: remit webhooks add registers an address']),
    ...(whole ? [] : [`made from the latest ${looked} log records; there are more`]),
  ];
  const { globals, streams } = context;
  const isPicture = (globals.output ?? (streams.stdoutIsTerminal ? 'table' : 'text')) === 'table';
  return isPicture ? result(drawnView, { moments }, { notes }) : result(momentView, moments, { notes });
}
