/** Prints the ten slowest files of a run and which programs its skipped tests want, and keeps what each took for the house test, which refuses a slow one. */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { isLong } from './long.ts';

const KEPT = join(import.meta.dirname, '../../node_modules/.cache/remit/test-times.json');

/** Of the last run of the whole short form; by file, in seconds. */
export interface TestTimes {
  seconds: number;
  files: Record<string, number>;
}

export function lastTimes(): TestTimes | undefined {
  try {
    return JSON.parse(readFileSync(KEPT, 'utf8')) as TestTimes;
  } catch {
    return undefined;
  }
}

function filesOfShortForm(): number {
  const names = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' });
  return names.filter((name) => name.endsWith('.test.ts') && !name.endsWith('.long.test.ts')).length;
}

/** Tests that want one of these are skipped without it. */
const WANTED = [
  ...['bash', 'bean-check', 'chromium', 'fish', 'haproxy', 'hledger', 'ledger', 'mandoc', 'pgbouncer'],
  ...['prometheus', 'promtool', 'python3', 'systemd-analyze', 'zsh'],
];

function missingPrograms(): string[] {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return WANTED.filter((name) => !folders.some((folder) => existsSync(join(folder, name))));
}

const inSeconds = (ms: number): number => Math.round(ms / 100) / 10;

export default class Slowest implements Reporter {
  #startedAt = 0;

  onTestRunStart(): void {
    this.#startedAt = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const times = modules
      .map((one) => [one.relativeModuleId, inSeconds(one.diagnostic().duration)] as const)
      .sort(([, a], [, b]) => b - a);
    if (times.length <= 10) return;
    const rows = times.slice(0, 10).map(([name, took]) => `${took.toFixed(1).padStart(6)} s  ${name}`);
    process.stdout.write(`\nThe ten slowest files:\n${rows.join('\n')}\n`);
    const missing = missingPrograms();
    if (missing.length > 0)
      process.stdout.write(`Not on this machine, so their tests were skipped: ${missing.join(', ')}.\n`);
    // A run of some files says nothing of how long the whole takes, and so of how slow the machine is.
    if (isLong || times.length < filesOfShortForm()) return;
    const seconds = inSeconds(performance.now() - this.#startedAt);
    mkdirSync(dirname(KEPT), { recursive: true });
    writeFileSync(KEPT, JSON.stringify({ seconds, files: Object.fromEntries(times) } satisfies TestTimes));
  }
}
