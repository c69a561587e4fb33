/** A confirmation in a real terminal: what it hears, and what it asks for in production. */
import { beforeEach, describe, expect, it } from 'vitest';
import { credentials, paymentFlags } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { useService } from '../support/service.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const service = useService();
const { env } = service;
const PASTED = ['\u001b[200~', '\u001b[201~'] as const;
const QUESTION = /Cancel 25,000 NGN to Ada Obi, on the\s+sandbox\?/;

async function made(externalId: string): Promise<string> {
  const pay = ['tx', 'create', ...paymentFlags('customer-1'), '--external-id', externalId, '-o', 'json'];
  return JSON.parse((await runRemit(pay, env)).stdout).data.id;
}

const stateOf = async (id: string): Promise<string> =>
  JSON.parse((await runRemit(['tx', 'show', id, '-o', 'json', '--query', 'state'], env)).stdout);

describe('hears only what was typed after it stood on the screen', () => {
  it('not what was pasted into the shell behind the command, nor what comes with the question, nor a paste', async () => {
    const id = await made('wages-1');
    const terminal = openTerminal(['tx', 'cancel', id], env);
    // In the terminal before the program reads from it.
    terminal.types(`y${keys.enter}`);
    await terminal.sees(QUESTION);
    terminal.types(`y${keys.enter}`);
    await terminal.listens();
    terminal.types(`${PASTED[0]}y${keys.enter}${PASTED[1]}`);
    terminal.types('n');
    await terminal.sees(/\(y\/N\) n$/m);
    expect(await stateOf(id)).toBe('approved');
    terminal.types(keys.enter);
    expect(await terminal.exit).toBe(130);
    expect(await stateOf(id)).toBe('approved');
  });

  it('a y that is typed then is a yes', async () => {
    const id = await made('wages-1');
    const terminal = openTerminal(['tx', 'cancel', id], env);
    await terminal.answers(QUESTION, 'y');
    expect(await terminal.exit).toBe(0);
    expect(await stateOf(id)).toBe('canceled');
    // The terminal is as it was: its cursor is shown, and pastes are not marked any more.
    expect(terminal.raw()).toMatch(/\u001b\[\?25h\u001b\[\?2004l/);
  });

  it('Ctrl-C stops it before it listens', async () => {
    const id = await made('wages-1');
    const terminal = openTerminal(['tx', 'cancel', id], env);
    await terminal.sees(QUESTION);
    terminal.types(keys.ctrlC);
    expect(await terminal.exit).toBe(130);
    expect(await stateOf(id)).toBe('approved');
  });
});

describe('in production a word is typed', () => {
  const live = { REMIT_CONFIG_DIR: '', MADE_UP: credentials.secret };
  beforeEach(async () => {
    live.REMIT_CONFIG_DIR = service.dir;
    const account = ['--base-url', service.url, '--environment', 'production', '--key', credentials.key];
    const login = await runRemit(
      ['login', '--profile', 'tunnel', ...account, '--secret-env', 'MADE_UP'],
      live,
    );
    expect(login.code, login.stderr).toBe(0);
  });
  const open = (argv: readonly string[]) => openTerminal([...argv, '--profile', 'tunnel'], live);

  it.each(
    some<[string, (ids: string[]) => string[], string, string]>(
      [
        ['a cancel', ([id = '']) => ['tx', 'cancel', id], 'the last four of the account (6700)', '6700'],
        ['several', (ids) => ['tx', 'fund', ...ids], 'the total (29.98 EUR)', '29.98'],
        ['no money', () => ['sender', 'disable', 'customer-1'], 'the name (customer-1)', 'customer-1'],
        [
          'an edit, by the new account',
          () => ['recipient', 'edit', 'wages-1', '--detail', 'bank_account=0123456711', '--skip-validation'],
          'the last four of the account (6711)',
          '6711',
        ],
        ['a payout', ([id = '']) => ['tx', 'fund', id], 'the last four of the account (6700)', '6700'],
      ],
      1,
    ),
  )('%s', async (_, argv, asked, word) => {
    const question = new RegExp(`Type ${asked}`.replaceAll(/[.()]/g, '\\$&').replaceAll(' ', '\\s+'));
    const ids = [await made('wages-1'), await made('wages-2')];
    const no = open(argv(ids));
    await no.answers(question, 'y');
    await no.sees(`This is not ${asked.match(/\((.*)\)/)?.[1]}`);
    no.types(`\u0015${keys.enter}`);
    expect(await no.exit).toBe(130);
    const none = open(argv(ids));
    await none.answers(question);
    expect(await none.exit).toBe(130);
    const yes = open(argv(ids));
    await yes.answers(question, word);
    expect(await yes.exit, yes.screen()).toBe(0);
  });
});
