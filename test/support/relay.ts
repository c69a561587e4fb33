/**
 * A relay of bytes on loopback between a program and a sandbox, which can stop one request: before it is passed on, or
 * before its answer is. It knows nothing of HTTP but the first line of what it waits for.
 */
import { createServer, connect as dial, type Socket } from 'node:net';
import { gate, portOf } from './servers.ts';

export interface Hold {
  /** The first bytes of the request in question: `POST /v1/accounts/debits`. */
  request: string;
  at: 'request' | 'answer';
}

export interface Relay {
  port: number;
  /** Resolves when the request, or its answer, has come to the relay and is held there. */
  held: Promise<void>;
  /** Passes on what was held, though nobody may be there any more to read what comes back. */
  release(): void;
  /** From now on everything passes. */
  open(): void;
  close(): Promise<void>;
}

export async function startRelay(target: number, hold: Hold): Promise<Relay> {
  const sockets = new Set<Socket>();
  const waiting: (() => void)[] = [];
  let isOpen = false;
  const { passed: held, open: tell } = gate();
  const stop = (pass: () => void) => {
    waiting.push(pass);
    tell();
  };
  const server = createServer((client) => {
    const service = dial(target, '127.0.0.1');
    let isHeld = false;
    const forward = (to: Socket, chunk: Buffer, side: Hold['at']) => {
      if (side === 'request' && !isOpen && chunk.toString('latin1').startsWith(hold.request)) isHeld = true;
      if (isHeld && hold.at === side) stop(() => to.writable && to.write(chunk));
      else if (to.writable) to.write(chunk);
    };
    client.on('data', (chunk) => forward(service, chunk, 'request'));
    service.on('data', (chunk) => forward(client, chunk, 'answer'));
    for (const socket of [client, service]) {
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
    }
    // A program that dies takes its half with it, but what it sent is on its way and arrives.
    client.on('close', () => !isHeld && service.destroy());
    service.on('close', () => client.destroy());
  });
  return {
    port: await portOf(server),
    held,
    release() {
      for (const pass of waiting.splice(0)) pass();
    },
    open() {
      isOpen = true;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
