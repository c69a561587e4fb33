/**
 * Receives, verifies, keeps, prints and forwards webhooks. It registers itself where the profile is a sandbox, and takes the
 * registration away again on Ctrl-C and SIGTERM; one that an earlier run left behind (it was killed) goes at the next start.
 */
import { hostname } from 'node:os';
import type { Client } from '../../../client/client.ts';
import { ApiError } from '../../../client/errors.ts';
import { pages } from '../../../client/pages.ts';
import { deleteWebhook, listWebhooks } from '../../../contract/operations/webhooks.ts';
import type { WebhookDefinition } from '../../../contract/resources/webhook.ts';
import { isoTime } from '../../../core/clock.ts';
import { createReceiver } from '../../../intake/receiver.ts';
import type { DeliveryRecord } from '../../../intake/take-in.ts';
import { isAlive } from '../../alive.ts';
import { command, flagMany, flagOn, flagText, type Result } from '../../command.ts';
import type { Context } from '../../context.ts';
import { asFailure } from '../../errors.ts';
import { exitCodes } from '../../exit-codes.ts';
import { usage } from '../../failure.ts';
import { guard } from '../../guard.ts';
import { escapeHostile } from '../../terminal/escape.ts';
import { ndjsonLine } from '../../terminal/formats.ts';
import { deliveryLine, shownDelivery } from '../../views/delivery.ts';
import { checkEvents, register } from '../../webhook-registration.ts';

export interface ListenOptions {
  port: number;
  publicUrl: string | undefined;
  events: string[];
  register: boolean | undefined;
  forwardTo: string | undefined;
  strict: boolean;
  count: number | undefined;
}

export { listen as command };

const listen = command<ListenOptions>({
  description:
    'Binds 127.0.0.1 only. Every delivery is verified on its raw bytes and kept before it is acknowledged; duplicates are dropped. Ends on Ctrl-C.',
  flags: [
    { flags: '--port <port>', summary: 'a free one if you do not say' },
    {
      flags: '--public-url <url>',
      summary:
        'the URL that the service knows, where a tunnel or proxy stands before this (or REMIT_PUBLIC_URL)',
    },
    { flags: '--event <name>', summary: 'register for this event only; repeat it', many: true },
    { flags: '--register', summary: 'register in production too; needs --public-url' },
    { flags: '--no-register', summary: 'do not register: only listen' },
    { flags: '--forward-to <url>', summary: 'pass each verified delivery on, raw bytes and headers' },
    { flags: '--strict', summary: 'acknowledge only what the handler at --forward-to took' },
    { flags: '--count <n>', summary: 'end after this many deliveries' },
  ],
  effect: 'write',
  examples: [
    'remit webhooks listen',
    'remit webhooks listen --forward-to http://127.0.0.1:3000/hooks',
    'remit webhooks listen -o ndjson | jq .data.event',
  ],
  read(input) {
    const forwardTo = flagText(input, 'forwardTo');
    if (forwardTo !== undefined && !URL.canParse(forwardTo))
      throw usage(`--forward-to ${forwardTo} is not a URL`, 'such as http://127.0.0.1:3000/hooks');
    const publicUrl = flagText(input, 'publicUrl');
    if (publicUrl !== undefined && !URL.canParse(publicUrl))
      throw usage(`--public-url ${publicUrl} is not a URL`);
    return {
      port: whole(flagText(input, 'port') ?? '0', '--port', 65_535),
      publicUrl,
      events: checkEvents(flagMany(input, 'event')),
      register: typeof input.flags.register === 'boolean' ? input.flags.register : undefined,
      forwardTo,
      strict: flagOn(input, 'strict'),
      count:
        flagText(input, 'count') === undefined
          ? undefined
          : whole(flagText(input, 'count') ?? '', '--count', 1e9),
    };
  },
  run: (context, options) => listenUntilDone(context, options),
});

function whole(text: string, flag: string, most: number): number {
  if (!/^\d+$/.test(text) || Number(text) > most)
    throw usage(`${flag} ${text} is not a number up to ${most}`);
  return Number(text);
}

