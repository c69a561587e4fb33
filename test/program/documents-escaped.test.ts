/** XML for other programs: on a terminal no letter of a payment moves the cursor, in a pipe the document is whole. */
import { expect, it } from 'vitest';
import { paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const HIDDEN = '\u202e';
const CLEARS = '\u009b2J';

it.each([HIDDEN, CLEARS])('a statement as camt.053', async (sign) => {
  const made = ['tx', 'create', ...paymentFlags('customer-1'), '--external-id', `a${sign}b`];
  const run = await bench.run([...made, '--fund', '--max-input', '20']);
  expect(run.code, run.stderr).toBe(0);
  await bench.run('books sync');
  const line = ['statement', '--currency', 'EUR', '--camt053'];
  const shown = await bench.run(line, { tty: true });
  expect(shown.stdout, shown.stderr).toContain('<Document');
  expect(shown.stdout).not.toContain(sign);
  expect((await bench.run(line)).stdout).toContain(`a${sign}b`);
});
