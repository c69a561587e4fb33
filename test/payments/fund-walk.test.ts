/** The way from the `run` of `tx fund` to the wire is read from its stack: how often it comes back to a folder that it left before. */
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { paymentJson, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

it('tx fund reaches the wire with three returns at most', async () => {
  writeFileSync(join(bench.dir, 'payment.json'), JSON.stringify(paymentJson('0123456700')));
  await bench.run('tx create -f payment.json --external-id walked');
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 200;
  let stack = '';
  const run = await bench.run('tx fund walked', {
    onRequest: ({ method }) => {
      if (method === 'POST') stack = new Error('here').stack ?? '';
    },
  });
  Error.stackTraceLimit = stackTraceLimit;
  expect(run.code, run.stderr).toBe(0);
  const files = [...stack.matchAll(/\/src\/([\w/.-]+\.tsx?):/g)].map(([, file = '']) => file).reverse();
  const walked = files.slice(files.indexOf('payments/cli/tx/fund.ts'));
  const stops = walked.filter((file, at) => file !== walked[at - 1]);
  const folders = stops.map(dirname).filter((folder, at, all) => folder !== all[at - 1]);
  expect(folders).toContain('client');
  expect(folders.length - new Set(folders).size, folders.join(' → ')).toBeLessThanOrEqual(3);
  expect(stops.length, stops.join(' → ')).toBeLessThanOrEqual(18);
});
