/**
 * A listener whose disk is full: a small file system of its own where that can be made (as root), and a limit on the size of
 * its files everywhere. It answers 503 and not 200, goes on when there is room again, and nothing that it acknowledged is lost.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { everything, type Fire, freePort, inboxIn, startFire } from '../support/fire-listener.ts';
import { createSender } from '../support/fire-sender.ts';
import { bodyOf } from '../support/listening.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

/** Of util-linux. */
const [NAMESPACE, LIMITS] = ['unshare', 'prlimit'] as const;
const FILES = ['inbox.db', 'inbox.db-wal'];
const BODY_BYTES = 16 * 1024;
/** More than the disk has room for. */
const DELIVERIES = 400;

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const canMount =
  isLinux && isRoot && spawnSync(NAMESPACE, ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
const mustMount = isRoot && process.env.REMIT_REQUIRE_SHELLS === '1';
if (!canMount) process.stdout.write('SKIPPED: a full file system: mounting one takes root on Linux\n');
if (!isLinux) process.stdout.write('SKIPPED: files with a limit of their size: prlimit is of Linux\n');

interface FullDisk {
  fire: Fire;
  /** Where its inbox can be read while nothing is written. */
  folder: string;
  makeRoom(): void;
}

/** Only this listener sees what is mounted; all that is outside goes by its process. */
async function fullFileSystem(dir: string, port: number): Promise<FullDisk> {
  const at = join(dir, 'small');
  mkdirSync(at);
  const script =
    'mount -t tmpfs -o size=24m tmpfs "$0" && head -c 22000000 /dev/zero >"$0/filler" && exec "$@"';
  const through = [NAMESPACE, '-m', 'sh', '-c', script, at];
  const fire = await startFire({ dir, port, through, store: join(at, 'inbox.db') });
  const folder = `/proc/${fire.pid}/root${at}`;
  return { fire, folder, makeRoom: () => rmSync(join(folder, 'filler')) };
}

async function limitedFiles(dir: string, port: number): Promise<FullDisk> {
  const through = [LIMITS, '--fsize=3000000:unlimited', '--'];
  const fire = await startFire({ dir, port, through });
  const makeRoom = (): void => {
    execFileSync(LIMITS, ['--pid', String(fire.pid), '--fsize=unlimited:unlimited']);
  };
  return { fire, folder: dir, makeRoom };
}

async function fill(open: (dir: string, port: number) => Promise<FullDisk>): Promise<void> {
  const dir = temporaryFolder();
  const port = await freePort();
  const { fire, folder, makeRoom } = await open(dir, port);
  const sender = createSender(`${fire.url}/hooks`);
  const acknowledged = new Set<string>();
  const statuses: Record<number, number> = {};
  let sent = 0;
  const deliver = async (): Promise<number> => {
    const body = bodyOf(`o-${sent % 10}`, { n: sent++, padding: 'x'.repeat(BODY_BYTES) });
    const status = await sender.send(body);
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (status === 200) acknowledged.add(body);
    return status;
  };
  const answers: number[] = [];
  for (let n = 0; n < DELIVERIES; n += 10)
    answers.push(...(await Promise.all(Array.from({ length: 10 }, () => deliver()))));
  expect(new Set(answers)).toEqual(new Set([200, 503]));
  expect(await deliver()).toBe(503);
  const before = acknowledged.size;
  makeRoom();
  for (let n = 0; n < 20; n++) expect(await deliver()).toBe(200);
  const left = new Set(acknowledged);
  let looked = 0;
  await fire.lines.until((all) => {
    for (; looked < all.length; looked++)
      left.delete(Buffer.from(all[looked]?.data.body_b64 ?? '', 'base64').toString());
    return left.size === 0;
  });
  const copy = temporaryFolder();
  for (const name of FILES) {
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy, name));
  }
  const there = new Set((await everything(inboxIn(copy))).map(({ body }) => Buffer.from(body).toString()));
  expect([...acknowledged].filter((body) => !there.has(body))).toEqual([]);
  expect(there.size, 'what was answered 503 is not there').toBe(acknowledged.size);
  expect((await fire.stop()).code).toBe(0);
  sender.close();
  const said = fire.stderr().trim().split('\n')[0];
  process.stdout.write(`a full disk: ${JSON.stringify({ statuses, 'before it was full': before, said })}\n`);
}

describe('a full disk', () => {
  it.skipIf(!canMount && !mustMount)('that is a file system without room', () => fill(fullFileSystem));
  it.skipIf(!isLinux)('that is a limit on the size of files', () => fill(limitedFiles));
});
