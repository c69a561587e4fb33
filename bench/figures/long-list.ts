/** `remit tx list --all -o ndjson` over many rows, beside a bare loop over the same pages; and how much memory it takes. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startChild } from '../support/children.ts';
import { atLeast, atMost, type Figure, type Place } from '../support/figure.ts';
import { credentials } from '../support/signed.ts';
import { median, medianRatio } from '../support/statistics.ts';

const ROWS = 200_000;
const MOST_MB = 150;
const LOOK_MS = 20;

interface Ran {
  seconds: number;
  lines: number;
  /** The most memory that it had at any time; 0 where the system does not say. */
  peakMb: number;
}

export async function longList({ programs, root, quick }: Place): Promise<Figure[]> {
  const rows = quick ? ROWS / 10 : ROWS;
  const server = startChild<object, { url: string; bytes: number }>(programs, 'pages-server', { rows });
  const { url, bytes } = await server.ask({});
  const home = mkdtempSync(join(tmpdir(), 'remit-bench-'));
  const env = {
    PATH: process.env.PATH ?? '',
    REMIT_CONFIG_DIR: home,
    REMIT_BASE_URL: url,
    REMIT_API_KEY: credentials.key,
    REMIT_API_SECRET: credentials.secret,
  };
  // A build in another place can be measured too.
  const remit = process.env.BENCH_REMIT ?? join(root, 'bin', 'remit.js');
  const profile = process.env.BENCH_PROFILE === 'long-list' ? ['--cpu-prof', '--cpu-prof-dir', root] : [];
  const ours = () => run([...profile, remit, 'tx', 'list', '--all', '-o', 'ndjson'], env);
  const bare = () => run([join(programs, 'list-bare.mjs'), url], env);
  const times: Record<'ours' | 'bare', number[]> = { ours: [], bare: [] };
  const peaks: number[] = [];
  for (let round = 0; round < (quick ? 3 : 5); round++) {
    const one = await ours();
    if (one.lines !== rows) throw new Error(`remit printed ${one.lines} lines of ${rows}`);
    times.ours.push(one.seconds);
    peaks.push(one.peakMb);
    times.bare.push((await bare()).seconds);
  }
  await server.stop();
  rmSync(home, { recursive: true, force: true });
  const rate = (name: 'ours' | 'bare') => `${Math.round(rows / median(times[name]))} rows/s`;
  const facts = `${rate('ours')} against ${rate('bare')}, ${Math.round(bytes / 1000)} kB a page`;
  const peak = Math.max(...peaks);
  return [
    atLeast(`tx list --all, ${rows} rows / bare loop`, medianRatio(times.bare, times.ours), 0.4, facts),
    atMost(
      `its peak memory / ${MOST_MB} MB`,
      peak / MOST_MB,
      1,
      `${Math.round(median(peaks))} MB, at most ${Math.round(peak)} MB`,
    ),
  ];
}

/** From its start to its end, its output read as it comes, as `| jq` would. */
function run(args: string[], env: Record<string, string>): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let lines = 0;
    let peakMb = 0;
    const look = setInterval(() => {
      peakMb = Math.max(peakMb, peakOf(child.pid));
    }, LOOK_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    });
    child.on('close', (code) => {
      clearInterval(look);
      if (code === 0) resolve({ seconds: (performance.now() - before) / 1000, lines, peakMb });
      else reject(new Error(`${args[0]} ended with ${code}`));
    });
  });
}

/** The kernel keeps the highest, so that no peak between two looks is missed. */
function peakOf(pid: number | undefined): number {
  try {
    const [, kb] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kb ?? 0) / 1024;
  } catch {
    return 0;
  }
}
