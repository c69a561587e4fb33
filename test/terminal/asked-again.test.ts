/** A question stands on a screen while the world goes on: what was asked before it is asked again behind the answer. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, describe, expect, it } from 'vitest';
import { payment, type Told } from '../support/agents.ts';
import { credentials, payArgv } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { runRemit } from '../support/program.ts';
import { useService } from '../support/service.ts';
import { openTerminal, type Terminal } from '../support/terminal.ts';

const service = useService();
const { env } = service;
const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));

const done = async (argv: readonly string[], variables: Record<string, string> = env): Promise<void> => {
  const run = await runRemit([...argv], variables);
  expect(run.code, run.stderr).toBe(0);
};
const payments = async (): Promise<{ external_id: string }[]> =>
  JSON.parse((await runRemit(['tx', 'list', '-o', 'json'], env)).stdout).data;
const screenOf = (terminal: Terminal): string => terminal.screen().replaceAll(/\s+/g, ' ');

describe('remit approve', () => {
  const profile = { REMIT_CONFIG_DIR: '', MADE_UP: credentials.secret, REMIT_PROFILE: 'desk' };
  beforeEach(async () => {
    profile.REMIT_CONFIG_DIR = service.dir;
    const account = ['--base-url', service.url, '--environment', 'sandbox', '--key', credentials.key];
    await done(['login', '--profile', 'desk', ...account, '--secret-env', 'MADE_UP'], profile);
    await done(['profiles', 'set', 'desk', 'agent=prepare'], profile);
  });

  const RUN = {
    ...{ name: 'one', type: 'NGN::Bank', pays_in: 'EUR', sender: 'customer-1', most: { EUR: '100' } },
    csv: 'key,amount,first_name,last_name,bank_code,bank_account\nrow-1,25000,Ada,Obi,044,0123456700\n',
  };
  const TOOLS: Record<string, Record<string, unknown>> = { plan_payment: payment(), plan_run: RUN };

  async function asked(name = 'plan_payment'): Promise<{ terminal: Terminal; handle: string }> {
    const client = new Client({ name: 'a-host', version: '1' });
    const pipe = { PATH: process.env.PATH ?? '', ...profile };
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env: pipe }),
    );
    const planned = (await client.callTool({ name, arguments: TOOLS[name] ?? {} })).structuredContent;
    await client.close();
    const { handle } = planned as Told;
    const terminal = openTerminal(['approve', handle], profile);
    await terminal.sees(new RegExp(`Type\\s+the\\s+name\\s+\\(${handle}\\)`));
    return { terminal, handle };
  }

  it('is no yes to a plan that got over three days old, by the clock of the service, while it was read', async () => {
    const { terminal, handle } = await asked();
    await done(['sandbox', 'clock', 'advance', '71h'], env);
    await terminal.listens();
    terminal.types('\u0003');
    expect(await terminal.exit).toBe(130);
    const again = openTerminal(['approve', handle], profile);
    await again.sees(new RegExp(`Type\\s+the\\s+name\\s+\\(${handle}\\)`));
    await done(['sandbox', 'clock', 'advance', '2h'], env);
    await again.answers('', handle);
    expect([await again.exit, await payments()]).toEqual([2, []]);
    expect(screenOf(again)).toContain('this plan is over three days old');
  });

  it.each(Object.keys(TOOLS))(
    'of %s is no yes beside a payment that somebody made by hand meanwhile',
    async (tool) => {
      const { terminal, handle } = await asked(tool);
      await done(payArgv(undefined, '--external-id', 'by-hand'));
      await terminal.answers('', handle);
      expect([await terminal.exit, (await payments()).map((one) => one.external_id)]).toEqual([
        10,
        ['by-hand'],
      ]);
      expect(screenOf(terminal)).toContain('a payment came meanwhile that looks like this one');
    },
  );

  it('is a yes where nothing changed', async () => {
    const { terminal, handle } = await asked();
    await terminal.answers('', handle);
    expect([await terminal.exit, (await payments()).length]).toEqual([0, 1]);
  });
});

describe('remit batch run', () => {
  const QUESTION = /Pay [\d.]+ EUR from the\s+sandbox balance, to 2\s+recipients\?/;
  async function asked(argv = ['batch', 'run', 'wages'], question = QUESTION): Promise<Terminal> {
    const path = join(service.dir, 'wages.csv');
    writeFileSync(path, fileOfRows(2));
    await done(['batch', 'plan', path, '--name', 'wages', '--max-input', 'EUR=40']);
    const terminal = openTerminal(argv, env);
    await terminal.sees(question);
    return terminal;
  }

  it('pays nothing of a run that was put on hold meanwhile: 8', async () => {
    const terminal = await asked();
    await done(['batch', 'hold', 'wages', '--because', 'the bank asks']);
    await terminal.answers('', 'y');
    expect([await terminal.exit, await payments()]).toEqual([8, []]);
    expect(screenOf(terminal)).toContain('is on hold, by');
  });

  it('pays nothing of a run whose rows were corrected meanwhile', async () => {
    const terminal = await asked();
    await done(['batch', 'fix', 'wages', 'E-1', '--set', 'bank_account=0123456755', '--yes']);
    await terminal.answers('', 'y');
    expect([await terminal.exit, await payments()]).toEqual([1, []]);
    expect(screenOf(terminal)).toContain('was changed meanwhile');
  });

  it('pays nothing of a run that was cancelled meanwhile', async () => {
    const terminal = await asked();
    await done(['batch', 'cancel', 'wages', '--yes']);
    await terminal.answers('', 'y');
    expect([await terminal.exit, await payments()]).toEqual([2, []]);
  });
});

describe('remit batch take-back', () => {
  it('opens no row that was paid from its file while the question stood', async () => {
    const at = (name: string): string => join(service.dir, name);
    writeFileSync(at('wages.csv'), fileOfRows(2));
    await done(['batch', 'plan', at('wages.csv'), '--name', 'wages', '--max-input', 'EUR=40']);
    await done(['batch', 'remaining', 'wages', '--hand-on', at('rest.csv'), '--yes']);
    const terminal = openTerminal(['batch', 'take-back', 'wages'], env);
    await terminal.sees(/take back 2 rows of run wages/);
    await terminal.sees(/\(y\/N\)/);
    await done(['batch', 'plan', at('rest.csv'), '--name', 'rest', '--max-input', 'EUR=40']);
    await done(['batch', 'run', 'rest', '--yes']);
    await terminal.answers('', 'y');
    expect([await terminal.exit, (await payments()).length]).toEqual([10, 2]);
    expect(screenOf(terminal)).toContain('0 rows of this run are open again');
  });
});
