/** `remit console` as a person starts it: the browser that it opens, Enter for a new code, and Ctrl-C. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { listen } from '../../src/sandbox/http/listen.ts';
import { createBench, credentials } from '../support/cli.ts';
import { Asker } from '../support/console.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const ADDRESS = /http:\/\/127\.0\.0\.1:\d+\/#\/start\/[\w-]{43}/g;

it('opens the browser with a code of its own, gives another for each Enter, and ends with Ctrl-C', async () => {
  const bench = await createBench();
  const listening = await listen(bench.sandbox, { port: 0 });
  onTestFinished(async () => {
    await listening.close();
    await bench.close();
  });
  // All that other users of the machine could see of the browser: its arguments.
  const seen = join(bench.dir, 'opened');
  const browser = join(bench.dir, 'browser');
  writeFileSync(browser, `#!/bin/sh\nprintf '%s\\n' "$@" > ${seen}.part && mv ${seen}.part ${seen}\n`);
  chmodSync(browser, 0o755);
  const terminal = openTerminal(
    ['console'],
    {
      REMIT_BASE_URL: listening.url,
      REMIT_API_KEY: credentials.key,
      REMIT_API_SECRET: credentials.secret,
      REMIT_CONFIG_DIR: bench.dir,
      PATH: process.env.PATH ?? '',
      BROWSER: browser,
    },
    { cols: 140, rows: 30 },
  );
  await terminal.sees('only reads');
  await terminal.sees('Enter prints a new address');
  await expect.poll(() => read(seen)).toMatch(ADDRESS);
  terminal.types(keys.enter);
  await terminal.sees('Open within half a minute, once: http');
  await expect.poll(() => (terminal.screen().match(ADDRESS) ?? []).length).toBe(2);
  const codes = [...(terminal.screen().match(ADDRESS) ?? []), read(seen).trim()];
  expect(new Set(codes).size).toBe(3);
  for (const url of codes) {
    const asker = new Asker(new URL(url).origin);
    expect((await asker.signIn(url)).status, url).toBe(200);
    expect((await asker.ask('about', {})).data).toMatchObject({ canWrite: false, isProduction: false });
    // What anybody read in the list of processes afterwards is used up, and using it is noticed.
    expect((await new Asker(asker.origin).signIn(url)).status).toBe(401);
    expect((await asker.ask('about', {})).status).toBe(401);
  }
  await terminal.sees('somebody else had it');
  terminal.types(keys.ctrlC);
  expect(await terminal.exit, terminal.screen()).toBe(0);
  expect(terminal.screen()).not.toContain(credentials.secret);
});

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
