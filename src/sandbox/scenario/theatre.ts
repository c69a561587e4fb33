/** A sandbox of its own for a scenario: in memory, on a clock that stands, with a receiver for all its webhooks. */
import { SANDBOX_URL } from '../../contract/base-url.ts';
import type { ControlId } from '../../contract/controls/index.ts';
import { loadAllCorridors } from '../../contract/corridors/index.ts';
import { eventInfo, eventNames } from '../../contract/events.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import { signedHeaders } from '../../contract/signing.ts';
import type { Transport } from '../../core/transport.ts';
import type { ControlAnswer } from '../control/reply.ts';
import { createSandbox, type Sandbox, type SandboxOptions } from '../sandbox.ts';
import { toJson } from '../views/json.ts';
import { nothingKnown, type Reply, type Stage } from './stage.ts';

export const scenarioCredentials: Credentials = { key: 'scenario', secret: 'secret-of-a-scenario' };
const { host: HOST } = new URL(SANDBOX_URL);
const HOOK = 'http://127.0.0.1:4011/hook';

export interface Theatre {
  stage: Stage;
  sandbox: Sandbox;
  close(): Promise<void>;
}

/** `call` stands in for the client where there is another one, and `hook` is where webhooks go then. */
export async function openTheatre(
  options: Partial<SandboxOptions> = {},
  call?: (sandbox: Sandbox) => Stage['call'],
  hook = HOOK,
): Promise<Theatre> {
  const received: Stage['received'] = [];
  const receiver: Stage['receiver'] = { answer: () => 200 };
  const transport: Transport = async ({ body }) => {
    const status = await receiver.answer();
    received.push(JSON.parse(body ?? '{}'));
    return { status, headers: {}, body: '' };
  };
  const sandbox = await createSandbox({
    credentials: scenarioCredentials,
    transport,
    sleep: async () => undefined,
    ...options,
  });
  const stage: Stage = {
    call: call?.(sandbox) ?? signedCalls(sandbox),
    control: async (id, asked) => replyTo(await sandbox.control.ask(id as ControlId, asked as object)),
    advance: (ms) => sandbox.advance(ms),
    drain: () => sandbox.drain(),
    book: await loadAllCorridors(),
    received,
    receiver,
    known: nothingKnown(),
  };
  const events = eventNames.filter((name) => eventInfo(name).sandbox);
  await stage.call('POST', '/webhooks', { webhook: { url: hook, events } });
  return { stage, sandbox, close: () => sandbox.close() };
}

function signedCalls(sandbox: Sandbox): Stage['call'] {
  let nonces = 0;
  return async (method, path, sent) => {
    nonces += 1;
    const body = sent === undefined ? undefined : JSON.stringify(sent);
    const url = `http://${HOST}/v1${path}`;
    const headers = signedHeaders(scenarioCredentials, { nonce: `scenario-${nonces}`, method, url, body });
    const response = await sandbox.fetch(
      new Request(url, { method, headers, ...(body === undefined ? {} : { body }) }),
    );
    const text = await response.text();
    return { status: response.status, body: JSON.parse(text), text };
  };
}

function replyTo(said: ControlAnswer): Reply {
  const status = { done: 200, bytes: 200, wrong: 422, unknown: 404 }[said.kind];
  const body = said.kind === 'done' ? { object: said.object } : bodyOf(said);
  return { status, body, text: toJson(body) };
}

function bodyOf(said: ControlAnswer): object {
  if (said.kind !== 'wrong') return {};
  const { field, sentence } = said;
  return { object: { errors: { [field]: [{ error: 'invalid' }], base: [{ error: sentence }] } } };
}
