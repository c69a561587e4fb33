/**
 * Hands a delivery on to a program: the raw body on its standard input, no shell between. It succeeded when it ends with 0. Its
 * environment has no variable of ours, so that a handler cannot leak, or use, the secret by mistake.
 */
import type { Clock } from '../../core/clock.ts';
import { runToEnd } from '../../frame/run-to-end.ts';
import type { KeptDelivery } from '../store/port.ts';
import { type Attempt, markHeaders, type Target } from './target.ts';

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

/** The system takes no longer ones: a program would not start at all. The body, on its input, has them whole. */
const MAX_VARIABLE = 16_384;

/** `WEBHOOK_EVENT`, `WEBHOOK_DELIVERY_ID`, …: what an HTTP handler reads from headers. Cut ones would be wrong: those are left out. */
function variablesOf(delivery: KeptDelivery, attempt: number): Record<string, string> {
  const marks = Object.entries(markHeaders(delivery, attempt)).map(
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
