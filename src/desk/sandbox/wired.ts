/** A sandbox with everything around it: port, webhooks, credentials. For the library, and for a program that is run on one. */
import { randomBytes } from 'node:crypto';
import { eventInfo, eventNames } from '../../contract/events.ts';
import { signedHeaders } from '../../contract/signing.ts';
import { OptionError, text } from '../../core/check-options.ts';
import type { Clock } from '../../core/clock.ts';
import type { Transport } from '../../core/ports/transport.ts';
import { listen } from '../../sandbox/http/listen.ts';
import { createSandbox, type Sandbox as Service } from '../../sandbox/sandbox.ts';
import { ControlError } from './control-error.ts';
import { checkAdvance, checkControl, checkOptions } from './options.ts';
import type * as Public from './public.ts';

/**
 * The base URL of a sandbox without a port. No name under `.invalid` is ever known to a resolver (RFC 6761), and no other sandbox has
 * this one: whoever sends a request there by mistake reaches nobody, and two journals never hold the account of each other.
 */
const nowhere = (): string => `https://sandbox-${randomBytes(8).toString('hex')}.invalid/v1`;

/** An address for what `onWebhook` receives: it is part of what is signed. */
const CALLBACK = 'http://127.0.0.1/webhooks';

/** The options of our own face beside the public ones. */
export interface WiredOptions extends Public.SandboxOptions {
  /** Opens the controls over HTTP. */
  controlToken?: string;
}

const OWN_OPTIONS = { controlToken: text };

export async function startWired(options: WiredOptions, machine: Clock): Promise<Public.Sandbox> {
  checkOptions(options, OWN_OPTIONS);
  const { webhook, settings = {}, balances } = options;
  const endpoint = endpointOf(webhook);
  const network = options.onWebhook ? undefined : await openNetwork();
  const credentials = {
    key: `sandbox-${randomBytes(4).toString('hex')}`,
    secret: randomBytes(24).toString('hex'),
  };
  const service = await createSandbox({
    credentials,
    seed: options.seed ?? 1,
    settings,
    clock: clockOf(options, machine),
    transport: options.onWebhook ? handedTo(options.onWebhook) : network?.send,
    deliverTo: options.deliverTo ?? [],
    ...(balances === undefined ? {} : { balances }),
    ...(options.controlToken === undefined ? {} : { controlToken: options.controlToken }),
  });
  const port = options.port === undefined ? undefined : await listen(service, { port: options.port });
  const url = port?.url ?? nowhere();
  const wanted = endpoint ?? (options.onWebhook ? CALLBACK : undefined);
  if (wanted !== undefined) await registerEndpoint(service, url, wanted);
  return publicSandbox(service, url, async () => {
    await port?.close();
    await service.close();
    await network?.close();
  });
}

/** Loaded only where webhooks go out over it. */
const openNetwork = async () => (await import('../../client/network-transport.ts')).createNetworkTransport();

function publicSandbox(service: Service, url: string, close: () => Promise<void>): Public.Sandbox {
  const { key, secret } = service.credentials;
  return {
    url,
    key,
    secret,
    env: { REMIT_BASE_URL: url, REMIT_API_KEY: key, REMIT_API_SECRET: secret },
    fetch: (request) => service.fetch(request),
    now: () => service.clock.now(),
    async advance(ms) {
      checkAdvance(ms);
      await service.advance(ms);
    },
    drain: () => service.drain(),
    // The types say more than a function of names can know: a test holds them to the contract's rows.
    control: ((name: string, asked?: object) => control(service, name, asked)) as Public.Sandbox['control'],
    snapshot: () => service.snapshot(),
    restore: (bytes) => service.restore(bytes),
    reset: () => service.reset(),
    audit: () => service.audit(),
    close,
  };
}

function clockOf({ clock, start }: Public.SandboxOptions, machine: Clock) {
  if (clock === 'running') return { mode: 'running', machine } as const;
  return { mode: 'standing', machine, ...(start === undefined ? {} : { start }) } as const;
}

/** A URL, or the port of one on this machine. @throws OptionError */
function endpointOf(webhook: string | number | undefined): string | undefined {
  if (webhook === undefined) return undefined;
  const text = String(webhook);
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return `http://127.0.0.1:${Number(text)}/`;
  if (URL.canParse(text)) return text;
  throw new OptionError('invalid', 'webhook', `${text} is neither a URL nor a port`);
}

function handedTo(onWebhook: NonNullable<Public.SandboxOptions['onWebhook']>): Transport {
  return async ({ url, headers, body = '' }) => {
    const { event, object } = JSON.parse(body);
    const status = await onWebhook({ event, object, url, headers, body });
    return { status: status ?? 200, headers: {}, body: '' };
  };
}

/** Registers an endpoint for every event that the sandbox sends, by a call like any other. */
export async function registerEndpoint(service: Service, baseUrl: string, endpoint: string): Promise<void> {
  const events = eventNames.filter((name) => eventInfo(name).sandbox);
  const body = JSON.stringify({ webhook: { url: endpoint, events, metadata: {} } });
  const url = `${baseUrl}/webhooks`;
  const nonce = randomBytes(16).toString('hex');
  const headers = signedHeaders(service.credentials, { nonce, method: 'POST', url, body });
  const answer = await service.fetch(new Request(url, { method: 'POST', headers, body }));
  if (answer.status !== 201)
    throw new OptionError('invalid', 'webhook', `the webhook was refused: ${await answer.text()}`);
}

interface Asked {
  id?: string;
  body?: Record<string, unknown>;
  bytes?: Uint8Array;
}

async function control(service: Service, name: string, given: object = {}): Promise<unknown> {
  const asked = given as Asked;
  checkControl(name, asked);
  const answer = await service.control.ask(name, asked);
  if (answer.kind === 'done') return answer.object;
  if (answer.kind === 'bytes') return answer.bytes;
  if (answer.kind === 'wrong') throw new ControlError('refused', answer.sentence);
  throw new ControlError('not_found', `there is nothing with the id ${asked.id}`);
}
