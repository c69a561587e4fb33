/**
 * The stage of the demo: the sandbox of a scenario, on a free port of this machine, a listener for its webhooks, and this program as
 * a child process that knows nothing else. Nothing is left of it afterwards, whatever happens.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type Client, createClient } from '../../../client/client.ts';
import { createNetworkTransport } from '../../../client/network-transport.ts';
import { diagnose } from '../../../contract/signatures/diagnose.ts';
import { type Process, selfWith } from '../../../frame/process.ts';
import { createListener } from '../../../webhooks/listener.ts';
import { openSqliteInbox } from '../../../webhooks/store/sqlite.ts';
import { listen } from '../../http/listen.ts';
import type { Sandbox } from '../../sandbox.ts';
import { type Reply, type Stage, Unmet } from '../../scenario/stage.ts';
import type { Verb } from '../../scenario/steps.ts';
import { scenarioCredentials as credentials, openTheatre } from '../../scenario/theatre.ts';
import type { BreakableRule } from '../../settings.ts';

export interface DemoStage {
  stage: Stage;
  verbs: Readonly<Record<string, Verb>>;
  client: Client;
  listenerUrl: string;
  /** Runs this program to its end, with its result in JSON. */
  remit(argv: readonly string[]): Promise<Reply>;
  audit(): void;
  close(): Promise<void>;
}

interface DemoOptions {
  breakRule: readonly BreakableRule[];
  /** The texts of files in the folder where the program runs, by name. */
  files: Readonly<Record<string, string>>;
}

export async function setStage(process: Process, options: DemoOptions): Promise<DemoStage> {
  const closers: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { ...(await openStage(process, options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openStage(
  process: Process,
  { breakRule, files }: DemoOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<DemoStage, 'close'>> {
  const network = await createNetworkTransport();
  closers.push(() => network.close());
  const received: Stage['received'] = [];
  const listenerUrl = await openListener(process, received, closers);
  const child = new Child(process, files);
  closers.push(() => child.close());
  const { clock, random, newId: nonce, sleep } = process;
  const serve = async (sandbox: Sandbox): Promise<Client> => {
    const port = await listen({ ...sandbox, handle: child.killedBefore(sandbox.handle) }, { port: 0 });
    closers.push(
      () => sandbox.close(),
      () => port.close(),
    );
    const transport = network.send;
    return createClient({ baseUrl: port.url, credentials, transport, clock, random, nonce, sleep });
  };
  let served!: Promise<Client>;
  const call = (sandbox: Sandbox): Stage['call'] => {
    served = serve(sandbox);
    return async (method, path, sent) => {
      const body = sent === undefined ? undefined : JSON.stringify(sent);
      const effect = method === 'GET' ? 'read' : 'money';
      const answer = await (await served).raw({ method: method as 'GET', path, effect, body });
      return { status: answer.status, text: answer.body, body: JSON.parse(answer.body) };
    };
  };
  const { stage, sandbox } = await openTheatre(
    {
      clock: { mode: 'standing', start: clock.now() },
      transport: network.send,
      seed: 'demo',
      breakRule,
    },
    call,
    listenerUrl,
  );
  const client = await served;
  child.account = {
    REMIT_BASE_URL: client.baseUrl,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
  };
  return {
    stage: { ...stage, received },
    verbs: child.verbs,
    client,
    listenerUrl,
    remit: (argv) => child.run(argv),
    audit: () => sandbox.audit(),
  };
}

/** Takes webhooks in as any partner would. Only what verified counts as received. */
async function openListener(
  { clock, random }: Process,
  received: Stage['received'],
  closers: (() => Promise<void>)[],
): Promise<string> {
  const inbox = await openSqliteInbox(':memory:', { clock, random, account: 'demo' });
  const listener = createListener({
    clock,
    random,
    owner: 'demo',
    inbox,
    secrets: [credentials],
    wanted: () => true,
    trustProxy: false,
    examine: (request) => diagnose(request, { credentials }),
    onTold: ({ signature, event, object }) => {
      if (signature === 'valid' && event !== null) received.push({ event, object });
    },
    onEnded: () => undefined,
    onError: () => undefined,
  });
  closers.push(
    () => inbox.close(),
    () => listener.close(0),
  );
  return `${(await listener.listen(0)).url}/`;
}

/** This program as a child process: one after the other, in a folder of their own, and none outlives the demo. */
class Child {
  account: Readonly<Record<string, string>> = {};
  readonly #parent: Process;
  readonly #folder = mkdtempSync(join(tmpdir(), 'remit-demo-'));
  #running: { child: ChildProcess; ended: Promise<unknown> } | undefined;
  #killAt: number | undefined;
  #payments = 0;

  constructor(parent: Process, files: Readonly<Record<string, string>>) {
    this.#parent = parent;
    parent.interrupt.addEventListener('abort', this.#kill);
    // Also where a second Ctrl-C ends the process at once.
    process.once('exit', this.#tidy);
    for (const [name, text] of Object.entries(files)) writeFileSync(join(this.#folder, name), text);
  }

  readonly #kill = (): void => void this.#running?.child.kill('SIGKILL');
  readonly #tidy = (): void => {
    this.#kill();
    rmSync(this.#folder, { recursive: true, force: true, maxRetries: 3 });
  };

  async close(): Promise<void> {
    this.#kill();
    await this.#running?.ended;
    this.#parent.interrupt.removeEventListener('abort', this.#kill);
    process.off('exit', this.#tidy);
    this.#tidy();
  }

  /** Kills the child before this payment is made: it is made, and its answer is lost. */
  killedBefore(handle: Sandbox['handle']): Sandbox['handle'] {
    return async (request) => {
      if (request.url.endsWith('/create_and_fund') && ++this.#payments === this.#killAt) {
        this.#kill();
        await this.#running?.ended;
      }
      return handle(request);
    };
  }

  readonly verbs: Readonly<Record<string, Verb>> = {
    'kill-at': async (_, { names: [payment] }) => {
      this.#killAt = Number(payment);
    },
    remit: async (_, { text: step, refusal }) => {
      const [line = ''] = step.split(' -> ');
      const reply = await this.run(line.split(' ').slice(1));
      const wanted = refusal?.status ?? '0';
      if (String(reply.status) !== wanted)
        throw new Unmet(`exit ${wanted}`, `exit ${reply.status}: ${reply.text}`);
      return reply;
    },
  };

  /** The status is the exit code, or 137 as a shell says it where the child was killed. */
  async run(argv: readonly string[]): Promise<Reply> {
    const { env, interrupt } = this.#parent;
    const own = Object.entries(env).filter(([name]) => !name.startsWith('REMIT_'));
    const inherited = { ...Object.fromEntries(own), ...this.account };
    const child = spawn(...selfWith(this.#parent, argv), {
      stdio: ['ignore', 'pipe', 'pipe'],
      cwd: this.#folder,
      env: { ...inherited, REMIT_CONFIG_DIR: this.#folder, REMIT_OUTPUT: 'json' },
    });
    const ended = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]);
    this.#running = { child, ended };
    if (interrupt.aborted) this.#kill();
    const [stdout, stderr, [code]] = await ended;
    const body = stdout.startsWith('{') ? JSON.parse(stdout) : {};
    return { status: code ?? 137, text: stderr.trim(), body };
  }
}
