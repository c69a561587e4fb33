/** Prompts for accounts in a real pseudo-terminal: what no corridor takes is said at once, and nothing is sent. */
import { expect, it } from 'vitest';
import { paymentFlags } from '../support/cli.ts';
import { sends } from '../support/review.ts';
import { useService } from '../support/service.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const { env } = useService();

it('a letter in an account is said where it is typed, and the account asked again', async () => {
  const flags = paymentFlags('customer-1').filter((flag, i, all) => {
    const pair = flag === '--detail' ? all[i + 1] : flag;
    return !pair?.startsWith('bank_account=');
  });
  const terminal = openTerminal(['tx', 'create', ...flags, '--external-id', 'asked-1'], env);
  await terminal.answers('Account number', '012345670O');
  await terminal.sees('Account number has the letter O in place 10; right is ten digits');
  terminal.types(`${keys.backspace}0${keys.enter}`);
  await terminal.sees('costs 14.99 EUR');
  await sends(terminal);
  expect(await terminal.exit).toBe(0);
});
