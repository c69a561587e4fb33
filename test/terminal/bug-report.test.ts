/** A report is seen before it is written: on a real pseudo-terminal, with a person who says no and one who says yes. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBench } from '../support/cli.ts';
import { keys, openTerminal } from '../support/terminal.ts';

const bench = useBench();

it.each([
  ['n', 130, false],
  ['y', 0, true],
] as const)('it is shown, and "%s" ends with %s', async (answer, code, isWritten) => {
  const path = join(bench.dir, 'report.json');
  const terminal = openTerminal(
    ['bug-report', '--out', path],
    { REMIT_CONFIG_DIR: bench.dir },
    { cols: 80, rows: 60 },
  );
  await terminal.sees('"last_error"');
  await terminal.sees('Write this to');
  expect(existsSync(path)).toBe(false);
  await terminal.listens();
  terminal.types(`${answer}${keys.enter}`);
  expect(await terminal.exit).toBe(code);
  expect(existsSync(path)).toBe(isWritten);
  if (isWritten) expect(JSON.parse(readFileSync(path, 'utf8'))).toHaveProperty('versions');
});
