/**
 * Pay runs whose store cannot be written. On a full disk (a small file system of its own where that can be made, as root, and a
 * limit on the size of files everywhere) nothing is sent without its intent, and once there is room each row is paid once.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { senderFlags } from '../support/cli.ts';
import { auditRun, balanceOf, everyTransaction, fileOfRows } from '../support/payrun-audit.ts';
import { runRemit, temporaryHome } from '../support/program.ts';
import { type Bench, credentials, startBench } from '../support/sandbox.ts';

/** Of util-linux. */
const [NAMESPACE, ENTER, LIMITS] = ['unshare', 'nsenter', 'prlimit'] as const;
const MOUNT = 'mount -t tmpfs -o size=8m,mode=700 tmpfs "$0" && echo mounted && exec cat';
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0" && exec "$@"';
const ROWS = 60;
const LARGE = 3000;
/** So much the files may still grow: nothing, and then so little that the disk is full again half way. */
const ROOM = [0, 60_000, 150_000, 300_000];

const isLinux = process.platform === 'linux';
const isRoot = process.getuid?.() === 0;
const canMount =
  isLinux && isRoot && spawnSync(NAMESPACE, ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;
const mustMount = isRoot && process.env.REMIT_REQUIRE_SHELLS === '1';
if (!canMount)
  process.stdout.write(
    'SKIPPED: pay runs on a full or read-only file system: mounting one takes root on Linux\n',
  );
if (!isLinux)
  process.stdout.write('SKIPPED: pay runs with a limit of the size of files: prlimit is of Linux\n');

interface Disk {
  /** Only so many bytes are free from now on; undefined: enough. */
  leave(bytes: number | undefined): void;
  /** Programs that see this disk are started with these words before theirs. */
  through(): string[];
  close(): Promise<void>;
}

let bench: Bench;
let listening: Listening;
let home: ReturnType<typeof temporaryHome>;
let folder: string;
let disk: Disk | undefined;
beforeEach(async () => {
  bench = await startBench();
  listening = await listen(bench.sandbox, { port: 0 });
  home = temporaryHome();
  folder = join(home.dir, 'small');
  mkdirSync(folder, { mode: 0o700 });
});
afterEach(async () => {
  await disk?.close();
  disk = undefined;
  await listening.close();
  await bench.sandbox.close();
  home.remove();
});

const remit = (argv: readonly string[], through = disk?.through()) =>
  runRemit(
    argv,
    {
      REMIT_BASE_URL: listening.url,
      REMIT_API_KEY: credentials.key,
      REMIT_API_SECRET: credentials.secret,
      REMIT_CONFIG_DIR: home.dir,
      REMIT_STORE: join(folder, 'remit.db'),
    },
    through,
  );

/** Planned from a file of so many rows. */
function plan(rows: number, name = 'wages') {
  writeFileSync(join(home.dir, 'wages.csv'), fileOfRows(rows));
  return remit(['batch', 'plan', join(home.dir, 'wages.csv'), '--name', name, '--max-input', 'EUR=100000']);
}
const pay = (...more: string[]) => remit(['batch', 'run', 'wages', '--in-flight', '4', ...more]);
const data = async (...argv: string[]) =>
  JSON.parse((await remit(['batch', ...argv, '-o', 'json'])).stdout).data;

/** A keeper holds the mount for as long as it is needed; nobody else sees it. */
async function fullFileSystem(): Promise<Disk> {
  const keeper = spawn(NAMESPACE, ['-m', 'sh', '-c', MOUNT, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  await once(keeper.stdout, 'data');
  const at = `/proc/${keeper.pid}/root${folder}`;
  const filler = join(at, 'filler');
  return {
    leave(bytes) {
      rmSync(filler, { force: true });
      if (bytes === undefined) return;
      const { bavail, bsize } = statfsSync(at);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - bytes)));
    },
    through: () => [ENTER, '-t', String(keeper.pid), '-m', '--'],
    async close() {
      keeper.stdin.end();
      await once(keeper, 'close');
    },
  };
}

async function limitedFiles(): Promise<Disk> {
  let most: number | undefined;
  return {
    leave(bytes) {
      most = bytes;
    },
    through: () => (most === undefined ? [] : [LIMITS, `--fsize=${most}:unlimited`, '--']),
    close: async () => {},
  };
}

