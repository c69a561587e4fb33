/** The real process at a real pipe: killed while it pays, its pipe closed in the middle of a message and right behind one, and a host that hears nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeEach, expect, it } from 'vitest';
import { sleep } from '../../src/core/clock.ts';
import { payment, type Told } from '../support/agents.ts';
import { credentials } from '../support/cli.ts';
import { isLong, some } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { useService } from '../support/service.ts';

const service = useService();
const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const env = (): Record<string, string> => {
  const { REMIT_BASE_URL: _, REMIT_API_KEY: __, REMIT_API_SECRET: ___, ...rest } = service.env;
  return { PATH: process.env.PATH ?? '', NO_COLOR: '1', REMIT_PROFILE: 'local', ...rest };
};

beforeEach(async () => {
  const flags = [
    '--base-url',
    service.url,
    '--environment',
    'sandbox',
    '--key',
    credentials.key,
    '--no-check',
  ];
  const secret = ['--secret-env', 'SECRET_OF_TEST', '--no-keychain'];
  const more = { ...env(), SECRET_OF_TEST: credentials.secret };
  const made = await runRemit(['login', '--profile', 'local', ...flags, ...secret], more);
  expect(made.code, made.stderr).toBe(0);
  await runRemit(['profiles', 'set', 'local', 'agent=sandbox'], env());
});

const initialize = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'host', version: '1' } },
};
const lineOf = (message: object): string => `${JSON.stringify(message)}\n`;
const toolCall = (id: number, name: string, given: object): string =>
  lineOf({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: given } });
const OPENING = lineOf(initialize) + lineOf({ jsonrpc: '2.0', method: 'notifications/initialized' });

class Host {
  readonly child: ChildProcess;
  stderr = '';
  #rest = '';
  readonly answers = new Map<number, Told>();
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
  #wake: () => void = () => {};

  constructor() {
    this.child = spawn(process.execPath, [BIN, 'mcp'], { env: env(), stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdin?.on('error', () => {});
    this.child.stderr?.on('data', (chunk) => {
      this.stderr += chunk;
    });
    this.child.stdout?.on('data', (chunk) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      // Nothing but the protocol stands there: what is no JSON throws.
      for (const line of lines) {
        const message = JSON.parse(line);
        if (message.id !== undefined) this.answers.set(message.id, message);
      }
      this.#wake();
    });
    this.ended = new Promise((resolve) => {
      this.child.on('close', (code, signal) => {
        this.#wake();
        resolve({ code, signal });
      });
    });
    this.send(OPENING);
  }

  send(text: string): void {
    this.child.stdin?.write(text);
  }

  async call(id: number, name: string, given: object): Promise<Told> {
    this.send(toolCall(id, name, given));
    while (!this.answers.has(id)) {
      if (this.child.exitCode !== null) throw new Error(`it ended: ${this.stderr}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    const { result } = this.answers.get(id) as Told;
    return result.structuredContent ?? result;
  }

  async end(): Promise<number | null> {
    this.child.stdin?.end();
    return (await this.ended).code;
  }
}

async function payments(): Promise<string[]> {
  const listed = await runRemit(['tx', 'list', '--all', '-o', 'json'], env());
  const { data } = JSON.parse(listed.stdout) as { data: { external_id: string }[] };
  return data.map(({ external_id: id }) => id).sort();
}

const KILLS = isLong ? 20 : 1;
it(`killed ${KILLS} times while it carries out, it pays each once, and says so afterwards`, async () => {
  const wanted: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const reference = `order-${kill}`;
    const host = new Host();
    const { handle } = await host.call(
      1,
      'plan_payment',
      payment({ reference, amount: String(5_000 + 100 * kill) }),
    );
    host.send(toolCall(2, 'carry_out', { handle }));
    // At another instant each time: before it is read, while it is sent, after it was answered.
    await sleep((kill * 97) % 120);
    host.child.kill('SIGKILL');
    await host.ended;
    const next = new Host();
    const told = await next.call(1, 'status', { handle });
    expect(['applied', 'planned'], JSON.stringify(told)).toContain(told.state);
    const again = await next.call(2, 'carry_out', { handle });
    expect(again.outcome, JSON.stringify(again)).toBe('applied');
    expect(await next.end(), next.stderr).toBe(0);
    wanted.push(reference);
  }
  expect(await payments()).toEqual(wanted.sort());
});

it('a pipe that is closed right behind the call leaves nothing half done', async () => {
  const host = new Host();
  const { handle } = await host.call(1, 'plan_payment', payment());
  host.send(toolCall(2, 'carry_out', { handle }));
  expect([await host.end(), host.stderr]).toEqual([0, '']);
  const next = new Host();
  const told = await next.call(1, 'status', { handle });
  expect(['applied', 'planned']).toContain(told.state);
  expect(await payments()).toEqual(told.state === 'applied' ? ['inv-17'] : []);
  const journal = await runRemit(['history', '--state', 'open', '--state', 'unknown', '-o', 'json'], env());
  expect(JSON.parse(journal.stdout).data).toEqual([]);
  expect(await next.end()).toBe(0);
});

it('a pipe that is closed at any byte ends it well, and pays nothing that was not asked for whole', async () => {
  const planning = new Host();
  const { handle } = await planning.call(1, 'plan_payment', payment());
  await planning.end();
  const talk = OPENING + toolCall(1, 'carry_out', { handle });
  const places = Array.from({ length: talk.length - 1 }, (_, at) => at);
  for (const at of some(isLong ? places.filter((place) => place % 12 === 0) : places, 2)) {
    const host = new Host();
    host.child.stdin?.end(talk.slice(OPENING.length > at ? 0 : OPENING.length, at));
    expect([(await host.ended).code, host.stderr], `${at}`).toEqual([0, '']);
  }
  expect(await payments()).toEqual([]);
});

it('a host that sends what is no message hears of it, and goes on', async () => {
  const host = new Host();
  host.send('this is no JSON\n{"jsonrpc":"2.0"}\n');
  expect(await host.call(5, 'explain', { word: 'stuck' })).toMatchObject({ meanings: [{ name: 'stuck' }] });
  expect([await host.end(), host.stderr]).toEqual([0, '']);
});

it('a host that is not known is told which are', async () => {
  const run = await runRemit(['mcp', 'config', 'nobody'], env());
  expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('claude-code')]);
});
