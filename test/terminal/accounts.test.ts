/** Prompts for accounts in a real pseudo-terminal: what no corridor takes is said at once, and nothing is sent. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { credentials, paymentFlags, senderFlags } from '../support/cli.ts';
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
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
});
afterEach(async () => {
  await listening.close();
  await sandbox.close();
  home.remove();
});

it('a letter in an account is said where it is typed, and the account asked again', async () => {
  const flags = paymentFlags('customer-1').filter((flag, i, all) => {
    const pair = flag === '--detail' ? all[i + 1] : flag;
    return !pair?.startsWith('bank_account=');
  });
  const terminal = openTerminal(['tx', 'create', ...flags, '--external-id', 'asked-1'], env);
  await terminal.sees('Bank account');
  terminal.types(`012345670O${keys.enter}`);
  await terminal.sees('Bank account has the letter O in place 10; right is ten digits');
  terminal.types(`${keys.backspace}0${keys.enter}`);
  await terminal.sees('costs 14.99 EUR');
  expect(await terminal.exit).toBe(0);
});
