/** A sandbox with everything around it: port, webhooks, credentials. For the library, and for a program that is run on one. */
import { randomBytes } from 'node:crypto';
import { controlIds, controls } from '../contract/controls/index.ts';
import { eventInfo, eventNames } from '../contract/events.ts';
import { signedHeaders } from '../contract/signing.ts';
import {
  aFunction,
  aText,
  aWordOf,
  type Check,
  type Checks,
  checkOptions as check,
  must,
  OptionError,
} from '../core/check-options.ts';
import type { Clock } from '../core/clock.ts';
import { currencyRule } from '../core/currency.ts';
import { isDecimal } from '../core/money.ts';
import type { Transport } from '../core/transport.ts';
import { ControlError } from './control-error.ts';
import { listen } from './http/listen.ts';
import type * as Public from './public.ts';
import { createSandbox, type Sandbox as Service } from './sandbox.ts';
import { badSetting, badSettings } from './settings.ts';

/** Checks the options that `startSandbox` and `control` are called with: a partner's program need not be typed. */
const OPTIONS: Checks<Public.SandboxOptions> = {
  port: must('a port from 0 to 65535', (value) => isWhole(value) && value <= 65_535),
  seed: must('a text or a number', (value) => typeof value === 'string' || Number.isFinite(value)),
  clock: aWordOf('standing', 'running'),
  start: must('milliseconds since 1970', isWhole),
  webhook: must('a URL or a port', (value) => typeof value === 'string' || isWhole(value)),
  deliverTo: must('a list of hosts', (value) => Array.isArray(value) && value.every(isText)),
  onWebhook: aFunction,
  settings: must('an object of settings', isObject),
  balances: must('an object of amounts by currency', isObject),
};

/** `more` are options that our own commands have beside the public ones. @throws OptionError */
function checkOptions(given: object, more: Readonly<Record<string, Check>> = {}): void {
  check('a sandbox', { ...OPTIONS, ...more }, given);
  const { settings = {}, balances = {} } = given as Public.SandboxOptions;
  const [bad] = badSettings(settings as Record<string, unknown>);
  if (bad !== undefined) throw new OptionError('invalid', 'settings', badSetting(bad));
  checkBalances(balances);
}

function checkBalances(balances: Record<string, unknown>): void {
  for (const [currency, amount] of Object.entries(balances)) {
    const rule = currencyRule(currency);
    if (!rule) throw new OptionError('invalid', 'balances', `there is no currency ${currency}`);
    const text = String(amount);
    const [, fraction = ''] = text.split('.');
    if (!isDecimal(text) || text.startsWith('-') || fraction.length > rule.decimals)
      throw new OptionError('invalid', 'balances', `the balance in ${currency} is no amount: ${text}`);
  }
}

const ASKED: readonly string[] = ['id', 'body', 'bytes'] satisfies (keyof Public.ControlAsked)[];

/** @throws OptionError */
function checkControl(name: string, asked: unknown): asserts name is Public.ControlName {
  const id = controlIds.find((each) => each === name);
  if (!id) throw new OptionError('unknown', 'name', `there is no control ${name}: ${controlIds.join(', ')}`);
  if (!isObject(asked))
    throw new OptionError('invalid', 'asked', `${name} takes an object: ${ASKED.join(', ')}`);
  const odd = Object.keys(asked).find((member) => !ASKED.includes(member));
  if (odd !== undefined)
    throw new OptionError('unknown', odd, `${name} takes no ${odd}: ${ASKED.join(', ')}`);
  const { path, body, bytes } = controls[id];
  const wantsId = path.includes('{id}');
  if (wantsId !== isText(asked.id))
    throw new OptionError(
      wantsId ? 'missing' : 'invalid',
      'id',
      wantsId ? `${name} needs an id` : `${name} takes no id`,
    );
  if (asked.body !== undefined && !(body && isObject(asked.body)))
    throw new OptionError(
      'invalid',
      'body',
      body ? `the body of ${name} is an object` : `${name} takes no body`,
    );
  if (asked.bytes !== undefined && bytes !== 'in')
    throw new OptionError('invalid', 'bytes', `${name} takes no bytes`);
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** @throws OptionError */
function checkAdvance(ms: number): void {
  if (!Number.isFinite(ms) || ms < 0)
    throw new OptionError('invalid', 'ms', 'advance takes milliseconds: 0, or a number above it');
}

/**
 * The base URL of a sandbox without a port. No name under `.invalid` is ever known to a resolver (RFC 6761), and no other sandbox has
 * this one: a request sent there by mistake goes nowhere, and two journals never hold the account of each other.
 */
const nowhere = (): string => `https://sandbox-${randomBytes(8).toString('hex')}.invalid/v1`;

/** An address for what `onWebhook` receives: it is part of what is signed. */
const CALLBACK = 'http://127.0.0.1/webhooks';

/** The options of our own face beside the public ones. */
export interface WiredOptions extends Public.SandboxOptions {
  /** Opens the controls over HTTP. */
  controlToken?: string;
}

const OWN_OPTIONS = { controlToken: aText };

interface Network {
  send: Transport;
  close(): Promise<void>;
}

/** @param openNetwork what webhooks go out over: called only where they do */
export async function startWired(
  options: WiredOptions,
  machine: Clock,
  openNetwork: () => Promise<Network>,
): Promise<Public.Sandbox> {
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
