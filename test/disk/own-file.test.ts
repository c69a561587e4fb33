/** A store's path may lead anywhere. What is there keeps its mode, its bytes and its time; what is made is ours alone. */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { seededRandom } from '../../src/core/random.ts';
import { holdFile, openDatabase, readOnce } from '../../src/disk/driver.ts';
import { replaceOwnFile } from '../../src/disk/own-file.ts';
import { openRecords } from '../../src/disk/record-file.ts';
import { controlTokenPath, keepControlToken, readControlToken } from '../../src/profiles/control-token.ts';
import { writeReadyFile } from '../../src/webhooks/cli/webhooks/listen/session.ts';
import { openSqliteInbox } from '../../src/webhooks/store/sqlite.ts';
import { openStore } from '../support/open-store.ts';
import { runRemit } from '../support/program.ts';
import { standingClock } from '../support/stores.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const IS_ROOT = process.getuid?.() === 0;
const IS_WINDOWS = process.platform === 'win32';
const parts = () => ({ clock: standingClock(), random: seededRandom(3) });
const facts = (path: string) => {
  const { mode, mtimeMs, size, uid } = lstatSync(path);
  return { mode, mtimeMs, size, uid };
};

/** Every way in which a file of a store is opened. */
const openers: Record<string, (path: string) => Promise<unknown>> = {
  'the journal and the ids seen': (path) => openStore(path, parts()),
  'the inbox': (path) => openSqliteInbox(path, { ...parts(), account: 'a' }),
  'the data of a sandbox': (path) => openRecords(path),
  'the lock of a listener': (path) => holdFile(path),
  'the ids that are completed': (path) => readOnce(path, 'SELECT 1'),
};

const servers: ReturnType<typeof createServer>[] = [];
afterAll(() => {
  for (const server of servers) server.close();
});

/** What a path may lead to, each made afresh. Answers the path, and what must stay as it is. */
const strange: Record<string, (dir: string) => [path: string, kept: string] | Promise<[string, string]>> = {
  'a folder': (dir) => {
    const path = join(dir, 'folder');
    mkdirSync(path, { mode: 0o755 });
    return [path, path];
  },
  'a link to a file of ours': (dir) => {
    const [path, target] = [join(dir, 'link'), join(dir, 'target')];
    writeFileSync(target, '', { mode: 0o644 });
    symlinkSync(target, path);
    return [path, target];
  },
  'a link to nothing': (dir) => {
    const path = join(dir, 'link');
    symlinkSync(join(dir, 'nowhere'), path);
    return [path, path];
  },
  'a queue': (dir) => {
    const path = join(dir, 'queue');
    execFileSync('sh', ['-c', 'mkfifo -m 644 "$0"', path]);
    return [path, path];
  },
  'a socket': async (dir) => {
    const path = join(dir, 'socket');
    const server = createServer();
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(path, resolve));
    return [path, path];
  },
  'an empty file that others can change': (dir) => {
    const path = join(dir, 'open');
    writeFileSync(path, '');
    chmodSync(path, 0o666);
    return [path, path];
  },
};
if (IS_ROOT) {
  // One of our own: a regression must not reach the machine's.
  strange['a device'] = (dir) => {
    const path = join(dir, 'null');
    execFileSync('sh', ['-c', 'mknod -m 644 "$0" c 1 3', path]);
    return [path, path];
  };
  strange['an empty file of another user'] = (dir) => {
    const path = join(dir, 'theirs');
    writeFileSync(path, '', { mode: 0o600 });
    chownSync(path, 12_345, 12_345);
    return [path, path];
  };
}

describe.skipIf(IS_WINDOWS)('what is no file of ours is refused, and stays as it is', () => {
  const cases = Object.keys(openers).flatMap((opener) => Object.keys(strange).map((what) => [opener, what]));
  it.each(cases)('%s: %s', async (opener, what) => {
    const [path, kept] = (await strange[what]?.(temporaryFolder())) ?? ['', ''];
    const before = facts(kept);
    const kind = await openers[opener]?.(path).then(
      () => 'opened',
      (error: { kind?: string }) => error.kind,
    );
    expect([kind, facts(kept)]).toEqual([
      opener === 'the data of a sandbox' && kind === 'foreign' ? 'foreign' : 'unsafe',
      before,
    ]);
  });

  it.each(['-wal', '-shm', '-journal'])('a link planted as %s is not followed', async (end) => {
    const dir = temporaryFolder();
    const [path, target] = [join(dir, 'store.db'), join(dir, 'target')];
    writeFileSync(target, 'mine', { mode: 0o600 });
    symlinkSync(target, path + end);
    await expect(openDatabase(path, { newest: 0, steps: {} })).rejects.toMatchObject({ kind: 'unsafe' });
    expect(readFileSync(target, 'utf8')).toBe('mine');
  });

  it('a store that has a second name is a file of ours', async () => {
    const path = join(temporaryFolder(), 'store.db');
    (await openStore(path, parts())).close();
    linkSync(path, `${path}.copy`);
    (await openStore(path, parts())).close();
  });
});

describe.skipIf(IS_WINDOWS)('REMIT_STORE', () => {
  it('that names the home folder: 78, clear words, and the folder keeps its mode', async () => {
    const home = temporaryFolder();
    chmodSync(home, 0o755);
    const { code, stderr } = await runRemit(['history'], { HOME: home, REMIT_STORE: home });
    expect([code, facts(home).mode & 0o777]).toEqual([78, 0o755]);
    expect(stderr).toContain('it is a folder: name a file in it');
    expect(stderr).toContain('REMIT_STORE=FILE');
  });
});

describe.skipIf(IS_WINDOWS)('files that are written whole', () => {
  it.each(['', '.new'])('a link planted as the file%s is not written through', (end) => {
    const dir = temporaryFolder();
    const [path, target] = [join(dir, 'file'), join(dir, 'target')];
    writeFileSync(target, 'mine');
    symlinkSync(target, path + end);
    replaceOwnFile(path, 'new');
    expect([readFileSync(target, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['mine', 'new']);
    expect([lstatSync(path).isFile(), facts(path).mode & 0o777]).toEqual([true, 0o600]);
  });

  it('the ready file of a listener', () => {
    const dir = temporaryFolder();
    const [path, target] = [join(dir, 'ready'), join(dir, 'target')];
    writeFileSync(target, 'mine');
    symlinkSync(target, `${path}.7.tmp`);
    writeReadyFile(path, { pid: 7 });
    expect([readFileSync(target, 'utf8'), readFileSync(path, 'utf8')]).toEqual(['mine', '{"pid":7}\n']);
  });

  it('the token of a sandbox: neither written nor read through a link', () => {
    const env = { REMIT_CONFIG_DIR: temporaryFolder() };
    const url = 'http://127.0.0.1:4010/v1';
    const target = join(env.REMIT_CONFIG_DIR, 'target');
    writeFileSync(target, 'mine', { mode: 0o600 });
    keepControlToken(env, url, 'first');
    const path = controlTokenPath(env, url);
    execFileSync('ln', ['-sf', target, path]);
    expect(() => readControlToken(env, url)).toThrow('it is a link');
    keepControlToken(env, url, 'second');
    expect([readFileSync(target, 'utf8'), readControlToken(env, url)]).toEqual(['mine', 'second']);
  });
});
