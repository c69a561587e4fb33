/** Asks the public URL, again and again, whether it still leads to this listener, or to another one of the same inbox. */

import type { Context } from '../../../../payments/cli/context.ts';
import { createProbe, type Probed } from '../../../intake/probe.ts';
import type { OpenedInbox } from '../../../open-inbox.ts';
import type { Status } from './status.ts';

const EVERY_MS = 30_000;

export interface PublicUrlWatch {
  answer: (token: string) => string | null;
  /** @param whenReached it leads here again after it did not @returns ends it */
  start(status: Status, whenReached: () => void): () => void;
}

const KEY = 'probe_key';

export async function watchPublicUrl(
  context: Context,
  url: string,
  inbox: OpenedInbox['inbox'],
): Promise<PublicUrlWatch> {
  const key = await inbox.firstNote(KEY, context.process.newId());
  const probe = createProbe(await context.transport(), key);
  return {
    answer: probe.answer,
    start(status, whenReached) {
      let ended = false;
      const ask = async (): Promise<void> => {
        const probed = await probe
          .ask(url)
          .catch((error: Error): Probed => ({ reached: false, why: error.message }));
        if (!ended) told(context, { url, status, probed, whenReached });
      };
      void ask();
      const handle = setInterval(() => void ask(), EVERY_MS);
      return () => {
        ended = true;
        clearInterval(handle);
      };
    },
  };
}

interface News {
  url: string;
  status: Status;
  probed: Probed;
  whenReached: () => void;
}

/** Said once for each change: the line at the bottom says it all the time, where there is one. */
function told(context: Context, { url, status, probed, whenReached }: News): void {
  const before = status.probed;
  if (before?.reached === probed.reached) return;
  status.probed = probed;
  status.probedSince = context.process.clock.now();
  const { log } = context.process;
  if (!probed.reached) {
    if (log) log.event('url_lost', { why: probed.why });
    else context.say(`remit: NOT REACHABLE: ${url} does not lead here: ${probed.why}`, context.paint.red);
    return;
  }
  if (before === null) return;
  if (log) log.event('url_back', {});
  else context.say(`remit: ${url} leads here again`, context.paint.green);
  whenReached();
}
