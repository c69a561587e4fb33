/** Two listeners on one embedded inbox, and a program that deliveries are handed on to under load. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/frame/exit-codes.ts';
import {
  everything,
  type Fire,
  freePort,
  inboxIn,
  type Line,
  spawnListener,
  startFire,
} from '../support/fire-listener.ts';
import { createSender } from '../support/fire-sender.ts';
import { bodyOf } from '../support/listening.ts';
import { isLong } from '../support/long.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

describe('two listeners on one embedded inbox', () => {
  it('the second says so, and who the first is; it may start when that one is gone, killed or not', async () => {
    const dir = temporaryFolder();
    const ports = [await freePort(), await freePort()] as const;
    const refused = async (by: Fire): Promise<void> => {
      const second = spawnListener({ dir, port: ports[1] });
      expect((await second.ended).code).toBe(exitCodes.config);
      expect(second.stderr()).toContain(`process ${by.pid}`);
      expect(second.stderr()).toContain('another listener uses this inbox');
    };
    const first = await startFire({ dir, port: ports[0] });
    await refused(first);
    const sender = createSender(`${first.url}/hooks`);
    expect(await sender.send(bodyOf('still here'))).toBe(200);
    first.process.kill('SIGKILL');
    await first.ended;
    const second = await startFire({ dir, port: ports[1] });
    await refused(second);
    expect((await second.stop()).code).toBe(0);
    const third = await startFire({ dir, port: ports[0] });
    await refused(third);
    await third.stop();
    sender.close();
  });
});

const OBJECTS = 20;
const OF_EACH = 10;

describe('a program that deliveries are handed on to', () => {
  it.runIf(isLong)(
    'gets 200 of them, none lost, in the order of each object, also those that it failed at first',
    async () => {
      const dir = temporaryFolder();
      const log = join(dir, 'log');
      const script = join(dir, 'handler.sh');
      /* The fifth of each object fails once. */
      writeFileSync(
        script,
        `body=$(cat)
case "$body$WEBHOOK_ATTEMPT" in *'"n":5}1') exit 9 ;; esac
printf '%s %s %s\\n' "$WEBHOOK_DELIVERY_ID" "$(env | grep -c ^REMIT_)" "$body" >>${log}\n`,
      );
      writeFileSync(log, '');
      const port = await freePort();
      const fire = await startFire({ dir, port, args: ['--exec', `sh ${script}`] });
      const sender = createSender(`${fire.url}/hooks`);
      const from = performance.now();
      const lanes = Array.from({ length: OBJECTS }, async (_, lane) => {
        for (let n = 0; n < OF_EACH; n++) expect(await sender.send(bodyOf(`o-${lane}`, { n }))).toBe(200);
      });
      await Promise.all(lanes);
      const intakeMs = performance.now() - from;
      const done = (lines: readonly Line[]): number =>
        lines.filter(({ data }) => data.state === 'handed_on').length;
      await fire.lines.until((all) => done(all) >= OBJECTS * OF_EACH);
      const ms = performance.now() - from;
      expect((await fire.stop()).code).toBe(0);
      sender.close();
      const ran = readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => line.split(' '))
        .map(([id = '', secrets, ...body]) => ({ id, secrets, ...JSON.parse(body.join(' ')) }));
      const kept = await everything(inboxIn(dir));
      expect(kept.map(({ state }) => state)).toEqual(kept.map(() => 'handed_on'));
      expect(ran.map(({ id }) => id).sort()).toEqual(kept.map(({ id }) => id).sort());
      expect(ran).toHaveLength(OBJECTS * OF_EACH);
      expect(ran.filter(({ secrets }) => secrets !== '0')).toEqual([]);
      for (let lane = 0; lane < OBJECTS; lane++) {
        const order = ran.filter(({ object }) => object.id === `o-${lane}`).map(({ n }) => n);
        expect(order).toEqual(Array.from({ length: OF_EACH }, (_, n) => n));
      }
      const tries = kept.reduce((sum, { attempts }) => sum + attempts, 0);
      expect(tries).toBe(OBJECTS * OF_EACH + OBJECTS);
      const facts = {
        'handed on': ran.length,
        tries,
        'taken in ms': Math.round(intakeMs),
        'handed on in ms': Math.round(ms),
      };
      process.stdout.write(`a program under load: ${JSON.stringify(facts)}\n`);
    },
  );
});
