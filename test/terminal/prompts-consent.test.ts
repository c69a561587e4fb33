/** Prompts that ask for a yes, for a sign-in, and that are left by Ctrl-C. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { credentials, paymentFlags } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { useService } from '../support/service.ts';
import { keys, openProgram, openTerminal } from '../support/terminal.ts';

const service = useService();
const { env } = service;
const CLEAR = '\u0015';

describe('what asks in production asks on a sandbox too, and Enter means No', () => {
  async function made(): Promise<string> {
    const { stdout } = await runRemit(['tx', 'create', ...paymentFlags('customer-1'), '-o', 'json'], env);
    return JSON.parse(stdout).data.id;
  }

  it.each(
    some(
      [
        ['tx', 'fund', 'Pay 14.99 EUR from the sandbox balance?'],
        ['tx', 'cancel', 'Cancel 25,000 NGN to Ada Obi, on the sandbox?'],
      ],
      1,
    ),
  )('%s %s', async (group, verb, question) => {
    const id = await made();
    const terminal = openTerminal([group, verb, id], env);
    await terminal.answers(question);
    expect(await terminal.exit).toBe(130);
    const state = await runRemit(['tx', 'show', id, '-o', 'json', '--query', 'state'], env);
    expect(state.stdout.trim()).toBe('"approved"');
    const again = openTerminal([group, verb, id, '--yes'], env);
    expect(await again.exit).toBe(0);
    expect(again.screen()).not.toContain('(y/N)');
  });

  it('an outcome by somebody’s word is typed, and --yes does not stand for it', async () => {
    // It takes the key, and shows it nothing.
    const closed = createServer(({ url }, response) => {
      const isEvents = url?.endsWith('/webhooks/events');
      response.writeHead(isEvents ? 200 : 403, { 'content-type': 'application/json' });
      response.end(isEvents ? '{"object":[]}' : '{}');
    });
    await new Promise<void>((resolve) => closed.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void closed.close());
    const there = { ...env, REMIT_BASE_URL: `http://127.0.0.1:${(closed.address() as AddressInfo).port}/v1` };
    const unknown = await runRemit(['tx', 'create', ...paymentFlags('customer-1'), '-o', 'json'], there);
    expect(unknown.code, unknown.stderr).toBe(9);
    const id = JSON.parse((await runRemit(['history', '-o', 'json'], there)).stdout).data[0].id;
    const argv = [
      'history',
      'settle',
      id,
      '--as',
      'not-applied',
      '--because',
      'the operator looked',
      '--yes',
    ];
    const wrong = openTerminal(argv, there);
    await wrong.sees('cannot be looked for with this key (403)');
    await wrong.answers('type "not applied"', 'yes');
    expect(await wrong.exit).toBe(130);
    const right = openTerminal(argv, there);
    await right.answers('type "not applied"', 'not applied');
    expect(await right.exit).toBe(0);
    const [{ state, note }] = JSON.parse((await runRemit(['history', '-o', 'json'], there)).stdout).data;
    expect([state, note]).toEqual([
      'not_applied',
      expect.stringMatching(/^said by .+: the operator looked$/),
    ]);
  });

  it.runIf(isLong)('sender disable', async () => {
    const terminal = openTerminal(['sender', 'disable', 'customer-1'], env);
    await terminal.answers(/Nothing here enables\s+it\s+again\./);
    expect(await terminal.exit).toBe(130);
  });
});

describe.runIf(isLong)('login', () => {
  const own = () => ({ REMIT_CONFIG_DIR: service.dir });

  it('asks again for a bad URL, an empty key, an empty secret and what is refused', async () => {
    const terminal = openTerminal(['login', '--profile', 'second'], own());
    await terminal.answers('Base URL', 'not-a-url');
    await terminal.sees('A base URL begins with https:// and ends in /v1');
    terminal.types(CLEAR + service.url.replace('/v1', '') + keys.enter);
    await terminal.sees('should end in /v1');
    terminal.types(CLEAR + service.url + keys.enter);
    await terminal.answers('API key');
    await terminal.answers('An answer is needed here', ` ${credentials.key} `);
    await terminal.answers('API secret');
    await terminal.answers('An answer is needed here', 'wrong');
    await terminal.sees('Enter key and secret again; the URL is kept.');
    await terminal.answers('API key', credentials.key);
    await terminal.answers('API secret', credentials.secret);
    await terminal.sees('accepted');
    await terminal.sees('remit balance');
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw()).not.toContain(credentials.secret);
  });

  it('a URL where nobody answers is asked again, and key and secret are kept', async () => {
    const terminal = openTerminal(['login'], own());
    await terminal.answers('Base URL', 'http://127.0.0.1:9/v1');
    await terminal.answers('API key', credentials.key);
    await terminal.answers('API secret', credentials.secret);
    await terminal.sees('Enter the URL again; key and secret are kept.');
    await terminal.answers('Base URL', CLEAR + service.url);
    await terminal.sees('accepted');
    expect(await terminal.exit).toBe(0);
  });

  it('what is pasted ahead of a bad URL, and of a failure, does not reach the shell', async () => {
    const shell = openProgram('/bin/sh', ['-i'], { ...own(), PS1: 'ready> ', ENV: '' });
    await shell.sees('ready>');
    shell.types(`"${process.execPath}" bin/remit.js login${keys.enter}`);
    await shell.sees('Base URL');
    shell.types(`nonsense${keys.enter}echo key-ran${keys.enter}echo secret-ran${keys.enter}`);
    await shell.sees('A base URL begins with https://');
    shell.types(keys.ctrlC + keys.ctrlC);
    await shell.sees('remit: stopped');
    await shell.sees(/\nready>/);
    shell.types(`echo over${keys.enter}`);
    await shell.sees('over');
    expect(shell.screen()).not.toMatch(/^(?:key|secret)-ran/m);
    shell.types(`exit${keys.enter}`);
    await shell.exit;
  });
});

const STOPPED: [when: string, argv: string[], seen: string][] = [
  ['at a prompt', ['tx', 'create'], 'How is it paid out?'],
  ['while it watches', ['balance', '--watch', '1s'], 'Ctrl-C ends it'],
];
it.each(some(STOPPED, 1))('after Ctrl-C %s the shell begins on a new line', async (_, argv, seen) => {
  const shell = openProgram('/bin/sh', ['-i'], { ...env, PS1: 'ready> ', ENV: '' });
  await shell.sees('ready>');
  shell.types(`"${process.execPath}" bin/remit.js ${argv.join(' ')}${keys.enter}`);
  await shell.sees(seen);
  shell.types(keys.ctrlC);
  await shell.sees(/\nready>/);
  shell.types(`exit${keys.enter}`);
  await shell.exit;
});
