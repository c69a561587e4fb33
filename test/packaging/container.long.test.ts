/**
 * The image, built as a release builds it and run as an engine would, and the Debian package installed by apt. Where buildah,
 * mmdebstrap or a source of packages is missing, or this is not root, these tests are skipped and printed so; with
 * REMIT_REQUIRE_CONTAINER=1, as in CI where apt has them, they fail.
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildContainer, machineSources } from '../../src/build/container.js';
import { builtBinary, release } from '../support/built-binary.ts';
import { temporaryFolder } from '../support/child-program.ts';
import { credentials, senderFlags } from '../support/cli.ts';
import { type Image, newPlaces, openImage, type Places, startImage } from '../support/image.ts';
import { bodyOf, deliverTo } from '../support/listening.ts';
import { runRemit } from '../support/program.ts';
import { adminOf, untilAnswers } from '../support/prometheus.ts';
import { type Service, startService } from '../support/service.ts';
import { ROOT } from '../support/source-tree.ts';

const isRequired = process.env.REMIT_REQUIRE_CONTAINER === '1';
const codename = /^VERSION_CODENAME=(\w+)$/m.exec(
  spawnSync('cat', ['/etc/os-release']).stdout.toString(),
)?.[1];
const lacks = ((): string | undefined => {
  if (`${process.platform} ${process.arch} ${process.getuid?.()}` !== 'linux x64 0')
    return 'root on Linux x64';
  for (const name of ['buildah', 'mmdebstrap', 'dpkg-deb', 'unshare'])
    if (spawnSync(name, ['--version']).status !== 0) return name;
  const words = [
    '--quiet',
    '--simulate',
    '--variant=extract',
    '--include=libc6',
    codename ?? '',
    '/dev/null',
  ];
  return spawnSync('mmdebstrap', [...words, ...machineSources()]).status === 0
    ? undefined
    : 'a source of packages';
})();
if (lacks !== undefined) console.log(`the image and apt: skipped where there is no ${lacks}`);

const version: string = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).version;
/** All that is below a folder: its path, its owner and its mode; a link is not followed. */
const below = (folder: string) =>
  execFileSync('find', [folder, '-mindepth', '1', '-printf', '/%P\t%U\t%m\t%y\n'], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.split('\t'))
    .map(([path = '', owner = '', mode = '', type = '']) => ({
      path,
      owner,
      mode: Number.parseInt(mode, 8),
      type,
    }));
const pathsBelow = (folder: string) => below(folder).map(({ path }) => path);

