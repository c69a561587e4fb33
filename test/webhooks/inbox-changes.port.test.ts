/** What a page is told of an inbox as it fills, in each engine: all that came, each once, whatever does not verify in between. */
import fc from 'fast-check';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../src/core/random.ts';
import { InboxChanges } from '../../src/webhooks/changes.ts';
import type { IncomingRequest } from '../../src/webhooks/intake/receive.ts';
import { createRefusals } from '../../src/webhooks/intake/refusals.ts';
import type { ShownReceived } from '../../src/webhooks/shown.ts';
import type { Inbox } from '../../src/webhooks/store/port.ts';
import { keepIn, postgresMaker, received, receivedMany, sqliteMakers } from '../support/inboxes.ts';
import { generated } from '../support/long.ts';
import { TEST_MS } from '../support/patience.ts';
import { standingClock } from '../support/stores.ts';

const postgres = postgresMaker();
afterAll(() => postgres.stop());

const MOST = 20_000;

const REFUSED: IncomingRequest = {
  rawBody: Buffer.from('{}'),
  headers: {},
  url: 'https://partner.example/hooks',
  target: '/hooks',
  from: '203.0.113.9',
  rawHeaders: () => [],
};

/** An inbox that fills, a listener that refuses, and a page that hears; they share a clock that goes on by itself. */
class Watched {
  readonly #inbox: Inbox;
  readonly #clock = standingClock();
  readonly #refusals;
  readonly #kept = new Set<string>();
  readonly page = new Map<string, ShownReceived>();
  #changes: InboxChanges;

