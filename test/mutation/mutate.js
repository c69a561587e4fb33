/**
 * Plants bugs in the files of `named.json`, one at a time, and counts those that their tests find.
 *
 *   npm run mutate                     every named file
 *   npm run mutate -- src/core/money.ts
 *
 * Ends with 1 where a file is below its floor. What is known of a mutant stays in
 * `node_modules/.cache` until the file or its tests change.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';

const named = JSON.parse(readFileSync(new URL('named.json', import.meta.url), 'utf8'));
const FOUND = new Set(['Killed', 'Timeout']);
const LIVED = new Set(['Survived', 'NoCoverage']);

/** Other tests begin anew: Stryker does not look again at what is decided while a file is loaded. */
const printOf = (tests) =>
  tests
    .reduce((hash, test) => hash.update(readFileSync(test)), createHash('sha256'))
    .digest('hex')
    .slice(0, 12);

async function mutate(file) {
  process.env.REMIT_MUTATE_TESTS = named[file].tests.join(',');
  const stryker = new Stryker({
    mutate: [file],
    testRunner: 'vitest',
    vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner', fileURLToPath(new URL('texts.js', import.meta.url))],
    ignorers: ['texts'],
    ignorePatterns: ['/dist', '/docs', '/bench', '/completions', '/.stryker', '/test/terminal'],
    concurrency: Number(process.env.REMIT_MUTATE_WORKERS ?? availableParallelism()),
    incremental: true,
    incrementalFile: `node_modules/.cache/remit/mutate/${file.replaceAll('/', '-')}-${printOf(named[file].tests)}.json`,
    tempDirName: `.stryker/tmp-${process.pid}`,
    reporters: [],
    disableTypeChecks: false,
    timeoutMS: 10_000,
    logLevel: 'error',
  });
  const mutants = await stryker.runMutationTest();
  const found = mutants.filter(({ status }) => FOUND.has(status)).length;
  const lived = mutants.filter(({ status }) => LIVED.has(status));
  const all = found + lived.length;
  return { found, lived, all, score: all === 0 ? 100 : (100 * found) / all };
}

/** Says how a file did, and which bugs lived where it was asked for by name. */
async function report(file, { isAskedFor }) {
  const startedAt = performance.now();
  const { found, lived, all, score } = await mutate(file);
  const { floor } = named[file];
  if (isAskedFor)
    for (const { location, mutatorName, replacement, status } of lived)
      console.log(
        `${file}:${location.start.line}:${location.start.column}  ${status}  ${mutatorName}: ${replacement}`,
      );
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const end = score < floor ? `, BELOW ITS FLOOR of ${floor}` : `, floor ${floor}`;
  console.log(`${score.toFixed(1)} %  ${file}: ${found} of ${all} found${end} (${seconds} s)`);
  return score >= floor;
}

const asked = process.argv.slice(2);
const unknown = asked.filter((file) => !Object.hasOwn(named, file));
if (unknown.length > 0) {
  console.error(`not in test/mutation/named.json: ${unknown.join(', ')}`);
  process.exitCode = 2;
} else {
  for (const file of asked.length > 0 ? asked : Object.keys(named))
    if (!(await report(file, { isAskedFor: asked.length > 0 }))) process.exitCode = 1;
}
