/** The sandbox differs from itself in nothing: `remit drift` over the logs of all scenarios that come along, and of random walks with every fault. */
import { describe, expect, it } from 'vitest';
import { shippedScenarios } from '../../src/sandbox/scenario/shipped.ts';
import { useBench } from '../support/cli.ts';
import { differencesOf, drift, liveScenario, liveWalk } from '../support/drift-worlds.ts';
import { isLong } from '../support/long.ts';

const bench = useBench({ once: true });
const walks = isLong ? Number(process.env.REMIT_DRIFT_WALKS ?? 500) : 6;
const OPERATIONS = 60;

/** The log of requests and the log of deliveries. */
const recordsRead = (stderr: string): number =>
  [...stderr.matchAll(/: ([\d,]+) records?$/gm)].reduce(
    (sum, [, count = '']) => sum + Number(count.replace(',', '')),
    0,
  );

describe('remit drift over our own sandbox', () => {
  it.each(Object.keys(shippedScenarios))('finds nothing after the scenario %s', async (name) => {
    const world = await liveScenario(name);
    const run = await drift(bench, world, { argv: ['-o', 'json'] });
    await world.close();
    expect(differencesOf(run)).toEqual([]);
    expect([run.code, recordsRead(run.stderr) > 3]).toEqual([0, true]);
  });

  it('finds nothing where each delivery is refused five times', async () => {
    const world = await liveScenario('wrong-account', 5);
    const run = await drift(bench, world, { argv: ['-o', 'json'] });
    await world.close();
    expect([run.code, differencesOf(run)]).toEqual([0, []]);
  });

  it(`finds nothing after ${walks} random walks`, { timeout: 900_000 }, async () => {
    let read = 0;
    for (let walk = 0; walk < walks; walk += 1) {
      const seed = `drift-${walk}`;
      const world = await liveWalk(seed, OPERATIONS);
      const run = await drift(bench, world, { argv: ['-o', 'json'] });
      await world.close();
      expect([seed, run.code, differencesOf(run)]).toEqual([seed, 0, []]);
      read += recordsRead(run.stderr);
    }
    expect(read).toBeGreaterThan(walks * 200);
  });
});
