/**
 * Pay runs of which the service refuses some accounts. While they are paid, killed and paid again, rows are corrected, and the runs are put on
 * hold and let go; whoever does that is killed too. The auditor reads the ledger and the file with the corrections that were kept: nobody is
 * paid twice, and nobody by an old body. REMIT_KILLS says how often a payer is killed.
 */
import { it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { hasEnded } from '../support/kill-stage.ts';
import { PayrunStage } from '../support/payrun-stage.ts';

const KILLS = Number(process.env.REMIT_KILLS ?? 4);
const KILLS_A_RUN = 4;
const ROWS_A_KILL = 15;

const stage = new PayrunStage({ seed: 29_10, refuses: true });
const random = seededRandom(29_11);

it(`killed ${KILLS} times among corrections and holds, each row is paid once, by its last body`, {
  timeout: 300_000 + KILLS * 60_000,
}, async () => {
  await stage.beginTrouble();
  const met = { killed: 0, corrected: 0, correctorsKilled: 0 };
  /* How much a machine meets in one try is its own affair: it goes on until that was enough. */
  const isEnough = (): boolean =>
    met.killed >= KILLS && Math.min(met.corrected, met.correctorsKilled) >= Math.floor(KILLS / 4);
  for (let run = 0; !isEnough(); run++) {
    const name = `wages-${run}`;
    await stage.worsen();
    await stage.plan(name, KILLS_A_RUN * ROWS_A_KILL);
    for (let tries = 0; tries < KILLS_A_RUN + 2 && !isEnough(); tries++) {
      const isHeld = await stage.isHeld(name);
      const payer = stage.start('batch', 'run', name, '--yes');
      const goal = stage.count() + Math.floor(random.next() * ROWS_A_KILL);
      // A payer whose run is held waits for its release: it is killed too, and not counted.
      if (!isHeld) await stage.until(() => stage.count() >= goal || hasEnded(payer));
      const counts = stage.count() >= goal && !isHeld;
      const beside = tries % 2 === 1 ? stage.hold(name) : undefined;
      const killing = isHeld
        ? stage.killAtAnyTime(payer)
        : stage.killAfter(payer, () => true, random.next() * 200);
      // Nobody who corrects is killed before as many corrections were kept.
      const became = await stage.correct(name, met.corrected >= met.correctorsKilled);
      if (became === 'kept') met.corrected += 1;
      if (became === 'killed') met.correctorsKilled += 1;
      await beside;
      stage.meanwhile();
      if ((await killing) && counts) met.killed += 1;
    }
    await stage.release(name);
  }
  const ended = await stage.finish();
  console.log(JSON.stringify({ ...met, rows: ended.rows, cuts: ended.cuts }));
  await stage.audit();
});
