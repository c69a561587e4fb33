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

/** Not registered anywhere and asking nobody: what is measured is what comes in. */
export async function startListener(root: string): Promise<Server> {
  const env = environmentFor('http://127.0.0.1:9/v1');
  const args = [remitOf(root), 'webhooks', 'listen', '--no-register', '--no-catch-up'];
  const program: ChildProcess = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'], env });
  isOurs(program.pid);
  const lines = createInterface({ input: program.stderr as NodeJS.ReadableStream });
  const [line] = (await once(lines, 'line')) as [string];
  const host = /http:\/\/([\d.:]+)/.exec(line)?.[1];
  if (host === undefined) throw new Error(`the listener said: ${line}`);
  pin(program.pid, 'measured');
  return {
    host,
    pid: program.pid as number,
    stop: () => stopping(program, () => program.kill('SIGINT')),
  };
}
