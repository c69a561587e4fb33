/**
 * A proxy on loopback before a PostgreSQL. It reads as much of the wire protocol as it takes to know one statement, such as COMMIT, and
 * loses it or its answer. https://www.postgresql.org/docs/current/protocol-message-formats.html
 */
import { createServer, connect as dial, type Socket } from 'node:net';
import { portOf } from './servers.ts';

export type Loss =
  /** It never reaches the server, which then undoes the transaction. */
  | 'statement'
  /** The server did it, and its answer is lost. */
  | 'answer'
  /** Who sent it is cut off at once; it reaches the server only after somebody asked about it on another connection. */
  | 'late';

export interface Losing {
  /** Whose text this fits, the first of them. */
  statement?: RegExp;
  /** From then on every connection is cut, and no other is let in. */
  away?: boolean;
  /** From then on nothing passes on the connections that there are, and none of them hears of it. */
  silent?: boolean;
  /** On a connection on which this was said before. */
  after?: RegExp;
  /** What asks about one that is late. */
  question?: RegExp;
}

export interface PostgresProxy {
  /** With the password in it. */
  url: string;
  /** Arms it for one statement. */
  lose(loss: Loss, losing?: Losing): void;
  /** From now on everything passes. Whether something was lost. */
  calm(): boolean;
  /** The statements that came since it was asked last; each is a round trip. */
  passed(): string[];
  close(): Promise<void>;
}

const COMMIT = /^COMMIT$/;
const QUESTION = /txid_status/;

/** Splits bytes into messages: a type, a length that counts itself, and the rest. What a client says first has no type. */
function messages(hasTypes: boolean, each: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let typed = hasTypes;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = typed ? 1 : 0;
      if (rest.length < head + 4) return;
      const length = head + rest.readInt32BE(head);
      if (rest.length < length) return;
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      typed = true;
      each(message);
    }
  };
}

/** The text of a simple query, or of one that is parsed; an empty one of anything else. */
function textOf(message: Buffer): string {
  const type = String.fromCharCode(message[0] ?? 0);
  const [first = '', second = ''] = message.toString('utf8', 5).split('\0', 2);
  if (type === 'Q') return first;
  return type === 'P' ? second : '';
}

const isReady = (message: Buffer): boolean => message[0] === 'Z'.charCodeAt(0);

export async function startPostgresProxy(target: string): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let armed: (Required<Losing> & { loss: Loss }) | undefined;
  let late: { question: RegExp; pass: () => void } | undefined;
  let isAway = false;
  const silenced = new Set<Socket>();
  let hasLost = false;
  const texts: string[] = [];

  const lost = (losing: Losing, ...pair: Socket[]): void => {
    hasLost = true;
    isAway = losing.away === true;
    if (losing.silent) for (const socket of sockets) silenced.add(socket);
    for (const socket of isAway ? sockets : pair) socket.resetAndDestroy();
  };
  const server = createServer((client) => {
    if (isAway) return void client.resetAndDestroy();
    const service = dial(Number(new URL(target).port), '127.0.0.1');
    let losing: typeof armed;
    let question = false;
    let hasSaid = false;
    const write = (to: Socket, message: Buffer): void => {
      if (to.writable && !silenced.has(to)) to.write(message);
    };
    const onClient = messages(false, (message) => {
      const text = textOf(message);
      if (text !== '') texts.push(text);
      question ||= text !== '' && late?.question.test(text) === true;
      hasSaid ||= text !== '' && armed?.after.test(text) === true;
      if (losing !== undefined || text === '' || !hasSaid || !armed?.statement.test(text)) {
        if (losing?.loss !== 'late') return write(service, message);
        held.push(message);
        return;
      }
      losing = armed;
      armed = undefined;
      if (losing.loss === 'statement') return lost(losing, client, service);
      if (losing.loss === 'answer') return write(service, message);
      held.push(message);
      const pass = () => {
        for (const one of held.splice(0)) write(service, one);
      };
      late = { question: losing.question, pass };
      // What came with it is read before its sender is cut off.
      setImmediate(() => lost({}, client));
    });
    const held: Buffer[] = [];
    const onService = messages(true, (message) => {
      if (losing?.loss === 'answer') {
        if (isReady(message)) lost(losing, client, service);
        return;
      }
      write(client, message);
      if (!question || !isReady(message)) return;
      question = false;
      late?.pass();
      late = undefined;
    });
    client.on('data', onClient);
    service.on('data', onService);
    for (const socket of [client, service]) {
      // Messages are passed on one by one: none waits until the one before was acknowledged.
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => socket.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        silenced.delete(socket);
      });
    }
    client.on('close', () => losing?.loss !== 'late' && service.destroy());
    service.on('close', () => client.destroy());
  });
  const url = new URL(target);
  url.port = String(await portOf(server));
  return {
    url: url.href,
    lose(loss, { statement = COMMIT, away = false, silent = false, after = /./, question = QUESTION } = {}) {
      armed = { loss, statement, away, silent, after, question };
    },
    calm() {
      const was = hasLost;
      for (const socket of silenced) socket.destroy();
      silenced.clear();
      [armed, late, isAway, hasLost] = [undefined, undefined, false, false];
      return was;
    },
    passed: () => texts.splice(0),
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
