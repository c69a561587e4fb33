/** Edits without flags, on a real terminal: each member is asked, only what changed is sent, and it is confirmed. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { paymentFlags, senderFlags } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { sends } from '../support/review.ts';
import { type Service, startService } from '../support/service.ts';
import { openTerminal } from '../support/terminal.ts';

let service: Service;
let env: Record<string, string>;
beforeEach(async () => {
  service = await startService();
  env = service.env;
});
afterEach(() => service.close());

it.runIf(isLong)('a sender: enter keeps what is there', async () => {
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
  const terminal = openTerminal(['sender', 'edit', 'customer-1'], env);
  for (const question of ['Your reference', 'First name', 'Last name', 'Country'])
    await terminal.answers(question);
  await terminal.answers('E-mail', 'new@example.com');
  for (const question of ['Phone number', 'IP address']) await terminal.answers(question);
  await terminal.sees('email: ines@example.com -> new@example.com');
  await sends(terminal);
  expect(await terminal.exit).toBe(0);
  const { stdout } = await runRemit(['sender', 'find', 'customer-1', '-o', 'json', '--query', 'email'], env);
  expect(stdout.trim()).toBe('"new@example.com"');
});

const SHOWN: [how: string, flags: string[], offered: string, kept: string][] = [
  ['shows the account by its last four', [], '(••••6719)', '✔ Account number ••••6719'],
  ['shows it whole with --reveal', ['--reveal'], '(0123456719)', '✔ Account number 0123456719'],
];
it.each(some(SHOWN, 1))('a recipient: %s, and enter keeps it', async (_, flags, offered, kept) => {
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
  const made = ['tx', 'create', ...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1'];
  expect((await runRemit(made, env)).code).toBe(0);
  const terminal = openTerminal(['recipient', 'edit', 'wages-1', ...flags], env);
  // Nothing failed, so nobody knows what is wrong: it is asked.
  await terminal.sees('What is to be changed?');
  await terminal.sees('Last name: Obi');
  terminal.types('all of');
  await terminal.sees('❯ all of them');
  await terminal.chooses('✔ What is to be changed?');
  await terminal.answers('First name');
  await terminal.answers('Middle name');
  await terminal.answers('Last name', 'Okoye');
  await terminal.sees('❯ Access Bank (044)');
  await terminal.chooses('✔ Bank');
  await terminal.answers(offered);
  await terminal.sees(kept);
  for (const field of ['Account type', 'Street', 'Email']) await terminal.answers(field);
  await terminal.sees('to Ada Obi');
  await terminal.sees('last_name: Obi -> Okoye');
  await sends(terminal);
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).not.toContain('bank_account:');
  const query = ['--query', 'payout_method.details.bank_account', '--reveal'];
  const { stdout } = await runRemit(['recipient', 'show', 'wages-1', '-o', 'json', ...query], env);
  expect(stdout.trim()).toBe('"0123456719"');
});

it('one field is chosen, asked and sent; nobody is asked for nine', async () => {
  await runRemit(['sender', 'create', ...senderFlags('customer-1')], env);
  const made = ['tx', 'create', ...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1'];
  expect((await runRemit(made, env)).code).toBe(0);
  const terminal = openTerminal(['recipient', 'edit', 'wages-1'], env);
  await terminal.sees('What is to be changed?');
  terminal.types('last');
  await terminal.sees('❯ Last name: Obi');
  await terminal.chooses('✔ What is to be changed?');
  await terminal.answers('? Last name (Obi)', 'Okoye');
  await terminal.sees('last_name: Obi -> Okoye');
  await sends(terminal);
  expect(await terminal.exit).toBe(0);
  expect(terminal.screen()).not.toMatch(/First name \(|Account number \(/);
});
