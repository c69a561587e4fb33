/** Finds a delivery in the service's own log of webhooks, by its nonce, and compares what arrived with what was sent. */
import type { Client } from '../client/client.ts';
import { pages } from '../client/pages.ts';
import { listWebhookLogs } from '../contract/operations/logs.ts';
import { differenceFrom } from '../contract/signatures/body-variants.ts';
import { signedHeadersOf } from '../contract/signatures/explain-headers.ts';
import type { SentWebhook } from '../contract/signatures/explain-trials.ts';
import type { ReceivedRequest } from '../contract/signatures/finding.ts';
import { thousands } from '../core/amount-words.ts';

/** Deliveries that are read, newest first. */
const MOST_READ = 2000;

/** The delivery, or why there is nothing to compare with. */
export type FoundInLog = { sent: SentWebhook } | { missing: string };

export async function findInLog(client: Client, request: ReceivedRequest): Promise<FoundInLog> {
  const { nonce } = signedHeadersOf(request.headers);
  let read = 0;
  for await (const page of pages(client, listWebhookLogs, { query: { per: 100 } })) {
    const found = page.find(({ metadata }) => nonceOf(metadata?.request?.headers) === nonce);
    const { url, body } = found?.metadata?.request ?? {};
    if (url && body) return { sent: { url, body } };
    if (found) return { missing: 'The log of the service has this delivery without its URL or body.' };
    read += page.length;
    if (read >= MOST_READ) break;
  }
  return {
    missing: `None of the newest ${thousands(read)} deliveries in the log of the service has this nonce.`,
  };
}

/** The log has names as CGI writes them: `HTTP_AUTHORIZATION_NONCE`. */
const nonceOf = (headers: Readonly<Record<string, unknown>> | null | undefined): unknown =>
  Object.entries(headers ?? {}).find(([name]) => /authorization[-_]nonce$/i.test(name))?.[1];

/** Says in one sentence how what arrived differs from the log. */
export function wordsOfLog(found: FoundInLog, { url, rawBody }: ReceivedRequest): string {
  if ('missing' in found) return found.missing;
  const { sent } = found;
  if (sent.url !== url) return `By its log, the service sent this to ${sent.url}.`;
  const [logged, received] = [sent.body, Buffer.from(rawBody).toString('utf8')];
  if (logged === received) return 'By its log, the service sent this body to this URL.';
  const beginning = logged.replace(/(?:…|\.\.\.)$/u, '');
  return beginning !== logged && received.startsWith(beginning)
    ? 'The log of the service has the beginning of this body, and not its end: it proves nothing of the rest.'
    : `By its log, ${differenceFrom(logged, rawBody)}.`;
}
