/** How long the program takes to start, beside the shortest thing that Node can do. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { stopping } from '../support/children.ts';
import { type Figure, judgedStart, type Place } from '../support/figure.ts';
import { temporaryFolder } from '../support/folder.ts';
import { isOurs } from '../support/processor.ts';
import { remitOf, runToEnd } from '../support/remit.ts';
import { takeTurns } from '../support/turns.ts';

export async function startUp({ root, quick }: Place): Promise<Figure[]> {
  if (!existsSync(join(root, 'dist', 'start.cjs')))
    throw new Error('it is not built yet: run `npm run build`');
  const home = temporaryFolder();
  const env = { PATH: process.env.PATH ?? '', HOME: home, XDG_CONFIG_HOME: join(home, 'config') };
  const remit = remitOf(root);
  const sandbox = await startSandbox(remit, env);
  const program =
    (...args: string[]) =>
    () =>
      runToEnd(args, env);
  const sides = {
    bare: program('-e', '0'),
    version: program(remit, '--version'),
    help: program(remit, '--help'),
    balance: program(remit, 'balance', '-o', 'json'),
    fresh: program(remit, 'balance', '-o', 'json', '--fresh'),
    // What is sent with POST goes over undici.
    post: program(remit, 'sandbox', 'clock', 'advance', '1s', '-o', 'json'),
  };
  await takeTurns(sides, 1);
  const turns = await takeTurns(sides, quick ? 11 : 25);
  await stopping(sandbox, () => sandbox.kill('SIGTERM'));
  const unbounded = (name: string, side: 'fresh' | 'post'): Figure => ({
    ...judgedStart(name, turns, [side, 'bare'], 0),
    asked: '',
    ok: null,
  });
  return [
    judgedStart('remit --version / node -e 0', turns, ['version', 'bare'], 1.15),
    judgedStart('remit --help / node -e 0', turns, ['help', 'bare'], 1.2),
    judgedStart('remit balance -o json / node -e 0', turns, ['balance', 'bare'], 3.9),
    unbounded('the same with --fresh', 'fresh'),
    unbounded('remit sandbox clock advance 1s / node -e 0', 'post'),
  ];
}

/** Resolves when it has said where it is: its profile is written by then. */
export function startSandbox(remit: string, env: NodeJS.ProcessEnv): Promise<ChildProcess> {
  const child = spawn(process.execPath, [remit, 'sandbox', 'start', '--port', '0'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  isOurs(child.pid);
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', () => resolve(child));
    child.once('exit', (code) => reject(new Error(`the sandbox ended with ${code} before it spoke`)));
  });
}
