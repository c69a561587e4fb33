/** Runs another program: without a shell, with the environment that it is given, and not for ever. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

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
