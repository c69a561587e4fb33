/** Events that are made up: to try a handler with, and signed with the test key. */
import { isLoopback } from '../core/hosts.ts';
import { usage } from '../core/problem.ts';
import type { Desk } from '../payments/desk.ts';
import type { PostAnswer } from './conformance/post.ts';
import { testKey } from './test-key.ts';

/** The body of a delivery from an endpoint that is not registered. @param object its JSON */
export async function madeBody(
  { random }: Pick<Desk, 'random'>,
  event: string,
  object: string,
): Promise<Buffer> {
  const { deliveryBody, sampleId } = await import('./sample.ts');
  return Buffer.from(deliveryBody(sampleId(random), event, object));
}

/** JSON of an object as the event tells of it; undefined where the layout of that object is not documented. */
export async function madeObject(
  { random, clock, ports }: Pick<Desk, 'random' | 'clock' | 'ports'>,
  event: string,
): Promise<string | undefined> {
  const { sampleId, withNewIds } = await import('./sample.ts');
  const object = await (await ports.sandbox?.())?.sampleOf(event, clock.now());
  return object === undefined ? undefined : withNewIds(object, () => sampleId(random));
}

const ANSWER_MS = 10_000;

/** Sends one to a handler of this machine. @throws Problem (usage) where it is another one's, or the event has no sample */
export async function sendSample(
  desk: Desk,
  { to, event }: { to: string; event: string },
): Promise<PostAnswer> {
  const url = URL.canParse(to) ? new URL(to) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || !isLoopback(url.hostname))
    throw usage(`"${to}" is no handler of this machine`, 'such as http://127.0.0.1:3000/hooks');
  const object = await madeObject(desk, event);
  if (object === undefined) throw usage(`there is no sample for ${event}`);
  const [{ deliveryHeaders }, { createPoster }] = await Promise.all([
    import('./conformance/delivery.ts'),
    import('./conformance/post.ts'),
  ]);
  const body = await madeBody(desk, event, object);
  const headers = deliveryHeaders(await testKey(desk.machine), { url: to, body, nonce: desk.newId() });
  const post = await createPoster(desk.clock);
  return post({ url: to, method: 'POST', headers, body, timeoutMs: ANSWER_MS, signal: desk.signal });
}

/** `Signed with the test key; the handler answered 200 in 12 ms.` */
export const sampleWords = (answered: PostAnswer): string =>
  'error' in answered
    ? `Nobody answered there: ${answered.error}.`
    : `Signed with the test key; the handler answered ${answered.status} in ${answered.ms} ms.`;
