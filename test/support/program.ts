/** The built program as a process of its own: lines of its output are awaited, never slept for. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach } from 'vitest';
import { PATIENCE_MS } from './patience.ts';

const BIN = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
/** Nobody who uses remit should read one. */
export const NODE_WARNS = /\(node:\d+\) (?:\[\w+\] )?\w*Warning/;

export interface Program {
  process: ChildProcess;
  stdout(): string;
  stderr(): string;
  /** Resolves with the first line of stdout that fits, come or to come. */
  line(fits: (line: string) => boolean): Promise<string>;
  /** Resolves when stderr has this, now or later. */
  says(text: string): Promise<void>;
  signal(name: NodeJS.Signals): void;
  ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
}

/** A settings folder of its own, removed at the end. */
export function temporaryHome(): { dir: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'remit-home-'));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** @param through a program that starts another, with its own words before it: `prlimit --fsize=1 --` */
export function startRemit(
  argv: readonly string[],
  env: Record<string, string>,
  through: readonly string[] = [],
): Program {
  return startProgram([...through, process.execPath, BIN, ...argv], env);
}

/** Any other program, which is looked at likewise. */
export function startProgram(line: readonly string[], env: Record<string, string>): Program {
  const [file = '', ...words] = line;
  const child = spawn(file, words, {
    env: { PATH: process.env.PATH ?? '', NO_COLOR: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  const watchers = new Set<() => void>();
  child.stdout?.on('data', (chunk: Buffer) => {
    out += chunk.toString('utf8');
    for (const look of watchers) look();
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    err += chunk.toString('utf8');
  });
  const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve, reject) => {
    child.on('close', (code, signal) =>
      NODE_WARNS.test(err) ? reject(new Error(`Node warns:\n${err}`)) : resolve({ code, signal }),
    );
  });
  return {
    process: child,
    stdout: () => out,
    stderr: () => err,
    line: (fits) =>
      new Promise((resolve, reject) => {
        const late = setTimeout(() => reject(new Error(`no such line in time\n${out}\n${err}`)), PATIENCE_MS);
        const look = (): void => {
          const found = out.split('\n').slice(0, -1).find(fits);
          if (found === undefined) return;
          clearTimeout(late);
          watchers.delete(look);
          resolve(found);
        };
        watchers.add(look);
        look();
      }),
    async says(text) {
      while (!err.includes(text)) await once(child.stderr, 'data');
    },
    signal: (name) => child.kill(name),
    ended,
  };
}

export async function runRemit(
  argv: readonly string[],
  env: Record<string, string>,
  through: readonly string[] = [],
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const program = startRemit(argv, env, through);
  const { code } = await program.ended;
  return { code, stdout: program.stdout(), stderr: program.stderr() };
}

/** A home for each test of a file, and the programs that it starts there: none of them outlives it. */
export function usePrograms() {
  let home: ReturnType<typeof temporaryHome>;
  let running: Program[] = [];
  beforeEach(() => {
    home = temporaryHome();
  });
  afterEach(async () => {
    for (const program of running) program.signal('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    running = [];
    home.remove();
  });
  const env = () => ({ REMIT_CONFIG_DIR: home.dir, HOME: home.dir });
  return {
    get dir() {
      return home.dir;
    },
    env,
    remit: (...argv: string[]) => runRemit(argv, env()),
    start(argv: readonly string[], more: Record<string, string> = {}): Program {
      const program = startRemit(argv, { ...env(), ...more });
      running.push(program);
      return program;
    },
  };
}