describe.skipIf(!isRequired && lacks !== undefined)('from the Debian package', () => {
  let deb = '';
  let archive = '';
  let image: Image;
  let system = '';
  beforeAll(async () => {
    system = join(temporaryFolder(), 'system');
    const made = spawn('mmdebstrap', [
      ...['--quiet', '--mode=root', '--variant=apt', '--format=directory', '--dpkgopt=force-unsafe-io'],
      ...['--skip=cleanup/apt/lists', codename ?? '', system, ...machineSources()],
    ]);
    const ended = once(made, 'close');
    ({ deb } = builtBinary());
    archive = buildContainer(temporaryFolder(), { deb, release });
    image = openImage(archive);
    expect((await ended)[0]).toBe(0);
  });
  afterAll(() => {
    image?.remove();
    rmSync(system, { recursive: true, force: true });
  });

  describe('the image', () => {
    let service: Service;
    let places: Places;
    beforeAll(async () => {
      service = await startService();
      await runRemit(['sender', 'create', ...senderFlags('customer-1')], service.env);
      places = newPlaces();
      writeFileSync(join(places.given, 'secret'), credentials.secret, { mode: 0o644 });
    });
    afterAll(() => service.close());
    const run = async (argv: readonly string[], more: Parameters<typeof startImage>[3] = {}) => {
      const { program } = startImage(image, places, argv, more);
      const { code } = await program.ended;
      return { code, stdout: program.stdout(), stderr: program.stderr() };
    };

    it('says who runs it, what is kept, how it is stopped, and what it is', () => {
      const { Env, Labels, ...rest } = image.config;
      expect(rest).toEqual({
        User: '65532:65532',
        Entrypoint: ['/usr/bin/remit'],
        Volumes: { '/var/lib/remit': {} },
        WorkingDir: '/var/lib/remit',
        StopSignal: 'SIGTERM',
      });
      expect(Env.map((one) => one.replace(/=.*/, ''))).toEqual([
        ...['PATH', 'HOME', 'REMIT_CONFIG_DIR', 'REMIT_STORE', 'REMIT_NO_INPUT'],
      ]);
      const own = Object.entries(Labels).filter(([name]) => name.startsWith('org.opencontainers.image.'));
      expect(Object.fromEntries(own.map(([name, value]) => [name.slice(25), value]))).toEqual({
        title: 'remit',
        description: expect.stringContaining('money transfer'),
        version,
        licenses: 'MIT',
        authors: release.author,
        url: release.homepage,
      });
    });

    it('has the program, and of Debian what apt says that it depends on: no shell, no list of apt, nothing of this machine', () => {
      const programs = pathsBelow(image.root).filter((path) => /^(\/usr(\/local)?)?\/s?bin\//.test(path));
      expect(programs).toEqual(['/usr/bin/remit']);
      expect(readdirSync(join(image.root, 'etc')).sort()).toEqual(
        ['group', 'ld.so.conf.d', 'nsswitch.conf', 'os-release', 'passwd'].sort(),
      );
      for (const path of ['dev', 'proc', 'run/remit', 'sys', 'tmp', 'var/lib/remit'])
        expect([path, readdirSync(join(image.root, path))]).toEqual([path, []]);
      expect(readdirSync(join(image.root, 'var/lib')).sort()).toEqual(['dpkg', 'remit']);
      const admin = [
        '--admindir',
        join(image.root, 'var/lib/dpkg'),
        '--show',
        '--showformat=$' + '{Package}\n',
      ];
      const packages = execFileSync('dpkg-query', admin, { encoding: 'utf8' }).trim().split('\n');
      expect(packages).toEqual([
        'gcc-12-base',
        'libatomic1',
        'libc6',
        'libgcc-s1',
        'libstdc++6',
        'remit-cli',
      ]);
    });

    it('has no file that gives rights, and none but its volume and its memory is its user’s', () => {
      const all = below(image.root);
      expect(all.filter(({ type, mode }) => type === 'f' && (mode & 0o7000) !== 0)).toEqual([]);
      expect(all.filter(({ type }) => !['f', 'd', 'l'].includes(type))).toEqual([]);
      const owned = all.filter(({ owner }) => owner !== '0').map(({ path }) => path);
      expect(owned.sort()).toEqual(['/run/remit', '/var/lib/remit']);
    });

    it('is of this size', () => {
      const { size } = statSync(archive);
      console.log(`the image: ${(size / 1e6).toFixed(1)} MB`);
      expect(size).toBeLessThan(65e6);
    });

    it('is started by buildah', () => {
      expect(image.run(...image.config.Entrypoint, '--version')).toBe(version);
    });

    it('keeps what a listener takes on its volume, ends on SIGTERM, and goes on with it when it is started anew', async () => {
      const account = ['--base-url', service.url, '--key', credentials.key, '--secret-file', '/sys/secret'];
      for (const id of ['o-1', 'o-2']) {
        const signedIn = await run(['login', '--profile', 'acme', ...account]);
        expect(signedIn.code, signedIn.stderr).toBe(0);
        const words = ['webhooks', 'listen', '--port', '0', '--admin', '127.0.0.1:0', '-o', 'ndjson'];
        const { program, signal } = startImage(image, places, words);
        const { port } = JSON.parse(await program.line((line) => line.includes('"ready"'))).data;
        await untilAnswers(`${await adminOf(program)}/readyz`, ({ status }) => status === 200);
        const url = `http://127.0.0.1:${port}/`;
        const answer = await deliverTo(url, bodyOf(id), { url, by: credentials });
        expect(answer.status, program.stderr()).toBe(200);
        await program.line((line) => line.includes(id));
        signal('SIGTERM');
        expect(await program.ended, program.stderr()).toEqual({ code: 0, signal: null });
      }
      const stores = (folder: string) => readdirSync(folder).filter((name) => name.includes('.db'));
      expect([stores(join(places.settings, 'settings')), stores(places.state)]).toEqual([
        [],
        expect.arrayContaining([expect.any(String)]),
      ]);
      const kept = await run(['webhooks', 'events', '-o', 'json']);
      expect(JSON.parse(kept.stdout).data, kept.stderr).toMatchObject([
        { object_id: 'o-2' },
        { object_id: 'o-1' },
      ]);
    });

    it('writes nowhere else: the root is read-only, and were it not, its user could not', async () => {
      const books = ['books', 'sync'];
      const locked = await run(books, { env: { REMIT_STORE: '/tmp/remit.db' } });
      expect([locked.code === 0, locked.stderr]).toEqual([false, expect.stringMatching(/read-only|EROFS/i)]);
      const foreign = { env: { REMIT_STORE: '/usr/remit.db' }, isWritable: true };
      const refused = await run(books, foreign);
      expect([refused.code === 0, refused.stderr]).toEqual([
        false,
        expect.stringMatching(/permission|EACCES/i),
      ]);
      expect(existsSync(join(image.root, 'usr/remit.db'))).toBe(false);
    });
  });

  it('apt installs it with what it depends on, and removes it without a trace but of state', () => {
    const env = { PATH: '/usr/sbin:/usr/bin:/sbin:/bin', DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' };
    const inside = (...line: string[]) =>
      spawnSync('chroot', [system, ...line], { encoding: 'utf8', env: { ...env, HOME: '/tmp' } });
    const apt = (...words: string[]) => {
      const { status, stdout, stderr } = inside('apt-get', '--yes', ...words);
      expect(status, stdout + stderr).toBe(0);
    };
    const before = new Set(pathsBelow(system));
    expect(inside('dpkg-query', '--status', 'libatomic1').status).not.toBe(0);
    copyFileSync(deb, join(system, 'tmp/remit.deb'));
    apt('install', '/tmp/remit.deb');
    expect(inside('dpkg-query', '--status', 'libatomic1').status).toBe(0);
    expect(inside('remit', '--version')).toMatchObject({ status: 0, stdout: `${version}\n`, stderr: '' });
    expect(inside('dpkg', '--verify', 'remit-cli')).toMatchObject({ status: 0, stdout: '' });
    const units = readdirSync(join(ROOT, 'packaging/systemd')).map((name) => `lib/systemd/system/${name}`);
    for (const path of [
      'man/man1/remit.1.gz',
      'bash-completion/completions/remit',
      'zsh/vendor-completions/_remit',
    ])
      expect(existsSync(join(system, 'usr/share', path)), path).toBe(true);
    for (const path of units) expect(existsSync(join(system, 'usr', path)), path).toBe(true);
    apt('remove', '--autoremove', 'remit-cli');
    rmSync(join(system, 'tmp/remit.deb'));
    const left = pathsBelow(system).filter((path) => !before.has(path));
    expect(left.filter((path) => !/^\/(etc|var)\//.test(path))).toEqual([]);
    expect(left.filter((path) => path.includes('remit'))).toEqual([]);
  });
});
