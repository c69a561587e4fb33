/**
 * The embedded inbox in a thread of its own, for a listener: while one commit is on its way to the disk, the next deliveries
 * are verified here. It answers as the inbox itself does, errors included.
 */
import { Worker } from 'node:worker_threads';
import { uuid } from '../core/ids.ts';
import type { Inbox, Refusal } from '../core/ports/inbox.ts';
import { StoreError } from '../files/store-error.ts';
import { packBatch } from './packing.ts';
import type { SqliteInboxOptions } from './sqlite-inbox.ts';
import {
  type Method,
  type Opening,
  type PackedClaim,
  type Reply,
  unpackClaim,
  unpackFailure,
  unpackKeepings,
} from './worker-inbox/messages.ts';

interface Thread {
  ask(method: Method, args: unknown[], transfer?: ArrayBufferLike[]): Promise<unknown>;
  lost: Promise<Error>;
}

/** `workerFile` is the built worker. @throws StoreError when the file cannot be opened, read or written */
export async function openWorkerInbox(
  workerFile: string,
  path: string,
  { account, clock, random }: SqliteInboxOptions,
): Promise<Inbox> {
  const workerData: Opening = { path, account, seed: uuid(random), now: clock.now() };
  const worker = new Worker(workerFile, { workerData, execArgv: [] });
  const thread = asking(worker, path, () => clock.now());
  try {
    await thread.ask('note', ['']);
  } catch (error) {
    await worker.terminate();
    throw error;
  }
  return overMessages(thread);
}

interface Waiting {
  resolve: (result: unknown) => void;
  reject: (error: unknown) => void;
}

/** The thread keeps the process alive only while somebody waits for its answer. */
function asking(worker: Worker, path: string, now: () => number): Thread {
  const waiting = new Map<number, Waiting>();
  let calls = 0;
  let dead: Error | undefined;
  let closing = false;
  let lose = (_: Error): void => {};
  const lost = new Promise<Error>((resolve) => {
    lose = resolve;
  });
  const die = (error: Error) => {
    dead ??= error;
    for (const { reject } of waiting.values()) reject(dead);
    waiting.clear();
    if (!closing) lose(dead);
  };
  worker.on('message', (reply: Reply) => {
    const asked = waiting.get(reply.call);
    waiting.delete(reply.call);
    if (waiting.size === 0) worker.unref();
    if ('failure' in reply) asked?.reject(unpackFailure(reply.failure));
    else asked?.resolve(reply.result);
  });
  worker.on('error', (error) => die(new StoreError('failed', path, error.message, { cause: error })));
  worker.on('exit', () => die(new StoreError('failed', path, 'it is closed')));
  const ask: Thread['ask'] = (method, args, transfer = []) =>
    new Promise((resolve, reject) => {
      if (dead) return reject(dead);
      const call = ++calls;
      closing ||= method === 'close';
      if (waiting.size === 0) worker.ref();
      waiting.set(call, { resolve, reject });
      worker.postMessage({ call, now: now(), method, args }, transfer as ArrayBuffer[]);
    });
  return { ask, lost };
}

function overMessages({ ask, lost }: Thread): Inbox {
  const plainly =
    <M extends Method>(method: M) =>
    (...args: Parameters<Inbox[M]>) =>
      ask(method, args) as ReturnType<Inbox[M]>;
  return {
    inOrder: true,
    lost,
    async keep(deliveries, options) {
      const batch = packBatch(deliveries);
      return unpackKeepings((await ask('keep', [batch, options], [batch.packed.buffer])) as string);
    },
    claim: async (options) => unpackClaim((await ask('claim', [options])) as PackedClaim),
    refuse: (refusals) => ask('refuse', [refusals.map(cut)]) as Promise<void>,
    settle: plainly('settle'),
    requeue: plainly('requeue'),
    get: plainly('get'),
    startingWith: plainly('startingWith'),
    list: plainly('list'),
    known: plainly('known'),
    webhooks: plainly('webhooks'),
    backlog: plainly('backlog'),
    refusals: plainly('refusals'),
    refusal: plainly('refusal'),
    prune: plainly('prune'),
    giveBack: plainly('giveBack'),
    note: plainly('note'),
    setNote: plainly('setNote'),
    hold: plainly('hold'),
    close: plainly('close'),
  };
}

const KEPT_BODY_BYTES = 65_536;

/** In a buffer of its own: the copy that crosses takes the whole of the one that a part stands in. */
const cut = (refusal: Refusal): Refusal => ({
  ...refusal,
  body: Uint8Array.prototype.slice.call(refusal.body, 0, KEPT_BODY_BYTES),
});
