/** One port for all cases, for a service that runs on by itself: behind it each case has its own sandbox. */
import { type Listening, listen, type ServedSandbox } from '../sandbox/http/listen.ts';

export interface Gate extends Listening {
  /** From now on requests reach this one. */
  serve(sandbox: ServedSandbox): void;
}

/** @throws the error of the socket, such as EADDRINUSE */
export async function openGate(port: number): Promise<Gate> {
  let current: ServedSandbox | undefined;
  let wake = (): void => undefined;
  const listening = await listen(
    {
      handle: async (request) => (await current?.handle(request)) ?? NOT_YET,
      refusedUnread: (request) => current?.refusedUnread(request) ?? null,
      runDue: () => current?.runDue(),
      nextDue: () => current?.nextDue(),
      onDue: (callback) => {
        wake = callback;
      },
      servedAt: () => undefined,
      clock: { mode: 'standing', now: () => 0 },
    },
    { port },
  );
  return {
    ...listening,
    serve(sandbox) {
      current = sandbox;
      sandbox.servedAt(listening.url.replace(/\/v1$/, ''));
      sandbox.onDue(() => wake());
    },
  };
}

const NOT_YET = { status: 503, headers: { 'content-type': 'text/plain' }, body: 'no case has begun' };
