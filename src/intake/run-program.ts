/**
 * Hands a delivery on to a program: the raw body on its standard input, no shell between. It succeeded when it ends with 0. Its
 * environment has no variable of ours, so that a handler cannot leak, or use, the secret by mistake.
 */
import { spawn } from 'node:child_process';
import type { Clock } from '../core/clock.ts';
import type { KeptDelivery } from '../core/ports/inbox.ts';
import { type Attempt, marksOf, type Target } from './target.ts';

export interface ProgramOptions {
  command: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  clock: Clock;
  timeoutMs: number;
  /** What the program prints, on either stream. */
  onOutput: (text: string) => void;
}

export function runProgram(options: ProgramOptions): Target {
  const base = Object.fromEntries(Object.entries(options.env).filter(([name]) => !/^remit_/i.test(name)));
  return (delivery, attempt) =>
    new Promise((resolve) => {
      const [file = '', ...args] = options.command;
      const from = options.clock.now();
      const end = (ok: boolean, answer: string): void =>
        resolve({ ok, status: null, answer, ms: options.clock.now() - from });
      const child = spawn(file, args, {
        cwd: options.cwd,
        env: { ...base, ...variablesOf(delivery, attempt) },
        stdio: ['pipe', 'pipe', 'pipe'],
        shell: false,
        windowsHide: true,
      });
      const timer = setTimeout(() => child.kill('SIGKILL'), options.timeoutMs);
      for (const stream of [child.stdout, child.stderr]) {
        stream.setEncoding('utf8').on('data', options.onOutput);
      }
      // A program that does not read its input is no failure by itself.
      child.stdin.on('error', () => undefined);
      child.stdin.end(delivery.body);
      child.on('error', (error) => {
        clearTimeout(timer);
        end(false, `it could not be started: ${error.message}`);
      });
      child.on('close', (code, signal) => {
        clearTimeout(timer);
        end(code === 0, ending(code, signal, options.timeoutMs));
      });
    }) satisfies Promise<Attempt>;
}

function ending(code: number | null, signal: string | null, timeoutMs: number): string {
  if (signal === 'SIGKILL') return `stopped after ${timeoutMs / 1000} s`;
  return code === null ? `ended by ${signal}` : `exit ${code}`;
}

/** `WEBHOOK_EVENT`, `WEBHOOK_DELIVERY_ID`, …: what an HTTP handler reads from headers. */
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
  return {
    WEBHOOK_EVENT: delivery.event,
    WEBHOOK_OBJECT_ID: delivery.objectId,
    ...Object.fromEntries(marks),
  };
}
