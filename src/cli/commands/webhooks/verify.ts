/** Checks one delivery offline, and names the one cause where it does not verify. A cause is advice, never acceptance. */

import { listWebhooks } from '../../../contract/operations/webhooks.ts';
import type { ReceivedRequest } from '../../../contract/signatures/finding.ts';
import type { Credentials } from '../../../contract/signed-text.ts';
import { Problem, usage } from '../../../core/problem.ts';
import type { StoreChoice } from '../../../desk/places/shared-store.ts';
import { keptTestKey } from '../../../desk/webhooks/test-key.ts';
import { command, result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { exitCodes } from '../../exit-codes.ts';
import { flags, type Input } from '../../flags/flag.ts';
import { readStore, storeFlags } from '../../flags/store.ts';
import { readTextFile } from '../../flags/text-file.ts';
import { judgementView, shownJudgement } from '../../views/judged.ts';
import { type GivenDelivery, givenFlags, readGiven, requestGiven } from '../../webhooks/given-delivery.ts';

/** Which key and secret a delivery is checked with: those named by flags, the test key, or the profile's. */
type CheckWith =
  | { with: 'profile' }
  | { with: 'test key' }
  | { with: 'key'; key: string; secretFile: string | undefined; secretEnv: string | undefined };

const checkFlags = flags({
  testKey: { summary: 'check with the test key that remit webhooks sign and send use' },
  key: { value: 'key', summary: 'check with this key, without a profile' },
  secretFile: { value: 'path', summary: 'the secret of --key, from a file' },
  secretEnv: { value: 'name', summary: 'the secret of --key, from this environment variable' },
});

/** @throws Problem (usage) */
function readCheckWith(input: Input<typeof checkFlags>): CheckWith {
  const key = input.flags.key;
  const secretFile = input.flags.secretFile;
  const secretEnv = input.flags.secretEnv;
  const sources = [secretFile, secretEnv].filter((source) => source !== undefined).length;
  if (input.flags.testKey) {
    if (key !== undefined || sources > 0) throw usage('--test-key and --key exclude each other');
    return { with: 'test key' };
  }
  if (key === undefined && sources === 0) return { with: 'profile' };
  if (key === undefined) throw usage('--key is missing: a secret goes with a key');
  if (sources !== 1)
    throw usage(
      'the secret of --key is given once',
      '--secret-file FILE, or --secret-env NAME: never as an argument',
    );
  return { with: 'key', key, secretFile, secretEnv };
}

/** Undefined where there is nothing to check with: no profile, or no test key yet. */
async function secretToCheckWith(context: Context, choice: CheckWith): Promise<Credentials | undefined> {
  if (choice.with === 'test key') return keptTestKey(context.world.env);
  if (choice.with === 'key') return { key: choice.key, secret: await givenSecret(context, choice) };
  try {
    return (await context.connection()).credentials;
  } catch (error) {
    if (error instanceof Problem && error.facts.code === 'no_profile') return undefined;
    throw error;
  }
}

async function givenSecret(
  { world }: Context,
  { secretFile, secretEnv = '' }: Extract<CheckWith, { with: 'key' }>,
): Promise<string> {
  const text = secretFile === undefined ? world.env[secretEnv] : await readTextFile(world, secretFile);
  // A line end at the end of a file is the editor's.
  const secret = text?.replace(/\r?\n$/, '') ?? '';
  if (secret === '')
    throw usage(
      secretFile === undefined ? `the variable ${secretEnv} is empty or not set` : `${secretFile} is empty`,
    );
  return secret;
}

export interface VerifyOptions {
  given: GivenDelivery;
  store: StoreChoice;
  check: CheckWith;
  explain: boolean;
  remote: boolean;
}

export { verify as command };

const verify = command({
  description: `Answers VALID, INVALID with the cause, MALFORMED (it cannot be a signed delivery) or UNCHECKED (this machine has no secret for it). Give the raw bytes of the body as they were received, and the registered URL. --explain also tries the secrets of the other profiles of this machine, and lists what was tried. Nothing is sent; only --remote asks the service, for the registered URLs.`,
  args: [{ name: 'ID', summary: 'of the inbox, from remit webhooks events', optional: true }],
  flags: {
    ...givenFlags,
    ...checkFlags,
    explain: { summary: 'try every cause, other profiles too, and list what was tried' },
    remote: { summary: 'with --explain: try the URLs that are registered with the service' },
    ...storeFlags,
  },
  shows: [judgementView],
  exits: [exitCodes.signature],
  examples: [
    'remit webhooks verify 0198f3c2 --explain',
    'remit webhooks verify --url https://example.com/hooks --body body.json --headers-file headers.json',
    'remit webhooks verify --delivery delivery.json --key K --secret-file secret.txt --explain',
  ],
  read(input): VerifyOptions {
    const explain = input.flags.explain;
    const remote = input.flags.remote;
    if (remote && !explain) throw usage('--remote goes with --explain');
    return { given: readGiven(input), store: readStore(input), check: readCheckWith(input), explain, remote };
  },
  run: async (context, { given, store, ...how }) =>
    judged(context, await requestGiven(context, given, store), how),
});

async function judged(
  context: Context,
  request: ReceivedRequest,
  { check, explain, remote }: Omit<VerifyOptions, 'given' | 'store'>,
) {
  const [{ judge }, { othersHere }] = await Promise.all([
    import('../../../intake/judge.ts'),
    import('../../../desk/webhooks/secrets.ts'),
  ]);
  const credentials = await secretToCheckWith(context, check);
  const judgement = judge(request, {
    credentials,
    all: explain,
    others: await othersHere(context, credentials, explain),
    registered: remote ? await registeredUrls(context) : [],
  });
  const { verdict, remark } = judgement;
  return result(judgementView, shownJudgement(judgement, explain), {
    notes: remark ? [remark] : [],
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
