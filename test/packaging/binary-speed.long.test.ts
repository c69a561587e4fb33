/** The start of the one file, against a bare Node of its version. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { unpackRuntime } from '../../src/build/binary.js';
import { builtBinary, canBuild } from '../support/built-binary.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it.runIf(canBuild)('the one file starts in the time of a bare Node of its version', () => {
  const node = join(unpackRuntime(temporaryFolder()), 'bin/node');
  const file = builtBinary();
  const times = inTurns({ bare: [node, '-e', '0'], version: [file, '--version'] });
  const said = Object.entries(times).map(
    ([name, { wall, processor }]) =>
      `${name} ${wall.toFixed(1)} ms, of the processor ${processor.toFixed(1)}`,
  );
  console.log(said.join('; '));
  expect(times.version.processor / times.bare.processor, said.join('; ')).toBeLessThan(1.3);
  expect(times.version.wall / times.bare.wall, said.join('; ')).toBeLessThan(1.3);
});

interface Took {
  wall: number;
  processor: number;
}

/** The median of 21 runs of each, in turns: other work on the machine comes to all of them alike. In ms. */
function inTurns<Name extends string>(lines: Readonly<Record<Name, readonly string[]>>): Record<Name, Took> {
  const names = Object.keys(lines) as Name[];
  const rounds = Array.from({ length: 21 }, () => names.map((name) => timed(lines[name])));
  const median = (at: number, part: keyof Took): number =>
    rounds.map((round) => round[at]?.[part] ?? Number.NaN).sort((a, b) => a - b)[10] ?? Number.NaN;
  return Object.fromEntries(
    names.map((name, at) => [name, { wall: median(at, 'wall'), processor: median(at, 'processor') }]),
  ) as Record<Name, Took>;
}

/** As bash measures it, which takes no time of its own. */
function timed(line: readonly string[]): Took {
  const script = `TIMEFORMAT='%3R %3U %3S'; time "$@" >/dev/null`;
  const { stderr } = spawnSync('bash', ['--norc', '-c', script, 'bash', ...line], { encoding: 'utf8' });
  const [wall = Number.NaN, user = Number.NaN, system = Number.NaN] = stderr.trim().split(' ').map(Number);
  return { wall: wall * 1000, processor: (user + system) * 1000 };
}
