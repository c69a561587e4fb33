/** A real pseudo-terminal with the built program in it: keys in, screen out. */
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { type IPty, spawn } from '@lydell/node-pty';
import { DEAF, LISTENS } from '../../src/frame/terminal/asking.ts';
import { PATIENCE_MS } from './patience.ts';
import { NODE_WARNS } from './program.ts';

const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const AGAIN_MS = 10_000;
const MOST_TRIES = 4;

export const keys = {
  enter: '\r',
  down: '\u001b[B',
  up: '\u001b[A',
  escape: '\u001b',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  backspace: '\u007f',
};

export interface Terminal {
  /** Waits until this text is on the screen, after what was waited for before. */
  sees(text: string | RegExp): Promise<void>;
  types(text: string): void;
  /** Waits until the question that was seen hears what is typed. */
  listens(): Promise<void>;
  /** Ends the program at once, as kill -9 does. */
  kills(): void;
  /** As a window that is drawn wider or narrower. */
  resizes(size: { cols: number; rows: number }): void;
  /** Waits for the question, and until it listens, and answers it with this and Enter. */
  answers(question: string | RegExp, text?: string): Promise<void>;
  /**
   * Enter at a searched list, until this is on the screen. The list drops an Enter that comes while it is filtering, as a person
   * would see and press again.
   */
  chooses(until: string): Promise<void>;
  /** All that was shown, without control sequences. */
  screen(): string;
  /** As it came, control sequences included. */
  raw(): string;
  exit: Promise<number>;
}

/** Says that everything was written, and waits until somebody has read it. */
const HELD = '\u001e';
/** Ctrl-C goes to the shell too, which must not end before the program: a signal that is trapped is not ignored by what it starts. */
const HOLD = `trap : INT; "$@"; code=$?; printf '\\036'; read -r _; exit $code`;

/**
 * A pseudo-terminal is torn down a moment after its program ends, read or not: on a busy machine its last lines would be lost. So a
 * shell holds it open until they are here.
 */
export const openTerminal = (
  argv: readonly string[],
  env: Record<string, string>,
  size?: { cols: number; rows: number },
): Terminal => openProgram('/bin/sh', ['-c', HOLD, 'sh', process.execPath, BIN, ...argv], env, size);

/** All that the program wrote, when it has ended. */
export async function wholeOutput(
  argv: readonly string[],
  env: Record<string, string>,
  size: { cols: number; rows: number },
): Promise<string> {
  const terminal = openTerminal(argv, env, size);
  await terminal.exit;
  return terminal.raw();
}

/** Any program, such as a shell in which remit is typed. */
export function openProgram(
  file: string,
  argv: readonly string[],
  env: Record<string, string>,
  size = { cols: 100, rows: 40 },
): Terminal {
  const pty: IPty = spawn(file, [...argv], {
    ...size,
    name: 'xterm-256color',
    env: { PATH: process.env.PATH ?? '', TERM: 'xterm-256color', ...env },
  });
  let raw = '';
  let read = 0;
  let ended = false;
  let held = false;
  const looks = new Set<() => void>();
  pty.onData((data) => {
    if (held) return;
    raw += data.split(HELD, 1).join('');
    held = data.includes(HELD);
    // What follows is the echo of this.
    if (held) pty.write('\n');
    for (const look of looks) look();
  });
  const exit = new Promise<number>((resolve, reject) =>
    pty.onExit(({ exitCode }) => {
      ended = true;
      for (const look of looks) look();
      // A warning of Node's is for us, and breaks whatever is drawn.
      if (NODE_WARNS.test(raw)) reject(new Error(`Node warns:\n${raw.slice(raw.search(NODE_WARNS))}`));
      else resolve(exitCode);
    }),
  );
  const text = () => stripVTControlCharacters(raw);
  const sees = (wanted: string | RegExp, patienceMs = PATIENCE_MS): Promise<void> =>
    new Promise((resolve, reject) => {
      const fail = () => {
        looks.delete(look);
        reject(new Error(`not on the screen: ${wanted}\n--- screen ---\n${text().slice(read)}`));
      };
      const late = setTimeout(fail, patienceMs);
      const look = (): void => {
        const rest = text().slice(read);
        const found = typeof wanted === 'string' ? rest.indexOf(wanted) : rest.search(wanted);
        if (found < 0 && !ended) return;
        clearTimeout(late);
        looks.delete(look);
        if (found < 0) {
          fail();
          return;
        }
        read += found + (typeof wanted === 'string' ? wanted.length : 1);
        resolve();
      };
      looks.add(look);
      look();
    });
  const isDeaf = () => raw.lastIndexOf(DEAF) > raw.lastIndexOf(LISTENS);
  /** A confirmation is deaf for a moment after it was drawn. */
  const listens = (): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => {
        if (isDeaf() && !ended) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  return {
    sees: (wanted) => sees(wanted),
    listens,
    types: (typed) => pty.write(typed),
    // The shell that holds it as well.
    kills: () => void process.kill(-pty.pid, 'SIGKILL'),
    resizes: ({ cols, rows }) => pty.resize(cols, rows),
    async answers(question, typed = '') {
      await sees(question);
      await listens();
      pty.write(typed + keys.enter);
    },
    async chooses(until) {
      for (let tries = 1; ; tries++) {
        pty.write(keys.enter);
        try {
          return await sees(until, AGAIN_MS);
        } catch (error) {
          if (tries === MOST_TRIES) throw error;
        }
      }
    },
    screen: text,
    raw: () => raw,
    exit,
  };
}
