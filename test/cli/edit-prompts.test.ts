/** Edits without flags, on a real terminal: each member is asked, only what changed is sent, and it is confirmed. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { credentials, senderFlags } from '../support/cli.ts';
import { runRemit, temporaryHome } from '../support/program.ts';
import { keys, openTerminal } from '../support/terminal.ts';

let sandbox: Sandbox;
let listening: Listening;
let home: ReturnType<typeof temporaryHome>;
let env: Record<string, string>;
beforeEach(async () => {
  sandbox = await createSandbox({ credentials, seed: 3 });
  listening = await listen(sandbox, { port: 0 });
  home = temporaryHome();
  env = {
    REMIT_BASE_URL: listening.url,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
    REMIT_CONFIG_DIR: home.dir,
  };
});
afterEach(async () => {
  await listening.close();
  await sandbox.close();
  home.remove();
});

it('a sender: enter keeps what is there', async () => {
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
  const terminal = openTerminal(['sender', 'edit', 'customer-1'], env);
  for (const question of ['External id', 'First name', 'Last name', 'Country']) {
    await terminal.sees(question);
    terminal.types(keys.enter);
  }
  await terminal.sees('Email');
  terminal.types(`new@example.com${keys.enter}`);
  for (const question of ['Phone number', 'Ip']) {
    await terminal.sees(question);
    terminal.types(keys.enter);
  }
  await terminal.sees('email: ines@example.com -> new@example.com');
  await terminal.sees('Send this change?');
  terminal.types(keys.enter);
  expect(await terminal.exit).toBe(0);
  const { stdout } = await runRemit(['sender', 'find', 'customer-1', '-o', 'json', '--query', 'email'], env);
  expect(stdout.trim()).toBe('"new@example.com"');
});
