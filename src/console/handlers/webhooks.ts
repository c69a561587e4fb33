/** Deliveries: the inbox as it fills, one of them whole, and what is done with it; the comparison with the service's log; a test event for a handler of this machine. */
import { setTimeout as pause } from 'node:timers/promises';
import { isoTime } from '../../core/clock.ts';
import { USUAL } from '../../payments/shared-store.ts';
import { maskData } from '../../payments/words/mask.ts';
import { catchUp, comparedWords, gapSentence } from '../../webhooks/catch-up.ts';
import { InboxChanges } from '../../webhooks/changes.ts';
import { receivedOutput, shownWhole } from '../../webhooks/delivery-output.ts';
import { findDelivery } from '../../webhooks/in-inbox.ts';
import { inboxIfAny, openInbox } from '../../webhooks/open-inbox.ts';
import { forwardAgain } from '../../webhooks/replay.ts';
import { sampleWords, sendSample } from '../../webhooks/sample-event.ts';
import { NOT_WHOLE } from '../../webhooks/shapes.ts';
import type { Inbox } from '../../webhooks/store/port.ts';
import type { Call, Emit } from '../call.ts';
import { labelledLines } from '../rows.ts';
import { MOST_DELIVERIES } from '../wire/webhooks.ts';
import type { AnswerOf, QuestionOf } from '../wire.ts';

/** The inbox is looked at so often while a page shows it. */
const LOOK_MS = 400;
/** A page that hears nothing for longer than this takes the way to be gone. */
const STILL_MS = 10_000;

export async function deliveries(
  { desk, renderHint }: Call,
  { after }: { after: string },
  tell: Emit<'deliveries'>,
): Promise<void> {
  let opened: { inbox: Inbox; changes: InboxChanges } | undefined;
  let quietSince = Number.NEGATIVE_INFINITY;
  while (!desk.signal.aborted) {
    opened ??= await changesAfter(after, await inboxIfAny(desk));
    const rows = ((await opened?.changes.next()) ?? []).map(receivedOutput);
    const now = desk.clock.uptime?.() ?? desk.clock.now();
    if (rows.length > 0 || now - quietSince >= STILL_MS) {
      quietSince = now;
      const backlog = (await opened?.inbox.backlog()) ?? { waiting: 0, deadLetters: 0 };
      const begin = opened === undefined ? renderHint({ do: 'listen' }) : null;
      await tell({ begin, rows, after: opened?.changes.last ?? after, backlog });
    }
    // In real time, as the user sees it.
    await pause(LOOK_MS, undefined, { signal: desk.signal }).catch(() => {});
  }
}

const changesAfter = (after: string, inbox: Inbox | undefined) =>
  inbox && { inbox, changes: new InboxChanges(inbox, { after, most: MOST_DELIVERIES }) };

export async function delivery(
  { desk, showing, renderHint }: Call,
  { id }: { id: string },
): Promise<AnswerOf<'delivery'>> {
  const { inbox } = await openInbox(desk, USUAL);
  const shown = shownWhole(await findDelivery(inbox, id));
  const { url, headers, body, body_bytes: bytes, webhook } = maskData(shown, showing.mask);
  return {
    row: receivedOutput(shown),
    lines: labelledLines([
      ['url', url],
      ['endpoint', webhook],
      ['body', `${bytes} bytes`],
    ]),
    headers: labelledLines(Object.entries(headers)),
    body: typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    command: renderHint({ do: 'show_delivery', id: shown.id }),
    canReplay: shown.state !== 'invalid',
  };
}

const ANY = { event: undefined, state: undefined, since: undefined, tx: undefined };

/** It waits for the listener, which hands it on under the same id. */
export async function replay({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'replay'>> {
  const { inbox } = await openInbox(desk, USUAL);
  await forwardAgain(desk, inbox, { ids: [id], asked: ANY });
  return { said: 'It waits for the listener, which hands it on under the same id.' };
}

export async function compare({ desk }: Call): Promise<AnswerOf<'compare'>> {
  const { inbox } = await openInbox(desk, USUAL);
  const publicUrl = desk.machine.env.REMIT_PUBLIC_URL;
  const done = await catchUp(desk, { inbox, publicUrl, wanted: () => true });
  const { gap, missed } = done;
  const looked = comparedWords(done);
  return {
    said: gap === null ? `Nothing was missed: ${looked}.` : `${gapSentence(gap)}. ${looked}.`,
    missed: missed.map(({ at, event, objectId, id }) => ({
      label: `${event} of ${objectId}`,
      text: `${isoTime(at)}, ${id === null ? NOT_WHOLE : 'fetched from the log'}`,
    })),
  };
}

/** @throws Problem (usage) where the handler is not on this machine, or the event has no sample */
export const test = async ({ desk }: Call, asked: QuestionOf<'test'>): Promise<AnswerOf<'test'>> => ({
  said: sampleWords(await sendSample(desk, asked)),
});
