/** Signs a delivery and posts it to a handler, as the service would. Nothing goes to the service. */

import { usage } from '../../../core/problem.ts';
import { type ExitCode, exitCodes, worst } from '../../../frame/exit-codes.ts';
import type { Input, TextFlag } from '../../../frame/flags/flag.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { defineCommand, type OptionsOf } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import type { Post, PostAnswer } from '../../conformance/post.ts';
import { sentDeliveryShape } from '../../shapes.ts';
import { readHttpUrl, readTarget, readWaitMs, waitFlag, whereTo } from './shared/handler-flags.ts';
import { makeBody, makingFlags, readToMake } from './shared/made-delivery.ts';
import { asProfileFlag, signingKey } from './shared/signing-key.ts';

type SendOptions = OptionsOf<typeof command>;

type Sent = DataOf<typeof sentDeliveryShape>;

const view: View<Sent> = {
  shape: sentDeliveryShape,
  columns: [
    { name: 'nr', head: '#', get: (row) => String(row.nr), right: true },
    { name: 'event', get: (row) => row.event },
    { name: 'status', get: (row) => (row.status === null ? 'none' : String(row.status)) },
    { name: 'latency_ms', head: 'ms', get: (row) => String(row.latency_ms), right: true },
    { name: 'answer', priority: 1, wrap: true, get: (row) => row.answer },
  ],
};

const MOST = 1000;

export const command = defineCommand({
  description: `Signs with the test key of remit webhooks sign, unless --as-profile. Any 2xx ends with 0, as the service counts it; another answer with 1, no answer with 75. No redirect is followed, and no proxy is used.`,
  flags: {
    to: { value: 'url', summary: 'where your handler is' },
    ...makingFlags,
    url: { value: 'url', summary: 'sign for this URL, where your handler is registered under another' },
    times: { value: 'n', summary: 'this many times, one after the other, each with its own nonce' },
    nonce: { value: 'nonce', summary: 'use this nonce each time: a replay, from the second on' },
    badSignature: { summary: 'with a wrong signature: a handler that answers 2xx has a fault' },
    ...waitFlag,
    ...asProfileFlag,
  },
  shows: [view],
  effect: 'read',
  exits: [exitCodes.failed, exitCodes.temporary],
  examples: [
    'remit webhooks send --to http://127.0.0.1:3000/hooks --event recipient.error',
    'remit webhooks send --to http://127.0.0.1:3000/hooks --event transaction.paid_out --times 2 --nonce again',
  ],
  read: (input) => ({
    make: readToMake(input),
    to: readTarget(input),
    url: readHttpUrl(input.flags.url, 'url'),
    times: readTimes(input),
    nonce: readNonce(input),
    badSignature: input.flags.badSignature,
    asProfile: input.flags.asProfile,
    timeoutMs: readWaitMs(input),
  }),
  async run(context, options): Promise<Result> {
    const { event, body } = await makeBody(context, options.make);
    const { to, times, asProfile } = options;
    const { credentials } = await signingKey(context, asProfile, `send ${event} to ${whereTo(to)}`);
    const [{ badSignature, deliveryHeaders }, { createPoster }] = await Promise.all([
      import('../../conformance/delivery.ts'),
      import('../../conformance/post.ts'),
    ]);
    const post = await createPoster(context.process.clock);
    const rows: Sent[] = [];
    for (let nr = 1; nr <= times && !context.process.interrupt.aborted; nr++) {
      const nonce = options.nonce ?? context.process.nonce();
      const headers = deliveryHeaders(credentials, { url: options.url ?? to, body, nonce });
      if (options.badSignature)
        headers['Authorization-Signature'] = badSignature(headers['Authorization-Signature'] ?? '');
      rows.push(shown(nr, event, await post(requestOf(context, options, headers, body))));
    }
    return result(view, rows, { exit: exitOf(rows, context), notes: notesOn(rows, options) });
  },
});

const requestOf = (
  { process }: Context,
  { to, timeoutMs }: SendOptions,
  headers: Record<string, string>,
  body: Uint8Array,
): Post => ({ url: to, method: 'POST', headers, body, timeoutMs, signal: process.interrupt });

function shown(nr: number, event: string, answered: PostAnswer): Sent {
  const { ms } = answered;
  if ('error' in answered) return { nr, event, status: null, latency_ms: ms, answer: answered.error };
  return { nr, event, status: answered.status, latency_ms: ms, answer: answered.body.trim().slice(0, 200) };
}

const isTaken = ({ status }: Sent): boolean => status !== null && status >= 200 && status < 300;

function exitOf(rows: readonly Sent[], { process }: Context): ExitCode {
  if (process.interrupt.aborted) return exitCodes.interrupted;
  return worst(
    rows.map((row) =>
      row.status === null ? exitCodes.temporary : isTaken(row) ? exitCodes.ok : exitCodes.failed,
    ),
  );
}

function notesOn(rows: readonly Sent[], { badSignature }: SendOptions): string[] {
  const notes: string[] = [];
  if (badSignature && rows.some(isTaken))
    notes.push('the handler accepted a delivery with a wrong signature: it does not verify');
  if (rows.some(({ status }) => status !== null && status >= 300 && status < 400))
    notes.push('the handler answered with a redirect: the service follows none, and counts it as a failure');
  return notes;
}

function readTimes(input: Input<{ times: TextFlag }>): number {
  const text = input.flags.times ?? '1';
  const times = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (times < 1 || times > MOST) throw usage(`--times ${text} is not a number from 1 to ${MOST}`);
  return times;
}

/** It stands in a header. */
function readNonce(input: Input<{ nonce: TextFlag }>): string | undefined {
  const nonce = input.flags.nonce;
  if (nonce === undefined || /^[\x21-\x7e]{1,200}$/.test(nonce)) return nonce;
  throw usage('--nonce cannot stand in a header', 'plain letters, digits and signs, without spaces');
}
