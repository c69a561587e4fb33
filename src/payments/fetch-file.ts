/**
 * A file from the address that the service gave and nowhere else: without our key, without a signature, and without following a
 * redirect. An answer without end is given up.
 */

import { isLoopback } from '../core/hosts.ts';
import { type Category, interrupted, type Problem, refuse } from '../core/problem.ts';
import type { TransportError, WireResponse } from '../core/transport.ts';
import type { Desk } from './desk.ts';

export interface FileBounds {
  maxBytes: number;
  /** Until the answer begins, and between two pieces of it; the whole has twice as long. */
  answerMs: number;
}

const CONNECT_MS = 10_000;

/** `given` is the URL that gave the address. @throws Problem for an address that is not fetched, or gave no file */
export async function fetchFile(
  desk: Desk,
  address: string,
  given: string,
  { maxBytes, answerMs }: FileBounds,
): Promise<WireResponse & { bytes: Uint8Array }> {
  const url = allowed(address, given);
  const send = await desk.transport();
  const answer = await send({
    method: 'GET',
    url: url.href,
    headers: { accept: '*/*' },
    binary: true,
    connectTimeoutMs: CONNECT_MS,
    responseTimeoutMs: answerMs,
    maxAnswerBytes: maxBytes,
    signal: desk.signal,
  }).catch((error: unknown) => {
    throw notReached(error);
  });
  const { status } = answer;
  if (status >= 300 && status < 400)
    throw fileRefused('the address leads to another one, and redirects are not followed', status);
  if (status !== 200) throw fileRefused(`the address was answered with ${status}`, status);
  const bytes = Buffer.from(answer.body, 'latin1');
  if (bytes.length > maxBytes) throw tooLarge(maxBytes);
  return { ...answer, bytes };
}

export const tooLarge = (maxBytes: number): Problem =>
  fileRefused(`the file has more than ${maxBytes} bytes`);

/** This machine and plain HTTP are for a sandbox on this machine. */
function allowed(address: string, given: string): URL {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw fileRefused('the address of the file is neither a web address nor the file itself');
  if (url.username !== '' || url.password !== '')
    throw fileRefused('the address of the file has a password in it');
  if (isLoopback(url.hostname) && !isLoopback(new URL(given).hostname))
    throw fileRefused('the address of the file leads to this machine');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw fileRefused('the address of the file is plain HTTP, which others on the way can read');
  url.hash = '';
  return url;
}

export function fileRefused(message: string, status?: number): Problem {
  const category = categoryOf(status);
  return refuse(category, 'file_not_fetched', message, { status, retryable: category === 'server' });
}

function categoryOf(status: number | undefined): Category {
  if (status === 404 || status === 410) return 'not_found';
  return status === 429 || (status !== undefined && status >= 500) ? 'server' : 'conflict';
}

/** An answer that is too large is so the next time too; all else may be better then. */
function notReached(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'TransportError') return error;
  const { code, message } = error as TransportError;
  if (code === 'AbortError') return interrupted();
  const isTooLarge = code === 'ANSWER_TOO_LARGE';
  return refuse(
    isTooLarge ? 'conflict' : 'network',
    code.toLowerCase(),
    `the file was not fetched: ${message}`,
    { retryable: !isTooLarge, cause: error },
  );
}

/** Names that Windows gives to devices. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;
const LONGEST = 100;

/**
 * A name for a file, from outside: one that leads nowhere else, on any system. Empty where nothing of it can
 * be kept.
 */
export function safeName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replace(/[^\p{L}\p{N}._ -]/gu, '_').replace(/^[. ]+|(?<![. ])[. ]+$/g, '');
  if (plain === '' || DEVICE.test(plain)) return plain === '' ? '' : `_${plain}`;
  const end = /\.\w{1,8}$/.exec(plain)?.[0] ?? '';
  return plain.length <= LONGEST ? plain : plain.slice(0, LONGEST - end.length) + end;
}
