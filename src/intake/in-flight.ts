/**
 * Requests that are not answered yet, by the connection that they came on. Node tells a response that its connection is gone only
 * where it is the one that writes: a request behind another (pipelined) is never told, so it is the connection that counts.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Answerable = { request: IncomingMessage; response: ServerResponse };

export interface InFlight {
  add(one: Answerable): void;
  all(): Answerable[];
  /** Resolves once none is left, or after so long. */
  over(withinMs: number): Promise<void>;
}

export function createInFlight(): InFlight {
  const bySocket = new Map<Socket, Set<Answerable>>();
  let emptied = (): void => {};
  const lookWhetherEmpty = (): void => {
    if (bySocket.size === 0) emptied();
  };
  const forget = (socket: Socket): void => {
    bySocket.delete(socket);
    lookWhetherEmpty();
  };
  const open = (socket: Socket): Set<Answerable> => {
    const opened = new Set<Answerable>();
    bySocket.set(socket, opened);
    return opened;
  };
  const watched = new WeakSet<Socket>();

  return {
    add(one) {
      const { socket } = one.request;
      if (socket.destroyed) return;
      if (!watched.has(socket)) {
        watched.add(socket);
        socket.once('close', () => forget(socket));
      }
      const own = bySocket.get(socket) ?? open(socket);
      own.add(one);
      one.response.once('close', () => {
        own.delete(one);
        if (own.size === 0 && bySocket.get(socket) === own) forget(socket);
      });
    },
    all: () => [...bySocket.values()].flatMap((own) => [...own]),
    async over(withinMs) {
      if (bySocket.size === 0) return;
      let patience: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        emptied = resolve;
        patience = setTimeout(resolve, withinMs);
      });
      clearTimeout(patience);
    },
  };
}
