/** `remit-cli/webhooks`: verification, diagnosis and handlers for a partner's own Node service. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { diagnose } from '../contract/signatures/diagnose.ts';
import type { Headers as PlainHeaders } from '../contract/signatures/finding.ts';
import type { Credentials } from '../contract/signed-text.ts';
import { asBuffer } from '../core/bytes.ts';
import { OptionError } from '../core/check-options.ts';
import { endAfterBody } from '../core/rest-of-body.ts';
import { type Accepting, accept, type IntakeAnswer } from '../webhooks/intake/accept.ts';
import { type BodyLimits, type BodyRefusal, collectBody } from '../webhooks/intake/body-collector.ts';
import { createBodyRoom } from '../webhooks/intake/body-memory.ts';
import { answerTo, MAX_BODY_BYTES, type ReadBody, readBody } from '../webhooks/intake/read-body.ts';
import { readDelivery, verifySignature } from '../webhooks/intake/verify.ts';
import { DeliveryError } from './delivery-error.ts';
import { checkDelivery, checkHandler } from './webhooks-options.ts';
import type * as Public from './webhooks-types.ts';

export { StoreError } from '../disk/store-error.ts';
export { memoryNonces, postgresNonces, sqliteNonces } from './nonce-stores.ts';
export { DeliveryError, OptionError };

/** Returns the bytes of any view: code that reads from a socket may have a DataView. */
function bytesOf(body: Uint8Array | string): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  if (ArrayBuffer.isView(body)) return asBuffer(body);
  throw new OptionError('invalid', 'body', 'body must be a text or bytes');
}

function secretsOf({ key, secret }: Pick<Public.WebhookRequest, 'key' | 'secret'>): Credentials[] {
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? []);
  if (typeof key !== 'string' || key === '' || secrets.length === 0 || secrets.some((one) => !one))
    throw new OptionError(
      'missing',
      'secret',
      'key and secret are missing: without them nothing can be verified',
    );
  return secrets.map((one) => ({ key, secret: one }));
}