  constructor(inbox: Inbox, random: Random) {
    this.#inbox = inbox;
    this.#changes = new InboxChanges(inbox, { after: '', most: MOST });
    this.#refusals = createRefusals({
      inbox,
      clock: this.#clock,
      random,
      examine: () => ({ cause: 'secret', message: 'signed with another secret', hint: '' }),
      onRefused: () => {},
      onError: (error) => expect.fail(String(error)),
    });
  }

  /** Some verify. @param lateMs another process kept them, a little after it received them */
  async keep(count: number, lateMs = 0): Promise<void> {
    const given = Array.from({ length: count }, () => {
      this.#clock.advance(3);
      return received({ receivedAt: this.#clock.now() - lateMs });
    });
    for (const { id } of await keepIn(this.#inbox, given, { handOn: false })) this.#kept.add(id);
  }

  async refuse(count: number): Promise<void> {
    for (let i = 0; i < count; i += 1) {
      // Of one second only five are kept.
      this.#clock.advance(250);
      this.#refusals.add(REFUSED, this.#clock.now());
    }
    if (count > 0) await expect.poll(() => this.#lastRefused(), { interval: 2 }).toBe(this.#clock.now());
  }

  async #lastRefused(): Promise<number | undefined> {
    return (await this.#inbox.refusals(1))[0]?.receivedAt;
  }

  async look(): Promise<ShownReceived[]> {
    const told = await this.#changes.next();
    for (const row of told) this.page.set(row.id, row);
    return told;
  }

  /** The connection broke off. */
  again(): void {
    this.#changes = new InboxChanges(this.#inbox, { after: this.#changes.last, most: MOST });
  }

  async missing(): Promise<string[]> {
    const refused = (await this.#inbox.refusals(1_000)).map(({ id }) => id);
    return [...this.#kept, ...refused].filter((id) => !this.page.has(id));
  }
}

describe.each([...sqliteMakers, postgres])('an inbox that fills, $name', (maker) => {
  const handles: Inbox[] = [];
  const open = async (random: Random = seededRandom(1)): Promise<Watched> => {
    const inbox = await (await maker.place()).open();
    handles.push(inbox);
    return new Watched(inbox, random);
  };
  const close = async (): Promise<void> => {
    for (const inbox of handles.splice(0)) await inbox.close();
  };
  afterEach(close);

  it('is told newest first, whether a delivery verifies or not', async () => {
    const watched = await open();
    for (let i = 0; i < 8; i += 1) {
      await watched.keep(2);
      await watched.refuse(1);
    }
    const told = await watched.look();
    const times = told.map(({ received_at }) => received_at);
    expect(times).toEqual([...times].sort().reverse());
    expect(told.filter(({ state }) => state === 'invalid')).toHaveLength(8);
  });

  it.each([0, 1 - 2 ** -32])(
    'tells what does not verify, whatever id it was given: drawn from %d',
    async (drawn) => {
      const watched = await open({ next: () => drawn });
      await watched.keep(3);
      await watched.look();
      await watched.refuse(1);
      expect(await watched.look()).toMatchObject([{ state: 'invalid' }]);
      await watched.keep(1);
      expect(await watched.look()).toMatchObject([{ state: 'kept' }]);
    },
  );

  it('tells what verifies after any number that did not', async () => {
    const watched = await open();
    for (let i = 0; i < 9; i += 1) {
      await watched.refuse(50);
      expect(await watched.look()).toHaveLength(50);
    }
    await watched.keep(1);
    expect(await watched.look()).toMatchObject([{ state: 'kept' }]);
  });

  it('tells each try of one of the newest 400', async () => {
    const inbox = await (await maker.place()).open();
    handles.push(inbox);
    await keepIn(inbox, receivedMany(390), { handOn: true });
    const changes = new InboxChanges(inbox, { after: '', most: MOST });
    expect(await changes.next()).toHaveLength(390);
    // The one that waits longest is the oldest.
    const [oldest] = (await inbox.claim({ owner: 'a', limit: 1, leaseMs: 60_000 })).deliveries;
    await inbox.record('a', [{ id: oldest?.id ?? '', outcome: 'again', answer: '500', delayMs: 0 }]);
    expect(await changes.next()).toMatchObject([{ id: oldest?.id, state: 'waiting', attempts: 1 }]);
    expect(await changes.next()).toEqual([]);
  });

  it('tells after a break all that came in it, also behind one that did not verify', async () => {
    const watched = await open();
    await watched.keep(450);
    await watched.refuse(1);
    await watched.look();
    await watched.keep(900);
    watched.again();
    await watched.look();
    expect(await watched.missing()).toEqual([]);
  });

  it('tells all, and each once, in any order of these', { timeout: TEST_MS }, async () => {
    const count = fc.oneof(fc.integer({ min: 1, max: 5 }), fc.constantFrom(120, 460));
    const step = fc.oneof(
      { weight: 3, arbitrary: fc.record({ do: fc.constant('keep' as const), count }) },
      { weight: 1, arbitrary: fc.record({ do: fc.constant('late' as const), count: fc.constant(3) }) },
      { weight: 2, arbitrary: fc.record({ do: fc.constant('refuse' as const), count: fc.nat(6) }) },
      { weight: 4, arbitrary: fc.constant({ do: 'look' as const, count: 0 }) },
      { weight: 1, arbitrary: fc.constant({ do: 'again' as const, count: 0 }) },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 14 }), fc.nat(), async (steps, seed) => {
        const watched = await open(seededRandom(seed));
        let told = new Set<string>();
        const look = async (): Promise<void> => {
          for (const { id } of await watched.look()) {
            expect(told.has(id), 'told twice').toBe(false);
            told.add(id);
          }
        };
        for (const { do: what, count: many } of steps) {
          if (what === 'keep') await watched.keep(many);
          if (what === 'late') await watched.keep(many, 50);
          if (what === 'refuse') await watched.refuse(many);
          if (what === 'look') await look();
          if (what === 'again') {
            watched.again();
            told = new Set();
          }
        }
        await look();
        expect(await watched.missing()).toEqual([]);
        await look();
        await close();
      }),
      { numRuns: generated(60) },
    );
  });
});
