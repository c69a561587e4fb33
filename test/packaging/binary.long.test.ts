/**
 * The one file, built as a release builds it, and run on a machine that has nothing but the libraries that it wants. Where bwrap is
 * missing, or on another system, these tests are skipped and printed so; with REMIT_REQUIRE_BINARY=1, as in CI, they fail.
 */
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { buildBinary, unpackRuntime } from '../../src/build/binary.js';
import { builtBinary, canBuild } from '../support/built-binary.ts';
import { credentials, senderFlags } from '../support/cli.ts';
import { emptyRoot, inRoot, librariesOf } from '../support/empty-root.ts';
import { useKillStage } from '../support/kill-stage.ts';
import { auditRun, balanceOf, fileOfRows } from '../support/payrun-audit.ts';
import { type Program, runRemit, startProgram } from '../support/program.ts';
import { ROOT } from '../support/source-tree.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const json = (path: string) => JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

type Room = Parameters<typeof inRoot>[1];

describe.runIf(canBuild)('the one file', () => {
  let file = '';
  let root = '';
  const start = (argv: readonly string[], room: Room = {}): Program =>
    startProgram([...inRoot(root, room), '/usr/bin/remit', ...argv], {});
  const run = async (...given: Parameters<typeof start>) => {
    const program = start(...given);
    const { code } = await program.ended;
    return { code, stdout: program.stdout(), stderr: program.stderr() };
  };

  beforeAll(async () => {
    file = builtBinary();
    root = emptyRoot('remit', file);
  });

  it('is made with the very Node that was looked at, and no other', () => {
    const runtime = { ...json('src/build/runtime.json'), integrity: 'sha512-of-another' };
    expect(() => unpackRuntime(temporaryFolder(), runtime)).toThrow(/is not what .*runtime\.json names/);
  });

  it('is the same, to the byte, when it is built again', () => {
    expect(readFileSync(buildBinary(temporaryFolder())).equals(readFileSync(file))).toBe(true);
  });

  it('wants the libraries that docs/running.md names, and there is no Node', () => {
    const names = librariesOf(file).map((path) => basename(path).replace(/(?:-linux[^.]*)?\.so.*/, ''));
    const glibc = ['ld', 'libc', 'libdl', 'libm', 'libpthread'];
    expect(names.filter((name) => !glibc.includes(name)).sort()).toEqual([
      'libatomic',
      'libgcc_s',
      'libstdc++',
    ]);
    expect(readdirSync(join(root, 'usr/bin'))).toEqual(['remit']);
  });

  it('is of this size', () => {
    const size = statSync(file).size / 1e6;
    console.log(`the file: ${size.toFixed(1)} MB`);
    expect(size).toBeLessThan(130);
  });

  it.each([
    ['--version'],
    ['-V'],
    ['--help'],
    ['help', 'tx'],
    ['completion', 'zsh'],
    ['__complete', '--', 'tx', 'c'],
  ])('%s %s prints what the program prints', async (...argv) => {
    const [ours, theirs] = await Promise.all([run(argv), runRemit(argv, {})]);
    expect(ours).toEqual(theirs);
    expect(ours).toMatchObject({ code: 0, stderr: '' });
  });

  it('plays the demo, and that of a pay run, which starts itself and is killed, without a network', async () => {
    for (const argv of [['demo'], ['demo', 'payroll']]) {
      const { code, stdout, stderr } = await run(argv);
      expect(code, stderr).toBe(0);
      expect(stdout).toContain('Every amount adds up.');
    }
  });

  it('keeps secrets in a file that only its user reads, and says so', async () => {
    const home = temporaryFolder();
    const room = { env: { SECRET: credentials.secret, HOME: home }, folders: [home] };
    const account = ['--profile', 'one', '--base-url', 'http://127.0.0.1:9/v1', '--key', credentials.key];
    const signedIn = await run(['login', ...account, '--no-check', '--secret-env', 'SECRET'], room);
    expect(signedIn.code, signedIn.stderr).toBe(0);
    const secrets = join(home, '.config/remit/secrets.json');
    expect(signedIn.stdout + signedIn.stderr).toContain(secrets);
    expect(statSync(secrets).mode & 0o777).toBe(0o600);
  });

  it('says in a report that it is one file', async () => {
    const folder = temporaryFolder();
    await run(['doctor', '--report', join(folder, 'report.txt')], { folders: [folder] });
    const { version } = json('src/build/runtime.json');
    expect(readFileSync(join(folder, 'report.txt'), 'utf8')).toContain(`(binary), Node ${version},`);
  });

  describe('beside a service', () => {
    const stage = useKillStage();
    const begin = (...argv: string[]): Program =>
      start(argv, { env: stage.env(stage.port), folders: [stage.dir], shared: true });
    const end = async (...argv: string[]) => {
      const program = begin(...argv);
      const { code } = await program.ended;
      expect(code, program.stderr()).toBe(0);
      return program.stdout();
    };

    it('pays a run that is killed (kill -9) and run again: each row once', async () => {
      const rows = 40;
      const wages = join(stage.dir, 'wages.csv');
      writeFileSync(wages, fileOfRows(rows));
      await end('sender', 'create', ...senderFlags('customer-1'));
      const opening = balanceOf(stage.bench);
      await end('batch', 'plan', wages, '--name', 'wages', '--max-input', 'EUR=1000');
      const first = begin('batch', 'run', 'wages', '--yes');
      await Promise.race([stage.until(() => stage.count() >= 10), first.ended]);
      first.signal('SIGKILL');
      expect((await first.ended).signal).toBe('SIGKILL');
      expect(stage.count()).toBeLessThan(rows);
      await end('batch', 'run', 'wages', '--yes');
      const { wrong, funded } = await auditRun({
        bench: stage.bench,
        file: readFileSync(wages, 'utf8'),
        opening,
      });
      expect({ wrong, funded }).toEqual({ wrong: [], funded: rows });
    });

    it('serves the page of the console', async () => {
      const program = begin('console', '--no-browser', '-o', 'ndjson');
      const { url } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
      const page = await (await fetch(new URL('/', url))).text();
      expect(page).toContain(readFileSync(join(ROOT, 'dist/console/page.css'), 'utf8').slice(0, 200));
      program.signal('SIGKILL');
      await program.ended;
    });
  });

  it('has the licences of Node and of all packages within, beside it', () => {
    const notices = readFileSync(join(dirname(file), 'NOTICES.txt'), 'utf8');
    for (const name of ['Node.js is licensed', 'OpenSSL', '## undici ', '## commander '])
      expect(notices).toContain(name);
  });
});
