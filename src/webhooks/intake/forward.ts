/**
 * Hands a delivery on over HTTP: body and headers as they came, so that the handler behind can verify it itself against the
 * registered URL; or signed again for the handler's own URL, where the handler insists on that.
 */
import { type Credentials, headerNames } from '../../contract/signed-text.ts';
import { signedHeaders } from '../../contract/signing.ts';
import type { Clock } from '../../core/clock.ts';
import { type Transport, TransportError } from '../../core/transport.ts';
import type { KeptDelivery } from '../store/port.ts';
import type { RawHeaders } from './receive.ts';
import { type Attempt, markHeaders, type Target } from './target.ts';

export interface ForwardOptions {
  to: string;
  transport: Transport;
  clock: Clock;
  /** Signs each attempt for `to`, under a nonce of its own. */
  resign?: { credentials: Credentials; nonce: () => string } | undefined;
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

export function forwardTo(options: ForwardOptions): Target {
  return (delivery, attempt, stop) => {
    const headers = { ...headersFor(options, delivery), ...markHeaders(delivery, attempt) };
    return post(options, { body: delivery.body, headers, stop });
  };
}

/** Sends a delivery that did not verify once, as it came, and marks it as such. */
export function forwardInvalid(
  options: ForwardOptions,
  { headers, body }: { headers: RawHeaders; body: Uint8Array },
): Promise<Attempt> {
  return post(options, { body, headers: { ...passedOn(headers), 'Remit-Verified': 'false' } });
}

function headersFor({ to, resign }: ForwardOptions, { headers, body }: KeptDelivery): Record<string, string> {
  const asTheyCame = passedOn(headers);
  if (!resign) return asTheyCame;
  const nonce = resign.nonce();
  const ours = signedHeaders(resign.credentials, { nonce, method: 'POST', url: to, body });
  const names = Object.keys(ours).map((name) => name.toLowerCase());
  const rest = Object.entries(asTheyCame).filter(([name]) => !names.includes(name.toLowerCase()));
  return { ...Object.fromEntries(rest), ...ours };
}

interface Hop {
  body: Uint8Array;
  headers: Record<string, string>;
  stop?: AbortSignal | undefined;
}

async function post(
  { to, transport, clock }: ForwardOptions,
  { body, headers, stop }: Hop,
): Promise<Attempt> {
  const from = clock.now();
  try {
    const { status } = await transport({
      method: 'POST',
      url: to,
      headers,
      body: Buffer.from(body).toString('latin1'),
      binary: true,
      connectTimeoutMs: CONNECT_MS,
      responseTimeoutMs: ANSWER_MS,
      signal: AbortSignal.any([AbortSignal.timeout(CONNECT_MS + ANSWER_MS), ...(stop ? [stop] : [])]),
    });
    const ok = status >= 200 && status < 300;
    return { ok, status, answer: String(status), ms: clock.now() - from };
  } catch (error) {
    if (!(error instanceof TransportError)) throw error;
    const answer = { ok: false, status: null, answer: error.message, ms: clock.now() - from };
    return stop?.aborted ? { ...answer, brokenOff: true } : answer;
  }
}

/** Names keep their spelling; what came several times is joined, as HTTP allows. */
function passedOn(headers: RawHeaders): Record<string, string> {
  const passed: Record<string, string> = {};
  for (const [name, value] of headers) {
    const lower = name.toLowerCase();
    if (OF_THE_CONNECTION.has(lower) || isOurs(lower)) continue;
    const same = Object.keys(passed).find((other) => other.toLowerCase() === lower);
    if (same === undefined) passed[name] = value;
    else if (!SINGLE.has(lower)) passed[same] = `${passed[same]}, ${value}`;
  }
  return passed;
}

/** True for headers that only remit may set. */
const isOurs = (name: string): boolean => name.startsWith('remit-');

/** The first counts, as it did when it was verified. */
const SINGLE = new Set(Object.values(headerNames).map((name) => name.toLowerCase()));
