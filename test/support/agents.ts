/** An agent at `remit mcp`: the official client, over the pipes of a run in process. */
import { EventEmitter, once } from 'node:events';
import { PassThrough } from 'node:stream';
import { type CallToolResult, Client, type Transport } from '@modelcontextprotocol/client';
import { afterEach, expect } from 'vitest';
import { LONGEST_CALL_MS } from '../../src/agents/call.ts';
import { type Bench, baseUrl, credentials, type Intercept, type Run, type RunOptions } from './cli.ts';
import { shortSleep } from './clock.ts';

/** The two revisions that hosts speak. */
export const revisions = ['2025-11-25', '2026-07-28'] as const;
export type Revision = (typeof revisions)[number];

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
export type Told = Record<string, any>;

export interface Agent {
  client: Client;
  /** All that the server wrote, a message a line. */
  lines: string[];
  /** The tools that are listed. */
  tools(): Promise<string[]>;
  /** The data of an answer; its text is checked to begin with the outcome. */
  call(name: string, given?: Record<string, unknown>): Promise<Told>;
  raw(name: string, given: Record<string, unknown>): Promise<CallToolResult>;
  /** Closes the pipe, as a host does that ends. */
  end(): Promise<Run>;
}

export const asProfile = (name: string) => ({
  REMIT_BASE_URL: undefined,
  REMIT_API_KEY: undefined,
  REMIT_API_SECRET: undefined,
  REMIT_PROFILE: name,
});

/** A profile of the bench's account. */
export async function signIn(
  bench: Bench,
  name: string,
  {
    environment = 'sandbox',
    url = baseUrl,
    settings = [],
  }: { environment?: string; url?: string; settings?: string[] } = {},
): Promise<void> {
  const flags = ['--base-url', url, '--environment', environment, '--key', credentials.key, '--no-check'];
  const made = await bench.run(['login', '--profile', name, ...flags, '--secret-stdin'], {
    stdin: credentials.secret,
    env: asProfile(name),
  });
  expect(made.code, made.stderr).toBe(0);
  if (settings.length === 0) return;
  const set = await bench.run(['profiles', 'set', name, ...settings, `--live=${name}`], {
    env: asProfile(name),
  });
  expect(set.code, set.stderr).toBe(0);
}

/** Requests that are held back until they are told to go on. */
const holding = Object.assign(new EventEmitter(), { isHeld: false });

export function held(): { answers: () => void; hold: Intercept } {
  let answers = (): void => {};
  const gate = new Promise<void>((resolve) => {
    answers = () => {
      holding.isHeld = false;
      resolve();
    };
  });
  return {
    answers,
    hold(request, next) {
      holding.isHeld = true;
      holding.emit('held');
      return gate.then(() => next(request));
    },
  };
}

/** The least that a call waits for anything: a look behind what is under way. All pauses of the client are shorter. */
const CALL_MS = 0.4 * LONGEST_CALL_MS;

/** The time that a call has is over where a request is held, and only there: a busy machine gives nothing up. Other sleeps are short. */
async function sleepOfAgents(ms: number, signal?: AbortSignal): Promise<void> {
  if (ms >= CALL_MS && !holding.isHeld) await once(holding, 'held', { signal });
  await shortSleep(ms, signal);
}

export interface Opening {
  profile?: string;
  flags?: readonly string[];
  revision?: Revision;
  name?: string;
  options?: RunOptions;
}

export async function openAgent(
  bench: Bench,
  { profile = 'local', flags = [], revision = '2026-07-28', name = 'agent-1', options = {} }: Opening = {},
): Promise<Agent> {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()];
  const lines: string[] = [];
  const interrupt = new AbortController();
  const running = bench.run(['mcp', ...flags], {
    ...{ stdin, stdout, sleep: sleepOfAgents, interrupt: interrupt.signal },
    ...options,
    env: { ...asProfile(profile), ...options.env },
  });
  const transport = transportOver(stdin, stdout, lines);
  const mode = revision === '2025-11-25' ? ('legacy' as const) : { pin: revision };
  const client = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  await Promise.race([
    client.connect(transport),
    running.then(({ stderr }) => Promise.reject(new Error(stderr))),
  ]);
  const raw = (tool: string, given: Record<string, unknown>) =>
    client.callTool({ name: tool, arguments: given }) as Promise<CallToolResult>;
  return {
    client,
    lines,
    raw,
    tools: async () => (await client.listTools()).tools.map((one) => one.name),
    async call(tool, given = {}) {
      const answer = await raw(tool, given);
      const [content] = answer.content;
      expect(content?.type).toBe('text');
      const data = answer.structuredContent as Told | undefined;
      const text = content?.type === 'text' ? content.text : '';
      if (data === undefined) return { error: text };
      const [says = '', json = ''] = text.split('\n');
      expect(JSON.parse(json)).toEqual(data);
      return { ...data, says };
    },
    end() {
      stdin.end();
      return running;
    },
  };
}

/** Agents over a bench; each ends after its test. */
export function useAgents(bench: Bench) {
  let opened: Agent[] = [];
  afterEach(async () => {
    for (const one of opened) await one.end();
    opened = [];
    holding.isHeld = false;
  });
  return async (opening: Opening = {}): Promise<Agent> => {
    const one = await openAgent(bench, opening);
    opened.push(one);
    return one;
  };
}

function transportOver(stdin: PassThrough, stdout: PassThrough, lines: string[]): Transport {
  let rest = '';
  const transport: Transport = {
    async start() {
      stdout.on('data', (chunk: Buffer) => {
        const parts = (rest + chunk.toString('utf8')).split('\n');
        rest = parts.pop() ?? '';
        for (const line of parts) {
          lines.push(line);
          transport.onmessage?.(JSON.parse(line));
        }
      });
    },
    async send(message) {
      if (!stdin.writableEnded) stdin.write(`${JSON.stringify(message)}\n`);
    },
    async close() {
      transport.onclose?.();
    },
  };
  return transport;
}

/** A payment as an agent asks for it. How the account ends decides what the sandbox's bank does. */
export const payment = (more: Record<string, unknown> = {}, account = '0123456700') => ({
  reference: 'INV-17',
  sender: 'customer-1',
  type: 'NGN::Bank',
  amount: '25000',
  pays_in: 'EUR',
  details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: account },
  ...more,
});
