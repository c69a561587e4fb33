/** The sandbox as `remit sandbox start` opens it, its clock running, with so many transactions in store; in memory, with `--data`, or behind the relay of an audit. */

import { Relay } from '../src/audit/relay.ts';
import { listen } from '../src/sandbox/http/listen.ts';
import { createSandbox, type Sandbox } from '../src/sandbox/sandbox.ts';
import { serveParent } from './support/children.ts';
import { openData } from './support/data-file.ts';
import { PATH, prepare } from './support/request.ts';
import { credentials } from './support/signed.ts';

const AT_ONCE = 40;

const open = async (kept: boolean): Promise<Sandbox> =>
  createSandbox({
    credentials,
    clock: { mode: 'running', machine: { now: () => Date.now() } },
    balances: { EUR: '900000000000' },
    data: kept ? await openData() : undefined,
  });

async function fill(sandbox: Sandbox, mark: string, count: number): Promise<void> {
  for (let i = 0; i < count; i += AT_ONCE) {
    await Promise.all(Array.from({ length: AT_ONCE }, (_, k) => pay(sandbox, mark, i + k)));
  }
}

async function pay(sandbox: Sandbox, mark: string, number: number): Promise<void> {
  const { headers, body } = prepare('127.0.0.1:1', mark, number);
  const answer = await sandbox.handle({ method: 'POST', url: PATH, headers, body });
  if (answer.status !== 201) throw new Error(`transaction ${number} was refused: ${answer.body}`);
}

interface Argument {
  transactions: number;
  kept: boolean;
  warmUp: number;
  /** Behind the relay of an audit, which meets nothing. */
  relayed?: boolean;
}

const relayOf = (sandbox: Sandbox): Sandbox['handle'] => {
  const relay = new Relay({
    ...{ handle: (request) => sandbox.handle(request), case: [], unstable: new Map(), now: () => Date.now() },
    ...{ kill: () => undefined, patienceMs: 1_000 },
  });
  return (request) => relay.handle(request);
};

serveParent<Argument, object>(async ({ transactions, kept, warmUp, relayed = false }) => {
  // Into a store that is thrown away: what is measured holds what it was asked to hold.
  const first = await open(kept);
  await fill(first, 'warm', warmUp);
  await first.close();
  const sandbox = await open(kept);
  await fill(sandbox, 'fill', transactions);
  const { port } = await listen(relayed ? { ...sandbox, handle: relayOf(sandbox) } : sandbox, { port: 0 });
  const answer = async () => ({ host: `127.0.0.1:${port}` });
  return Object.assign(answer, { close: () => sandbox.close() });
});
