/** The sandbox as `remit sandbox start` opens it, its clock running, with so many transactions in store. */

import { listen } from '../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials } from './support/signed.ts';

const WARM_UP = 2_000;

const open = (): Promise<Sandbox> =>
  createSandbox({
    credentials,
    clock: { mode: 'running', machine: { now: () => Date.now() } },
    balances: { EUR: '900000000000' },
  });

async function fill(sandbox: Sandbox, mark: string, count: number): Promise<void> {
  for (let i = 0; i < count; i++) {
    const { headers, body } = prepare('127.0.0.1:1', mark, i);
    const answer = await sandbox.handle({ method: 'POST', url: PATH, headers, body });
    if (answer.status !== 201) throw new Error(`transaction ${i} was refused: ${answer.body}`);
  }
}

serveParent<{ transactions: number }, object>(async ({ transactions }) => {
  // As warm as the one that was filled with many.
  await fill(await open(), 'warm', WARM_UP);
  const sandbox = await open();
  await fill(sandbox, 'fill', transactions);
  const { port } = await listen(sandbox, { port: 0 });
  return async () => ({ host: `127.0.0.1:${port}` });
});