describe.each([
  { name: 'a file system without room', open: fullFileSystem, isMissing: !canMount && !mustMount },
  { name: 'a limit on the size of files', open: limitedFiles, isMissing: !isLinux },
])('a full disk that is $name', ({ open, isMissing }) => {
  it.skipIf(isMissing)('keeps no plan, and half of one neither; with room it is planned', async () => {
    disk = await open();
    await remit(['sender', 'create', ...senderFlags('customer-1')]);
    for (const bytes of [0, 200_000]) {
      disk.leave(bytes);
      const full = await plan(LARGE);
      expect([full.code, full.stdout], full.stderr).toEqual([78, '']);
      expect(full.stderr).toMatch(
        /the local store \S+ (?:cannot grow: the disk is full|could not be read or written)/,
      );
      expect(full.stderr).toContain('make room');
    }
    disk.leave(undefined);
    expect(await data('list')).toEqual([]);
    expect((await plan(LARGE)).code).toBe(0);
    expect(await data('list')).toMatchObject([{ name: 'wages', rows: LARGE }]);
  });

  it.skipIf(isMissing)(
    'stops a run: nothing is sent without its intent, and with room each row is paid once',
    async () => {
      disk = await open();
      await remit(['sender', 'create', ...senderFlags('customer-1')]);
      const opening = balanceOf(bench);
      expect((await plan(ROWS)).code).toBe(0);
      const ends: (number | null)[] = [];
      for (const bytes of ROOM) {
        const before = (await everyTransaction(bench)).length;
        disk.leave(bytes);
        const ran = await pay();
        ends.push(ran.code);
        disk.leave(undefined);
        const sent = (await everyTransaction(bench)).length - before;
        const rows = await data('rows', 'wages');
        const begun = new Set(
          rows.flatMap(({ state, external_id: id }: Row) => (state === 'planned' ? [] : [id])),
        );
        const unkept = (await everyTransaction(bench)).filter(({ external_id: id }) => !begun.has(id));
        expect(unkept, 'every payment has its intent').toEqual([]);
        const isOpen = rows.some(({ state }: Row) => state === 'sending' || state === 'unknown');
        expect(ran.code, ran.stderr).toBe(isOpen ? 9 : 78);
        if (isOpen)
          expect(ran.stderr).toMatch(
            /outcome {3}unknown \(of \d+ rows? it is not known|rows may have been sent/,
          );
        if (sent > 0) expect(ran.stderr).not.toContain('nothing was sent');
      }
      expect(ends[0]).toBe(78);
      expect(ends, 'the disk was full half way').toContain(9);
      const last = await pay();
      expect(last.code, last.stderr).toBe(0);
      expect(await auditRun({ bench, file: fileOfRows(ROWS), opening })).toMatchObject({
        wrong: [],
        funded: ROWS,
      });
    },
  );
});

interface Row {
  state: string;
  external_id: string;
}

describe('a store that is read-only', () => {
  it.skipIf(!canMount && !mustMount)('as a folder: each command says so, and nothing is sent', async () => {
    await remit(['sender', 'create', ...senderFlags('customer-1')]);
    await plan(3);
    const through = [NAMESPACE, '-m', 'sh', '-c', READ_ONLY, folder];
    for (const argv of [
      ['plan', join(home.dir, 'wages.csv'), '--name', 'next', '--max-input', 'EUR=9'],
      ['run', 'wages'],
      ['status', 'wages'],
    ]) {
      const { code, stderr } = await remit(['batch', ...argv], through);
      expect([argv, code]).toEqual([argv, 78]);
      expect(stderr).toMatch(/the local store \S+remit\.db cannot be opened or written/);
    }
    expect(await everyTransaction(bench)).toEqual([]);
    expect((await data('status', 'wages')).states).toEqual({ planned: 3 });
  });

  it.skipIf(!canMount && !mustMount)('as a file: what is kept can be read, and nothing is sent', async () => {
    await remit(['sender', 'create', ...senderFlags('customer-1')]);
    await plan(3);
    const through = [NAMESPACE, '-m', 'sh', '-c', READ_ONLY, join(folder, 'remit.db')];
    for (const [code, ...argv] of [
      [8, 'status', 'wages'],
      [0, 'list'],
      [0, 'rows', 'wages'],
    ] as const)
      expect(await remit(['batch', ...argv], through)).toMatchObject({ code });
    for (const argv of [
      ['plan', join(home.dir, 'wages.csv'), '--name', 'next', '--max-input', 'EUR=9'],
      ['run', 'wages'],
    ]) {
      const { code, stderr } = await remit(['batch', ...argv], through);
      expect([argv, code, stderr]).toEqual([
        argv,
        78,
        expect.stringContaining('cannot be opened or written'),
      ]);
    }
    expect(await everyTransaction(bench)).toEqual([]);
  });
});
