/** Production wiring: the process's streams, signals, clock and dice become arguments here and nowhere else. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import { main } from './main.ts';
import { processStreams } from './terminal/streams.ts';
import type { World } from './world.ts';

export async function start(): Promise<void> {
  const interrupt = new AbortController();
  // A second signal ends the process the hard way: by then the first one's tidying up is what hangs.
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.once(name, () => process.exit(130));
      interrupt.abort(name);
    });
  }
  process.exitCode = await main(process.argv.slice(2), world(interrupt.signal));
}

function world(interrupt: AbortSignal): World {
  return {
    env: process.env,
    streams: processStreams(process),
    clock: { now: () => Date.now() },
    random: { next: () => Math.random() },
    nonce: randomUUID,
    sleep: async (ms, signal) => {
      await sleep(ms, undefined, signal ? { signal } : {});
    },
    cwd: process.cwd(),
    pid: process.pid,
    version: packageJson.version,
    interrupt,
  };
}
