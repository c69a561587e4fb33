/** One delivery whole, and what is done with it; the comparison with the service's log; a test event for a handler of this machine. */
import { isEventName } from '../../contract/events.ts';
import { isoTime } from '../../core/clock.ts';
import { isLoopback } from '../../core/hosts.ts';
import { usage } from '../../core/problem.ts';
import { USUAL } from '../../desk/places/shared-store.ts';
import { catchUp, comparedWords, gapSentence, NOT_WHOLE } from '../../desk/webhooks/catch-up.ts';
import { findDelivery } from '../../desk/webhooks/in-inbox.ts';
import { openInbox } from '../../desk/webhooks/open-inbox.ts';
import { handOnAgain } from '../../desk/webhooks/replay.ts';
import { shownWhole } from '../../desk/webhooks/shown.ts';
import { testKey } from '../../desk/webhooks/test-key.ts';
import { maskData } from '../../desk/words/mask.ts';
import type { Call } from '../call.ts';
import type { AnswerOf } from '../wire.ts';
import { deliveryRow, refusedRow } from './deliveries.ts';

const ANY = { event: undefined, state: undefined, since: undefined, tx: undefined };

export async function delivery(
  { desk, showing, spell }: Call,
  { id }: { id: string },
): Promise<AnswerOf<'delivery'>> {
  const { inbox } = await openInbox(desk, USUAL);
  const found = await findDelivery(inbox, id);
  const { url, headers, body, body_bytes: bytes, webhook } = maskData(shownWhole(found), showing.mask);
  const more = [
    ['url', url],
    ['endpoint', webhook ?? ''],
    ['body', `${bytes} bytes`],
  ] as const;
  return {
    row: found.kept === undefined ? refusedRow(found.refused) : deliveryRow(found.kept),
    lines: more.flatMap(([label, text]) => (text === '' ? [] : [{ label, text }])),
    headers: Object.entries(headers).map(([label, text]) => ({ label, text })),
    body: typeof body === 'string' ? body : JSON.stringify(body, null, 2),
    command: spell({ do: 'show_delivery', id: (found.kept ?? found.refused).id }),
    canReplay: found.kept !== undefined,
  };
}

/** It waits for the listener, which hands it on under the same id. */
export async function replay({ desk }: Call, { id }: { id: string }): Promise<AnswerOf<'replay'>> {
  const { inbox } = await openInbox(desk, USUAL);
  await handOnAgain(desk, inbox, { ids: [id], asked: ANY });
  return { said: 'It waits for the listener, which hands it on under the same id.' };
}

export async function compare({ desk }: Call): Promise<AnswerOf<'compare'>> {
  const { inbox } = await openInbox(desk, USUAL);
  const publicUrl = desk.machine.env.REMIT_PUBLIC_URL || undefined;
  const done = await catchUp(desk, { inbox, publicUrl, wanted: () => true });
  const { gap, missed } = done;
  const looked = comparedWords(done);
  return {
    said: gap === null ? `Nothing was missed: ${looked}.` : `${gapSentence(gap)}. ${looked}.`,
    missed: missed.map(({ at, event, objectId, id }) => ({
      label: isoTime(at),
      text: `${event} of ${objectId}: ${id === null ? NOT_WHOLE : 'fetched from the log'}`,
    })),
  };
}

const ANSWER_MS = 10_000;

/** @throws Problem (usage) where the handler is not on this machine, or the event has no sample */
export async function test(
  { desk }: Call,
  { to, event }: { to: string; event: string },
): Promise<AnswerOf<'test'>> {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname))
    throw usage(`"${to}" is no handler of this machine`, 'such as http://127.0.0.1:3000/hooks');
  const [{ deliveryBody, isSampled, sampleId, sampleObject }, { deliveryHeaders }, { createPoster }] =
    await Promise.all([
      import('../../intake/samples/sample.ts'),
      import('../../intake/conformance/delivery.ts'),
      import('../../intake/conformance/post.ts'),
    ]);
  if (!isEventName(event) || !isSampled(event)) throw usage(`there is no sample for ${event}`);
  const making = { id: () => sampleId(desk.random), now: desk.clock.now() };
  const body = Buffer.from(
    deliveryBody(sampleId(desk.random), event, JSON.stringify(sampleObject(event, making))),
  );
  const headers = deliveryHeaders(await testKey(desk.machine), { url: to, body, nonce: desk.newId() });
  const post = await createPoster(desk.clock);
  const answered = await post({
    url: to,
    method: 'POST',
    headers,
    body,
    timeoutMs: ANSWER_MS,
    signal: desk.signal,
  });
  return {
    said:
      'error' in answered
        ? `Nobody answered there: ${answered.error}.`
        : `Signed with the test key; the handler answered ${answered.status} in ${answered.ms} ms.`,
  };
}
