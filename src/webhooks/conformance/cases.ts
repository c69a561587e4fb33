/**
 * The cases that a handler must cope with. `must` is what the service's description asks for or what follows from it;
 * `advice` is ours, where the description demands nothing: such a case never fails.
 */

import type { Kit } from './kit.ts';
import type { PostAnswer } from './post.ts';

export interface ConformanceCase {
  id: string;
  kind: 'must' | 'advice';
  /** The demand that the case makes on the handler. */
  asks: string;
  /** Tells which rule asks for it. */
  source: string;
  run(kit: Kit): Promise<Observation>;
}

const DELIVERY = 'service description, Delivery 3';
const VERIFYING = 'service description, Authentication 4';
const ORDER = 'webhooks: neither order nor exactly-once is promised';
const TOLERANCE = 'service description, Events: the list grows';
const HTTP = 'HTTP: header names have no case';
const NO_TIME = 'the scheme has no timestamp: a copy of a delivery verifies for ever';

const stranger = { key: 'key_of_a_stranger', secret: 'a-secret-that-nobody-configured' };

const must = (id: string, asks: string, source: string, run: ConformanceCase['run']): ConformanceCase => ({
  id,
  kind: 'must',
  asks,
  source,
  run,
});
const advice = (id: string, asks: string, source: string, run: ConformanceCase['run']): ConformanceCase => ({
  ...must(id, asks, source, run),
  kind: 'advice',
});

export const conformanceCases: readonly ConformanceCase[] = [
  must('valid', 'a delivery that is right is answered with 2xx, in time', DELIVERY, async (kit) =>
    taken(await kit.send(kit.body())),
  ),
  must('unsigned', 'one without the three headers is refused (401)', VERIFYING, async (kit) =>
    wasRefused(await kit.send(kit.body(), { signature: 'none' })),
  ),
  must('bad-signature', 'one whose signature is wrong is refused (401)', VERIFYING, async (kit) =>
    wasRefused(await kit.send(kit.body(), { signature: 'wrong' })),
  ),
  must(
    'altered-body',
    'one whose body was changed after it was signed is refused (401)',
    VERIFYING,
    async (kit) => {
      const body = kit.body();
      return wasRefused(await kit.send(body, { sentBody: body.replace('{', '{ ') }));
    },
  ),
  must('other-key', 'one signed with another key and its secret is refused (401)', VERIFYING, async (kit) =>
    wasRefused(await kit.send(kit.body(), { signedBy: stranger })),
  ),
  must(
    'not-json',
    'one that is wrongly signed and no JSON is refused (401), not parsed first',
    VERIFYING,
    async (kit) => wasRefused(await kit.send(kit.body(), { sentBody: '{"webhook": [' })),
  ),
  must(
    'raw-bytes',
    'the signature is checked on the bytes as they came, however the JSON is written',
    VERIFYING,
    async (kit) => taken(await kit.send(oddlyWritten(kit.body()))),
  ),
  must('header-case', 'header names in lower and in upper case are read alike', HTTP, async (kit) =>
    takenEach([
      await kit.send(kit.body(), { headerCase: 'lower' }),
      await kit.send(kit.body(), { headerCase: 'upper' }),
    ]),
  ),
  must(
    'duplicate',
    'the same event once more, under a new nonce, is answered with 2xx',
    ORDER,
    async (kit) => {
      const body = kit.body();
      return takenEach([await kit.send(body), await kit.send(body)]);
    },
  ),
  must(
    'repeat-after-failure',
    'what was refused at first is taken when it comes again, rightly signed',
    DELIVERY,
    async (kit) => {
      const body = kit.body();
      await kit.send(body, { signature: 'wrong' });
      return taken(await kit.send(body));
    },
  ),
  must('out-of-order', 'paid_out that comes before pending is taken, and so is pending', ORDER, outOfOrder),
  must('unknown-event', 'an event that it does not know is answered with 2xx', TOLERANCE, async (kit) =>
    taken(await kit.send(kit.body('transaction.something_new'))),
  ),
  must('unknown-members', 'members that it does not know are ignored', TOLERANCE, async (kit) =>
    taken(
      await kit.send(kit.body(kit.event, (object) => ({ ...object, a_new_member: { deep: [1, null] } }))),
    ),
  ),
  must('slow', 'a body that arrives slowly is waited for, and answered within 10 s', DELIVERY, async (kit) =>
    taken(await kit.send(kit.body(), { slowly: true })),
  ),
  advice(
    'huge',
    'a body of nearly 1 MB is taken',
    'metadata is free, so that objects may be large',
    async (kit) => taken(await kit.send(kit.body(kit.event, large))),
  ),
  advice(
    'replayed-nonce',
    'the same request again is recognised by its nonce, and ignored',
    NO_TIME,
    replayed,
  ),
  advice(
    'get',
    'GET is refused (405): the service sends POST alone',
    'service description, Delivery 1',
    async (kit) => wasRefused(await kit.send(kit.body(), { method: 'GET' })),
  ),
];

