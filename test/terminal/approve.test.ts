/** An agent prepares in production over a real pipe, with the official client; a person approves at a real terminal, by the typed word and no other way. */
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { beforeEach, expect, it } from 'vitest';
import { payment, type Told } from '../support/agents.ts';
import { credentials } from '../support/cli.ts';
import { runRemit } from '../support/program.ts';
import { useService } from '../support/service.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const service = useService();
const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const live = { REMIT_CONFIG_DIR: '', MADE_UP: credentials.secret, REMIT_PROFILE: 'tunnel' };

beforeEach(async () => {
  live.REMIT_CONFIG_DIR = service.dir;
  const account = ['--base-url', service.url, '--environment', 'production', '--key', credentials.key];
  const login = await runRemit(['login', '--profile', 'tunnel', ...account, '--secret-env', 'MADE_UP'], live);
  expect(login.code, login.stderr).toBe(0);
  const set = await runRemit(['profiles', 'set', 'tunnel', 'agent=prepare', '--live=tunnel'], live);
  expect(set.code, set.stderr).toBe(0);
});

async function prepared(): Promise<Told> {
  const client = new Client({ name: 'a-host', version: '1' });
  const env = { PATH: process.env.PATH ?? '', ...live };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [BIN, 'mcp'], env }));
  try {
    return (await client.callTool({ name: 'plan_payment', arguments: payment() })).structuredContent as Told;
  } finally {
    await client.close();
  }
}

const payments = async (): Promise<unknown[]> =>
  JSON.parse((await runRemit(['tx', 'list', '-o', 'json'], live)).stdout).data;

it('on a sandbox wants the name of the plan typed, and --yes does not stand for it', async () => {
  await runRemit(['profiles', 'set', 'tunnel', 'agent=', '--live=tunnel'], live);
  const account = ['--base-url', service.url, '--environment', 'sandbox', '--key', credentials.key];
  await runRemit(['login', '--profile', 'tunnel', ...account, '--secret-env', 'MADE_UP'], live);
  await runRemit(['profiles', 'set', 'tunnel', 'agent=prepare'], live);
  const { handle } = await prepared();
  const said = openTerminal(['approve', handle, '--yes'], live);
  expect(await said.exit).toBe(2);
  const no = openTerminal(['approve', handle], live);
  await no.answers(new RegExp(`Type\\s+the\\s+name\\s+\\(${handle}\\)`), 'y');
  await no.sees(`This is not ${handle}`);
  no.types(`\u0015${keys.enter}`);
  expect([await no.exit, await payments()]).toEqual([130, []]);
});

it('shows who asked and what it pays, takes the typed word alone, and pays once', async () => {
  const { handle, approve, state } = await prepared();
  expect([state, approve]).toEqual(['planned', `remit approve ${handle} --profile tunnel`]);
  const question = /Type\s+the\s+last\s+four\s+of\s+the\s+account\s+\(6700\)/;
  const open = () => openTerminal(['approve', handle], live);
  const no = open();
  await no.answers(question, 'y');
  await no.sees('This is not 6700');
  no.types(`\u0015${keys.enter}`);
  expect(await no.exit).toBe(130);
  expect(await payments()).toEqual([]);
  const yes = open();
  await yes.answers(question, '6700');
  expect(await yes.exit).toBe(0);
  const screen = yes.screen();
  for (const shown of [
    'production · tunnel',
    'prepared by a-host',
    'pay 25000 NGN to Ada Obi',
    'costs 14.99 EUR',
    'LIVE',
  ])
    expect(screen).toContain(shown);
  expect(screen).toMatch(/state\s+done \(/);
  expect(await payments()).toHaveLength(1);
  const again = open();
  expect(await again.exit).toBe(0);
  expect(again.screen()).toContain('nothing was sent this time');
  expect(await payments()).toHaveLength(1);
});