const isFetchHeaders = (headers: Public.WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof (headers as { get?: unknown }).get === 'function';

const NAMES = ['authorization-key', 'authorization-nonce', 'authorization-signature'];

/** The three headers of a signature. A Fetch object is asked for them by name. */
const forVerifying = (headers: Public.WebhookHeaders): PlainHeaders =>
  isFetchHeaders(headers)
    ? Object.fromEntries(NAMES.map((name) => [name, headers.get(name) ?? undefined]))
    : headers;

/** All of them, where they can be listed: the diagnosis looks for names that were changed on the way. */
const forDiagnosing = (headers: Public.WebhookHeaders): PlainHeaders =>
  headers instanceof Headers ? Object.fromEntries(headers) : forVerifying(headers);

export const verifyWebhook: typeof Public.verifyWebhook = (request) => {
  checkDelivery(request);
  const { url, body } = request;
  const received = { rawBody: bytesOf(body), url, headers: forVerifying(request.headers) };
  const genuine = verifySignature(received, secretsOf(request));
  if (!genuine) return { valid: false };
  return { valid: true, nonce: genuine.nonce, event: () => parseWebhook(body) };
};

export const parseWebhook: typeof Public.parseWebhook = (body) => {
  const read = readDelivery(bytesOf(body));
  if (!read) throw new DeliveryError('not_a_delivery');
  return read as unknown as Public.WebhookEvent;
};

export const diagnoseWebhook: typeof Public.diagnoseWebhook = (request) => {
  checkDelivery(request);
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

/** How much room all bodies have that one handler reads or works on at once, but for the largest. */
const ROOM_BYTES = 64 * 1024 * 1024;

interface Handler {
  handle(request: { headers: PlainHeaders; body: Uint8Array }): Promise<IntakeAnswer>;
  /** Tells of an error, and answers so that the service sends again. */
  failed(error: unknown): Promise<IntakeAnswer>;
  limits: BodyLimits;
}

/** @throws OptionError for options that could not verify anything */
function handlerOf(options: Public.WebhookHandlerOptions): Handler {
  checkHandler(options);
  const { url, key, secret, onInvalid, onError, maxBytes = MAX_BODY_BYTES } = options;
  if (!URL.canParse(url)) throw new OptionError('invalid', 'url', `${url} is not the registered URL`);
  const say = (error: unknown) => console.error('remit: a webhook handler failed:', error);
  const tell = (error: unknown) => quietly(() => (onError ?? say)(error));
  const accepting: Accepting = {
    secrets: secretsOf(options),
    nonces: options.nonces,
    underWay: new Map(),
    onError: tell,
    onEvent: (delivery) => options.onEvent(delivery as unknown as Public.WebhookEvent),
    onInvalid: ({ headers, body }) =>
      quietly(
        () => onInvalid?.({ url, diagnose: () => diagnoseWebhook({ url, headers, body, key, secret }) }),
        tell,
      ),
  };
  const failed = async (error: unknown): Promise<IntakeAnswer> => {
    await tell(error);
    return { status: 500, text: 'not taken: send it again' };
  };
  return {
    handle: ({ headers, body }) =>
      body.length > maxBytes
        ? Promise.resolve(answerTo('too_large', maxBytes))
        : accept({ url, headers, body }, accepting).catch(failed),
    failed,
    limits: { maxBytes, room: createBodyRoom(ROOM_BYTES, maxBytes) },
  };
}

/** Runs a callback of the partner: an error that it throws goes to `tell` and changes no answer. */
async function quietly(work: () => unknown, tell: (error: unknown) => unknown = () => {}): Promise<void> {
  try {
    await work();
  } catch (error) {
    await tell(error);
  }
}

const ONLY_POST: IntakeAnswer = { status: 405, text: 'only POST is taken here' };

const headersOf = ({ status }: IntakeAnswer): Record<string, string> => ({
  'content-type': 'text/plain; charset=utf-8',
  ...(status === 405 ? { allow: 'POST' } : {}),
});

export const nodeWebhookHandler: typeof Public.nodeWebhookHandler = (options) => forNode(handlerOf(options));

type NodeHandler = ReturnType<typeof Public.nodeWebhookHandler>;
type NodeRequest = Parameters<NodeHandler>[0];
type NodeResponse = Parameters<NodeHandler>[1];

const forNode =
  (handler: Handler): NodeHandler =>
  async (request, response) => {
    const answer = await fromNode(request, handler);
    if (answer) send(request, response, answer);
  };

/** Closes the connection after a body that was not read whole: its rest must not be taken for the next request. */
function send(request: NodeRequest, response: NodeResponse, answer: IntakeAnswer): void {
  const rest = request.complete === false ? { connection: 'close' } : {};
  response.writeHead(answer.status, { ...headersOf(answer), ...rest });
  endAfterBody(
    request as unknown as IncomingMessage,
    response as unknown as ServerResponse,
    `${answer.text}\n`,
  );
}

/** Null when the client has gone. */
async function fromNode(request: NodeRequest, handler: Handler): Promise<IntakeAnswer | null> {
  const { failed, limits } = handler;
  if (request.method !== 'POST') return ONLY_POST;
  if (request.readableEnded === true) return failed(new DeliveryError('read_before'));
  const incoming = request as unknown as IncomingMessage;
  const body = await readBody(incoming, limits, incoming.socket?.remoteAddress ?? '');
  if (body === 'broken_off') return null;
  return answered(body, request.headers, handler);
}

/** Hands a body that was read to the handler, then gives its room back; answers a body that was refused. */
async function answered(
  body: Exclude<ReadBody, 'broken_off'>,
  headers: PlainHeaders,
  { handle, limits }: Handler,
): Promise<IntakeAnswer> {
  if (typeof body === 'string') return answerTo(body, limits.maxBytes);
  try {
    return await handle({ headers, body: body.bytes });
  } finally {
    body.letGo();
  }
}

export const expressWebhookHandler: typeof Public.expressWebhookHandler = (options) => {
  const handler = handlerOf(options);
  const plain = forNode(handler);
  return async (request, response, next) => {
    const raw = [request.rawBody, request.body].find((body) => body instanceof Uint8Array);
    if (raw instanceof Uint8Array && request.method === 'POST')
      send(request, response, await handler.handle({ headers: request.headers, body: raw }));
    else if (request.method === 'POST' && wasParsed(request)) next(new DeliveryError('parsed_before'));
    else await plain(request, response);
  };
};

/** A parser before us took the bytes away, and they cannot be made again. */
const wasParsed = ({ body, readableEnded }: NodeRequest): boolean =>
  readableEnded === true || (body !== undefined && body !== null && readableEnded !== false);

export const fetchWebhookHandler: typeof Public.fetchWebhookHandler = (options) => {
  const handler = handlerOf(options);
  return async (request) => {
    const answer = await fromFetch(request, handler);
    return new Response(`${answer.text}\n`, { status: answer.status, headers: headersOf(answer) });
  };
};

async function fromFetch(request: Request, handler: Handler): Promise<IntakeAnswer> {
  if (request.method !== 'POST') return ONLY_POST;
  if (request.bodyUsed) return handler.failed(new DeliveryError('read_before'));
  const body = await bodyWithin(request, handler.limits);
  if (body === 'broken_off') return { status: 400, text: 'the body did not come whole' };
  return answered(body, Object.fromEntries(request.headers), handler);
}

/** Ends as soon as there is too much, or its place was taken: the rest is not read. */
async function bodyWithin({ body, headers }: Request, limits: BodyLimits): Promise<ReadBody> {
  const announced = headers.get('content-length');
  if (Number(announced ?? 0) > limits.maxBytes) return 'too_large';
  const reader = body?.getReader();
  let refusal: BodyRefusal | null = null;
  const stop = (why: BodyRefusal): void => {
    refusal = why;
    reader?.cancel().catch(() => undefined);
  };
  const collected = collectBody(limits, { announced, address: '', onTaken: () => stop('no_room') });
  try {
    for (let piece = await reader?.read(); piece?.value !== undefined; piece = await reader?.read()) {
      const why = collected.add(piece.value);
      if (why !== null) stop(why);
    }
  } catch {
    collected.letGo();
    return refusal ?? 'broken_off';
  }
  return refusal ?? { bytes: collected.whole(), letGo: collected.letGo };
}