/** Only where the handler can be asked what it did: an answer looks the same whether a copy was acted on or dropped. */
export const ACTS_ONCE = must(
  'acts-once',
  'a delivery, its copy and the same event under a new nonce are acted on once (with --counter)',
  ORDER,
  actsOnce,
);

async function actsOnce(kit: Kit): Promise<Observation> {
  const before = await kit.counted?.();
  const body = kit.body();
  const nonce = kit.nonce();
  const first = taken(await kit.send(body, { nonce }));
  if (!first.ok) return first;
  await kit.send(body, { nonce });
  await kit.send(body);
  const after = await kit.counted?.();
  if (before === undefined || after === undefined)
    return { ok: false, saw: 'the counter answered no number' };
  const acted = after - before;
  return {
    ok: acted === 1,
    saw: acted === 1 ? 'acted on once' : `sent three times, acted on ${acted} times`,
  };
}

/** Other white space, an escape that is not needed and a number with a nought at its end: the same value, other bytes. */
function oddlyWritten(body: string): string {
  return body
    .replace('{"webhook":', '{ "sample_amount":12.50,\n  "webhook" : ')
    .replace('"event":"', '"note":"caf\\u00e9 \\/ naïve", "event":"')
    .concat('\n');
}

/** Two events about one object, the later one first. */
export const TOLD_LATE = ['recipient.paid_out', 'recipient.pending'] as const;

async function outOfOrder(kit: Kit): Promise<Observation> {
  const id = kit.id();
  const about = (event: string): string => kit.body(event, (object) => ({ ...object, id }));
  const [later, earlier] = TOLD_LATE;
  return takenEach([await kit.send(about(later)), await kit.send(about(earlier))]);
}

const NEARLY = 950_000;
const large = (object: Record<string, unknown>): Record<string, unknown> => ({
  ...object,
  metadata: { filler: 'x'.repeat(NEARLY) },
});

async function replayed(kit: Kit): Promise<Observation> {
  const body = kit.body();
  const nonce = kit.nonce();
  const [first, second] = [await kit.send(body, { nonce }), await kit.send(body, { nonce })];
  const once = taken(first);
  if (!once.ok) return once;
  const again = wasRefused(second);
  if (again.ok) return { ok: true, saw: `${once.saw}, then ${again.saw}` };
  return {
    ok: false,
    saw: `${once.saw}, then ${again.saw}: taken or dropped looks alike from here; make sure that it is dropped`,
  };
}

/** An observation of a case, and whether it is what was asked for. */
export interface Observation {
  ok: boolean;
  saw: string;
}

/** Any 2xx. */
export function taken(answered: PostAnswer): Observation {
  return { ok: isTaken(answered), saw: sawOf(answered) };
}

function takenEach(answers: readonly PostAnswer[]): Observation {
  return { ok: answers.every(isTaken), saw: answers.map(sawOf).join(', then ') };
}

/** A 4xx. What breaks instead (5xx) has looked into something that it must not trust yet. */
export function wasRefused(answered: PostAnswer): Observation {
  return {
    ok: 'status' in answered && answered.status >= 400 && answered.status < 500,
    saw: sawOf(answered),
  };
}

const isTaken = (answered: PostAnswer): boolean =>
  'status' in answered && answered.status >= 200 && answered.status < 300;

function sawOf(answered: PostAnswer): string {
  if ('error' in answered) return answered.error;
  const redirect = answered.status >= 300 && answered.status < 400;
  return redirect ? `${answered.status}, and no redirect is followed` : String(answered.status);
}
