/** Everything a run takes from outside, as arguments: production fills it in start.ts, tests choose each. */

import type { Clock } from '../core/clock.ts';
import type { Effect } from '../core/effect.ts';
import type { Random } from '../core/random.ts';
import type { Transport } from '../core/transport.ts';
import type { CompletionIndex } from './completion/completion-index.ts';
import type { CommandTree } from './help/described.ts';
import type { Log } from './log/log.ts';
import type { Streams } from './terminal/streams.ts';

/** Tells who is signed in on this machine, as far as it says. */
export const userOf = ({ env }: Pick<Process, 'env'>): string | undefined =>
  env.USER || env.LOGNAME || env.USERNAME || undefined;

export interface Strays {
  onWarning(warning: Error): void;
  /** Receives an uncaught defect; the process ends after it. */
  onCrash(error: Error): void;
}

/** How this program came to the machine, and what came with it. */
export interface Installation {
  /** A binary is one file that has Node in it (decision 0048). */
  from: 'npm' | 'clone' | 'binary';
  /** The file that starts this program, and the words that stand before those of the command. */
  self: readonly [file: string, ...words: string[]];
  /** The text of a file of the package, by its path in there: `completions/remit.bash`. Undefined where there is none. */
  packaged: (path: string) => string | undefined;
}

/** This program again, with other words: the file and its arguments, as `spawn` takes them. */
export function selfWith(
  { installation: { self } }: Pick<Process, 'installation'>,
  argv: readonly string[],
): [file: string, words: string[]] {
  const [file, ...words] = self;
  return [file, [...words, ...argv]];
}

export interface Process {
  installation: Installation;
  env: Readonly<Record<string, string | undefined>>;
  streams: Streams;
  clock: Clock;
  random: Random;
  nonce: () => string;
  /** A random UUID. */
  newId: () => string;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** The local time zone, such as Africa/Lagos; local times are shown nowhere where it is absent. */
  zone?: () => string;
  cwd: string;
  pid: number;
  /** When the process began, in milliseconds; where it is absent, when the command began. */
  beganAt?: number;
  /** The same by `Clock.uptime`. */
  beganUptime?: number;
  version: string;
  /** Root help by width, headings bold, as the build wrote it; where it did not, it is made. */
  /** Set by `main`. */
  tree?: CommandTree;
  rootHelp?: () => Readonly<Record<string, string>> | undefined;
  /** The offers of completion, as the build wrote them; where it did not, they are made. */
  completionIndex?: () => CompletionIndex | undefined;
  /** The page of the console, as the build wrote it. */
  page?: () => { script: string; style: string } | undefined;
  /** Hears of a write that leaves this process; what it returns is called when its answer came, or none will. */
  writes?: (effect: Effect) => () => void;
  /** Where stderr is a log: set by `main`. */
  log?: Log;
  /** Hands over what Node would print on stderr by itself. */
  strays?: (to: Strays) => void;
  /** Fires once, on the first Ctrl-C or SIGTERM. */
  interrupt: AbortSignal;
  /** Stands in for the network where a test wants to see or bend what is sent. */
  transport?: Transport;
}
