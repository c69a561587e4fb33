/** A conformance suite for a partner's own endpoint: what the service's rules ask for, and what was seen. */

import { isEventName } from '../../../contract/events.ts';
import { refuse, usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import type { Input, TextFlag } from '../../../frame/flags/flag.ts';
import type { View } from '../../../frame/terminal/view.ts';
import { type Command, defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import type { ConformanceCase } from '../../conformance/cases.ts';
import type { ConformanceRow } from '../../conformance/suite.ts';
import { conformanceCaseShape, conformanceShape } from '../../shapes.ts';
import { readHttpUrl, readTarget, readWaitMs, waitFlag, whereTo } from './shared/handler-flags.ts';
import { asProfileFlag, signingKey } from './shared/signing-key.ts';

interface ToTest {
  to: string;
  url: string | undefined;
  event: string;
  counter: string | undefined;
  only: string[];
  asProfile: boolean;
  timeoutMs: number;
}

export type TestHandlerOptions = { list: true } | ({ list: false } & ToTest);

const WORDS = { pass: 'pass', fail: 'FAIL', advice: 'advice' } as const;

const view: View<ConformanceRow> = {
  shape: conformanceShape,
  columns: [
    { name: 'result', get: (row) => WORDS[row.result] },
    { name: 'case', get: (row) => row.case },
    { name: 'asks', head: 'what is asked', wrap: true, get: (row) => row.asks },
    { name: 'saw', wrap: true, get: (row) => row.saw },
    { name: 'source', priority: 1, wrap: true, get: (row) => row.source },
  ],
};

type ListedCase = Pick<ConformanceCase, 'id' | 'kind' | 'asks' | 'source'>;

const listView: View<ListedCase> = {
  shape: conformanceCaseShape,
  columns: [
    { name: 'case', get: (row) => row.id },
    { name: 'kind', get: (row) => row.kind },
    { name: 'asks', head: 'what is asked', wrap: true, get: (row) => row.asks },
    { name: 'source', priority: 1, wrap: true, get: (row) => row.source },
  ],
};

const DEFAULT_EVENT = 'recipient.error';

export const command: Command<TestHandlerOptions> = defineCommand({
  description: `Configure your handler with the test key of remit webhooks sign (stderr names its file) and with the URL that is signed. Each case has a connection of its own. Made-up objects have ids that no real object has. Ends with 10 if a case fails. A case of advice goes beyond what the service demands, and never fails.`,
  flags: {
    to: { value: 'url', summary: 'where your handler is' },
    url: { value: 'url', summary: 'sign for this URL, where your handler is registered under another' },
    event: { value: 'name', summary: `what the deliveries are about: ${DEFAULT_EVENT}` },
    only: { value: 'case', summary: 'this case alone; repeat it', many: true },
    counter: {
      value: 'url',
      summary: 'answers how many events your handler acted on: then acting on a copy is a fail too',
    },
    list: { summary: 'print the cases, and send nothing' },
    ...waitFlag,
    ...asProfileFlag,
  },
  shows: [view, listView],
  exits: [exitCodes.check, exitCodes.temporary],
  examples: [
    'remit webhooks test-handler --list',
    'remit webhooks test-handler --to http://127.0.0.1:3000/hooks',
    'remit webhooks test-handler --to http://127.0.0.1:3000/hooks --counter http://127.0.0.1:3000/handled',
    'remit webhooks test-handler --to http://127.0.0.1:3000/hooks --only slow --only huge --timeout 20s',
  ],
  read(input) {
    if (input.flags.list) return { list: true };
    return {
      list: false,
      to: readTarget(input),
      url: readHttpUrl(input.flags.url, 'url'),
      event: readEvent(input),
      counter: readHttpUrl(input.flags.counter, 'counter'),
      only: input.flags.only,
      asProfile: input.flags.asProfile,
      timeoutMs: readWaitMs(input),
    };
  },
  async run(context, options) {
    const { ACTS_ONCE, conformanceCases } = await import('../../conformance/cases.ts');
    if (options.list)
      return result(
        listView,
        [...conformanceCases, ACTS_ONCE].map(({ id, kind, asks, source }) => ({ id, kind, asks, source })),
      );
    const all = options.counter === undefined ? conformanceCases : [...conformanceCases, ACTS_ONCE];
    if (options.counter === undefined && options.only.includes(ACTS_ONCE.id))
      throw usage(
        `${ACTS_ONCE.id} needs --counter URL`,
        'the answer to a copy does not say whether it was acted on',
      );
    return tested(context, options, chosenCases(all, options.only));
  },
});

function readEvent(input: Input<{ event: TextFlag }>): string {
  const event = input.flags.event ?? DEFAULT_EVENT;
  if (isEventName(event)) return event;
  throw usage(`there is no event called ${event}`, 'remit webhooks events --names lists them');
}

function chosenCases(all: readonly ConformanceCase[], only: readonly string[]): readonly ConformanceCase[] {
  const unknown = only.filter((id) => !all.some((each) => each.id === id));
  if (unknown.length > 0)
    throw usage(`there is no case ${unknown.join(', ')}`, `there are: ${all.map(({ id }) => id).join(', ')}`);
  return only.length === 0 ? all : all.filter(({ id }) => only.includes(id));
}

async function tested(context: Context, options: ToTest, cases: readonly ConformanceCase[]): Promise<Result> {
  const { process, paint } = context;
  const { runSuite } = await import('../../conformance/suite.ts');
  const kit = await kitFor(context, options);
  const rows = await runSuite(cases, kit, {
    signal: process.interrupt,
    onRow(row) {
      refuseUnreachable(options.to, row);
      context.note(`${WORDS[row.result].padEnd(6)} ${row.case}: ${row.saw}`);
    },
  });
  if (process.interrupt.aborted) return result(view, rows, { exit: exitCodes.interrupted });
  const failed = rows.filter((row) => row.result === 'fail');
  if (failed.some((row) => row.case === 'valid'))
    context.say(
      'the delivery that is right was not taken: does your handler have this key and URL?',
      paint.dim,
    );
  return result(view, rows, { exit: failed.length > 0 ? exitCodes.check : exitCodes.ok });
}

const PAUSE_MS = 500;

async function kitFor(context: Context, { to, url, event, counter, asProfile, timeoutMs }: ToTest) {
  const { process } = context;
  const [{ SENT_LATE }, { createKit }, { createPoster }, { sampleId }] = await Promise.all([
    import('../../conformance/cases.ts'),
    import('../../conformance/kit.ts'),
    import('../../conformance/post.ts'),
    import('../../sample.ts'),
  ]);
  const samples = new Map<string, string>();
  for (const each of [event, ...SENT_LATE]) {
    const object = await (await context.ports.sandbox?.())?.sampleOf(each, context.clock.now());
    if (object !== undefined) samples.set(each, object);
  }
  if (!samples.has(event))
    throw usage(`there is no sample for ${event}: the layout of its object is not documented`);
  const { credentials } = await signingKey(context, asProfile, `test the handler at ${whereTo(to)}`);
  return createKit(
    { to, url: url ?? to, credentials, event, timeoutMs, counter },
    {
      post: await createPoster(process.clock),
      samples,
      id: () => sampleId(process.random),
      nonce: process.nonce,
      pause: () => process.sleep(PAUSE_MS, process.interrupt),
      signal: process.interrupt,
    },
  );
}

const NOBODY_THERE = ['nothing listens there', 'there is no such host'];

/** @throws Problem (network) at the first case already: a table of fails would say less */
function refuseUnreachable(to: string, { saw }: ConformanceRow): void {
  if (!NOBODY_THERE.some((words) => saw.startsWith(words))) return;
  throw refuse('network', 'handler_unreachable', `${new URL(to).host}: ${saw}`, {
    hint: 'start your handler, and run it again',
    retryable: true,
  });
}
