/** The program under measurement, with a home of its own. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from './folder.ts';
import { endedMs, isOurs } from './processor.ts';
import { credentials } from './signed.ts';
import type { Sample } from './turns.ts';

export const environmentFor = (url: string): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  REMIT_CONFIG_DIR: temporaryFolder(),
  REMIT_BASE_URL: url,
  REMIT_API_KEY: credentials.key,
  REMIT_API_SECRET: credentials.secret,
});

/** A build in another place can be measured too. */
export const remitOf = (root: string): string => process.env.BENCH_REMIT ?? join(root, 'bin', 'remit.js');

export interface Run extends Sample {
  /** Until its first byte of output. */
  firstMs: number;
  lines: number;
  /** The most memory that it had at any time; 0 where the system does not say. */
  peakMb: number;
}

const LOOK_MS = 20;

/** From its start to its end, its output read as it comes, as `| jq` would; `micros` is of the whole run. */
export function runToEnd(args: string[], env: Record<string, string>, exit = 0): Promise<Run> {
  return new Promise((resolve, reject) => {
    const [before, endedBefore] = [performance.now(), endedMs()];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    isOurs(child.pid);
    let firstMs = 0;
    let lines = 0;
    let peakMb = 0;
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk;
    });
    const look = setInterval(() => {
      peakMb = Math.max(peakMb, peakOf(child.pid));
    }, LOOK_MS);
    child.stdout.on('data', (chunk: Buffer) => {
      firstMs ||= performance.now() - before;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
    });
    child.on('close', (code) => {
      clearInterval(look);
      const ms = performance.now() - before;
      const micros = (endedMs() - endedBefore) * 1000;
      if (code === exit) resolve({ firstMs, ms, micros, lines, peakMb });
      else reject(new Error(`${args.join(' ')} ended with ${code}: ${said}`));
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
