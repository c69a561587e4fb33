/**
 * A proxy of bytes on loopback that cuts connections at random: before a request is passed on, after half of it, before its answer,
 * or after half of its answer. It knows nothing of HTTP.
 */
import { createServer, connect as dial, type Socket } from 'node:net';
import type { Random } from '../../src/core/random.ts';
import { portOf } from './servers.ts';

export interface CuttingProxy {
  port: number;
  /** How many connections were cut. */
  readonly cuts: number;
  /** From now on everything passes. */
  calm(): void;
  /** From now on it cuts again. */
  storm(): void;
  close(): Promise<void>;
}

/** @param share of the pieces that pass, how many are cut: 0.02 is one of fifty */
export async function startCuttingProxy(
  target: number,
  { random, share }: { random: Random; share: number },
): Promise<CuttingProxy> {
  const sockets = new Set<Socket>();
  let cuts = 0;
  let isCalm = false;
  const server = createServer((client) => {
    const service = dial(target, '127.0.0.1');
    const end = () => {
      client.destroy();
      service.destroy();
    };
    const pass = (to: Socket, chunk: Buffer) => {
      if (isCalm || random.next() >= share) {
        if (to.writable) to.write(chunk);
        return;
      }
      cuts += 1;
      const part = random.next() < 0.5 ? chunk.subarray(0, Math.floor(chunk.length / 2)) : chunk;
      // Half of it arrives, all of it, or nothing; then both ends are gone.
      if (random.next() < 0.3) end();
      else if (to.writable) to.end(part, end);
    };
    client.on('data', (chunk) => pass(service, chunk));
    service.on('data', (chunk) => pass(client, chunk));
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', end);
      socket.on('close', () => {
        sockets.delete(socket);
        end();
      });
    }
  });
  return {
    port: await portOf(server),
    get cuts() {
      return cuts;
    },
    calm() {
      isCalm = true;
    },
    storm() {
      isCalm = false;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
