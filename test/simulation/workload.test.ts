/**
 * Partners at work on the sandbox in memory, from a seed: every kind of operation, every named fault, an auditor after each
 * step. The long form plays 10,000 operations; REMIT_OPERATIONS and REMIT_SEED play what they say.
 */
import { env } from 'node:process';
import { expect, it } from 'vitest';
import { faultNames } from '../../src/contract/controls/faults.ts';
import { isLong } from '../support/long.ts';
import { reportText, simulate } from '../support/simulation/play.ts';

const count = Number(env.REMIT_OPERATIONS ?? (isLong ? 10_000 : 600));
const seed = env.REMIT_SEED ?? 'partners-1';

it(`${count} operations of seed ${seed}: no invariant is broken`, { timeout: 600_000 }, async () => {
  const report = await simulate(seed, count);
  console.log(reportText(report));
  expect(report.operations).toBe(count);
  if (count < 1_500) return;
  if (count >= 10_000)
    expect(report.missed).toEqual({ transaction: [], recipient: [], payin_method: [], sender: [] });
  expect(report.money).toBeGreaterThanOrEqual(0.3);
  for (const name of faultNames) expect([name, (report.fired[name] ?? 0) >= 20]).toEqual([name, true]);
});
