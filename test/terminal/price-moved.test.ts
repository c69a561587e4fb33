/** The rate moves while a person reads the question: the yes was to the price that stood there, and the new one is asked about. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, describe, expect, it } from 'vitest';
import { payment, type Told } from '../support/agents.ts';
import { credentials, paymentFlags } from '../support/cli.ts';
import { runRemit } from '../support/program.ts';
import { useService } from '../support/service.ts';
import { openTerminal } from '../support/terminal.ts';

const service = useService();
const { env } = service;
const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const PAY = ['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'wages-1', '--fund'];
const SHOWN = /Pay 14\.99 EUR from the\s+sandbox balance\?/;
const DEARER = /Pay 24\.98 EUR from the\s+sandbox balance\?/;
const WHOLE = '250000';

const asked = async (...argv: string[]) =>
  JSON.parse((await runRemit([...argv, '-o', 'json'], env)).stdout).data;
const balance = async (): Promise<string> => (await asked('balance', 'EUR')).amount;
const states = async (): Promise<string[]> =>
  (await asked('tx', 'list')).map((one: { state: string }) => one.state);

async function rateMoves(): Promise<void> {
  const armed = await runRemit(['sandbox', 'fail', 'rate-moved', '--always'], env);
  expect(armed.code, armed.stderr).toBe(0);
}

describe('tx create --fund', () => {
  it.each([[[]], [['--max-input', '30']]])('debits only what the second yes was to: %j', async (more) => {
    const terminal = openTerminal([...PAY, ...more], env);
    await terminal.sees('at most 15.06 EUR');
    await terminal.sees(SHOWN);
    await rateMoves();
    await terminal.listens();
    terminal.types('y\r');
    await terminal.sees(/the rate moved: it costs 24\.98 EUR now, more than the limit,\s+15\.06 EUR/);
    await terminal.sees(DEARER);
    expect([await balance(), await states()]).toEqual([WHOLE, ['approved']]);
    await terminal.answers('', 'y');
    expect(await terminal.exit).toBe(0);
    expect([await balance(), (await states()).length]).toEqual(['249975.02', 1]);
  });

  it('a no to the new price leaves the transaction, by name, and pays nothing: 10', async () => {
    const terminal = openTerminal(PAY, env);
    await terminal.sees(SHOWN);
    await rateMoves();
    await terminal.answers('', 'y');
    await terminal.answers(DEARER, 'n');
    expect(await terminal.exit).toBe(10);
    const [{ id, state }] = await asked('tx', 'list');
    expect([state, await balance()]).toEqual(['approved', WHOLE]);
    expect(terminal.screen().replaceAll(/\s+/g, ' ')).toContain(`remit tx fund ${id}`);
  });
});

describe('remit approve', () => {
  const live = { REMIT_CONFIG_DIR: '', MADE_UP: credentials.secret, REMIT_PROFILE: 'tunnel' };
  beforeEach(async () => {
    live.REMIT_CONFIG_DIR = service.dir;
    const account = ['--base-url', service.url, '--environment', 'production', '--key', credentials.key];
    for (const argv of [
      ['login', '--profile', 'tunnel', ...account, '--secret-env', 'MADE_UP'],
      ['profiles', 'set', 'tunnel', 'agent=prepare', '--live=tunnel'],
    ]) {
      const run = await runRemit(argv, live);
      expect(run.code, run.stderr).toBe(0);
    }
  });

  it('of a payment asks again, and a plan that was made and not paid is approved later', async () => {
    const client = new Client({ name: 'a-host', version: '1' });
    const pipe = { PATH: process.env.PATH ?? '', ...live };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env: pipe }),
    );
    const planned = (await client.callTool({ name: 'plan_payment', arguments: payment() })).structuredContent;
    await client.close();
    const { handle } = planned as Told;
    const typed = (cost: string) => new RegExp(`Pay ${cost} EUR from the\\s+LIVE balance\\?\\s+Type`);
    const first = openTerminal(['approve', handle], live);
    await first.sees(typed('14\\.99'));
    await rateMoves();
    await first.answers('', '6700');
    await first.answers(typed('24\\.98'), '');
    expect(await first.exit).toBe(10);
    expect([await balance(), await states()]).toEqual([WHOLE, ['approved']]);
    const again = openTerminal(['approve', handle], live);
    await again.answers(typed('24\\.98'), '6700');
    expect(await again.exit).toBe(0);
    expect([await balance(), (await states()).length]).toEqual(['249975.02', 1]);
  });
});
