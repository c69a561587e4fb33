/** Small pieces of the intake, each by itself. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { delivery } from '../../src/contract/resources/webhook.ts';
import { bodyDigest } from '../../src/contract/signing.ts';
import { seededRandom } from '../../src/core/random.ts';
import { paintFor } from '../../src/frame/terminal/paint.ts';
import { splitWords } from '../../src/webhooks/cli/webhooks/listen/listen-flags.ts';
import { type Status, statusLine } from '../../src/webhooks/cli/webhooks/listen/status.ts';
import { toldLine } from '../../src/webhooks/cli/webhooks/listen/teller.ts';
import { allowedFrom, readRange } from '../../src/webhooks/intake/address.ts';
import { backfill, type LoggedTry } from '../../src/webhooks/intake/backfill.ts';
import { receivedFrom } from '../../src/webhooks/intake/receive.ts';
import { readDelivery, verifySignature } from '../../src/webhooks/intake/verify.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import type { ListenEvent } from '../../src/webhooks/told.ts';
import { keepIn } from '../support/inboxes.ts';
import { bodyOf, credentials } from '../support/listening.ts';
import { standingClock } from '../support/stores.ts';

describe('a command line without a shell', () => {
  it.each([
    ['node on-webhook.js', ['node', 'on-webhook.js']],
    ['a \'b c\' "d e" f\\ g', ['a', 'b c', 'd e', 'f g']],
    ["$HOME `ls` ; | > & '$x'", ['$HOME', '`ls`', ';', '|', '>', '&', '$x']],
    ['a "" b', ['a', '', 'b']],
    ['C:\\\\tools\\\\x.exe "it\'s"', ['C:\\tools\\x.exe', "it's"]],
    ['  ', []],
  ])('%j', (text, words) => expect(splitWords(text)).toEqual(words));

  it('an open quote is no command', () => {
    for (const text of ["a 'b", 'a "b', 'a \\']) expect(splitWords(text)).toBeNull();
  });

  it('any words can be said', () => {
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const quoted = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
        expect(splitWords(quoted)).toEqual(words);
      }),
    );
  });
});

describe('addresses that may send', () => {
  it('ranges of both families, and single addresses', () => {
    const allows = allowedFrom(['203.0.113.0/24', '198.51.100.7', '2001:db8::/32', '::1']);
    for (const address of ['203.0.113.255', '198.51.100.7', '2001:db8:1::5', '::1'])
      expect(allows(address)).toBe(true);
    for (const address of ['203.0.114.1', '198.51.100.8', '2001:db9::1', '::2', '', 'nonsense'])
      expect(allows(address)).toBe(false);
  });

  it('what is no range is refused, not ignored', () => {
    for (const text of ['', 'everywhere', '203.0.113.0/33', '203.0.113', '::/129', '1.2.3.4/-1', '1.2.3.4/x'])
      expect(readRange(text)).toBeNull();
    expect(() => allowedFrom(['10.0.0.0/8', 'x'])).toThrow('"x" is neither');
    expect(allowedFrom([])('anything')).toBe(true);
  });
});

describe('what was missed', () => {
  const HOUR = 3_600_000;
  const logged = (at: number, id: string, over: Partial<LoggedTry> = {}): LoggedTry => ({
    at,
    webhook: 'w-1',
    event: 'recipient.error',
    objectId: id,
    url: 'https://partner.example/hooks',
    body: bodyOf(id, { at }),
    headers: { 'Authorization-Nonce': `nonce-${at}`, 'Authorization-Signature': 'cut…', 'X-Other': 'kept' },
    ...over,
  });

  async function compare(pages: LoggedTry[][], options: { here?: LoggedTry[]; since?: number } = {}) {
    const clock = standingClock();
    const inbox = await openSqliteInbox(':memory:', { account: 'a', clock, random: seededRandom(1) });
    const here = (options.here ?? []).map(({ body }) => {
      const bytes = Buffer.from(body ?? '');
      const genuine = { nonce: 'came', bodyDigest: bodyDigest(bytes) };
      const arrival = { body: bytes, url: 'x', headers: [], receivedAt: 1, recovered: false, late: false };
      return receivedFrom(JSON.parse(body ?? ''), genuine, arrival);
    });
    await keepIn(inbox, here, { handOn: false });
    let read = 0;
    const log = (async function* () {
      for (const page of pages) {
        read += 1;
        yield page;
      }
    })();
    const done = await backfill({
      inbox,
      log,
      since: options.since ?? 0,
      ours: ({ webhook }) => webhook === 'w-1',
      wanted: () => true,
      credentials,
      clock,
      nonce: () => 'fresh',
    });
    const kept = await inbox.list({}, { limit: 1_000 });
    return { ...done, kept: kept.reverse(), read, inbox };
  }

  it('is kept in the order in which it happened, in whatever order the log is', async () => {
    const tries = [1, 2, 3, 4, 5, 6, 7].map((hour) => logged(hour * HOUR, `r-${hour % 3}`));
    const orders = [[...tries].reverse(), tries, [3, 0, 6, 1, 5, 2, 4].map((i) => tries[i] as LoggedTry)];
    for (const order of orders) {
      for (const size of [1, 2, 3, 7]) {
        const pages = Array.from({ length: Math.ceil(7 / size) }, (_, i) =>
          order.slice(i * size, i * size + size),
        );
        const { missed, kept, newest } = await compare(pages);
        expect(missed.map(({ at }) => at / HOUR)).toEqual([1, 2, 3, 4, 5, 6, 7]);
        expect(kept.map(({ objectId }) => objectId)).toEqual(tries.map(({ objectId }) => objectId));
        expect(newest).toBe(7 * HOUR);
      }
    }
  });

  it('knows what is here by its body, and several tries of one as one', async () => {
    const [first, second] = [logged(HOUR, 'r-1'), logged(2 * HOUR, 'r-2')];
    const retry = { ...second, at: 3 * HOUR, headers: { 'Authorization-Nonce': 'other' } };
    const { missed } = await compare([[retry, second, first]], { here: [first] });
    expect(missed.map(({ at, objectId }) => [at, objectId])).toEqual([[2 * HOUR, 'r-2']]);
  });

  it('is late where something later of the same object is here', async () => {
    const [early, between, late] = [1, 2, 3].map((hour) => logged(hour * HOUR, 'r-1')) as [
      LoggedTry,
      LoggedTry,
      LoggedTry,
    ];
    const { kept } = await compare([[late, between, early]], { here: [between] });
    expect(kept.filter(({ recovered }) => recovered).map(({ late: isLate }) => isLate)).toEqual([
      true,
      false,
    ]);
  });

  it('happened when it was first tried: a retry of something older makes nothing late', async () => {
    const pending = logged(1_000, 'r-1');
    const paid = logged(2_000, 'r-1');
    const again = { ...pending, at: 3_000, headers: { 'Authorization-Nonce': 'retry' } };
    for (const log of [
      [again, paid, pending],
      [pending, paid, again],
    ]) {
      const { kept } = await compare([log], { here: [pending] });
      expect(kept.filter(({ recovered }) => recovered).map(({ late }) => late)).toEqual([false]);
    }
  });

  it('is looked for as far as asked: a list that is newest first is left, another read to its end', async () => {
    const pages = [
      [logged(9 * HOUR, 'r-9')],
      [logged(5 * HOUR, 'r-5')],
      [logged(HOUR, 'r-1')],
      [logged(0, 'r-0')],
    ];
    const newestFirst = await compare(pages, { since: 4 * HOUR });
    expect([newestFirst.missed.length, newestFirst.read]).toEqual([2, 3]);
    const oldestFirst = await compare([...pages].reverse(), { since: 4 * HOUR });
    expect([oldestFirst.missed.length, oldestFirst.read]).toEqual([2, 4]);
  });

  it('of other endpoints is none of ours, and without a whole body it is said and not made up', async () => {
    const { missed, kept } = await compare([
      [
        logged(HOUR, 'r-1', { webhook: 'w-2' }),
        logged(2 * HOUR, 'r-2', { body: null }),
        logged(3 * HOUR, 'r-3', { body: bodyOf('r-3').slice(0, 20) }),
        logged(4 * HOUR, 'r-4', { body: bodyOf('another') }),
      ],
    ]);
    expect(missed.map(({ objectId, id }) => [objectId, id])).toEqual([
      ['r-2', null],
      ['r-3', null],
      ['r-4', null],
    ]);
    expect(kept).toEqual([]);
  });

  it('verifies as the original did, under its own nonce', async () => {
    const one = logged(HOUR, 'r-1');
    const { kept, inbox } = await compare([[one]]);
    const whole = await inbox.get(kept[0]?.id ?? '');
    const headers = Object.fromEntries(whole?.headers ?? []);
    expect(headers).toMatchObject({ 'Authorization-Nonce': `nonce-${HOUR}`, 'X-Other': 'kept' });
    const genuine = verifySignature({ rawBody: whole?.body ?? new Uint8Array(), url: one.url, headers }, [
      credentials,
    ]);
    expect(genuine?.nonce).toBe(`nonce-${HOUR}`);
  });
});

const told = (over: Partial<ListenEvent> = {}): ListenEvent => ({
  id: '01a1ffce-8991-74fa-a8c7-ed2dfc6bdff4',
  received_at: '2026-11-21T20:31:28.145Z',
  webhook: 'w-1',
  event: 'recipient.error',
  object_id: '662a2edd-1930-4600-b5cd-0e4d1dab0aef',
  object: { id: 'r', state: 'error' },
  body: new Uint8Array(),
  signature: 'valid',
  cause: null,
  message: null,
  hint: null,
  duplicate: false,
  repeat: false,
  late: false,
  recovered: false,
  state: 'kept',
  attempts: 0,
  forward_status: null,
  forward_error: null,
  latency_ms: null,
  unshown: 0,
  from: null,
  ...over,
});

describe('one line for each event', () => {
  const style = { terminal: true, paint: paintFor(false), columns: 100 };
  it.each([
    [told(), '20:31:28  verified    recipient.error          662a2edd  error'],
    [
      told({ state: 'handed_on', forward_status: 204, latency_ms: 12, repeat: true, attempts: 2 }),
      '20:31:28  verified    recipient.error          662a2edd  error       -> 204 12 ms  repeat, try 2',
    ],
    [
      told({ state: 'waiting', forward_error: 'connection refused', latency_ms: 1, attempts: 1 }),
      '20:31:28  verified    recipient.error          662a2edd  error       -> connection refused, retries',
    ],
    [
      told({ state: 'dead_letter', forward_status: 500, latency_ms: 1, attempts: 8, late: true }),
      '20:31:28  verified    recipient.error          662a2edd  error       -> 500, given up  late, try 8',
    ],
    [
      told({ duplicate: true, state: null }),
      '20:31:28  duplicate   recipient.error          662a2edd  error',
    ],
  ])('aligned on a terminal (%#)', (one, line) => expect(toldLine(one, style)).toBe(`${line}\n`));

  it('without the object where it is narrow, and with everything whole in a pipe', () => {
    expect(toldLine(told(), { ...style, columns: 80 })).toBe(
      '20:31:28  verified    recipient.error          error\n',
    );
    expect(toldLine(told(), { ...style, terminal: false })).toBe(
      '2026-11-21T20:31:28.145Z  verified  recipient.error  662a2edd-1930-4600-b5cd-0e4d1dab0aef  error\n',
    );
  });

  it('what did not verify says why, and what to do, below each other', () => {
    const refused = told({
      signature: 'invalid',
      event: null,
      object: null,
      message: 'why',
      hint: 'do',
      from: '1.2.3.4',
      unshown: 3,
    });
    expect(toldLine(refused, style).split('\n')).toEqual([
      '20:31:28  INVALID     why',
      '                      do',
      `                      from 1.2.3.4 · and 3 more before it · remit webhooks show ${refused.id}`,
      '',
    ]);
    expect(toldLine({ ...refused, message: 'a\u001b[2J' }, style)).not.toContain('\u001b[2J');
  });
});

describe('the line at the bottom', () => {
  const status = (over: Partial<Status> = {}): Status => ({
    counts: { received: 3, duplicates: 0, invalid: 0, handedOn: 0, deadLetters: 0, lastAt: 10_000 },
    backlog: { waiting: 0, deadLetters: 0 },
    probed: null,
    probedSince: 0,
    startedAt: 0,
    ...over,
  });
  it('says how old the last event is, and what waits', () => {
    expect(statusLine(status(), 22_000)).toBe('listening · last event 12 s ago · 3 received');
    const none = status({ counts: { ...status().counts, lastAt: null } });
    expect(statusLine(none, 300_000)).toContain('no event in 5 min');
    expect(statusLine(status({ backlog: { waiting: 2, deadLetters: 1 } }), 0)).toContain(
      '2 waiting · 1 given up',
    );
  });
  it('never looks alive while it is deaf', () => {
    const deaf = statusLine(status({ probed: { reached: false, why: 'connection refused' } }), 22_000);
    expect(deaf).toMatch(
      /^NOT REACHABLE for \d+ \w+: the public URL does not lead here \(connection refused\)/,
    );
    expect(deaf).not.toContain('listening');
    expect(statusLine(status({ probed: { reached: true } }), 0)).toContain('public URL leads here');
  });
});

describe('reading a delivery', () => {
  const anything = fc.oneof(fc.jsonValue(), fc.string(), fc.constant(null), fc.constant([]), fc.constant({}));
  const nearly = fc.record(
    {
      webhook: anything,
      event: anything,
      object: fc.oneof(anything, fc.record({ id: anything, state: anything }, { requiredKeys: [] })),
    },
    { requiredKeys: [] },
  );
  it('takes what the schema of the contract takes, and nothing else', () => {
    fc.assert(
      fc.property(fc.oneof(nearly, anything), (value) => {
        const text = JSON.stringify(value);
        expect(readDelivery(Buffer.from(text)) !== null).toBe(delivery.safeParse(JSON.parse(text)).success);
      }),
      { numRuns: 2_000 },
    );
  });
});
