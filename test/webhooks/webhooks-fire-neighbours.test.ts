import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/frame/exit-codes.ts';
import { type Fire, freePort, spawnListener, startFire } from '../support/fire-listener.ts';
import { createSender } from '../support/fire-sender.ts';
import { bodyOf } from '../support/listening.ts';
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
