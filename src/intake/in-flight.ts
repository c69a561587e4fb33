/**
 * Requests that are not answered yet, by the connection that they came on (decision 0024). Node tells a response that its
 * connection is gone only where it is the one that writes: a request behind another (pipelined) is never told, so it is the
 * connection that counts. Nothing else is held for a request: megabytes of body would otherwise live as long as what is held.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface InFlight {
  add(response: ServerResponse): void;
  all(): ServerResponse[];
  /** Resolves once none is left, or after so long. */
  over(withinMs: number): Promise<void>;
}

export function createInFlight(): InFlight {
  const bySocket = new Map<Socket, Set<ServerResponse>>();
  let emptied = (): void => {};

  function forget(this: Socket): void {
    bySocket.delete(this);
    if (bySocket.size === 0) emptied();
  }

  function answered(this: ServerResponse): void {
    const { socket } = this.req;
    const own = bySocket.get(socket);
    own?.delete(this);
    if (own?.size !== 0) return;
    socket.off('close', forget);
    forget.call(socket);
  }

  return {
    add(response) {
      const { socket } = response.req;
      if (socket.destroyed) return;
      const own = bySocket.get(socket);
      if (own === undefined) {
        bySocket.set(socket, new Set([response]));
        socket.once('close', forget);
      } else own.add(response);
      response.once('close', answered);
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
