/** Passes a verified delivery on, body and headers as they came, so that the handler behind can verify it itself. */
import { type Transport, TransportError } from '../core/ports/transport.ts';
import type { Headers } from './finding.ts';

export type ForwardResult = { status: number } | { error: string };

export interface Forwarding {
  /** The URL of the handler; what it answers does not change what we answer, unless strict. */
  to: string;
  transport: Transport;
  /** A handler that fails makes us answer 502, so that the service sends the delivery again. */
  strict?: boolean;
}

const CONNECT_MS = 5000;
const ANSWER_MS = 10_000;

/** They belong to the connection that the delivery came over. */
const OF_THE_CONNECTION = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

export async function forward(
  { to, transport }: Forwarding,
  headers: Headers,
  rawBody: Uint8Array,
): Promise<ForwardResult> {
  const body = Buffer.from(rawBody).toString('utf8');
  if (!Buffer.from(body).equals(rawBody))
    return { error: 'the body is not UTF-8 and cannot be passed on as it is' };
  try {
    const { status } = await transport({
      method: 'POST',
      url: to,
      headers: passedOn(headers),
      body,
      connectTimeoutMs: CONNECT_MS,
      responseTimeoutMs: ANSWER_MS,
    });
    return { status };
  } catch (error) {
    if (error instanceof TransportError) return { error: error.message };
    throw error;
  }
}

export function succeeded(result: ForwardResult): boolean {
  return 'status' in result && result.status >= 200 && result.status < 300;
}

function passedOn(headers: Headers): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) => {
    if (value === undefined || OF_THE_CONNECTION.has(name.toLowerCase())) return [];
    return [[name, typeof value === 'string' ? value : value.join(', ')] as const];
  });
  return Object.fromEntries(entries);
}
