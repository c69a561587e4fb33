/** A sandbox in memory with so many unfunded transactions, and the time it takes to move the clock past the end of all of them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createSandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { spent } from './support/processor.ts';
import { prepare } from './support/request.ts';
import { credentials, headersInClear } from './support/signed.ts';

const PATH = '/v1/transactions';
const AT_ONE_INSTANT = 10;
const HOUR = 3_600_000;

/** What making the transactions left behind is no part of moving the clock. */
setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

serveParent<object, { tasks: number }>(async () => async ({ tasks }) => {
  const sandbox = await createSandbox({ credentials });
  for (let i = 0; i < tasks; i++) {
    if (i % AT_ONE_INSTANT === 0) await sandbox.advance(1);
    const { body } = prepare('127.0.0.1:1', 'clock', i);
    const answer = await sandbox.handle({ method: 'POST', url: PATH, headers: headersInClear, body });
    if (answer.status !== 201) throw new Error(`transaction ${i} was refused: ${answer.body}`);
  }
  collect();
  const took = await spent(() => sandbox.advance(2 * HOUR));
  if (sandbox.nextDue() !== undefined) throw new Error('something is still due');
  await sandbox.close();
  return took;
});
