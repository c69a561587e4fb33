/** `remit mcp` on a sandbox: how soon a host has its first answer, and how many tools it may call in a second. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { stopping } from '../support/children.ts';
import { type Figure, judged, type Place } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isOurs, pin, processorMicros } from '../support/processor.ts';
import { remitOf, runToEnd } from '../support/remit.ts';
import { median, type Sample, takeTurns, turnOf } from '../support/turns.ts';
import { startSandbox } from './start-up.ts';

const READY_MS = 400;
const CALLS_PER_SECOND = 50;
const CALLS = 200;
const WARM_UP = 300;
const REVISION = '2025-11-25';

type Answer = { result?: { isError?: boolean; structuredContent?: Record<string, unknown> } };

/** A host of agents that waits for each answer, and takes next to no processor itself. */
interface Host {
  pid: number;
  /** From the start of the program to the answer of `initialize`. */
  readyMs: number;
  call(name: string, given: object): Promise<Answer['result']>;
  stop(): Promise<number>;
}

async function startHost(remit: string, env: NodeJS.ProcessEnv): Promise<Host> {
  const from = performance.now();
  const child: ChildProcessByStdio<Writable, Readable, null> = spawn(process.execPath, [remit, 'mcp'], {
    env,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  isOurs(child.pid);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  let id = 0;
  const tell = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  const ask = async (method: string, params: object): Promise<Answer> => {
    tell({ id: ++id, method, params });
    const { value: line, done } = await lines.next();
    if (done) throw new Error(`remit mcp ended before it answered ${method}`);
    const answer = JSON.parse(line);
    if (answer.id !== id || answer.error) throw new Error(`${method} was answered with ${line}`);
    return answer;
  };
  const clientInfo = { name: 'bench', version: '1' };
  await ask('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo });
  const readyMs = performance.now() - from;
  tell({ method: 'notifications/initialized' });
  return {
    pid: child.pid as number,
    readyMs,
    call: async (name, given) => (await ask('tools/call', { name, arguments: given })).result,
    stop: () => stopping(child, () => child.stdin.end()),
  };
}

/** What an agent does in the main: it looks, and it plans. No payment is made. */
const kinds: Readonly<Record<string, (n: number) => { name: string; given: object }>> = {
  search: () => ({ name: 'search', given: { words: 'customer-1' } }),
  balance: () => ({ name: 'balance', given: {} }),
  plan_payment: (n) => ({ name: 'plan_payment', given: payment(n) }),
};

const payment = (n: number) => ({
  ...{ reference: `INV-${n}`, sender: 'customer-1', type: 'NGN::Bank', pays_in: 'EUR' },
  // Another amount is another payment: the same one would be answered with the plan that is there.
  amount: String(25_000 + n),
  details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0123456700' },
});

const SENDER = {
  ...{ first_name: 'Jane', last_name: 'Doe', birth_date: '1974-12-24', country: 'DE', city: 'Berlin' },
  ...{ street: 'Main Street 1', postal_code: '10115', phone_number: '+491234567890' },
  ...{ email: 'jane@example.com', ip: '203.0.113.7' },
};

/** The settings folder of an account that agents may plan for, on a sandbox of its own. */
async function setUp(remit: string) {
  const home = temporaryFolder();
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
  const sandbox = await startSandbox(remit, env);
  const fields = Object.entries(SENDER).flatMap(([name, value]) => ['--field', `${name}=${value}`]);
  await runToEnd([remit, 'sender', 'create', '--external-id', 'customer-1', ...fields], env);
  await runToEnd([remit, 'profiles', 'set', 'local', 'agent=sandbox'], env);
  return { env, sandbox };
}

export async function mcp({ root, quick }: Place): Promise<Figure[]> {
  const remit = remitOf(root);
  const { env, sandbox } = await setUp(remit);
  const rounds = quick ? 5 : 15;
  const ready = async (): Promise<Sample> => {
    const host = await startHost(remit, env);
    const micros = processorMicros(host.pid);
    await host.stop();
    return { ms: host.readyMs, micros };
  };
  const starts = await takeTurns({ ready }, rounds);
  const host = await startHost(remit, env);
  pin(host.pid, 'measured');
  let n = 0;
  const spentBySandbox: Record<string, number[]> = {};
  const turn = (kind: string, count: number) => async (): Promise<Sample> => {
    const before = processorMicros(sandbox.pid as number);
    const sample = await turnOf(host.pid, count, async () => {
      const from = performance.now();
      for (let i = 0; i < count; i++) {
        const { name, given } = kinds[kind]?.(n++) ?? { name: kind, given: {} };
        const result = await host.call(name, given);
        if (result?.isError || result?.structuredContent === undefined)
          throw new Error(`${name} was answered with ${JSON.stringify(result)}`);
      }
      return { rate: (count * 1_000) / (performance.now() - from) };
    });
    spentBySandbox[kind] ??= [];
    spentBySandbox[kind].push((processorMicros(sandbox.pid as number) - before) / count);
    return sample;
  };
  const names = Object.keys(kinds);
  for (const name of names) await turn(name, quick ? WARM_UP / 10 : WARM_UP)();
  const count = quick ? CALLS / 4 : CALLS;
  const turns = await takeTurns(
    Object.fromEntries(names.map((name) => [name, turn(name, count)])),
    quick ? 2 : 6,
  );
  await host.stop();
  await stopping(sandbox, () => sandbox.kill('SIGTERM'));
  const micros = (values: readonly number[] = []) => `${(median(values) / 1_000).toFixed(2)} ms`;
  return [
    judged(
      'remit mcp, from its start to the first answer, ms: median',
      starts,
      [starts.median('ready', 'ms')],
      { most: READY_MS },
      `least ${starts.least('ready', 'ms').toFixed(0)} ms, ${micros(starts.of('ready'))} of its processor`,
    ),
    ...names.map((name) =>
      judged(
        `calls of ${name} in a second, one after another`,
        turns,
        [turns.median(name, 'rate')],
        { least: CALLS_PER_SECOND },
        `of the processor ${micros(turns.of(name))} a call, and ${micros(spentBySandbox[name])} of the sandbox`,
      ),
    ),
  ];
}
