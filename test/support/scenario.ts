/**
 * Scenarios as tests: each table is played twice, by the project's client and by the second one, in a sandbox of its own.
 * docs/scenarios.md has the verbs.
 */
import { describe, expect, test } from 'vitest';
import { createClient } from '../../src/client/client.ts';
import { seededRandom } from '../../src/core/random.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { runScenario } from '../../src/sandbox/scenario/run.ts';
import type { AnyJson, Stage } from '../../src/sandbox/scenario/stage.ts';
import { openTheatre, scenarioCredentials } from '../../src/sandbox/scenario/theatre.ts';
import { memoryTransport } from './memory-transport.ts';
import { testData } from './sandbox.ts';
import { secondClient } from './second-client.ts';

const BASE_URL = 'http://127.0.0.1:4010/v1';

/** States that any scenario saw, by resource: the tests ask whether one was never reached. */
export const statesReached: Record<string, Set<string>> = {};
export const eventsReached = new Set<string>();

export function scenario(title: string, table: string, options: Partial<SandboxOptions> = {}): void {
  test(title, async () => {
    for (const call of [firstCalls, secondCalls]) await play(table, options, call);
  });
}

/** A table for each title of the group. */
export function scenarios(
  group: string,
  tables: Readonly<Record<string, string>>,
  options: Partial<SandboxOptions> = {},
): void {
  describe(group, () => {
    for (const [title, table] of Object.entries(tables)) scenario(title, table, options);
  });
}

async function play(
  table: string,
  options: Partial<SandboxOptions>,
  call: (sandbox: Sandbox) => Stage['call'],
): Promise<void> {
  const data = await testData();
  const { stage, sandbox, close } = await openTheatre({ ...(data ? { data } : {}), ...options }, (made) =>
    watched(call(made)),
  );
  const { failed } = await runScenario(stage, table);
  for (const { event, object } of stage.received) {
    eventsReached.add(event);
    note(object);
  }
  expect(failed, `${call.name}: ${JSON.stringify(failed)}`).toBeNull();
  sandbox.audit();
  await close();
}

function firstCalls(sandbox: Sandbox): Stage['call'] {
  const client = createClient({
    baseUrl: BASE_URL,
    credentials: scenarioCredentials,
    transport: memoryTransport((request) => sandbox.fetch(request)),
    clock: { now: () => sandbox.clock.now() },
    random: seededRandom(5),
    nonce: () => crypto.randomUUID(),
    sleep: async () => undefined,
    retries: { tries: 1, firstDelayMs: 1 },
  });
  return async (method, path, body) => {
    const response = await client.raw({
      method: method as 'GET',
      path,
      effect: method === 'GET' ? 'read' : 'money',
      body: body === undefined ? undefined : JSON.stringify(body),
    });
    return { status: response.status, body: JSON.parse(response.body), text: response.body };
  };
}

function secondCalls(sandbox: Sandbox): Stage['call'] {
  return secondClient((request) => sandbox.fetch(request), BASE_URL, scenarioCredentials).call;
}

/** Notes every state that an answer shows. */
function watched(call: Stage['call']): Stage['call'] {
  return async (method, path, body) => {
    const reply = await call(method, path, body);
    for (const object of [reply.body.object].flat()) note(object);
    return reply;
  };
}

function note(object: AnyJson): void {
  if (typeof object !== 'object' || object === null) return;
  if ('input_currency' in object && 'recipients' in object) reached('transaction', object.state);
  else if ('payout_method' in object) reached('recipient', object.state);
  else if ('ux_flow' in object) reached('payin_method', object.state);
  else if ('ip' in object) reached('sender', object.state);
  for (const each of [object.sender, ...(object.recipients ?? []), ...(object.payin_methods ?? [])])
    note(each);
}

function reached(resource: string, state: unknown): void {
  if (typeof state !== 'string') return;
  statesReached[resource] ??= new Set();
  statesReached[resource]?.add(state);
}
