/** `remit webhooks listen` under measurement, its inbox in a file. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { stopping } from './children.ts';
import { isOurs, pin } from './processor.ts';
import { environmentFor, remitOf } from './remit.ts';

export interface Server {
  host: string;
  pid: number;
  /** Resolves to the processor time of its end, in microseconds: its last commits and checkpoints. */
  stop(): Promise<number>;
}

export interface MeasuredListener extends Server {
  /** The address that `--admin` took; empty without it. */
  admin: string;
}

/** Not registered anywhere and asking nobody: what is measured is what comes in. */
export async function startListener(root: string, more: readonly string[] = []): Promise<MeasuredListener> {
  const env = environmentFor('http://127.0.0.1:9/v1');
  const args = [remitOf(root), 'webhooks', 'listen', '--no-register', '--no-catch-up', ...more];
  const program: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  isOurs(program.pid);
  const { host, admin } = await addressesOf(program);
  pin(program.pid, 'measured');
  return {
    host,
    admin,
    pid: program.pid as number,
    stop: () => stopping(program, () => program.kill('SIGINT')),
  };
}

/** What follows stays unread: the pipe has room for it. */
async function addressesOf({ stderr }: ChildProcess): Promise<{ host: string; admin: string }> {
  const lines = createInterface({ input: stderr as NodeJS.ReadableStream });
  let said = '';
  for (;;) {
    const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string | undefined];
    if (line === undefined) throw new Error(`the listener said: ${said}`);
    said += `${line}\n`;
    const host = /(?:listening on |"of":"listener".*"url":")http:\/\/([\d.:]+)/.exec(line)?.[1];
    if (host !== undefined) return { host, admin: /figures at (http:\S+)\/metrics/.exec(said)?.[1] ?? '' };
  }
}
