/**
 * Sends requests that were signed before the time is taken, over plain sockets that stay open, and counts the answers that
 * are 201. As little as possible happens here: it shares the machine with the server.
 */
import { connect, type Socket } from 'node:net';
import { serveParent } from './support/children.ts';
import { asBytes, prepare } from './support/request.ts';

interface Question {
  host: string;
  mark: string;
  count: number;
  connections: number;
}

export interface Load {
  /** Answers a second. */
  rate: number;
  failed: number;
  /** Of the last answer's body. */
  bytes: number;
}

interface Line {
  socket: Socket;
  onAnswer: (status: number, bytes: number) => void;
}

const lines = new Map<string, Line[]>();

async function linesTo(host: string, connections: number): Promise<Line[]> {
  const open = lines.get(host) ?? [];
  lines.set(host, open);
  while (open.length < connections) open.push(await openLine(host));
  return open;
}

async function openLine(host: string): Promise<Line> {
  const [name = '', port = ''] = host.split(':');
  const socket = connect({ host: name, port: Number(port), noDelay: true });
  const line: Line = { socket, onAnswer: () => {} };
  let waiting: Buffer = Buffer.alloc(0);
  socket.on('data', (chunk) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    const answer = answerIn(waiting);
    if (!answer) return;
    waiting = waiting.subarray(answer.end);
    line.onAnswer(answer.status, answer.bytes);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return line;
}

function answerIn(data: Buffer): { status: number; bytes: number; end: number } | undefined {
  const head = data.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = data.toString('latin1', 0, head);
  const bytes = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  const end = head + 4 + bytes;
  return data.length < end ? undefined : { status: Number(text.slice(9, 12)), bytes, end };
}

async function run({ host, mark, count, connections }: Question): Promise<Load> {
  const requests = Array.from({ length: count }, (_, i) => asBytes(prepare(host, mark, i)));
  const open = await linesTo(host, connections);
  let next = 0;
  let failed = 0;
  let bytes = 0;
  const before = performance.now();
  await Promise.all(
    open.map(
      (line) =>
        new Promise<void>((resolve, reject) => {
          line.socket.once('error', reject);
          const send = () => {
            const request = requests[next++];
            if (request) line.socket.write(request);
            else resolve();
          };
          line.onAnswer = (status, size) => {
            if (status !== 201) failed += 1;
            bytes = size;
            send();
          };
          send();
        }),
    ),
  );
  const rate = (count / (performance.now() - before)) * 1000;
  for (const { socket } of open) socket.removeAllListeners('error');
  return { rate, failed, bytes };
}

serveParent<object, Question>(async () => run);
