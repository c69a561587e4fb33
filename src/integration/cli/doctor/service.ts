/**
 * Checks of the service: is it there, do the clocks agree, is the signature accepted, where do webhooks go.
 * Reads only.
 */

import type { WireResponse } from '../../../client/client.ts';
import { pages } from '../../../client/pages.ts';
import { listWebhooks } from '../../../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../../../contract/resources/webhook.ts';
import { isLoopback } from '../../../core/hosts.ts';
import type { Context } from '../../../payments/cli/context.ts';
import type { Connection } from '../../../profiles/connection.ts';
import { type Checked, fail, pass, skip, warn } from './finding.ts';
import { failed } from './machine.ts';

/** The scheme has no timestamp, so a clock that is off breaks nothing there; logs and deadlines are hard to read with one. */
const SKEW_MS = 60_000;
const SLOW_MS = 2_000;

export async function answers(context: Context, connection: Connection): Promise<Checked[]> {
  const { process } = context;
  const startedAt = process.clock.now();
  let answer: WireResponse;
  try {
    const client = await context.client();
    answer = await client.raw({
      method: 'GET',
      path: '/accounts',
      effect: 'read',
      signal: process.interrupt,
    });
  } catch (error) {
    return [
      failed('reachable', error),
      skip('clock', 'the service was not reached'),
      skip('signature', 'the service was not reached'),
    ];
  }
  const endedAt = process.clock.now();
  return [
    reachable(answer, endedAt - startedAt),
    clock(answer, (startedAt + endedAt) / 2, connection),
    signature(answer, connection.source),
  ];
}

function reachable({ status }: WireResponse, ms: number): Checked {
  if (status >= 500) return fail('reachable', `it answers with ${status}`, 'try again in a moment');
  const says = `answered in ${ms} ms`;
  return ms > SLOW_MS ? warn('reachable', `${says}: slow`) : pass('reachable', says);
}

/** The clock of a sandbox is its own: it can be moved, and stand still. */
function clock({ headers }: WireResponse, now: number, { environment, baseUrl }: Connection): Checked {
  const theirs = Date.parse(headers.date ?? '');
  if (Number.isNaN(theirs)) return skip('clock', 'the service did not say what time it is');
  // The header has whole seconds.
  const skew = now - theirs - 500;
  const says = `${Math.abs(Math.round(skew / 1000))} s ${skew < 0 ? 'behind' : 'ahead of'} the service`;
  if (Math.abs(skew) <= SKEW_MS)
    return pass('clock', Math.abs(skew) < 2_000 ? 'agrees with the service' : says);
  const setIt = 'set the time of this machine: deadlines and logs are read by it';
  if (environment !== 'sandbox') return warn('clock', says, setIt);
  return isOnThisMachine(baseUrl)
    ? pass('clock', `${says}: a sandbox has a clock of its own (remit sandbox clock)`)
    : warn('clock', says, `if the clock of that sandbox was not moved, ${setIt}`);
}

function signature({ status }: WireResponse, source: Connection['source']): Checked {
  if (status === 401)
    return fail(
      'signature',
      'the service does not accept it (401)',
      source === 'environment'
        ? 'check REMIT_API_KEY and REMIT_API_SECRET'
        : 'check the key and the secret: remit login',
    );
  if (status >= 500) return skip('signature', `the service answered ${status}`);
  if (status >= 300) return warn('signature', `the service answered ${status}`);
  return pass('signature', 'accepted');
}

const FEW_PAGES = 5;

export async function webhooks(context: Context, connection: Connection): Promise<Checked> {
  const found: WebhookDefinition[] = [];
  try {
    let read = 0;
    for await (const page of pages(await context.client(), listWebhooks, { query: { per: 100 } })) {
      found.push(...page);
      if (++read >= FEW_PAGES) break;
    }
  } catch (error) {
    return failed('webhooks', error);
  }
  return judged(found, connection, context.process.env.REMIT_PUBLIC_URL);
}

function judged(
  found: readonly WebhookDefinition[],
  { environment }: Connection,
  publicUrl: string | undefined,
): Checked {
  const urls = found.map(({ url }) => url ?? '');
  if (urls.length === 0)
    return warn(
      'webhooks',
      'no endpoint is registered: the service cannot report changes to you',
      'remit webhooks listen, or remit webhooks add URL',
    );
  const lost = urls.filter((url) => environment === 'production' && isOnThisMachine(url));
  if (lost.length > 0)
    return warn('webhooks', `the service cannot reach ${lost.join(', ')}`, 'remit webhooks list');
  if (publicUrl !== undefined && !urls.includes(publicUrl))
    return warn(
      'webhooks',
      `REMIT_PUBLIC_URL (${publicUrl}) is not registered: deliveries would not verify`,
      `registered: ${urls.join(', ')}`,
    );
  return pass('webhooks', urls.join(', '));
}

function isOnThisMachine(url: string): boolean {
  try {
    return isLoopback(new URL(url).hostname);
  } catch {
    return false;
  }
}
