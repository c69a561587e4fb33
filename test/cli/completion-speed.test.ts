/** What a shell asks is answered in time, by the built program. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { openStore } from '../../src/store/open.ts';
import { portOf } from '../support/servers.ts';

const PROGRAM = resolve(import.meta.dirname, '../../bin/remit.js');

describe('the built program', () => {
  let home: string;
  let server: Server;
  let port: number;
  let connections = 0;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'remit-asked-'));
    server = createServer((_, response) => response.end()).on('connection', () => {
      connections++;
    });
    port = await portOf(server);
  });
  afterEach(async () => {
    await new Promise((done) => server.close(done));
    rmSync(home, { recursive: true, force: true });
  });

  /** Processor time of a run, in ms: nine in one shell, which says what its children took. Other work on the machine does not count. */
  const timed = (argv: readonly string[], env: Record<string, string>): number => {
    const nine = `for i in 1 2 3 4 5 6 7 8 9; do "$@" >/dev/null || exit 1; done; times`;
    const said = execFileSync('/bin/sh', ['-c', nine, 'sh', process.execPath, ...argv], {
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    });
    const [user, system] = (said.trim().split('\n').at(-1) ?? '').split(' ').map(inSeconds);
    return (((user ?? Number.NaN) + (system ?? Number.NaN)) / 9) * 1000;
  };

  it('answers from 20,000 ids within a tenth of a second, and connects to nothing', async () => {
    const url = `http://127.0.0.1:${port}/v1`;
    const store = await openStore(join(home, 'remit.db'), {
      clock: { now: () => 1 },
      random: seededRandom('many'),
    });
    store.seen.remember(
      `environment ${url}`,
      Array.from({ length: 20_000 }, (_, i) => ({
        kind: 'transaction',
        id: `id-${i}`,
        externalId: `wages-${i}`,
      })),
    );
    store.close();
    const env = { REMIT_CONFIG_DIR: home, REMIT_BASE_URL: url, REMIT_API_KEY: 'k', REMIT_API_SECRET: 's' };
    const ends = {
      bare: timed(['-e', '0'], env),
      ours: timed([PROGRAM, '__complete', 'transaction'], env),
      rare: timed([PROGRAM, '__complete', 'transaction', 'wages-19999'], env),
    };
    // The bound of 100 ms is of a machine where a bare start takes 27; a slower machine has two and a half bare starts, which is
    // less than that ratio.
    const limit = Math.max(100, ends.bare * 2.5);
    expect(ends.ours, JSON.stringify(ends)).toBeLessThan(limit);
    expect(ends.rare, JSON.stringify(ends)).toBeLessThan(limit);
    // A command that asks the service takes five times a bare start: that much was not loaded.
    expect(ends.ours / ends.bare, JSON.stringify(ends)).toBeLessThan(4);
    expect(connections).toBe(0);
    console.log(
      `completion: bare ${ends.bare.toFixed(0)} ms, ids ${ends.ours.toFixed(0)} ms, a rare id ${ends.rare.toFixed(0)} ms`,
    );
  });
});

/** `0m1.230000s` */
function inSeconds(text: string): number {
  const [minutes = '', seconds = ''] = text.split('m');
  return Number(minutes) * 60 + Number.parseFloat(seconds);
}
