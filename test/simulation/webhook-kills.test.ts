/**
 * A real listener, killed with SIGKILL at any instant while 64 senders send to it, and started again on the same inbox
 * and URL. The senders try again as the service does: each try under a new nonce; some as a proxy does, the same one again.
 * What was answered 200 is in the inbox and is handed on; what is recorded as handed on when it dies never is again.
 */
import { expect, test } from 'vitest';
import { type Random, seededRandom } from '../../src/core/random.ts';
import type { KeptDelivery } from '../../src/webhooks/store/port.ts';
import { everything, type Fire, freePort, inboxIn, readInbox, startFire } from '../support/fire-listener.ts';
import { createSender, freshNonce, type Sender } from '../support/fire-sender.ts';
import { Heard, startHandler } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? (isLong ? 50 : 1));
const SEED = process.env.REMIT_SEED ?? String(process.hrtime.bigint() % 1_000_000n);
const LANES = 64;
/** At the least, or a kill does not count. */
const IN_FLIGHT = 10;
const OF_AN_OBJECT = 25;
const LONGEST_LIFE_MS = 400;

interface HandedOn {
  id: string;
  body: string;
  /** Of the listener that did it. */
  life: number;
}

/** What senders and killer share. */
interface War {
  sender: Sender;
  random: Random;
  isOver: boolean;
  /** Resolves while a listener is there. */
  up: Promise<void>;
  inFlight: number;
  acknowledged: Set<string>;
  /** A mark for each, to wait for. */
  answers: Heard<true>;
  tries: { taken: number; unanswered: number; other: number };
}

const bodyOf = (lane: number, n: number): string => {
  const id = `o-${lane}-${Math.floor(n / OF_AN_OBJECT)}`;
  const object = { id, n, note: 'ü'.repeat(400) };
  return JSON.stringify({ webhook: 'w-1', event: 'recipient.error', object });
};
const partsOf = (body: string): { id: string; n: number } => JSON.parse(body).object;

/** The next one of an object is sent when the one before was acknowledged: so their order is known. */
async function runLane(war: War, lane: number): Promise<void> {
  for (let n = 0; !war.isOver; n++) await untilAcknowledged(war, bodyOf(lane, n));
}

async function untilAcknowledged(war: War, body: string): Promise<void> {
  for (let nonce = freshNonce(); ; nonce = war.random.next() < 0.3 ? nonce : freshNonce()) {
    await war.up;
    war.inFlight += 1;
    const status = await war.sender.send(body, nonce);
    war.inFlight -= 1;
    war.tries[status === 200 ? 'taken' : status === 0 ? 'unanswered' : 'other'] += 1;
    if (status !== 200) continue;
    war.acknowledged.add(body);
    war.answers.add(true);
    return;
  }
}

async function recorded(path: string): Promise<string[]> {
  const filter = { state: 'handed_on' } as const;
  return readInbox(path, async (inbox) => (await inbox.list(filter, { limit: 1e6 })).map(({ id }) => id));
}

/** Ids that were handed on although a life before had recorded that they were. */
function handedOnAgain(handed: readonly HandedOn[], recordedIn: ReadonlyMap<string, number>): string[] {
  return handed.filter(({ id, life }) => life > (recordedIn.get(id) ?? life)).map(({ id }) => id);
}

/** First hand-overs that came before one that was sent, or kept, earlier. */
function outOfOrder(handed: readonly HandedOn[]): string[] {
  const found: string[] = [];
  const last = new Map<string, { n: number; deliveryId: string }>();
  const seen = new Set<string>();
  for (const { id: deliveryId, body } of handed) {
    if (seen.has(deliveryId)) continue;
    seen.add(deliveryId);
    const { id, n } = partsOf(body);
    const before = last.get(id);
    if (before && (before.n > n || before.deliveryId > deliveryId))
      found.push(`${id}: ${n} after ${before.n}`);
    last.set(id, { n, deliveryId });
  }
  return found;
}

interface Battle {
  dir: string;
  /** What was handed on by the life with this number, as it comes. */
  handed: Heard<HandedOn>;
  start: (life: number) => Promise<Fire>;
  url: string;
}

