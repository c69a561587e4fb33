/**
 * One delivery in a file, byte for byte as it was received, to be verified, looked at and sent again elsewhere. It holds a
 * signature, so any reader of the file can send the delivery once more.
 */
import * as z from 'zod/mini';
import type { Headers, ReceivedRequest } from '../../contract/signatures/finding.ts';
import { isoTime } from '../../core/clock.ts';
import { groupedBy } from '../../core/grouped-by.ts';

export interface KeptRequest {
  id: string;
  /** Milliseconds since 1970; ISO 8601 in the file. */
  receivedAt: number;
  /** The URL that is registered, and signed. */
  url: string;
  method: string;
  /** Path and query as they came over the wire. */
  target: string;
  /** Follows the order and the case in which they came; a name may stand several times. */
  headers: readonly (readonly [name: string, value: string])[];
  body: Uint8Array;
}

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

const shape = z.strictObject({
  version: z.literal(1),
  kind: z.literal('delivery'),
  data: z.strictObject({
    id: z.string(),
    received_at: z.string().check(z.refine((text) => !Number.isNaN(Date.parse(text)), 'is not a time')),
    url: z.string().check(z.minLength(1, 'is empty')),
    method: z.string().check(z.regex(/^[A-Z]+$/, 'is not a verb in capitals')),
    target: z.string(),
    headers: z.array(z.tuple([z.string().check(z.minLength(1, 'has no name')), z.string()])),
    body_b64: z.string().check(z.regex(BASE64, 'is not base64')),
  }),
});

export function writeDeliveryFile({
  id,
  receivedAt,
  url,
  method,
  target,
  headers,
  body,
}: KeptRequest): string {
  const data = {
    id,
    received_at: isoTime(receivedAt),
    url,
    method,
    target,
    headers,
    body_b64: Buffer.from(body).toString('base64'),
  };
  return `${JSON.stringify({ version: 1, kind: 'delivery', data }, null, 2)}\n`;
}

/** @throws DeliveryFileError naming the member that is wrong */
export function readDeliveryFile(text: string): KeptRequest {
  const read = shape.safeParse(parse(text));
  if (!read.success) throw new DeliveryFileError(whatIsWrong(read.error.issues[0]));
  const { received_at, body_b64, ...data } = read.data.data;
  return { ...data, receivedAt: Date.parse(received_at), body: Buffer.from(body_b64, 'base64') };
}

export class DeliveryFileError extends Error {
  override readonly name = 'DeliveryFileError';
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    throw new DeliveryFileError('it is not JSON');
  }
}

type Issue = z.core.$ZodIssue | undefined;

function whatIsWrong(issue: Issue): string {
  if (issue?.path[0] === 'kind') return 'its kind is not "delivery"';
  if (issue?.path[0] === 'version') return 'its version is not 1: it is from another remit';
  if (issue?.code === 'unrecognized_keys')
    return `it has a member that is not known: ${issue.keys.join(', ')}`;
  const where = issue?.path.map(String).join('.') || 'the whole';
  return `${where}: ${issue?.message ?? 'is not as it should be'}`;
}

/** Returns the request as the verifier takes it: names that stand several times are put together. */
export function receivedRequest({ url, method, target, headers, body }: KeptRequest): ReceivedRequest {
  return { rawBody: body, url, method, target, headers: headerMap(headers) };
}

function headerMap(headers: KeptRequest['headers']): Headers {
  return Object.fromEntries(
    [...groupedBy(headers, ([name]) => name)].map(([name, all]) => {
      const [first = '', ...rest] = all.map(([, value]) => value);
      return [name, rest.length > 0 ? [first, ...rest] : first];
    }),
  );
}
