/** The kit that a case of the suite works with: it makes deliveries, signs them rightly or not, and sends them. */

import type { Credentials } from '../../contract/signed-text.ts';
import { deliveryBody, withNewIds } from '../sample.ts';
import { badSignature, deliveryHeaders } from './delivery.ts';
import type { Post, PostAnswer, Poster } from './post.ts';

export interface Endpoint {
  to: string;
  /** The URL that is signed; where the handler is registered. */
  url: string;
  /** The key and secret that the handler is configured with. */
  credentials: Credentials;
  event: string;
  timeoutMs: number;
  /** Answers with the number of events that the handler acted on. */
  counter?: string | undefined;
}

export interface Around {
  post: Poster;
  /** JSON of the objects that events tell of: of the endpoint's own, and of those that come late. */
  samples: ReadonlyMap<string, string>;
  /** A new id at each call. */
  id: () => string;
  nonce: () => string;
  /** Waits between the parts of a slow body. */
  pause: () => Promise<void>;
  signal?: AbortSignal | undefined;
}

/** The ways in which a delivery is unlike one of the service. */
export interface Oddity {
  nonce?: string;
  /** Signed with another key, which has a secret of its own. */
  signedBy?: Credentials;
  signature?: 'wrong' | 'none';
  /** Sent in place of the body that was signed. */
  sentBody?: string;
  method?: 'GET';
  headerCase?: 'lower' | 'upper';
  slowly?: boolean;
}

export interface Kit extends Endpoint {
  /** A body for this event, or the one asked for, about an object of its own; an unknown one is about the usual object. */
  body(event?: string, change?: (object: Record<string, unknown>) => Record<string, unknown>): string;
  send(body: string, oddity?: Oddity): Promise<PostAnswer>;
  nonce(): string;
  id(): string;
  /** How many events the handler says it acted on; undefined where it says no number. Absent if it cannot be asked. */
  counted?: (() => Promise<number | undefined>) | undefined;
}

export function createKit(endpoint: Endpoint, around: Around): Kit {
  const { event: base, credentials, url } = endpoint;
  const { samples, id, nonce, post } = around;
  return {
    ...endpoint,
    counted:
      endpoint.counter === undefined ? undefined : () => countAt(endpoint.counter ?? '', endpoint, around),
    nonce,
    id,
    body(event = base, change = (object) => object) {
      const object = withNewIds(samples.get(event) ?? samples.get(base) ?? '{}', id);
      // A handler that parses it and writes it again gets the same bytes: only one case counts that as a fault.
      return deliveryBody(id(), event, JSON.stringify(change(JSON.parse(object))));
    },
    send(body, oddity = {}) {
      const signed = deliveryHeaders(oddity.signedBy ?? credentials, {
        url,
        body: Buffer.from(body),
        nonce: oddity.nonce ?? nonce(),
      });
      return post(postOf(endpoint, around, { body, headers: bent(signed, oddity), oddity }));
    },
  };
}

/** The first whole number that stands in the answer. Asked half a second later, since a handler may act after it answered. */
async function countAt(
  url: string,
  { timeoutMs }: Endpoint,
  { post, pause, signal }: Around,
): Promise<number | undefined> {
  await pause();
  const answered = await post({ url, method: 'GET', headers: {}, body: null, timeoutMs, signal });
  const number =
    'status' in answered && answered.status === 200 ? /\d{1,15}/.exec(answered.body)?.[0] : undefined;
  return number === undefined ? undefined : Number(number);
}

const PARTS = 6;

function postOf(
  { to, timeoutMs }: Endpoint,
  { pause, signal }: Around,
  { body, headers, oddity }: { body: string; headers: Record<string, string>; oddity: Oddity },
): Post {
  return {
    url: to,
    method: oddity.method ?? 'POST',
    headers,
    body: oddity.method === 'GET' ? null : Buffer.from(oddity.sentBody ?? body),
    timeoutMs,
    slowly: oddity.slowly ? { parts: PARTS, pause } : undefined,
    signal,
  };
}

function bent(signed: Record<string, string>, { signature, headerCase }: Oddity): Record<string, string> {
  const entries = Object.entries(signed)
    .filter(([name]) => signature !== 'none' || !name.startsWith('Authorization-'))
    .map(([name, value]): [string, string] => [
      headerCase === 'lower' ? name.toLowerCase() : headerCase === 'upper' ? name.toUpperCase() : name,
      signature === 'wrong' && name === 'Authorization-Signature' ? badSignature(value) : value,
    ]);
  return Object.fromEntries(entries);
}
