/** Checks one delivery offline, and names the one cause where it does not verify. A cause is advice, never acceptance. */

import { listWebhooks } from '../../../contract/operations/webhooks.ts';
import type { ReceivedRequest } from '../../../contract/signatures/finding.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { defineCommand, type OptionsOf } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { readStore, storeFlags } from '../../../payments/cli/flags/store.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import { checkFlags, credentialsOf, readCheckWith } from '../flags/check-with.ts';
import { verificationOutput, verificationView } from '../views/verification.ts';
import { givenFlags, readGiven, requestGiven } from './shared/given-delivery.ts';

type VerifyOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description: `Answers VALID, INVALID with the cause, MALFORMED (it cannot be a signed delivery) or UNCHECKED (this machine has no secret for it). Give the raw bytes of the body as they were received, and the registered URL. --explain also tries the secrets of the other profiles of this machine, and lists what was tried. Nothing is sent; only --remote and --log ask the service, for the registered URLs and for what it sent.`,
  args: [{ name: 'ID', summary: 'of the inbox, from remit webhooks events', optional: true }],
  flags: {
    ...givenFlags,
    ...checkFlags,
    explain: { summary: 'try every cause, other profiles too, and list what was tried' },
    remote: { summary: 'with --explain: try the URLs that are registered with the service' },
    log: { summary: 'with --explain: compare with the delivery in the log of the service' },
    ...storeFlags,
  },
  shows: [verificationView],
  exits: [exitCodes.signature],
  examples: [
    'remit webhooks verify 0198f3c2 --explain',
    'remit webhooks verify --url https://example.com/hooks --body body.json --headers-file headers.json',
    'remit webhooks verify --delivery delivery.json --key K --secret-file secret.txt --explain',
  ],
  read(input) {
    const { explain, remote, log } = input.flags;
    if ((remote || log) && !explain) throw usage(`--${remote ? 'remote' : 'log'} goes with --explain`);
    return {
      given: readGiven(input),
      store: readStore(input),
      check: readCheckWith(input),
      explain,
      remote,
      log,
    };
  },
  run: async (context, { given, store, ...how }): Promise<Result> =>
    judged(context, await requestGiven(context, given, store), how),
});

async function judged(
  context: Context,
  request: ReceivedRequest,
  { check, explain, remote, log }: Omit<VerifyOptions, 'given' | 'store'>,
) {
  const [{ classifyDelivery }, { othersHere }] = await Promise.all([
    import('../../intake/classify.ts'),
    import('../../secrets.ts'),
  ]);
  const credentials = await credentialsOf(context, check);
  const inLog = log ? await import('../../sent-log.ts') : undefined;
  const found = await inLog?.findInLog(await context.client(), request);
  const judgement = classifyDelivery(request, {
    credentials,
    all: explain,
    others: await othersHere(context, credentials, explain),
    registered: remote ? await registeredUrls(context) : [],
    sent: found && 'sent' in found ? found.sent : undefined,
  });
  const { verdict, remark } = judgement;
  return result(verificationView, verificationOutput(judgement, explain), {
    notes: [
      ...(remark ? [remark] : []),
      ...(inLog && found && verdict !== 'VALID' ? [inLog.wordsOfLog(found, request)] : []),
    ],
    exit: verdict === 'VALID' ? exitCodes.ok : exitCodes.signature,
  });
}

const MOST_ENDPOINTS = 50;

async function registeredUrls(context: Context): Promise<string[]> {
  const { pages } = await import('../../../client/pages.ts');
  const urls: string[] = [];
  for await (const page of pages(await context.client(), listWebhooks)) {
    urls.push(...page.flatMap(({ url }) => url ?? []));
    if (urls.length >= MOST_ENDPOINTS) break;
  }
  return urls;
}
