/** Production wiring: the process's streams, signals, clock and dice become arguments here and nowhere else. */
import { setMaxListeners } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json' with { type: 'json' };
import { sleep } from '../core/clock.ts';
import type { Effect } from '../core/effect.ts';
import type { CompletionIndex } from '../frame/completion/completion-index.ts';
import { exitCodeOf, exitCodes } from '../frame/exit-codes.ts';
import { helpWidths } from '../frame/help/width.ts';
import type { Installation, Process } from '../frame/process.ts';
import { colourChoice } from '../frame/terminal/colour.ts';
import { processStreams, type Streams } from '../frame/terminal/streams.ts';
import { main } from './main.ts';

/** @param installation is another one where the program is one file (src/build/binary-main.cjs) */
export async function start(installation: Installation = onNode()): Promise<void> {
  const interrupt = new AbortController();
  // Every request that is under way listens to it: Node would warn of the eleventh, in the middle of a screen.
  setMaxListeners(0, interrupt.signal);
  const streams = processStreams(process);
  const sent = new WritesSent();
  // A second signal ends the process the hard way: by then the first one's tidying up is what hangs. 130 says that nothing was sent.
  const end = (): never => process.exit(sent.mayBeApplied ? exitCodeOf.unknown : exitCodeOf.interrupted);
  for (const name of ['SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      process.once(name, end);
      if (name === 'SIGINT') streams.interrupted();
      interrupt.abort(name);
    });
  }
  const argv = process.argv.slice(2);
  // The prompts' own colours follow the environment alone.
  if (colourChoice(argv, process.env) === 'never') process.env.NO_COLOR = '1';
  // Node ends the process when nothing is left to wait for, even before main is done: that must not look like success.
  process.exitCode = exitCodes.failed;
  process.exitCode = await main(argv, {
    ...processOn(installation, interrupt.signal, streams),
    writes: (effect) => sent.leaves(effect),
    strays({ onWarning, onCrash }) {
      process.removeAllListeners('warning').on('warning', onWarning);
      process.once('uncaughtException', (error) => {
        onCrash(error);
        process.exit(sent.mayBeApplied ? exitCodeOf.unknown : exitCodes.failed);
      });
    },
  });
  streams.endLine();
}

/**
 * The writes that left this process. A write that moved money, cancelled or deleted is told at the end alone;
 * any other is over with its answer.
 */
class WritesSent {
  #underWay = 0;
  #isWeighty = false;

  get mayBeApplied(): boolean {
    return this.#isWeighty || this.#underWay > 0;
  }

  leaves(effect: Effect): () => void {
    this.#isWeighty ||= effect !== 'write';
    this.#underWay += 1;
    return () => {
      this.#underWay -= 1;
    };
  }
}

/** When this process began, in milliseconds since the machine did: no process of it counts otherwise. */
const uptimeAtStart = Math.floor(Number(process.hrtime.bigint()) / 1e6 - performance.now());

function processOn(installation: Installation, interrupt: AbortSignal, streams: Streams): Process {
  const { packaged } = installation;
  return {
    installation,
    env: process.env,
    streams,
    clock: { now: () => Date.now(), uptime: () => Math.floor(performance.now()) + uptimeAtStart },
    random: { next: () => Math.random() },
    nonce: () => crypto.randomUUID(),
    newId: () => crypto.randomUUID(),
    sleep,
    // Node reads TZ. Made only when a time is shown: the first formatter of a process costs 27 ms.
    zone: () => new Intl.DateTimeFormat().resolvedOptions().timeZone,
    cwd: process.cwd(),
    pid: process.pid,
    beganAt: performance.timeOrigin,
    beganUptime: uptimeAtStart,
    version: packageJson.version,
    rootHelp: () => parsed(packaged('dist/root-help.json')),
    completionIndex: () => parsed(packaged('dist/completion.json')),
    page() {
      const [script, style] = ['page.js', 'page.css'].map((name) => packaged(`dist/console/${name}`));
      return script === undefined || style === undefined ? undefined : { script, style };
    },
    interrupt,
  };
}

/** The build writes its answer beside this file (rolldown.config.js): root help is then read and not made. */
export async function rootHelpPages(): Promise<Record<string, string>> {
  const { rootHelp } = await import('./program.ts');
  return Object.fromEntries(helpWidths.map((width) => [width, rootHelp(width)]));
}

/** The build writes its answer too. */
export async function completionIndex(): Promise<CompletionIndex> {
  return (await import('./completion/build-index.ts')).buildCompletionIndex();
}

/** The build writes each page to its file. */
export async function manPages(date: string): Promise<Record<string, string>> {
  return (await import('./help/man.ts')).manPagesOf(date);
}

/** A package of npm, or a clone: Node is given a script, and the files of the package lie around it. */
function onNode(): Installation {
  const root = join(import.meta.dirname, '..');
  return {
    from: /[\\/]node_modules[\\/]/.test(root) ? 'npm' : 'clone',
    self: [process.execPath, process.argv[1] ?? ''],
    packaged(path) {
      try {
        return readFileSync(join(root, path), 'utf8');
      } catch {
        return undefined;
      }
    },
  };
}

/** Undefined where the build has written no such file, or not to its end. */
function parsed<T>(text: string | undefined): T | undefined {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
