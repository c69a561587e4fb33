/**
 * `remit recipient triage` over 10,000 recipients that need somebody: how soon its first rows are there, beside the time in which
 * `remit api` has fetched the same first page. In a pipe, and as a board in a pseudo-terminal.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { startChild } from '../support/children.ts';
import { atMost, type Figure, type Place } from '../support/figure.ts';
import { credentials } from '../support/signed.ts';
import { median } from '../support/statistics.ts';

const RECIPIENTS = 10_000;
const STATES = ['error', 'manual', 'stuck', 'overpaid', 'exception'];
const FIRST_PAGE = [
  ...['api', 'GET', '/recipients', '--param', 'per=100'],
  ...STATES.flatMap((state) => ['-f', `state[]=${state}`]),
];
const TRIAGE = ['recipient', 'triage', '--all'];
/** The pointer of the board stands before a row, never before a heading. */
const ROW_ON_BOARD = /❯/;

export async function triage({ programs, root, quick }: Place): Promise<Figure[]> {
  const server = startChild<object, { url: string }>(programs, 'triage-server', { recipients: RECIPIENTS });
  const { url } = await server.ask({});
  const home = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  const env = {
    PATH: process.env.PATH ?? '',
    REMIT_CONFIG_DIR: home,
    REMIT_BASE_URL: url,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
  };
  const remit = process.env.BENCH_REMIT ?? join(root, 'bin', 'remit.js');
  const times: Record<'page' | 'rows' | 'pageShown' | 'board' | 'all', number[]> = {
    page: [],
    rows: [],
    pageShown: [],
    board: [],
    all: [],
  };
  for (let round = 0; round < (quick ? 5 : 15); round++) {
    times.page.push((await piped([remit, ...FIRST_PAGE], env)).firstMs);
    const { firstMs, allMs, lines } = await piped([remit, ...TRIAGE, '-o', 'ndjson'], env);
    if (lines !== RECIPIENTS) throw new Error(`triage printed ${lines} rows of ${RECIPIENTS}`);
    times.rows.push(firstMs);
    times.all.push(allMs);
    times.pageShown.push(await shown([remit, ...FIRST_PAGE], env, /"object"/));
    times.board.push(await shown([remit, ...TRIAGE], env, ROW_ON_BOARD));
  }
  await server.stop();
  rmSync(home, { recursive: true, force: true });
  const figure = (name: string, ours: number[], base: number[], more = ''): Figure =>
    atMost(
      name,
      median(ours) / median(base),
      1.5,
      `median ${Math.round(median(ours))} ms against ${Math.round(median(base))}${more}`,
    );
  return [
    figure(
      'triage, first rows in a pipe / its first page',
      times.rows,
      times.page,
      `; all ${RECIPIENTS} in ${Math.round(median(times.all))} ms`,
    ),
    figure('triage, first rows on the board / its first page', times.board, times.pageShown),
  ];
}

/** From the start of the process to the first byte of its output, and to its end. */
function piped(
  args: string[],
  env: Record<string, string>,
): Promise<{ firstMs: number; allMs: number; lines: number }> {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let firstMs: number | undefined;
    let lines = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      firstMs ??= performance.now() - before;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    });
    child.on('close', (code) => {
      if (code === 0 && firstMs !== undefined) resolve({ firstMs, allMs: performance.now() - before, lines });
      else reject(new Error(`${args.slice(1).join(' ')} ended with ${code}`));
    });
  });
}

/** From the start of the process until this is on the terminal. */
function shown(args: string[], env: Record<string, string>, wanted: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const terminal = spawnInTerminal(process.execPath, args, {
      cols: 120,
      rows: 40,
      name: 'xterm-256color',
      env: { ...env, TERM: 'xterm-256color' },
    });
    let screen = '';
    let ms: number | undefined;
    terminal.onData((data) => {
      if (ms !== undefined) return;
      screen += data;
      if (!wanted.test(screen)) return;
      ms = performance.now() - before;
      terminal.write('\u0003');
    });
    terminal.onExit(() =>
      ms === undefined ? reject(new Error(`never shown: ${wanted}\n${screen}`)) : resolve(ms),
    );
  });
}
