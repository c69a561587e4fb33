/** Pages of `webhooks events` over an inbox: with a hundred times as many deliveries they take hardly more. */
import { join } from 'node:path';
import type { DeliveryFilter } from '../../src/webhooks/store/port.ts';
import { startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, judgedStart, type Place, sidesOf } from '../support/figure.ts';
import { eventOf, receivedAt, transactionOf } from '../support/fill-inbox.ts';
import { temporaryFolder } from '../support/folder.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { type Sample, takeTurns } from '../support/turns.ts';

const FEW = 10_000;
const MANY = 1_000_000;
const BASE_URL = 'http://127.0.0.1:9/v1';
const EVENT = 'recipient.error';
type Size = 'few' | 'many';

/** In the middle of them: neither the first nor the last that a scan would meet. */
const filters = (deliveries: number): Record<string, DeliveryFilter> => {
  const middle = Math.floor(deliveries / 2);
  const since = receivedAt(middle);
  const kept = middle % 17 === 0 ? middle + 1 : middle;
  return {
    nothing: {},
    event: { event: EVENT },
    state: { state: 'dead_letter' },
    'state handed_on': { state: 'handed_on' },
    'event and state': { event: EVENT, state: 'handed_on' },
    since: { since },
    'event and since': { event: EVENT, since },
    transaction: { transactionId: transactionOf(middle) },
    'all of them': {
      event: eventOf(kept),
      state: 'kept',
      since: receivedAt(kept - 10),
      transactionId: transactionOf(kept),
    },
  };
};

export async function received({ programs, root, quick }: Place): Promise<Figure[]> {
  const dir = temporaryFolder();
  const counts: Record<Size, number> = { few: FEW, many: quick ? MANY / 10 : MANY };
  const path = (size: Size) => join(dir, `${size}.db`);
  const start = (size: Size) =>
    startChild<object, Sample>(
      programs,
      'received-server',
      { path: path(size), baseUrl: BASE_URL, deliveries: counts[size] },
      'measured',
    );
  const children = { few: start('few'), many: start('many') };
  const asked: { name: string; ratio: number; figure: Figure }[] = [];
  for (const name of Object.keys(filters(FEW))) {
    const ask = (size: Size) => () =>
      children[size].ask({ filter: filters(counts[size])[name], count: 1_000 });
    const sides = { few: ask('few'), many: ask('many') };
    await takeTurns(sides, 1);
    const turns = await takeTurns(sides, 8);
    const ratio = turns.ratio('many', 'few');
    const facts = sidesOf(turns, 'many', 'few');
    const figure = judged(
      `a page by ${name}, ${counts.many} deliveries / ${FEW}`,
      turns,
      [ratio],
      { most: 2 },
      facts,
    );
    asked.push({ name, ratio, figure });
  }
  const whole = await wholeProcess(root, path, quick ? 5 : 15);
  for (const child of Object.values(children)) await child.stop();
  // The bound is asked of the worst one.
  const [worst, ...others] = asked.sort((a, b) => b.ratio - a.ratio).map(({ figure }) => figure);
  return [
    worst as Figure,
    ...others.map(({ name, value, facts }) => forComparison(name, value, facts)),
    whole,
  ];
}

/** From the start of the program until its end. */
async function wholeProcess(root: string, path: (size: Size) => string, rounds: number): Promise<Figure> {
  const env = environmentFor(BASE_URL);
  const side = (size: Size) => async () => {
    const args = ['webhooks', 'events', '--event', EVENT, '--state', 'handed_on', '--store', path(size)];
    const run = await runToEnd([remitOf(root), ...args, '-o', 'ndjson'], env);
    if (run.lines === 0) throw new Error('webhooks events printed no rows');
    return run;
  };
  const turns = await takeTurns({ few: side('few'), many: side('many') }, rounds);
  return judgedStart('remit webhooks events, from its start', turns, ['many', 'few'], 2);
}
