/**
 * Hands a delivery on to a program: the raw body on its standard input, no shell between. It succeeded when it ends with 0. Its
 * environment has no variable of ours, so that a handler cannot leak, or use, the secret by mistake.
 */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Clock } from '../core/clock.ts';
import { type Attempt, marksOf, type Target } from '../webhooks/intake/target.ts';
import type { KeptDelivery } from '../webhooks/store/port.ts';

export interface ProgramOptions {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  timeoutMs: number;
  /** Called with each text that the program prints, on either stream. */
  onOutput: (text: string) => void;
}

export function runProgram(options: ProgramOptions): Target {
  const env = Object.fromEntries(Object.entries(options.env).filter(([name]) => !/^remit_/i.test(name)));
  return async (delivery, attempt, stop) => {
    const from = options.clock.now();
    const { ok, answer } = await runToEnd({
      ...options,
      env: { ...env, ...variablesOf(delivery, attempt) },
      input: delivery.body,
      stop,
    });
    const attempted: Attempt = { ok, status: null, answer, ms: options.clock.now() - from };
    return stop?.aborted && !ok ? { ...attempted, brokenOff: true } : attempted;
  };
}

export interface ProgramRun {
  command: readonly string[];
  cwd: string;
  /** The whole of its environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** The bytes on its standard input. */
  input: Uint8Array | string;
  timeoutMs: number;
  onOutput: (text: string) => void;
  /** Ends it before its time. */
  stop?: AbortSignal | undefined;
  /** True where what it leaves running is ended with it. */
  isWhole?: true;
}

const running = new Set<ChildProcess>();
let isWatched = false;

/** Each has a group of its own, so that Ctrl-C is ours alone; what we leave behind in a hurry does not run on. */
function watchExit(): void {
  if (!isWatched)
    process.on('exit', () => {
      for (const child of running) kill(child);
    });
  isWatched = true;
}

/** Runs a program without a shell until it ends or its time is over. Never fails: what went wrong is in the answer. */
export async function runToEnd({ command, cwd, env, stop, isWhole, ...run }: ProgramRun): Promise<End> {
  const [file = '', ...args] = command;
  watchExit();
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(file, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      shell: false,
      windowsHide: true,
      detached: process.platform !== 'win32',
    });
  } catch (error) {
    return { ok: false, answer: notStarted(error as Error) };
  }
  running.add(child);
  const brokenOff = (): void => kill(child);
  stop?.addEventListener('abort', brokenOff, { once: true });
  const end = await endOf(child, run);
  stop?.removeEventListener('abort', brokenOff);
  running.delete(child);
  if (isWhole) kill(child);
  return end;
}

export interface End {
  ok: boolean;
  answer: string;
}

/** How long to wait for what a program still prints after it ended. */
const GRACE_MS = 200;

/** Its end counts, not that of what it left running: that may hold its output open for ever. */
function endOf(
  child: ChildProcessWithoutNullStreams,
  { input, timeoutMs, onOutput }: Pick<ProgramRun, 'input' | 'timeoutMs' | 'onOutput'>,
): Promise<End> {
  return new Promise((resolve) => {
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      kill(child);
    }, timeoutMs);
    const end = (ok: boolean, answer: string): void => {
      clearTimeout(timer);
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      resolve({ ok, answer });
    };
    for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', onOutput);
    // A program that does not read its input is no failure by itself.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
    child.on('error', (error) => end(false, notStarted(error)));
    child.on('exit', (code, signal) => {
      const grace = setTimeout(done, GRACE_MS);
      child.once('close', done);
      function done(): void {
        clearTimeout(grace);
        end(code === 0, late ? `stopped after ${timeoutMs / 1000} s` : ending(code, signal));
      }
    });
  });
}

const notStarted = ({ message }: Error): string => `it could not be started: ${message}`;

/** Ends the program with all that it started, as far as that stayed in its group. */
function kill(child: ChildProcess): void {
  try {
    if (child.pid === undefined || process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    /* It has ended. */
  }
}

const ending = (code: number | null, signal: string | null): string =>
  code === null ? `ended by ${signal}` : `exit ${code}`;

/** The system takes no longer ones: a program would not start at all. The body, on its input, has them whole. */
const MAX_VARIABLE = 16_384;

/** `WEBHOOK_EVENT`, `WEBHOOK_DELIVERY_ID`, …: what an HTTP handler reads from headers. Cut ones would be wrong: those are left out. */
function variablesOf(delivery: KeptDelivery, attempt: number): Record<string, string> {
  const marks = Object.entries(marksOf(delivery, attempt)).map(
    ([name, value]) =>
      [
        name
          .replace(/^Remit-/, 'WEBHOOK_')
          .replaceAll('-', '_')
          .toUpperCase(),
        value,
      ] as const,
  );
  const all = {
    WEBHOOK_EVENT: delivery.event,
    WEBHOOK_OBJECT_ID: delivery.objectId,
    ...Object.fromEntries(marks),
  };
  return Object.fromEntries(Object.entries(all).filter(([, text]) => text.length <= MAX_VARIABLE));
}
