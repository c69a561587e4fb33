/** `--on EVENT=FILE`: programs that are told of an event (decision 0092). */
import { isAbsolute } from 'node:path';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import type { HookName } from '../../event-hooks.ts';

/** The programs by event, and how long each may take. */
export interface OnPrograms {
  programs: readonly { event: HookName; file: string }[];
  timeoutMs: number;
}

const MOST_SECONDS = 3_600;

/** @param events those that can happen to the command */
export const onFlags = (events: readonly HookName[]) =>
  flags({
    on: {
      value: 'event=file',
      summary: `tell this program, by its absolute path, of an event (${events.join(', ')}); repeat it`,
      many: true,
    },
    onTimeout: {
      value: 'seconds',
      summary: 'with --on: stop the program after this many seconds; 30 if you do not say',
    },
  });

/** @throws Problem (usage) */
export function readOn(
  { flags: { on, onTimeout = '30' } }: Input<ReturnType<typeof onFlags>>,
  events: readonly HookName[],
): OnPrograms {
  const programs = on.map((text) => {
    const at = text.indexOf('=');
    const [name, file] = [text.slice(0, Math.max(0, at)), text.slice(at + 1)];
    const event = events.find((one) => one === name);
    if (at < 0) throw usage(`--on ${text} names no program`, `such as --on ${events[0]}=/usr/local/bin/tell`);
    if (event === undefined)
      throw usage(`--on ${text}: ${name} cannot happen here`, `here it is ${events.join(', ')}`);
    if (!isAbsolute(file))
      throw usage(
        `--on ${text}: the program is no absolute path`,
        `such as --on ${event}=/usr/local/bin/tell`,
      );
    return { event, file };
  });
  const seconds = /^[1-9]\d*$/.test(onTimeout) ? Number(onTimeout) : Number.NaN;
  if (!(seconds <= MOST_SECONDS))
    throw usage(`--on-timeout ${onTimeout} is not a number from 1 to ${MOST_SECONDS}`);
  return { programs, timeoutMs: seconds * 1_000 };
}
