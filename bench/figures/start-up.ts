/** How long the program takes to start, beside the shortest thing that Node can do. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { atMost, type Figure, forComparison, type Place } from '../support/figure.ts';
import { median } from '../support/statistics.ts';

export async function startUp({ root, quick }: Place): Promise<Figure[]> {
  if (!existsSync(join(root, 'dist', 'start.cjs')))
    throw new Error('it is not built yet: run `npm run build`');
  const home = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
  const remit = join(root, 'bin', 'remit.js');
  const sandbox = await startSandbox(remit, env);
  try {
    return measure(remit, env, quick ? 11 : 25);
  } finally {
    await stopSandbox(sandbox);
    rmSync(home, { recursive: true, force: true });
  }
}

function measure(remit: string, env: NodeJS.ProcessEnv, runs: number): Figure[] {
  const programs = {
    bare: ['-e', '0'],
    version: [remit, '--version'],
    help: [remit, '--help'],
    balance: [remit, 'balance', '-o', 'json'],
    fresh: [remit, 'balance', '-o', 'json', '--fresh'],
  };
  const names = Object.keys(programs) as (keyof typeof programs)[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    keyof typeof programs,
    number[]
  >;
  for (const name of names) timeOf(programs[name], env);
  for (let run = 0; run < runs; run++)
    for (const name of names) times[name].push(timeOf(programs[name], env));
  const facts = (name: keyof typeof programs) =>
    `median ${shown(median(times[name]))} against ${shown(median(times.bare))}, ` +
    `least ${shown(Math.min(...times[name]))} against ${shown(Math.min(...times.bare))}, ${runs} runs`;
  const ratio = (name: keyof typeof programs) => median(times[name]) / median(times.bare);
  return [
    atMost('remit --version / node -e 0', ratio('version'), 1.6, facts('version')),
    atMost('remit --help / node -e 0', ratio('help'), 1.8, facts('help')),
    atMost('remit balance -o json / node -e 0', ratio('balance'), 6, facts('balance')),
    forComparison('the same with --fresh', `${ratio('fresh').toFixed(2)}x`, facts('fresh')),
  ];
}

const shown = (ms: number): string => `${ms.toFixed(0)} ms`;

function timeOf(args: readonly string[], env: NodeJS.ProcessEnv): number {
  const before = performance.now();
  const { status, stderr } = spawnSync(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ms = performance.now() - before;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return ms;
}

/** Resolves when it has said where it is: its profile is written by then. */
function startSandbox(remit: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [remit, 'sandbox', 'start', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code} before it spoke`)));
  });
}

function stopSandbox(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}
