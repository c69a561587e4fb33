/**
 * Pay runs whose process is killed at random instants, over a network that cuts connections and a service with every fault of
 * the sandbox, and run again each time. An auditor that reads the file and the ledger alone finds each row paid once.
 * REMIT_KILLS says how often they are killed: 20 times in the long form, twice in the short one, which does not meet every fault.
 */
import { expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { hasEnded } from '../support/kill-stage.ts';
import { isLong } from '../support/long.ts';
import { PayrunStage } from '../support/payrun-stage.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? (isLong ? 20 : 2));
/** A run is left for the next one after so many kills: only the first process of a run reads the rates. */
const KILLS_A_RUN = Math.max(Math.min(5, KILLS), KILLS / 10);
const ROWS_A_KILL = 30;
/** Every so often a run is watched from a second terminal. */
const WATCHED = 5;

const stage = new PayrunStage({ seed: 16_01 });
const random = seededRandom(16_03);

/** Whether it was killed: it may end by itself before that, and say that it paused. */
async function runAndKill(name: string): Promise<'killed' | 'over' | 'not over'> {
  await stage.worsen();
  const program = stage.start('batch', 'run', name, '--yes');
  const goal = stage.count() + Math.floor(random.next() * 20);
  await stage.until(() => stage.count() >= goal || hasEnded(program));
  stage.meanwhile();
  if (await stage.killAfter(program, () => true, random.next() * 8)) return 'killed';
  return [0, 10].includes(program.process.exitCode ?? -1) ? 'over' : 'not over';
}

it(`killed ${KILLS} times while it pays, each row is paid once`, {
  timeout: 300_000 + KILLS * 6_000,
}, async () => {
  await stage.beginTrouble();
  let killed = 0;
  for (let run = 0, round = 0; killed < KILLS; run++) {
    const name = `wages-${run}`;
    await stage.worsen();
    await stage.plan(name, KILLS_A_RUN * ROWS_A_KILL);
    for (let tries = 0; tries < KILLS_A_RUN + 2 && killed < KILLS; tries++, round++) {
      if (round % WATCHED === 0) stage.watch(name);
      const end = await runAndKill(name);
      if (end === 'killed') killed += 1;
      if (end === 'over') break;
    }
  }
  const met = await stage.finish();
  console.log(JSON.stringify({ killed, ...met }, undefined, 1));
  await stage.audit();
  if (KILLS >= 20) expect(met.missed).toEqual([]);
});
