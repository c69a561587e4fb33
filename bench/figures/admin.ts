/** `--admin` of a listener under full intake: what a scrape costs the intake, and how long it takes. */
import type { Load } from '../load.ts';
import type { Scrape, Scraped } from '../scraper.ts';
import { type Child, startChild } from '../support/children.ts';
import { type Figure, forComparison, judged, type Place, sidesOf } from '../support/figure.ts';
import { startListener } from '../support/listener.ts';
import { type Sample, takeTurns, turnOf } from '../support/turns.ts';

const CONNECTIONS = 64;
const COUNT = 20_000;
const WARM_UP = 30_000;
const SECOND_MS = 1_000;
const HARSH_MS = 100;
const MOST_MS = 5;
const MOST_COST = 1.02;
const QUIET_MS = 5_000;

type Scraper = Child<{ everyMs: number } | { stop: true }, Scraped>;

export async function admin({ programs, root, quick }: Place): Promise<Figure[]> {
  const load = startChild<object, Load>(programs, 'load', {}, 'load');
  const listener = await startListener(root, ['--admin', '127.0.0.1:0']);
  const scraper: Scraper = startChild(
    programs,
    'scraper',
    { url: `${listener.admin}/metrics`, pid: listener.pid },
    'load',
  );
  let marks = 0;
  let failed = 0;
  const seen: Scrape[] = [];
  const turn = (count: number, everyMs?: number): Promise<Sample> =>
    turnOf(listener.pid, count, async () => {
      if (everyMs !== undefined) await scraper.ask({ everyMs });
      const mark = `m${marks++}`;
      const sent = await load.ask({
        ...{ what: 'delivery', host: listener.host, mark, count, connections: CONNECTIONS },
      });
      const until = performance.timeOrigin + performance.now();
      const { scrapes } = await scraper.ask({ stop: true });
      failed += sent.failed;
      /* Deliveries are signed before they are sent: what was scraped meanwhile met a quiet listener. */
      const from = until - (count / sent.rate) * 1_000;
      seen.push(...scrapes.filter(({ at, ms }) => at >= from && at + ms <= until));
      return sent;
    });
  await turn(quick ? WARM_UP / 5 : WARM_UP);
  const count = quick ? COUNT / 4 : COUNT;
  const turns = await takeTurns(
    {
      alone: () => turn(count),
      second: () => turn(count, SECOND_MS),
      harsh: () => turn(count, HARSH_MS),
    },
    quick ? 4 : 12,
  );
  const quiet = await quietly(scraper);
  await scraper.stop();
  await listener.stop();
  await load.stop();
  const cost = (name: 'second' | 'harsh', often: string): Figure =>
    judged(
      `intake with ${often} / without a scrape`,
      turns,
      [turns.ratio(name, 'alone')],
      { most: MOST_COST },
      `${sidesOf(turns, name, 'alone')}, ${CONNECTIONS} connections`,
    );
  const times = seen.map(({ ms }) => ms);
  const busy = seen.map(({ busyMs }) => busyMs);
  return [
    cost('second', 'a scrape a second'),
    cost('harsh', 'ten scrapes a second'),
    judged(
      '/metrics under full intake, ms: median and p99',
      turns,
      [shareOf(times, 0.5), shareOf(times, 0.99)],
      { most: MOST_MS },
      `${times.length} scrapes, the longest ${Math.max(...times).toFixed(1)}`,
    ),
    judged(
      'the same in ms of its processor',
      { ...turns, isInconclusive: false },
      [shareOf(busy, 0.5), shareOf(busy, 0.99)],
      { most: MOST_MS },
      `the longest ${Math.max(...busy).toFixed(1)}`,
    ),
    forComparison(
      'the same of a quiet listener',
      `${shareOf(quiet, 0.5).toFixed(2)} and ${shareOf(quiet, 0.99).toFixed(2)}`,
      `${quiet.length} scrapes`,
    ),
    ...(failed > 0 ? [{ ...forComparison('answers that were not 200', String(failed), ''), ok: false }] : []),
  ];
}

async function quietly(scraper: Scraper): Promise<number[]> {
  await scraper.ask({ everyMs: HARSH_MS });
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  return (await scraper.ask({ stop: true })).scrapes.map(({ ms }) => ms);
}

/** The least value that so large a share of all is not above. */
function shareOf(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
