/** Plain sockets that stay open, and requests that were made before the time is taken: as little as possible happens here. */
import { connect, type Socket } from 'node:net';

export interface Line {
  socket: Socket;
  onAnswer: (status: number, bytes: number) => void;
}

const lines = new Map<string, Line[]>();

export async function linesTo(host: string, connections: number): Promise<Line[]> {
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
  /** Answers are alike: one of the length of the last, that came whole, is not taken apart. */
  let last = { length: 0, bytes: 0 };
  socket.on('data', (chunk) => {
    if (waiting.length === 0 && chunk.length === last.length) {
      line.onAnswer(statusOf(chunk), last.bytes);
      return;
    }
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    const answer = answerIn(waiting);
    if (!answer) return;
    waiting = waiting.subarray(answer.end);
    last = { length: answer.end, bytes: answer.bytes };
    line.onAnswer(answer.status, answer.bytes);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return line;
}

const ZERO = 48;
/** `HTTP/1.1 200` */
const statusOf = (data: Buffer): number =>
  ((data[9] ?? 0) - ZERO) * 100 + ((data[10] ?? 0) - ZERO) * 10 + ((data[11] ?? 0) - ZERO);

function answerIn(data: Buffer): { status: number; bytes: number; end: number } | undefined {
  const head = data.indexOf('\r\n\r\n');
  if (head < 0) return undefined;
  const text = data.toString('latin1', 0, head);
  const bytes = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  const end = head + 4 + bytes;
  return data.length < end ? undefined : { status: statusOf(data), bytes, end };
}

export interface Sent {
  /** Answers a second. */
  rate: number;
  failed: number;
  /** Of the last answer's body. */
  bytes: number;
  /** Of each answer, in milliseconds. */
  latencies: number[];
}

export async function sendAll(
  open: readonly Line[],
  requests: readonly Buffer[],
  expected: number,
): Promise<Sent> {
  let next = 0;
  let failed = 0;
  let bytes = 0;
  const latencies: number[] = [];
  const before = performance.now();
  await Promise.all(
    open.map(
      (line) =>
        new Promise<void>((resolve, reject) => {
          line.socket.once('error', reject);
          let sentAt = 0;
          const send = () => {
            const request = requests[next++];
            sentAt = performance.now();
            if (request) line.socket.write(request);
            else resolve();
          };
          line.onAnswer = (status, size) => {
            latencies.push(performance.now() - sentAt);
            if (status !== expected) failed += 1;
            bytes = size;
            send();
          };
          send();
        }),
    ),
  );
  const rate = (requests.length / (performance.now() - before)) * 1000;
  for (const { socket } of open) socket.removeAllListeners('error');
  return { rate, failed, bytes, latencies };
}
