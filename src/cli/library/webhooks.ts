/** `remit-cli/webhooks`: verification, diagnosis and handlers for a partner's own Node service. */
import type { Credentials } from '../../contract/signing.ts';
import { type Accepting, type Answer, accept } from '../../intake/accept.ts';
import { diagnose } from '../../intake/diagnose.ts';
import type { Headers as PlainHeaders } from '../../intake/finding.ts';
import { type BodyLimits, MAX_BODY_BYTES, readBody } from '../../intake/read-body.ts';
import { readDelivery, verifySignature } from '../../intake/verify.ts';
import type * as Public from './webhooks-types.ts';

export { memoryNonces, postgresNonces } from '../../intake/nonces.ts';

const bytesOf = (body: Uint8Array | string): Uint8Array =>
  typeof body === 'string' ? Buffer.from(body) : body;

function secretsOf({ key, secret }: Pick<Public.WebhookRequest, 'key' | 'secret'>): Credentials[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  if (typeof key !== 'string' || key === '' || secrets.length === 0 || secrets.some((one) => !one))
    throw new TypeError('key and secret are missing: without them nothing can be verified');
  return secrets.map((one) => ({ key, secret: one }));
}

const isFetchHeaders = (headers: Public.WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof (headers as { get?: unknown }).get === 'function';

const NAMES = ['authorization-key', 'authorization-nonce', 'authorization-signature'];

/** The three that count: a Fetch object is asked for them by name. */
const forVerifying = (headers: Public.WebhookHeaders): PlainHeaders =>
  isFetchHeaders(headers)
    ? Object.fromEntries(NAMES.map((name) => [name, headers.get(name) ?? undefined]))
    : headers;

/** All of them, where they can be listed: the diagnosis looks for names that were changed on the way. */
const forDiagnosing = (headers: Public.WebhookHeaders): PlainHeaders =>
  headers instanceof Headers ? Object.fromEntries(headers) : forVerifying(headers);

export const verifyWebhook: typeof Public.verifyWebhook = (request) => {
  const { url, body } = request;
  const received = { rawBody: bytesOf(body), url, headers: forVerifying(request.headers) };
  const genuine = verifySignature(received, secretsOf(request));
  if (!genuine) return { valid: false };
  return { valid: true, nonce: genuine.nonce, event: () => parseWebhook(body) };
};

export const parseWebhook: typeof Public.parseWebhook = (body) => {
  const read = readDelivery(bytesOf(body));
  if (!read) throw new TypeError('the body is not a delivery: {"webhook", "event", "object"} is expected');
  return read as unknown as Public.WebhookEvent;
};

export const diagnoseWebhook: typeof Public.diagnoseWebhook = (request) => {
  const [credentials, ...others] = secretsOf(request);
  const received = {
    rawBody: bytesOf(request.body),
    url: request.url,
    headers: forDiagnosing(request.headers),
  };
  if (!credentials || verifySignature(received, [credentials, ...others])) return null;
  const { cause, message, hint } = diagnose(received, {
    credentials,
    others: others.map((one) => ({ name: 'another secret given', ...one })),
  });
  return { cause, message, hint };
};

type Handle = (request: { headers: PlainHeaders; body: Uint8Array }) => Promise<Answer>;

/** @throws TypeError for options that could not verify anything */
function handlerOf(options: Public.WebhookHandlerOptions): Handle {
  const { url, key, secret, onInvalid } = options;
  if (!URL.canParse(url)) throw new TypeError(`${url} is not the registered URL`);
  const accepting: Accepting = {
    secrets: secretsOf(options),
    nonces: options.nonces,
    onEvent: (delivery) => options.onEvent(delivery as unknown as Public.WebhookEvent),
    onInvalid: ({ headers, body }) =>
      onInvalid?.({ url, diagnose: () => diagnoseWebhook({ url, headers, body, key, secret }) }),
  };
  return async ({ headers, body }) => {
    try {
      return await accept({ url, headers, body }, accepting);
    } catch (error) {
      options.onError?.(error);
      return { status: 500, text: 'not taken: send it again' };
    }
  };
}

const limitsOf = ({ maxBytes = MAX_BODY_BYTES }: Public.WebhookHandlerOptions): BodyLimits => ({
  maxBytes,
  room: { left: Number.POSITIVE_INFINITY },
});

const TEXT = { 'content-type': 'text/plain; charset=utf-8' };

export const nodeWebhookHandler: typeof Public.nodeWebhookHandler = (options) => {
  const handle = handlerOf(options);
  const limits = limitsOf(options);
  return async (request, response) => {
    const { status, text } = await fromNode(request, handle, limits);
    if (status !== null) response.writeHead(status, status === 405 ? { ...TEXT, allow: 'POST' } : TEXT);
    if (status !== null) response.end(`${text}\n`);
  };
};

type NodeRequest = Parameters<ReturnType<typeof Public.nodeWebhookHandler>>[0];

async function fromNode(
  request: NodeRequest,
  handle: Handle,
  limits: BodyLimits,
): Promise<Answer | { status: null; text: string }> {
  if (request.method !== 'POST') return { status: 405, text: 'only POST is taken here' };
  const body = await readBody(request as unknown as Parameters<typeof readBody>[0], limits);
  if (body === 'broken_off') return { status: null, text: '' };
  if (typeof body === 'string') return { status: 413, text: `at most ${limits.maxBytes} bytes are taken` };
  return handle({ headers: request.headers, body: body.bytes });
}

export const expressWebhookHandler: typeof Public.expressWebhookHandler = (options) => {
  const handle = handlerOf(options);
  const plain = nodeWebhookHandler(options);
  return async (request, response, next) => {
    const raw = [request.rawBody, request.body].find((body) => body instanceof Uint8Array);
    if (raw instanceof Uint8Array && request.method === 'POST') {
      const { status, text } = await handle({ headers: request.headers, body: raw });
      response.writeHead(status, TEXT);
      response.end(`${text}\n`);
      return;
    }
    if (wasParsed(request)) next(new TypeError(PARSED));
    else await plain(request, response);
  };
};

/** A parser before us took the bytes away, and they cannot be made again. */
const wasParsed = ({ body, readableEnded }: NodeRequest & { readableEnded?: boolean }): boolean =>
  body !== undefined && body !== null && readableEnded !== false;

const PARSED =
  'the body was parsed before it could be verified: mount this handler before express.json(), or behind express.raw({type: () => true})';

export const fetchWebhookHandler: typeof Public.fetchWebhookHandler = (options) => {
  const handle = handlerOf(options);
  const { maxBytes } = limitsOf(options);
  return async (request) => {
    const answer = await fromFetch(request, handle, maxBytes);
    const headers = answer.status === 405 ? { ...TEXT, allow: 'POST' } : TEXT;
    return new Response(`${answer.text}\n`, { status: answer.status, headers });
  };
};

async function fromFetch(request: Request, handle: Handle, maxBytes: number): Promise<Answer> {
  if (request.method !== 'POST') return { status: 405, text: 'only POST is taken here' };
  const body = await bodyWithin(request, maxBytes);
  if (body === null) return { status: 413, text: `at most ${maxBytes} bytes are taken` };
  return handle({ headers: Object.fromEntries(request.headers), body });
}

/** Null as soon as there is too much: the rest is not read. */
async function bodyWithin({ body }: Request, maxBytes: number): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
