/** `remit upgrade --check` asks a registry through the npm that is here: each registry of these tests is on loopback. */

import { writeFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import packageJson from '../../package.json' with { type: 'json' };
import { PACKAGE } from '../../src/cli/upgrade/ask-npm.ts';
import { isBreak, isNewer, versionOf } from '../../src/cli/upgrade/versions.ts';
import { temporaryFolder } from '../support/child-program.ts';
import { noAccount, useBench } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { portOf, shut } from '../support/servers.ts';

const bench = useBench();
const servers: Server[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await shut(server);
});

interface Asked {
  url: string;
  asked: string[];
}

async function registry(answer: RequestListener): Promise<Asked> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    answer(request, response);
  });
  servers.push(server);
  return { url: `http://127.0.0.1:${await portOf(server)}/`, asked };
}

/** As a registry has it: the packument. */
const offers =
  (version: string): RequestListener =>
  (_, response) => {
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({
        name: PACKAGE,
        'dist-tags': { latest: version },
        versions: { [version]: { name: PACKAGE, version, dist: { tarball: 'http://127.0.0.1:9/none.tgz' } } },
      }),
    );
  };
const says =
  (status: number, body: string): RequestListener =>
  (_, response) => {
    response.statusCode = status;
    response.setHeader('content-type', 'application/json');
    response.end(body);
  };

/** A home without settings of npm but these, and the PATH of this process. */
function home(npmrc = ''): Record<string, string | undefined> {
  const folder = temporaryFolder();
  writeFileSync(join(folder, '.npmrc'), npmrc);
  const { PATH, Path = PATH, SystemRoot } = process.env;
  return {
    ...noAccount,
    PATH: Path,
    SystemRoot,
    HOME: folder,
    USERPROFILE: folder,
    npm_config_cache: join(folder, 'cache'),
  };
}

const check = (url: string, more: string[] = []) =>
  bench.run(['upgrade', '--check', '--registry', url, ...more], { env: home() });

describe('the registry answers', () => {
  it('a newer version, which npm does not install where remit is one file', async () => {
    const { url } = await registry(offers('0.0.1'));
    const argv = ['upgrade', '--check', '--registry', url, '-o', 'json'];
    const run = await bench.run(argv, { env: home(), from: 'binary' });
    expect(run.data()).toMatchObject({ is_newer: true, install: null });
    expect(run.stderr).toContain('take the newer one from where you have this one');
  });

  it('a newer version, and the line that installs it', async () => {
    const { url, asked } = await registry(offers('0.0.1'));
    const run = await check(url, ['-o', 'json']);
    expect([run.code, run.stderr]).toEqual([0, '']);
    expect(run.data()).toEqual({
      version: '0.0.0-test',
      newest: '0.0.1',
      is_newer: true,
      is_break: true,
      install: `npm install --global remit-cli@0.0.1 --registry ${url}`,
    });
    expect(asked).toEqual(['GET /remit-cli']);
    expect(run.requests).toEqual([]);
  });

  it('on a terminal it says what that means', async () => {
    const { url } = await registry(offers('1.0.0'));
    const run = await bench.run(['upgrade', '--check', '--registry', url], {
      env: home(),
      tty: true,
      columns: 60,
    });
    expect(run.stdout).toContain('breaks with this one');
    expect(run.stdout.replaceAll(/ \\\n */g, ' ')).toContain(
      `npm install --global remit-cli@1.0.0 --registry ${url}`,
    );
  });

  it('the registry that npm is set up with is asked where none is named', async () => {
    const { url, asked } = await registry(offers('0.0.1'));
    const run = await bench.run(['upgrade', '--check', '-o', 'json'], { env: home(`registry=${url}\n`) });
    expect(run.data<{ install: string }>().install).toBe('npm install --global remit-cli@0.0.1');
    expect(asked).toEqual(['GET /remit-cli']);
  });

  it('the same version, or an earlier one', async () => {
    const { url } = await registry(offers('0.0.0-test'));
    const run = await check(url, ['-o', 'json']);
    expect(run.data()).toMatchObject({ is_newer: false, is_break: false, install: null });
    const shown = await check(url, ['-o', 'table']);
    expect(shown.stdout).toContain('You have the newest.');
  });
});

