/** `remit webhooks listen`, the whole program with its inbox on disk, beside a bare server that keeps nothing. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { type Child, startChild } from '../support/children.ts';
import { atLeast, atMost, type Figure, forComparison, type Place } from '../support/figure.ts';
import { credentials } from '../support/signed.ts';
import { median, medianRatio } from '../support/statistics.ts';
import type { WebhookLoad } from '../webhook-load.ts';

const CONNECTIONS = 64;
const COUNT = 6_000;

interface Listener {
  host: string;
  stop(): Promise<void>;
}

/** Not registered anywhere and asking nobody: what is measured is what comes in. */
async function startListener(root: string): Promise<Listener> {
  const dir = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  const program: ChildProcess = spawn(
    process.execPath,
    [join(root, 'bin', 'remit.js'), 'webhooks', 'listen', '--no-register', '--no-catch-up'],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: {
        PATH: process.env.PATH ?? '',
        REMIT_CONFIG_DIR: dir,
        REMIT_BASE_URL: 'http://127.0.0.1:9/v1',
        REMIT_API_KEY: credentials.key,
        REMIT_API_SECRET: credentials.secret,
      },
    },
  );
  const lines = createInterface({ input: program.stderr as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  const host = /http:\/\/([\d.:]+)/.exec(line)?.[1];
  if (host === undefined) throw new Error(`the listener said: ${line}`);
  return {
    host,
    async stop() {
      program.kill('SIGINT');
      await once(program, 'exit');
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

export async function intake({ programs, root, quick }: Place): Promise<Figure[]> {
  const load: Child<object, WebhookLoad> = startChild(programs, 'webhook-load');
  const bare: Child<object, { host: string }> = startChild(programs, 'digesting-server', {
    status: 200,
    type: 'text/plain; charset=utf-8',
    body: 'kept\n',
  });
  const ours = await startListener(root);
  const hosts = { ours: ours.host, bare: (await bare.ask({})).host };
  const loads: Record<keyof typeof hosts, WebhookLoad[]> = { ours: [], bare: [] };
  const names = Object.keys(hosts) as (keyof typeof hosts)[];
  for (let round = -2; round < (quick ? 4 : 12); round++) {
    for (const name of round % 2 === 0 ? names : [...names].reverse()) {
      const question = {
        host: hosts[name],
        mark: `r${round}${name}`,
        count: COUNT,
        connections: CONNECTIONS,
      };
      const answer = await load.ask(question);
      if (round >= 0) loads[name].push(answer);
    }
  }
  await Promise.all([load.stop(), bare.stop(), ours.stop()]);
  return figuresOf(loads);
}

function figuresOf({ ours, bare }: Record<'ours' | 'bare', WebhookLoad[]>): Figure[] {
  const rates = (loads: WebhookLoad[]) => loads.map(({ rate }) => rate);
  const p99s = (loads: WebhookLoad[]) => loads.map(({ p99 }) => p99);
  const failed = [...ours, ...bare].reduce((sum, load) => sum + load.failed, 0);
  return [
    atLeast(
      'durable intake / bare server',
      medianRatio(rates(ours), rates(bare)),
      0.75,
      `${Math.round(median(rates(ours)))}/s against ${Math.round(median(rates(bare)))}/s, ${CONNECTIONS} connections, 1.5 kB`,
    ),
    atMost(
      'its p99 / that of the bare server',
      medianRatio(p99s(ours), p99s(bare)),
      3,
      `${median(p99s(ours)).toFixed(1)} ms against ${median(p99s(bare)).toFixed(1)} ms`,
    ),
    ...(failed > 0 ? [forComparison('answers that were not 200', String(failed), '')] : []),
  ];
}