async function fight({ dir, handed, start, url }: Battle) {
  const random = seededRandom(`${SEED} ${url}`);
  const tries = { taken: 0, unanswered: 0, other: 0 };
  let open = (): void => {};
  const gate = (): Promise<void> => new Promise((resolve) => (open = resolve));
  const war: War = {
    sender: createSender(url),
    random,
    isOver: false,
    up: gate(),
    inFlight: 0,
    acknowledged: new Set(),
    answers: new Heard(),
    tries,
  };
  const lanes = Array.from({ length: LANES }, (_, lane) => runLane(war, lane));
  const recordedIn = new Map<string, number>();
  let fewestInFlight = LANES;
  let kills = 0;
  let life = 0;
  /* On a machine that is busy a life does little: it goes on until the kills met enough. */
  const metEnough = (): boolean =>
    kills >= KILLS && war.acknowledged.size > KILLS * 10 && recordedIn.size > KILLS * 10;
  for (; !metEnough(); life++) {
    const fire = await start(life);
    open();
    if (life % 5 > 0) await war.answers.count(war.answers.all.length + 1);
    await new Promise<void>((resolve) => {
      setTimeout(() => {
        war.up = gate();
        fire.process.kill('SIGKILL');
        resolve();
      }, random.next() * LONGEST_LIFE_MS);
    });
    const before = tries.unanswered;
    expect((await fire.ended).signal).toBe('SIGKILL');
    await quiet(war);
    const inFlight = tries.unanswered - before;
    /* Right after a commit most answers are out: such a kill is looked at as the others are, and does not count as one. */
    if (inFlight >= IN_FLIGHT) {
      kills += 1;
      fewestInFlight = Math.min(fewestInFlight, inFlight);
    }
    const there = new Set((await everything(inboxIn(dir))).map(({ body }) => Buffer.from(body).toString()));
    const missing = [...war.acknowledged].filter((body) => !there.has(body));
    expect(missing, `acknowledged and lost by kill ${life}, seed ${SEED}`).toEqual([]);
    const ids = await recorded(inboxIn(dir));
    const seen = new Set(handed.all.map(({ id }) => id));
    expect(
      ids.filter((id) => !seen.has(id)),
      `recorded, never handed on, kill ${life}, seed ${SEED}`,
    ).toEqual([]);
    for (const id of ids) if (!recordedIn.has(id)) recordedIn.set(id, life);
  }
  const last = await start(life);
  war.isOver = true;
  open();
  await Promise.all(lanes);
  await allHandedOn(handed, await everything(inboxIn(dir)));
  expect((await last.stop()).code).toBe(0);
  war.sender.close();
  const kept = await everything(inboxIn(dir));
  const bodies = new Set(handed.all.map(({ body }) => body));
  expect(
    [...war.acknowledged].filter((body) => !bodies.has(body)),
    `acknowledged and not handed on, seed ${SEED}`,
  ).toEqual([]);
  expect(handedOnAgain(handed.all, recordedIn), `seed ${SEED}`).toEqual([]);
  expect(outOfOrder(handed.all), `seed ${SEED}`).toEqual([]);
  expect(kept.filter(({ state }) => state !== 'handed_on')).toEqual([]);
  return {
    seed: SEED,
    kills,
    'kills with fewer in flight': life - kills,
    'fewest in flight': fewestInFlight,
    acknowledged: war.acknowledged.size,
    tries,
    kept: kept.length,
    'of them repeats': kept.filter(({ repeat }) => repeat).length,
    'recorded before a kill': recordedIn.size,
    'handed on': handed.all.length,
    'handed on twice, unrecorded': handed.all.length - new Set(handed.all.map(({ id }) => id)).size,
  };
}

async function allHandedOn(handed: Heard<HandedOn>, kept: readonly KeptDelivery[]): Promise<void> {
  const left = new Set(kept.map(({ id }) => id));
  let looked = 0;
  await handed.until((all) => {
    for (; looked < all.length; looked++) left.delete(all[looked]?.id ?? '');
    return left.size === 0;
  });
}

/** Every try that was under way has ended. */
async function quiet(war: War): Promise<void> {
  while (war.inFlight > 0) await new Promise((resolve) => setImmediate(resolve));
}

function expectEnough(count: Awaited<ReturnType<typeof fight>>, name: string): void {
  process.stdout.write(`listener kills, ${name}: ${JSON.stringify(count)}\n`);
  expect(count.kills).toBeGreaterThanOrEqual(KILLS);
  expect(count['fewest in flight']).toBeGreaterThanOrEqual(IN_FLIGHT);
  expect(count.acknowledged).toBeGreaterThan(KILLS * 10);
  expect(count['recorded before a kill']).toBeGreaterThan(KILLS * 10);
}

test(`${KILLS} kills of a listener that prints, seed ${SEED}`, {
  timeout: 300_000 + KILLS * 60_000,
}, async () => {
  const dir = temporaryFolder();
  const port = await freePort();
  const handed = new Heard<HandedOn>();
  const start = (life: number): Promise<Fire> =>
    startFire({
      dir,
      port,
      onLine({ kind, data }) {
        if (kind !== 'event' || data.duplicate) return;
        const body = Buffer.from(String(data.body_b64), 'base64').toString();
        handed.add({ id: String(data.id), body, life });
      },
    });
  expectEnough(await fight({ dir, handed, start, url: `http://127.0.0.1:${port}/hooks` }), 'printing');
});

test(`${KILLS} kills of a listener before a handler, seed ${SEED}`, {
  timeout: 300_000 + KILLS * 60_000,
}, async () => {
  const dir = temporaryFolder();
  const port = await freePort();
  const handler = await startHandler();
  const handed = new Heard<HandedOn>();
  let now = 0;
  handler.answers.status = ({ headers, body }) => {
    handed.add({ id: String(headers['remit-delivery-id']), body, life: now });
    return 204;
  };
  const start = (life: number): Promise<Fire> => {
    now = life;
    return startFire({ dir, port, args: ['--forward-to', handler.to] });
  };
  expectEnough(
    await fight({ dir, handed, start, url: `http://127.0.0.1:${port}/hooks` }),
    'before a handler',
  );
  await handler.close();
});
