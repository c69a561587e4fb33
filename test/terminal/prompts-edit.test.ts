/** Prompts that correct a recipient, and that sign in, in a real pseudo-terminal; what the sandbox received is asserted. */
import { describe, expect, it } from 'vitest';
import { credentials, payArgv } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { sends } from '../support/review.ts';
import { screenOf } from '../support/screen.ts';
import { useService } from '../support/service.ts';
import { keys, openTerminal, type Terminal } from '../support/terminal.ts';
import { writesReceived } from '../support/writes-received.ts';

const service = useService();
const { env } = service;

const received = () => writesReceived(service);

/** Its screen, as text. */
const keep = async (terminal: Terminal, name: string): Promise<void> =>
  expect(await screenOf(terminal.raw(), { cols: 100, rows: 70 })).toMatchFileSnapshot(`screens/${name}.txt`);

describe('recipient edit', () => {
  async function refused(): Promise<string> {
    const made = await runRemit(payArgv('0123456719'), env);
    return JSON.parse(made.stdout).data.recipients[0].id;
  }

  it('asks what the payout failed for and nothing else, shows the change, sends only that', async () => {
    const id = await refused();
    const terminal = openTerminal(['recipient', 'edit', id], env);
    // What the reason names is asked; the others can be changed at the end.
    await terminal.answers('Account number', '0123456700');
    await terminal.sees('Bank');
    // What stands is offered first: Enter keeps it.
    await terminal.sees('❯ Access Bank (044)');
    await terminal.chooses('✔ Bank');
    await terminal.sees('••••6719 -> 0123456700');
    await terminal.sees('the account is in the name of TEST USER, which does not read as Ada Obi');
    await terminal.answers('Use this account all the same?', 'y');
    await terminal.sees('Change where 25,000 NGN goes, on the sandbox: account ••••6719 to ••••6700?');
    await sends(terminal);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen()).not.toMatch(/(?:First|Middle|Last) name|Account type|Street|Email/);
    await keep(terminal, 'recipient-edit');
    const patch = (await received()).find(({ method }) => method === 'PATCH');
    expect(patch?.body).toEqual({
      recipient: { payout_method: { details: { bank_account: '0123456700' } } },
    });
  });

  it.each(some(['Bank', 'Change where'], 1))(
    'Ctrl-C at "%s" ends with 130, and nothing is sent',
    async (last) => {
      const id = await refused();
      const terminal = openTerminal(['recipient', 'edit', id], env);
      const steps: [string, string][] = [
        ['Account number', '0123456700'],
        ['Bank', ''],
        ['Use this account all the same?', 'y'],
        ['Change where', ''],
      ];
      for (const [question, reply] of steps) {
        await terminal.sees(question);
        if (question === last) break;
        await terminal.listens();
        terminal.types(reply);
        // What stands is offered first: Enter keeps it.
        if (question === 'Bank') {
          await terminal.sees('❯ Access Bank (044)');
          await terminal.chooses('✔ Bank');
        } else terminal.types(keys.enter);
      }
      terminal.types(keys.ctrlC);
      expect(await terminal.exit).toBe(130);
      expect((await received()).some(({ method }) => method === 'PATCH')).toBe(false);
    },
  );

  it.runIf(isLong)('--no-input never asks, as without a terminal', async () => {
    const id = await refused();
    const terminal = openTerminal(['recipient', 'edit', id, '--no-input'], env);
    expect(await terminal.exit).toBe(2);
    expect((await received()).some(({ method }) => method === 'PATCH')).toBe(false);
  });
});

describe('login', () => {
  it('asks, hides the secret, checks the account and keeps it', async () => {
    const terminal = openTerminal(['login'], { REMIT_CONFIG_DIR: service.dir });
    await terminal.answers('Base URL', service.url);
    await terminal.answers('API key', credentials.key);
    await terminal.answers('API secret', credentials.secret);
    await terminal.sees('accepted');
    expect(await terminal.exit).toBe(0);
    expect(terminal.raw()).not.toContain(credentials.secret);
    expect((await runRemit(['balance', 'EUR'], { REMIT_CONFIG_DIR: service.dir })).code).toBe(0);
  });
});

it.runIf(isLong)('--color never takes the colour out of the prompts too', async () => {
  const terminal = openTerminal(['tx', 'create', '--color', 'never'], env);
  await terminal.sees('⏎ select');
  terminal.types(keys.ctrlC);
  expect(await terminal.exit).toBe(130);
  expect(terminal.raw()).not.toMatch(/\u001b\[[0-9;]*m/);
});
