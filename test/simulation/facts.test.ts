/**
 * A fact has one home: whatever is copied, set back, rotated or told by a wrong clock, nothing is paid twice, nothing is claimed that is not so,
 * and the history says what the service has. `REMIT_FACTS=3000` runs so many cases; the seed of a failing one is in its message.
 */
import { expect, it } from 'vitest';
import { liveThrough } from '../support/facts-world.ts';
import { isLong } from '../support/long.ts';
import { payThrough } from '../support/runs-world.ts';

const CASES = Number(process.env.REMIT_FACTS ?? (isLong ? 400 : 16));
const FIRST = Number(process.env.REMIT_SEED ?? 1);
const STEPS = 14;

it.each([
  ['one journal, and payments without an id too', true],
  ['two journals that are set back, and payments with an id', false],
])('%s', { timeout: 3_600_000 }, async (_, isOne) => {
  let lived = 0;
  for (let seed = FIRST; seed < FIRST + CASES / 2; seed++) {
    await liveThrough({ isOne, seed }, STEPS);
    lived += 1;
  }
  expect(lived).toBe(Math.ceil(CASES / 2));
});

it('one file of wages, two stores that are set back, and hand-ons in any order', {
  timeout: 3_600_000,
}, async () => {
  const cases = Math.ceil(CASES / 8);
  for (let seed = FIRST; seed < FIRST + cases; seed++) await payThrough(seed, 10);
  process.stdout.write(`cases of facts: ${2 * Math.ceil(CASES / 2) + cases}\n`);
});
