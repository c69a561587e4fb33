/**
 * A day of a small fleet: three listeners behind haproxy and three workers over one PostgreSQL, which is stopped, and killed; each of them
 * is restarted in its turn, and one listener stands still for 20 seconds. All are real processes, and their clocks are 30 s apart.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { groupBy, wrongWithDeliveries } from '../support/fleet-audit.ts';
import { type Day, liveThroughADay, ROWS_OF_A_RUN, RUNS } from '../support/fleet-day.ts';
import { looksIn } from '../support/fleet-watch.ts';
import { hasHaproxy } from '../support/haproxy.ts';

const ROWS = RUNS * ROWS_OF_A_RUN;
const EVENTS_OF_A_ROW = 2;
const PATIENCE_MS = 12 * 60_000;
/** haproxy asks each listener once a second, and sends nothing to one before it was ready once. */
const ASKED_AGAIN_MS = 2_000;

describe.runIf(hasHaproxy)('a day of a fleet', () => {
  let day: Day;
  beforeAll(async () => {
    day = await liveThroughADay();
    process.stdout.write(`a day of a fleet: ${JSON.stringify(figuresOf(day))}\n`);
  }, PATIENCE_MS);

  it('had clocks that are 30 s apart, and each listener took deliveries', () => {
    const apart = day.kept
      .filter(({ recovered }) => !recovered)
      .map(({ receivedAt, changedAt }) => Math.round((receivedAt - changedAt) / 30_000));
    expect([...new Set(apart)]).toEqual(expect.arrayContaining([-1, 0, 1]));
  });

  it('lost no delivery, handed each on in the order of its object, and none after its record', () => {
    expect(wrongWithDeliveries(day)).toEqual([]);
    expect(new Set(day.tries.map(({ body }) => body)).size).toBe(ROWS * EVENTS_OF_A_ROW);
  });

  it('paid each row once, and says of each what it is', () => {
    expect(day.audit.wrong).toEqual([]);
    expect([day.audit.funded, day.said, day.agrees]).toEqual([ROWS, ROWS, Array(RUNS).fill(true)]);
  });

  it('said ready in no look at one that could not commit', () => {
    for (const outage of day.outages) {
      const looks = looksIn(day.looks, outage);
      expect(
        looks.filter(({ status }) => status === 200),
        outage.name,
      ).toEqual([]);
      const asked = groupBy(
        looks.filter(({ status }) => status === 503),
        ({ name }) => name,
      );
      expect([...asked.keys()].sort(), outage.name).toEqual([...day.members].sort());
    }
  });

  it('refused deliveries while nothing could be kept, and at no other time', () => {
    const failed = day.tries.filter(({ status }) => status !== '200');
    const inOutages = day.outages.map(({ began, over }) =>
      failed.filter(({ at }) => at >= began && at <= over + ASKED_AGAIN_MS),
    );
    expect(inOutages.map((tries) => tries.length > 0)).toEqual([true, true]);
    const others = failed.filter((one) => !inOutages.flat().includes(one));
    // Where the machine is busy for longer than haproxy waits, it answers 504: the service sends that again, and nothing is lost by it.
    const late = others.filter(({ status }) => status === '504');
    const refused = others.filter(({ status }) => status !== '504');
    const seen = refused.map(({ status, at }) => `${status} at ${new Date(at).toISOString()}`);
    expect(seen, day.refusals.join('\n')).toEqual([]);
    expect(late.length, day.refusals.join('\n')).toBeLessThan(day.tries.length / 100);
  });

  it('ended each process with 0, at its restart and at the end', () => {
    expect(day.restarted.map(({ code }) => code)).toEqual(day.members.map(() => 0));
    expect(day.codes).toEqual(day.members.map(() => 0));
  });
});

function figuresOf({ tries, kept, handed, paidInMs, outages, backInMs, restarted }: Day) {
  const statuses = groupBy(tries, ({ status }) => status);
  return {
    rows: ROWS,
    'rows a second': Math.round((ROWS * 1_000) / paidInMs),
    tries: Object.fromEntries([...statuses].map(([status, all]) => [status, all.length])),
    kept: kept.length,
    repeats: kept.filter(({ repeat }) => repeat).length,
    recovered: kept.filter(({ recovered }) => recovered).length,
    'handed on': handed.length,
    'handed on twice, unrecorded': handed.length - new Set(handed.map(({ id }) => id)).size,
    outages: outages.map(
      ({ name, from, to }, at) => `${name} for ${to - from} ms, back in ${backInMs[at]} ms`,
    ),
    restarted: restarted.map(({ name, endMs, readyMs }) => `${name}: ${endMs} + ${readyMs} ms`),
  };
}
