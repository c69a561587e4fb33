/** The thread in which the embedded inbox of a listener runs: a commit to the disk does not stop the intake. */
import { parentPort, workerData } from 'node:worker_threads';
import { invariant } from '../core/invariants.ts';
import type { Inbox } from '../core/ports/inbox.ts';
import { seededRandom } from '../core/random.ts';
import type { PackedBatch } from './packing.ts';
import { openSqliteInbox, type SqliteInbox } from './sqlite-inbox.ts';
import {
  type Call,
  type Opening,
  type PackedClaim,
  packClaim,
  packFailure,
  packKeepings,
  type Reply,
} from './worker-inbox/messages.ts';

const port = parentPort;
invariant(port, 'the worker of an inbox is started by a listener');
const { path, account, seed, ...opening } = workerData as Opening;
let { now } = opening;
const opened = openSqliteInbox(path, { account, clock: { now: () => now }, random: seededRandom(seed) });

/** The first call says what went wrong with it. */
opened.catch(() => {});

port.on('message', async (call: Call) => {
  try {
    const inbox = await opened;
    now = call.now;
    reply({ call: call.call, result: await answer(inbox, call) });
    if (call.method === 'close') port.close();
  } catch (error) {
    reply({ call: call.call, failure: packFailure(error) });
  }
});

function reply(message: Reply): void {
  const { packed } = (('result' in message && message.result) || {}) as Partial<PackedClaim>;
  port?.postMessage(message, packed ? [packed.buffer as ArrayBuffer] : []);
}

async function answer(inbox: SqliteInbox, { method, args }: Call): Promise<unknown> {
  if (method === 'keep') {
    const [batch, options] = args as [PackedBatch, Parameters<Inbox['keep']>[1]];
    return packKeepings(inbox.keepPacked(batch, options));
  }
  if (method === 'claim') return packClaim(await inbox.claim(...(args as Parameters<Inbox['claim']>)));
  return (inbox[method] as (...given: unknown[]) => Promise<unknown>)(...args);
}
