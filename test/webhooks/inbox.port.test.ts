import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { HandOverRecord, Inbox, KeptDelivery, ReceivedDelivery } from '../../src/webhooks/store/port.ts';
import {
  type InboxPlace,
  keepIn,
  postgresMaker,
  received,
  receivedMany,
  sqliteMakers,
} from '../support/inboxes.ts';

const postgres = postgresMaker();
const makers = [...sqliteMakers, postgres];
afterAll(() => postgres.stop());

describe.each(makers)('the inbox $name', (maker) => {
  let place: InboxPlace;
  let inbox: Inbox;
  let handles: Inbox[];
  const open = async (account?: string): Promise<Inbox> => {
    const opened = await place.open(account);
    handles.push(opened);
    return opened;
  };
  beforeEach(async () => {
    handles = [];
    place = await maker.place();
    inbox = await open();
  });
  afterEach(async () => {
    for (const handle of handles) await handle.close();
  });

  const keep = async (...deliveries: ReceivedDelivery[]): Promise<string[]> =>
    (await keepIn(inbox, deliveries, { handOn: true })).map(({ id }) => id);
  const claim = (owner = 'a', limit = 10, leaseMs = 60_000, from = inbox) =>
    from.claim({ owner, limit, leaseMs });
  const claimedIds = async (...given: Parameters<typeof claim>) =>
    (await claim(...given)).deliveries.map(({ id }) => id);
  const record = (
    id: string,
    outcome: HandOverRecord['outcome'],
    more: Partial<HandOverRecord> = {},
    owner = 'a',
  ) => inbox.record(owner, [{ id, outcome, answer: '200', ...more }]);
  const all = async (filter: Parameters<Inbox['list']>[0] = {}, limit = 1000) =>
    (await inbox.list(filter, { limit })).map(({ id }) => id);
  const got = async (id: string): Promise<KeptDelivery> => {
    const delivery = await inbox.get(id);
    if (!delivery) throw new Error(`${id} is gone`);
    return delivery;
  };

  describe('keeping', () => {
    it('keeps a delivery as it came, byte for byte', async () => {
      const given = received({ transactionId: 't-1', recovered: true, late: true });
      const [keeping] = await keepIn(inbox, [given], { handOn: false });
      expect(keeping).toEqual({ outcome: 'new', id: expect.any(String), repeat: false });
      const { body, ...kept } = await got(keeping?.id ?? '');
      const { body: sent, ...rest } = given;
      expect([...body]).toEqual([...sent]);
      expect(kept).toEqual({
        ...rest,
        id: keeping?.id,
        state: 'kept',
        repeat: false,
        attempts: 0,
        answer: null,
        changedAt: expect.any(Number),
      });
      expect(Math.abs(kept.changedAt - place.clock.now())).toBeLessThan(60_000);
    });

    it('gives ids that grow, and finds them by their beginning', async () => {
      const ids = await keep(...receivedMany(50));
      expect([...ids].sort()).toEqual(ids);
      expect(new Set(ids).size).toBe(50);
      const [first = ''] = ids;
      expect(await inbox.startingWith(first, 10)).toEqual([first]);
      expect(await inbox.startingWith(first.slice(0, 11).toUpperCase(), 3)).toHaveLength(3);
      expect(await inbox.startingWith('', 1000)).toEqual(ids);
      for (const id of ids) expect(await inbox.endingWith(id.slice(-8), 5)).toEqual([id]);
      expect(await inbox.endingWith(first.slice(-8).toUpperCase(), 5)).toEqual([first]);
      for (const wrong of ['%', 'zz', first, first.slice(-7), ''])
        expect(await inbox.endingWith(wrong, 5)).toEqual([]);
      for (const wrong of ['%', 'zz', `${first}0`, `${first.slice(0, 3)}-`]) {
        expect(await inbox.startingWith(wrong, 10)).toEqual([]);
      }
      for (const wrong of ['', 'no such id', first.slice(0, 8), `${first}0`]) {
        expect(await inbox.get(wrong)).toBeUndefined();
      }
    });

    it('takes an empty batch, an empty body, and a large one', async () => {
      expect(await keepIn(inbox, [], { handOn: true })).toEqual([]);
      const large = new Uint8Array(1_000_000).map((_, i) => i & 0xff);
      const ids = await keep(received({ body: new Uint8Array(0) }), received({ body: large }));
      const [empty, big] = await Promise.all(ids.map(got));
      expect(empty?.body).toHaveLength(0);
      expect(Buffer.compare(big?.body ?? large.subarray(1), large)).toBe(0);
    });

    it('keeps a NUL within a text as U+FFFD', async () => {
      const [id = ''] = await keep(
        received({ objectId: 'a\u0000b', webhook: '\u0000', transactionId: '\u0000' }),
      );
      const plain = { objectId: 'a\ufffdb', webhook: '\ufffd', transactionId: '\ufffd' };
      expect((await claim()).deliveries).toMatchObject([{ id, ...plain }]);
      await record(id, 'handed_on');
      expect((await got(id)).state).toBe('handed_on');
      expect(await inbox.webhooks()).toEqual(['\ufffd']);
    });

    it('takes any text that a wire can carry', async () => {
      const odd = {
        event: "x'; --\u2028\u{1f9fe}",
        objectId: '{"a":\\}, NULL',
        url: 'http://a/?b="c,d"&\\',
      };
      const [id = ''] = await keep(received({ ...odd, headers: [['A,"b"', "\\N {} 'ÿ"]] }));
      expect(await got(id)).toMatchObject({ ...odd, headers: [['A,"b"', "\\N {} 'ÿ"]] });
      expect(await claimedIds()).toEqual([id]);
    });

    it('names the earlier one when the same comes again, in one batch or later', async () => {
      const one = received();
      const [first, second] = await keepIn(inbox, [one, one], { handOn: true });
      expect(second).toEqual({ outcome: 'duplicate', id: first?.id, repeat: false });
      expect(await keepIn(inbox, [one], { handOn: false })).toEqual([second]);
      expect(await all()).toEqual([first?.id]);
      expect((await got(first?.id ?? '')).state).toBe('waiting');
    });

    it('marks the same event under another nonce as a repeat, and keeps it', async () => {
      const one = received();
      const again = { ...one, deliveryPrint: received().deliveryPrint };
      const third = { ...one, deliveryPrint: received().deliveryPrint };
      const [first, second] = await keepIn(inbox, [one, again], { handOn: true });
      expect([first?.repeat, second?.repeat]).toEqual([false, true]);
      expect(second?.outcome).toBe('new');
      expect((await keepIn(inbox, [third], { handOn: true }))[0]).toMatchObject({
        outcome: 'new',
        repeat: true,
      });
      expect((await got(second?.id ?? '')).repeat).toBe(true);
    });

    it('knows which events are here', async () => {
      const [one, two, three] = [received(), received(), received()];
      await keep(one, two);
      const known = await inbox.known([one, three, two].map(({ eventPrint }) => eventPrint));
      expect(known).toEqual(new Set([one.eventPrint, two.eventPrint]));
      expect(await inbox.known([])).toEqual(new Set());
      expect(await inbox.known([one.deliveryPrint])).toEqual(new Set());
    });

    it('knows the definitions that something came from', async () => {
      expect(await inbox.webhooks()).toEqual([]);
      await keep(received({ webhook: 'w-2' }), received({ webhook: 'w-1' }));
      await keep(received({ webhook: 'w-2' }));
      expect(await inbox.webhooks()).toEqual(['w-1', 'w-2']);
    });
  });

  describe('handing on', () => {
    it('gives the earliest of each object, in the order they were received, to one owner at a time', async () => {
      const [a1, b1, a2, c1] = await keep(
        received({ objectId: 'a' }),
        received({ objectId: 'b' }),
        received({ objectId: 'a' }),
        received({ objectId: 'c' }),
      );
      expect(await claimedIds('a', 2)).toEqual([a1, b1]);
      expect(await claimedIds('b')).toEqual([c1]);
      expect(await claimedIds('a')).toEqual([]);
      await record(a1 ?? '', 'handed_on');
      expect(await claimedIds('b')).toEqual([a2]);
    });

    it('gives everything about it', async () => {
      const given = received({ transactionId: 't-9' });
      await keep(given);
      const [claimed] = (await claim()).deliveries;
      expect(claimed).toMatchObject({ objectId: given.objectId, transactionId: 't-9', url: given.url });
      expect(claimed?.headers).toEqual(given.headers);
      expect([...(claimed?.body ?? [])]).toEqual([...given.body]);
      expect(claimed).toMatchObject({ state: 'waiting', attempts: 0, late: false });
    });

    it('leaves alone what nobody asked to hand on', async () => {
      await keepIn(inbox, [received()], { handOn: false });
      expect(await claim()).toEqual({ deliveries: [], nextInMs: null });
      expect(await inbox.backlog()).toEqual({ waiting: 0, deadLetters: 0 });
      expect(await inbox.waitsSince()).toBeNull();
    });

    it('records what became of it', async () => {
      const ids = await keep(received(), received(), received(), received());
      const [on = '', again = '', dead = '', untried = ''] = await claimedIds();
      expect([on, again, dead, untried]).toEqual(ids);
      await inbox.record('a', [
        { id: on, outcome: 'handed_on', answer: '204' },
        { id: again, outcome: 'again', answer: 'no answer', delayMs: 500 },
        { id: dead, outcome: 'dead_letter', answer: '410' },
        { id: untried, outcome: 'not_tried', answer: null },
      ]);
      const rows = await Promise.all(ids.map(got));
      expect(rows.map(({ state, attempts, answer }) => [state, attempts, answer])).toEqual([
        ['handed_on', 1, '204'],
        ['waiting', 1, 'no answer'],
        ['dead_letter', 1, '410'],
        ['waiting', 0, null],
      ]);
      expect(await inbox.backlog()).toEqual({ waiting: 2, deadLetters: 1 });
      expect(await inbox.waitsSince()).toBe(rows[1]?.receivedAt);
      expect(await claimedIds()).toEqual([untried]);
    });

    it('never gives again what was handed on', async () => {
      const [id = ''] = await keep(received());
      await claim();
      await record(id, 'handed_on');
      await place.advance(1_000_000);
      expect(await claim('b')).toEqual({ deliveries: [], nextInMs: null });
    });

    it('lets everything of an object wait after a failure, and nothing else', async () => {
      const [a1 = '', , b1 = ''] = await keep(
        received({ objectId: 'a' }),
        received({ objectId: 'a' }),
        received({ objectId: 'b' }),
      );
      await claim('a', 1);
      await record(a1, 'again', { delayMs: 60_000 });
      const first = await claim('a');
      expect(first.deliveries.map(({ id }) => id)).toEqual([b1]);
      await record(b1, 'handed_on');
      const { nextInMs, deliveries } = await claim('a');
      expect(deliveries).toEqual([]);
      expect(nextInMs).toBeGreaterThan(50_000);
      expect(nextInMs).toBeLessThanOrEqual(60_000);
      await place.advance(60_000);
      expect(await claimedIds('a')).toEqual([a1]);
      expect((await got(a1)).attempts).toBe(1);
    });

    it('goes on with the object after a dead letter', async () => {
      const [a1 = '', a2] = await keep(received({ objectId: 'a' }), received({ objectId: 'a' }));
      await claim();
      await record(a1, 'dead_letter');
      expect(await claimedIds()).toEqual([a2]);
    });

    it('says 0 when more is due than was asked for', async () => {
      await keep(received(), received());
      expect((await claim('a', 1)).nextInMs).toBe(0);
    });

    it('takes a lease away when it is over, and then does not believe the one who had it', async () => {
      const [id = ''] = await keep(received());
      expect((await claim('a', 1, 5000)).nextInMs).toBeGreaterThan(0);
      expect(await claimedIds('b')).toEqual([]);
      await place.advance(5000);
      expect(await claimedIds('b')).toEqual([id]);
      await record(id, 'dead_letter', {}, 'a');
      expect((await got(id)).state).toBe('waiting');
      await record(id, 'handed_on', {}, 'b');
      expect((await got(id)).state).toBe('handed_on');
      await record(id, 'again', {}, 'b');
      expect(await got(id)).toMatchObject({ state: 'handed_on', attempts: 1 });
    });

    it('believes an owner who is late, as long as nobody else took it', async () => {
      const [id = ''] = await keep(received());
      await claim('a', 1, 1000);
      await place.advance(5000);
      await record(id, 'handed_on');
      expect(await claimedIds('b')).toEqual([]);
    });

    it('leaves as it is what is recorded without a claim, or is not here', async () => {
      const [id = ''] = await keep(received());
      await record(id, 'handed_on');
      await record('no such id', 'handed_on');
      await inbox.record('a', []);
      expect(await got(id)).toMatchObject({ state: 'waiting', attempts: 0 });
      expect(await claimedIds()).toEqual([id]);
    });

    it('keeps the order for what comes while an object is claimed', async () => {
      const [a1 = ''] = await keep(received({ objectId: 'a' }));
      await claim();
      const [a2] = await keep(received({ objectId: 'a' }));
      expect(await claimedIds('b')).toEqual([]);
      await record(a1, 'not_tried');
      expect(await claimedIds('b')).toEqual([a1]);
      await record(a1, 'handed_on', {}, 'b');
      expect(await claimedIds('b')).toEqual([a2]);
    });
  });

  describe('asking for it once more', () => {
    it('lets it wait whatever its state, with attempts that begin anew', async () => {
      const [on = '', dead = ''] = await keep(received(), received());
      await claim();
      await record(on, 'handed_on');
      await record(dead, 'dead_letter');
      const kept = (await keepIn(inbox, [received()], { handOn: false }))[0]?.id ?? '';
      expect(await inbox.requeue([on, dead, kept, 'no such id'])).toBe(3);
      expect(await inbox.backlog()).toEqual({ waiting: 3, deadLetters: 0 });
      const { deliveries } = await claim();
      expect(deliveries.map(({ id }) => id)).toEqual([on, dead, kept]);
      expect(deliveries.map(({ attempts }) => attempts)).toEqual([0, 0, 0]);
      expect(deliveries.map(({ late }) => late)).toEqual([false, false, false]);
      expect(await inbox.requeue([])).toBe(0);
    });

    it('ends a pause, and leaves what is claimed with its owner', async () => {
      const [paused = '', held = ''] = await keep(received(), received());
      await claim();
      await record(paused, 'again', { delayMs: 60_000 });
      expect(await inbox.requeue([paused, held])).toBe(2);
      expect(await claimedIds('b')).toEqual([paused]);
      await record(held, 'handed_on');
      expect((await got(held)).state).toBe('handed_on');
    });

    it('marks late what is handed on after a later one of its object, and keeps that', async () => {
      const [a1 = '', a2 = '', other = ''] = await keep(
        received({ objectId: 'a' }),
        received({ objectId: 'a' }),
        received(),
      );
      await claim();
      await record(a1, 'dead_letter');
      await record(other, 'handed_on');
      await inbox.requeue([a1]);
      const early = (await claim()).deliveries;
      expect(early.map(({ id, late }) => [id, late])).toEqual([[a1, false]]);
      await record(a1, 'dead_letter');
      expect(await claimedIds()).toEqual([a2]);
      await record(a2, 'handed_on');
      await inbox.requeue([a1]);
      const late = (await claim()).deliveries;
      expect(late.map(({ id, late }) => [id, late])).toEqual([[a1, true]]);
      await record(a1, 'handed_on');
      expect((await got(a1)).late).toBe(true);
      expect((await got(a2)).late).toBe(false);
    });

    const two = async (a1Outcome: HandOverRecord['outcome']) => {
      const old = { objectId: 'a', receivedAt: 5 };
      const ids = await keep(received(old), received(old));
      for (const [i, id] of ids.entries()) {
        await claim();
        await record(id, i === 0 ? a1Outcome : 'handed_on');
      }
      return ids;
    };
    const handOnOne = async (): Promise<[id: string, late: boolean]> => {
      const [{ id = '', late = false } = {}] = (await claim()).deliveries;
      await record(id, 'handed_on');
      return [id, late];
    };

    it('marks late the earlier of two that are asked for at once, as often as they are', async () => {
      const [a1 = '', a2 = ''] = await two('handed_on');
      for (let round = 0; round < 2; round++) {
        expect(await inbox.requeue([a1, a2])).toBe(2);
        expect([await handOnOne(), await handOnOne()]).toEqual([
          [a1, true],
          [a2, false],
        ]);
      }
    });

    it.each([false, true])(
      'marks late what stays when a later one is pruned (forgotten: %s)',
      async (forget) => {
        const [a1 = ''] = await two('dead_letter');
        expect(await inbox.prune({ before: 6, deadLetters: false, forget })).toBe(1);
        expect((await got(a1)).late).toBe(false);
        await inbox.requeue([a1]);
        expect(await handOnOne()).toEqual([a1, true]);
        expect(await inbox.prune({ before: 6, deadLetters: true, forget })).toBe(1);
        const [a3 = ''] = await keep(received({ objectId: 'a' }));
        await handOnOne();
        await inbox.requeue([a3]);
        expect(await handOnOne()).toEqual([a3, false]);
      },
    );

    it('does not mark late what is newer than one that was kept late', async () => {
      const [newer = ''] = await keep(received({ objectId: 'a' }));
      await claim();
      await record(newer, 'dead_letter');
      const [old = ''] = await keep(received({ objectId: 'a', recovered: true, late: true }));
      expect(await handOnOne()).toEqual([old, true]);
      await inbox.requeue([newer, old]);
      expect([await handOnOne(), await handOnOne()]).toEqual([
        [newer, false],
        [old, true],
      ]);
    });

    it('puts the earlier one first, even behind one that is claimed', async () => {
      const [a1 = '', a2 = ''] = await keep(received({ objectId: 'a' }), received({ objectId: 'a' }));
      await claim();
      await record(a1, 'dead_letter');
      expect(await claimedIds()).toEqual([a2]);
      await inbox.requeue([a1]);
      expect(await claimedIds('b')).toEqual([]);
      await record(a2, 'again', { delayMs: 0 });
      expect(await claimedIds('b')).toEqual([a1]);
      await record(a1, 'handed_on', {}, 'b');
      expect(await claimedIds('b')).toEqual([a2]);
    });
  });

  describe('lists', () => {
    const at = (n: number) => 1_790_000_000_000 + n * 1000;

    it('are newest first, filtered, and no longer than asked for', async () => {
      const ids = await keep(
        received({ event: 'e1', receivedAt: at(1), transactionId: 't1' }),
        received({ event: 'e2', receivedAt: at(2), transactionId: 't1' }),
        received({ event: 'e1', receivedAt: at(3), transactionId: 't2' }),
        received({ event: 'e1', receivedAt: at(0) }),
      );
      const [one = '', two = '', three = '', four = ''] = ids;
      expect(await all()).toEqual([three, two, one, four]);
      expect(await all({}, 2)).toEqual([three, two]);
      expect(await all({ event: 'e1' })).toEqual([three, one, four]);
      expect(await all({ since: at(2) })).toEqual([three, two]);
      expect(await all({ transactionId: 't1' })).toEqual([two, one]);
      expect(await all({ transactionId: 't1', event: 'e1' })).toEqual([one]);
      expect(await all({ event: 'e1', since: at(1) })).toEqual([three, one]);
      expect(await all({ event: 'nothing' })).toEqual([]);
      await claim('a', 1);
      await record(one, 'handed_on');
      expect(await all({ state: 'handed_on' })).toEqual([one]);
      expect(await all({ state: 'waiting' })).toEqual([three, two, four]);
      expect(await all({ state: 'kept' })).toEqual([]);
      expect(await all({ state: 'waiting', event: 'e1', since: at(1), transactionId: 't2' })).toEqual([
        three,
      ]);
    });

    it('go on where the page before ended, without a repeat or a gap, for every filter', async () => {
      const events = ['e1', 'e2', 'e3'];
      const given = Array.from({ length: 60 }, (_, i) =>
        received({
          event: events[i % 3] ?? '',
          transactionId: `t${i % 4}`,
          receivedAt: at(i % 7),
          objectId: `o${i}`,
        }),
      );
      await keepIn(inbox, given.slice(0, 20), { handOn: false });
      const waiting = await keep(...given.slice(20));
      await claim('a', 20);
      await inbox.record(
        'a',
        waiting
          .slice(0, 20)
          .map((id, i) => ({ id, outcome: i % 2 ? 'handed_on' : 'dead_letter', answer: null })),
      );
      const rows = await inbox.list({}, { limit: 1000 });
      expect(rows).toHaveLength(60);
      for (const event of [undefined, 'e1'])
        for (const state of [undefined, 'kept', 'waiting', 'handed_on', 'dead_letter'] as const)
          for (const since of [undefined, at(3)])
            for (const transactionId of [undefined, 't1']) {
              const wanted = rows.filter(
                (row) =>
                  (event === undefined || row.event === event) &&
                  (state === undefined || row.state === state) &&
                  (since === undefined || row.receivedAt >= since) &&
                  (transactionId === undefined || row.transactionId === transactionId),
              );
              const filter = { event, state, since, transactionId };
              expect(await paged(filter, 3)).toEqual(wanted.map(({ id }) => id));
            }
      expect(rows.map(({ id, receivedAt }) => [receivedAt, id])).toEqual(
        [...rows]
          .sort((a, b) => b.receivedAt - a.receivedAt || (a.id < b.id ? 1 : -1))
          .map(({ id, receivedAt }) => [receivedAt, id]),
      );
    });

    it('go on even when the last row of the page before is gone', async () => {
      const ids = await keep(
        ...[0, 1, 2].map(() => received({ receivedAt: at(1) })),
        received({ receivedAt: at(0) }),
      );
      const [row] = await inbox.list({}, { limit: 1 });
      expect(row?.id).toBe(ids[2]);
      await claim();
      await inbox.record('a', [{ id: ids[2] ?? '', outcome: 'handed_on', answer: null }]);
      await inbox.prune({ before: at(5), deadLetters: false, forget: false });
      const rest = await inbox.list({}, { limit: 10, after: row });
      expect(rest.map(({ id }) => id)).toEqual([ids[1], ids[0], ids[3]]);
    });

    async function paged(filter: Parameters<Inbox['list']>[0], limit: number): Promise<string[]> {
      const seen: string[] = [];
      for (let after: { id: string; receivedAt: number } | undefined; ; ) {
        const page = await inbox.list(filter, { limit, after });
        seen.push(...page.map(({ id }) => id));
        after = page.at(-1);
        if (page.length < limit) break;
      }
      expect(await inbox.count(filter)).toBe(seen.length);
      return seen;
    }
  });

  describe('pruning', () => {
    const before = 1_790_000_000_000;
    const old = (over: Partial<ReceivedDelivery> = {}) => received({ receivedAt: before - 1, ...over });

    it('deletes what was received before, and never what waits', async () => {
      const [on = '', dead = '', waits = ''] = await keep(old(), old(), old());
      const kept = (await keepIn(inbox, [old(), received({ receivedAt: before })], { handOn: false })).map(
        (k) => k.id,
      );
      await claim();
      await record(on, 'handed_on');
      await record(dead, 'dead_letter');
      expect(await inbox.prune({ before, deadLetters: false, forget: false })).toBe(2);
      expect(await all()).toEqual([kept[1], waits, dead]);
      expect(await inbox.get(on)).toBeUndefined();
      expect(await inbox.prune({ before, deadLetters: true, forget: false })).toBe(1);
      expect(await all()).toEqual([kept[1], waits]);
      expect(await inbox.prune({ before, deadLetters: true, forget: false })).toBe(0);
      await record(waits, 'handed_on');
      expect((await got(waits)).state).toBe('handed_on');
    });

    it('remembers that they were here, unless that is forgotten too', async () => {
      const [one, two] = [old(), old({ transactionId: 't' })];
      const [keeping] = await keepIn(inbox, [one], { handOn: false });
      await inbox.prune({ before, deadLetters: false, forget: false });
      expect(await keepIn(inbox, [one], { handOn: false })).toEqual([
        { outcome: 'duplicate', id: keeping?.id, repeat: false },
      ]);
      expect(await inbox.known([one.eventPrint])).toEqual(new Set([one.eventPrint]));
      await keepIn(inbox, [two], { handOn: false });
      expect(await inbox.prune({ before, deadLetters: false, forget: true })).toBe(1);
      expect(await inbox.known([two.eventPrint])).toEqual(new Set());
      expect((await keepIn(inbox, [two], { handOn: false }))[0]).toMatchObject({
        outcome: 'new',
        repeat: false,
      });
      expect(await all({ transactionId: 't' })).toHaveLength(1);
    });

    it('knows an event as long as a delivery of it is here, whatever else is forgotten', async () => {
      const same = { objectId: 'r-same', transactionId: 't-same', eventPrint: received().eventPrint };
      const at = (receivedAt: number) => received({ ...same, receivedAt });
      const kept = await keepIn(
        inbox,
        [at(1), at(2), at(3), received({ objectId: 'r-same', receivedAt: 3 })],
        {
          handOn: false,
        },
      );
      expect(kept.map(({ repeat }) => repeat)).toEqual([false, true, true, false]);
      const forget = (until: number) => inbox.prune({ before: until, deadLetters: false, forget: true });
      expect(await forget(2)).toBe(1);
      expect(await inbox.known([same.eventPrint])).toEqual(new Set([same.eventPrint]));
      const [again] = await keepIn(inbox, [at(9)], { handOn: false });
      expect(again).toMatchObject({ outcome: 'new', repeat: true });
      expect(await forget(9)).toBe(3);
      expect(await inbox.known([same.eventPrint])).toEqual(new Set([same.eventPrint]));
      expect(await forget(10)).toBe(1);
      expect(await inbox.known([same.eventPrint])).toEqual(new Set());
      expect((await keepIn(inbox, [at(1)], { handOn: false }))[0]).toMatchObject({ repeat: false });
    });

    it('gives back the space of what is gone, and keeps the rest', async () => {
      const [gone, stays] = [old(), received({ receivedAt: before })];
      await keepIn(inbox, [gone, stays], { handOn: false });
      await inbox.prune({ before, deadLetters: false, forget: false });
      expect(await inbox.giveBack()).toBe(maker === postgres ? 'by_server' : 'given_back');
      expect((await keepIn(inbox, [gone, stays], { handOn: false })).map(({ outcome }) => outcome)).toEqual([
        'duplicate',
        'duplicate',
      ]);
      expect(await all()).toHaveLength(1);
    });

    it('goes through more than one part of a transaction can hold', async () => {
      await keepIn(
        inbox,
        Array.from({ length: 2500 }, () => old()),
        { handOn: false },
      );
      const [last = ''] = await keep(old());
      expect(await inbox.prune({ before, deadLetters: false, forget: false })).toBe(2500);
      expect(await all()).toEqual([last]);
    });
  });

  describe('refusals', () => {
    const refusal = (n: number, body = new Uint8Array([n & 0xff, 0])) => ({
      id: `x-${n}`,
      receivedAt: n,
      from: '203.0.113.9',
      url: 'https://partner.example/hooks',
      target: '/hooks?a=%00',
      headers: [['A', 'b']] as const,
      body,
      bodyBytes: body.length,
      cause: n % 2 ? 'secret' : null,
      message: n % 2 ? 'signed with another secret' : null,
    });

    it('are kept as they came, newest first, the latest 200', async () => {
      await inbox.refuse(Array.from({ length: 150 }, (_, i) => refusal(i)));
      await inbox.refuse(Array.from({ length: 150 }, (_, i) => refusal(150 + i)));
      const rows = await inbox.refusals(1000);
      expect(rows.map(({ id }) => id)).toEqual(Array.from({ length: 200 }, (_, i) => `x-${299 - i}`));
      expect((await inbox.refusals(2)).map(({ id }) => id)).toEqual(['x-299', 'x-298']);
      const { body, ...found } = (await inbox.refusals(1))[0] ?? refusal(0);
      const { body: sent, ...rest } = refusal(299);
      expect(found).toEqual(rest);
      expect([...body]).toEqual([...sent]);
    });

    it('have their bodies cut off after 64 kB', async () => {
      await inbox.refuse([refusal(1, new Uint8Array(100_000))]);
      const [row] = await inbox.refusals(1);
      expect([row?.body.length, row?.bodyBytes]).toEqual([65_536, 100_000]);
    });
  });

  it('keeps notes', async () => {
    expect(await inbox.note('log')).toBeUndefined();
    await inbox.setNote('log', '1');
    await inbox.setNote('other', 'ä');
    await inbox.setNote('log', '2');
    expect(await Promise.all([inbox.firstNote('key', 'a'), inbox.firstNote('log', '3')])).toEqual(['a', '2']);
    expect([await inbox.note('log'), await inbox.note('other')]).toEqual(['2', 'ä']);
  });

  it('lets one who asks hold it', async () => {
    expect(await inbox.hold('us')).toEqual({ held: true });
  });

  describe.runIf(maker.durable)('with another handle', () => {
    it('keeps everything from one run to the next, and knows it all', async () => {
      const [one, two] = [received(), received()];
      const [id = ''] = await keep(one, two);
      await claim('a', 1);
      await record(id, 'handed_on');
      await inbox.setNote('n', 'v');
      await inbox.close();
      handles.pop();
      inbox = await open();
      expect((await got(id)).state).toBe('handed_on');
      expect(await keepIn(inbox, [one], { handOn: true })).toEqual([
        { outcome: 'duplicate', id, repeat: false },
      ]);
      const again = { ...two, deliveryPrint: received().deliveryPrint };
      expect((await keepIn(inbox, [again], { handOn: true }))[0]?.repeat).toBe(true);
      expect(await inbox.note('n')).toBe('v');
      expect(await inbox.webhooks()).toEqual(['w-1']);
    });

    it('knows at once what the other one kept', async () => {
      const other = await open();
      for (let i = 0; i < 20; i++) {
        const one = received();
        const [first, second] = i % 2 ? [inbox, other] : [other, inbox];
        const [kept] = await keepIn(first, [one], { handOn: true });
        expect(await keepIn(second, [one], { handOn: true })).toEqual([{ ...kept, outcome: 'duplicate' }]);
        expect(await second.known([one.eventPrint])).toEqual(new Set([one.eventPrint]));
        if (i % 5 === 0) await second.prune({ before: 0, deadLetters: true, forget: true });
      }
      const ids = (await all()).reverse();
      expect(ids).toEqual([...ids].sort());
      expect(ids).toHaveLength(20);
    });

    it('takes as new what the other one forgot', async () => {
      const other = await open();
      const one = received({ receivedAt: 5 });
      await keepIn(inbox, [one], { handOn: false });
      await other.prune({ before: 6, deadLetters: false, forget: true });
      expect((await keepIn(inbox, [one], { handOn: false }))[0]).toMatchObject({
        outcome: 'new',
        repeat: false,
      });
    });

    it('does not take what the other one has', async () => {
      const other = await open();
      const ids = await keep(received(), received());
      expect(await claimedIds('a', 1)).toEqual([ids[0]]);
      expect(await claimedIds('b', 10, 60_000, other)).toEqual([ids[1]]);
      await other.record('a', [{ id: ids[0] ?? '', outcome: 'handed_on', answer: null }]);
      expect((await got(ids[0] ?? '')).state).toBe('handed_on');
    });

    it('keeps accounts apart', async () => {
      const other = await open('https://api.example/v1 1e1e');
      const one = received({ transactionId: 't', receivedAt: 5 });
      const [id = ''] = await keep(one);
      expect((await keepIn(other, [one], { handOn: false }))[0]).toMatchObject({
        outcome: 'new',
        repeat: false,
      });
      await other.setNote('n', 'theirs');
      await other.refuse([]);
      expect(await other.get(id)).toBeUndefined();
      expect(await other.startingWith(id, 1)).toEqual([]);
      expect(await other.endingWith(id.slice(-8), 1)).toEqual([]);
      expect((await other.claim({ owner: 'b', limit: 5, leaseMs: 5 })).deliveries).toEqual([]);
      expect(await other.requeue([id])).toBe(0);
      expect(await other.backlog()).toEqual({ waiting: 0, deadLetters: 0 });
      expect(await other.prune({ before: 6, deadLetters: true, forget: true })).toBe(1);
      expect(await other.webhooks()).toEqual(['w-1']);
      expect(await inbox.note('n')).toBeUndefined();
      expect(await all({ transactionId: 't' })).toEqual([id]);
      expect((await keepIn(inbox, [one], { handOn: true }))[0]?.outcome).toBe('duplicate');
    });
  });
});
