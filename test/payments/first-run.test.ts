/** A newcomer follows the first run of docs/pay-runs.md in a real shell, word by word, and both people are paid out. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, expect, it } from 'vitest';

const programPath = fileURLToPath(new URL('../../bin/remit.js', import.meta.url));
const dir = mkdtempSync(join(tmpdir(), 'remit-first-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

it('does what the page says', async () => {
  const page = readFileSync(new URL('../../docs/pay-runs.md', import.meta.url), 'utf8');
  const [, section = ''] = page.split('## The first one, on a sandbox');
  const [, block = ''] = /^```sh\n(.*?)^```$/ms.exec(section) ?? [];
  expect(block.split('\n').filter((line) => line.startsWith('remit ')).length).toBeGreaterThan(5);
  writeFileSync(join(dir, 'remit'), `#!/bin/sh\nexec "${process.execPath}" "${programPath}" "$@"\n`, {
    mode: 0o700,
  });
  writeFileSync(join(dir, 'page.sh'), block);
  const env = { PATH: `${dir}${delimiter}${process.env.PATH}`, HOME: dir, LANG: 'C.UTF-8' };
  const argv = [programPath, 'sandbox', 'exec', '--', 'sh', '-e', 'page.sh'];
  const { stdout, stderr } = await promisify(execFile)(process.execPath, argv, { cwd: dir, env });
  expect(stderr).toContain('All 2 rows are paid out.');
  expect(stdout).toMatch(/payment-1\tChidi Eze\t.*\tpaid\t/);
  expect(stdout).toMatch(/payment-2\tAda Obi\t.*\tpaid\t/);
});