async function listenUntilDone(context: Context, options: ListenOptions): Promise<Result> {
  const connection = await context.connection();
  const publicUrl = options.publicUrl ?? (context.world.env.REMIT_PUBLIC_URL || undefined);
  const registers = options.register ?? connection.environment === 'sandbox';
  if (registers && connection.environment === 'production' && publicUrl === undefined) {
    throw usage(
      'the service cannot reach this machine without a public URL',
      'name the URL of your tunnel: --public-url https://…',
    );
  }
  const machine = context.globals.output === 'ndjson' || context.globals.output === 'json';
  const ended = endSignal(context, options.count);
  const receiver = createReceiver({
    credentials: connection.credentials,
    inbox: (await context.store()).inbox,
    clock: context.world.clock,
    publicUrl,
    forwarding:
      options.forwardTo === undefined
        ? undefined
        : { transport: await context.transport(), to: options.forwardTo, strict: options.strict },
    onDelivery: (record) => {
      printDelivery(context, record, machine);
      ended.counted();
    },
    onError: (error) => context.say(`remit: not kept, so not acknowledged: ${asFailure(error).message}`),
  });
  const { url, port } = await receiver.listen(options.port);
  const registered = publicUrl ?? `${url}/`;
  try {
    const webhook = registers ? await registerOwn(context, registered, options.events) : undefined;
    try {
      sayReady(
        context,
        { url, port, registered: webhook?.url ?? null, webhook: webhook?.id ?? null },
        machine,
      );
      await ended.promise;
    } finally {
      if (webhook?.id) await removeOwn(context, await context.client(), webhook.id);
    }
  } finally {
    await receiver.close();
  }
  return { done: true, exit: exitCodes.ok };
}

function endSignal(
  { world }: Context,
  count: number | undefined,
): { promise: Promise<void>; counted(): void } {
  let left = count ?? Number.POSITIVE_INFINITY;
  let end = (): void => {};
  const promise = new Promise<void>((resolve) => {
    end = resolve;
  });
  if (world.interrupt.aborted) end();
  world.interrupt.addEventListener('abort', () => end(), { once: true });
  return {
    promise,
    counted() {
      if (--left <= 0) end();
    },
  };
}

async function registerOwn(context: Context, url: string, events: string[]): Promise<WebhookDefinition> {
  const client = await context.client();
  await removeStale(context, client);
  await guard(context, { effect: 'write', what: [`register ${url} for ${events.length} events`] });
  return register(context, {
    url,
    events,
    metadata: { remit_listen: { host: hostname(), pid: context.world.pid } },
  });
}

/** Registrations of `webhooks listen` on this machine whose process is gone. */
async function removeStale(context: Context, client: Client): Promise<void> {
  for await (const page of pages(client, listWebhooks)) {
    for (const endpoint of page) {
      const own = endpoint.metadata?.remit_listen as { host?: unknown; pid?: unknown } | undefined;
      if (own?.host !== hostname() || typeof own.pid !== 'number' || isAlive(own.pid) || !endpoint.id)
        continue;
      await removeOwn(context, client, endpoint.id);
      context.say(
        `removed a registration that an earlier run left behind: ${endpoint.url}`,
        context.paint.dim,
      );
    }
  }
}

async function removeOwn(context: Context, client: Client, id: string): Promise<void> {
  try {
    await client.call(deleteWebhook, { path: { webhook_id: id } });
  } catch (error) {
    if (error instanceof ApiError && error.kind === 'not_found') return;
    context.say(
      `remit: the registration ${id} could not be removed: ${asFailure(error).message}; remit webhooks remove ${id}`,
    );
  }
}

function sayReady(context: Context, ready: Record<string, unknown>, machine: boolean): void {
  if (machine) {
    context.streams.out(ndjsonLine('ready', ready));
    return;
  }
  context.say(
    `listening on ${ready.url}${ready.registered ? `, registered as ${ready.registered}` : ', not registered'} (Ctrl-C ends it)`,
  );
}

function printDelivery(context: Context, record: DeliveryRecord, machine: boolean): void {
  const { streams, mask } = context;
  if (machine) {
    const line = ndjsonLine('delivery', shownDelivery(record, mask));
    streams.out(streams.stdoutIsTerminal ? escapeHostile(line) : line);
    return;
  }
  streams.out(`${isoTime(record.receivedAt)}  ${deliveryLine(record, streams.colour.stdout)}\n`);
}
