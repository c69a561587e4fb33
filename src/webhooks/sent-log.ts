/** Finds a delivery in the service's own log of webhooks, by its nonce, and compares what arrived with what was sent. */
import type { Client } from '../client/client.ts';
import { pages } from '../client/pages.ts';
import { listWebhookLogs } from '../contract/operations/logs.ts';
import { differenceFrom } from '../contract/signatures/body-variants.ts';
import { signedHeadersOf } from '../contract/signatures/explain-headers.ts';
import type { LoggedDelivery } from '../contract/signatures/explain-trials.ts';
import type { ReceivedRequest } from '../contract/signatures/finding.ts';

/** Deliveries that are read, newest first. */
const MOST_READ = 2000;

/** Undefined where the newest deliveries of the log have none with this nonce. */
export async function sentOf(client: Client, request: ReceivedRequest): Promise<LoggedDelivery | undefined> {
  const { nonce } = signedHeadersOf(request.headers);
  let read = 0;
  for await (const page of pages(client, listWebhookLogs, { query: { per: 100 } })) {
    const found = page.find(({ metadata }) => nonceOf(metadata?.request?.headers) === nonce);
    const { url, body } = found?.metadata?.request ?? {};
    if (found) return url && body ? { url, body } : undefined;
    read += page.length;
    if (read >= MOST_READ) break;
  }
  return undefined;
}

/** The log has names as CGI writes them: `HTTP_AUTHORIZATION_NONCE`. */
const nonceOf = (headers: Readonly<Record<string, unknown>> | null | undefined): unknown =>
  Object.entries(headers ?? {}).find(([name]) => /authorization[-_]nonce$/i.test(name))?.[1];

/** Says in one sentence how what arrived differs from the log. */
export function wordsOfSent(sent: LoggedDelivery | undefined, { url, rawBody }: ReceivedRequest): string {
  if (sent === undefined) return 'The log of the service has no delivery with this nonce.';
  if (sent.url !== url) return `By its log, the service sent this to ${sent.url}.`;
  return Buffer.from(sent.body).equals(Buffer.from(rawBody))
    ? 'By its log, the service sent this body to this URL.'
    : `By its log, ${differenceFrom(sent.body, rawBody)}.`;
}