describe('it could not be asked', () => {
  const gone = async (): Promise<string> => {
    const { url } = await registry(offers('1.0.0'));
    await shut(servers.pop() as Server);
    return url;
  };
  it('the registry is away', async () => {
    const run = await check(await gone());
    expect([run.code, run.stdout]).toEqual([75, '']);
    expect(run.stderr).toContain('the registry cannot be reached (ECONNREFUSED)');
  });

  it('it is slow', async () => {
    const { url } = await registry(() => {});
    const run = await check(url, ['--request-timeout', '2s']);
    expect([run.code, run.stdout]).toEqual([75, '']);
    expect(run.stderr).toContain('the registry did not answer within 2 s');
  });

  const GARBAGE: [string, RequestListener][] = [
    ['no JSON', says(200, '<html>hello</html>')],
    ['JSON that is no package', says(200, '{"hello":"world"}')],
    ['an error of its own', says(500, '{}')],
  ];
  it.each(some(GARBAGE, 1))('its answer is garbage: %s', async (_, answer) => {
    const { url } = await registry(answer);
    const run = await check(url, ['-o', 'json']);
    expect([run.code, run.stdout]).toEqual([75, '']);
    expect(JSON.parse(run.stderr).error).toMatchObject({
      category: 'server',
      code: 'registry_answer',
      retryable: true,
    });
  });

  const REFUSED: [status: number, code: number, words: string, body: string][] = [
    [404, 6, 'offers no remit-cli', '{}'],
    [401, 4, 'does not let this npm look', '{}'],
    [
      200,
      6,
      'offers no remit-cli',
      '{"name":"remit-cli","dist-tags":{"latest":"`touch harm`"},"versions":{"`touch harm`":{}}}',
    ],
  ];
  it.each(some(REFUSED, 2))('it answers with %s', async (status, code, words, body) => {
    const { url } = await registry(says(status, body));
    const run = await check(url);
    expect([run.code, run.stdout]).toEqual([code, '']);
    expect(run.stderr).toContain(words);
  });

  it('no npm is on the PATH', async () => {
    const run = await bench.run(['upgrade', '--check'], { env: { ...home(), PATH: temporaryFolder() } });
    expect(run.code).toBe(78);
    expect(run.stderr).toContain('npm is not on the PATH');
  });

  it('Ctrl-C ends it', async () => {
    const interrupt = new AbortController();
    const { url } = await registry(() => interrupt.abort());
    const run = await bench.run(['upgrade', '--check', '--registry', url], {
      env: home(),
      interrupt: interrupt.signal,
    });
    expect(run.code).toBe(130);
  });
});

it('without --check it asks nobody, and says what installs it', async () => {
  const { url, asked } = await registry(offers('1.0.0'));
  for (const more of [[], ['--registry', url]]) {
    const run = await bench.run(['upgrade', ...more], { env: home(`registry=${url}\n`) });
    expect([run.code, run.stdout]).toEqual([2, '']);
    expect(run.stderr).toContain('npm install --global remit-cli@latest');
  }
  expect(asked).toEqual([]);
});

it.each([
  'https://user:pass@127.0.0.1/',
  'http://127.0.0.1/$(touch harm)',
  'ftp://127.0.0.1',
  'here',
  'http://127.0.0.1/ x',
])('--registry %s is refused', async (url) => {
  const run = await check(url);
  expect(run.code).toBe(2);
  expect(run.stderr).not.toContain('pass@');
});

it('no variable of remit reaches npm', async () => {
  const folder = temporaryFolder();
  const path = join(folder, 'npm');
  writeFileSync(path, '#!/bin/sh\nenv | grep -c REMIT_ > "$0.seen"\necho \'"1.0.0"\'\n', { mode: 0o755 });
  const { readFileSync } = await import('node:fs');
  const env = { PATH: `${folder}:${process.env.PATH}` };
  expect((await bench.run(['upgrade', '--check'], { env })).code).toBe(0);
  expect(readFileSync(`${path}.seen`, 'utf8').trim()).toBe('0');
});

it('the package asked for is this one, and help says that nothing else asks', async () => {
  expect(PACKAGE).toBe(packageJson.name);
  const help = (await bench.run(['upgrade', '--help'], { columns: 100 })).stdout.replaceAll(/\s+/g, ' ');
  expect(help).toContain('remit asks for a newer version only here and only with --check');
});

it.each([
  ['1.2.3', '1.2.4', true, false],
  ['1.2.3', '2.0.0', true, true],
  ['0.1.0', '0.1.9', true, false],
  ['0.1.9', '0.2.0', true, true],
  ['0.0.1', '0.0.2', true, true],
  ['1.10.0', '1.9.9', false, false],
  ['1.0.0-beta.1', '1.0.0', true, false],
  ['1.0.0', '1.0.0-beta.1', false, false],
  ['1.0.0', '1.0.0+build', false, false],
])('%s, then %s', (ours, theirs, isNew, isBreaking) => {
  const [than, one] = [versionOf(ours), versionOf(theirs)];
  if (than === undefined || one === undefined) throw new Error('no version');
  expect([isNewer(one, than), isNewer(one, than) && isBreak(one, than)]).toEqual([isNew, isBreaking]);
});
