/** Sends as the service does, over connections that are kept: for tests that send much. */
import { Agent, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { signedHeaders } from '../../src/contract/signing.ts';
import { credentials } from './listening.ts';

export interface Sender {
  /** Answers the status; 0 where there was no answer. */
  send(body: string | Uint8Array, nonce?: string): Promise<number>;
  close(): void;
}

let nonces = 0;
export const freshNonce = (): string => `nonce-of-a-try-${process.pid}-${nonces++}`;

export function createSender(url: string): Sender {
  const agent = new Agent({ keepAlive: true });
  return {
    send: (body, nonce = freshNonce()) =>
      new Promise((resolve) => {
        const headers = {
          ...signedHeaders(credentials, { nonce, method: 'POST', url, body }),
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        };
        const request = httpRequest(url, { method: 'POST', agent, headers }, (response) => {
          response.resume();
          response.on('close', () => resolve(response.complete ? (response.statusCode ?? 0) : 0));
        });
        request.on('error', () => resolve(0));
        request.end(body);
      }),
    close: () => agent.destroy(),
  };
}

export interface Written {
  /** The length that is declared, where it is not the body's. */
  length?: number;
  /** Sent in chunks of so many bytes, without a length. */
  chunks?: number;
  /** Lines of the head beside ours. */
  lines?: readonly string[];
}

/** A signed request, byte for byte. */
export function wholeRequest(
  url: string,
  body: string | Uint8Array,
  { length, chunks, lines = [] }: Written = {},
): Buffer {
  const { host, pathname, search } = new URL(url);
  const bytes = Buffer.from(body as string);
  const signed = signedHeaders(credentials, { nonce: freshNonce(), method: 'POST', url, body: bytes });
  const head = [
    `POST ${pathname}${search} HTTP/1.1`,
    `Host: ${host}`,
    ...Object.entries(signed).map(([name, value]) => `${name}: ${value}`),
    chunks === undefined ? `Content-Length: ${length ?? bytes.length}` : 'Transfer-Encoding: chunked',
    ...lines,
  ];
  return Buffer.concat([
    Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'),
    chunks === undefined ? bytes : chunked(bytes, chunks),
  ]);
}

function chunked(bytes: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    const part = bytes.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

/** After this much silence the other side has said what it has to say. */
const SILENCE_MS = 150;

/**
 * Sends the bytes and answers what came back, until the other side closes or says nothing more. With `patienceMs` it may never say
 * anything; else its first byte is waited for as long as a test may last.
 */
export function speak(
  url: string,
  bytes: string | Uint8Array,
  { end = false, patienceMs }: { end?: boolean; patienceMs?: number } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    let text = '';
    let silence: NodeJS.Timeout | undefined;
    const wait = (): void => {
      clearTimeout(silence);
      if (text === '' && patienceMs === undefined) return;
      const silent = patienceMs ?? SILENCE_MS;
      silence = setTimeout(() => socket.destroy(), text === '' ? silent * 10 : silent);
    };
    socket.setEncoding('latin1').on('data', (chunk) => {
      text += chunk;
      wait();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      clearTimeout(silence);
      resolve(text);
    });
    socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes, wait);
    if (end) socket.end();
  });
}
