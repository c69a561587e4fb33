/** Sandboxes that have lived through a scenario or a random walk, and `remit drift` over their logs; what it reads may be altered. */
import type { ApiLog, WebhookLog } from '../../src/contract/resources/log.ts';
import type { Transport } from '../../src/core/ports/transport.ts';
import type { Difference } from '../../src/desk/drift/differences.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { runScenario } from '../../src/sandbox/scenario/run.ts';
import { shippedScenarios } from '../../src/sandbox/scenario/shipped.ts';
import { openTheatre, scenarioCredentials } from '../../src/sandbox/scenario/theatre.ts';
import type { Bench, Run, RunOptions } from './cli.ts';
import { memoryTransport } from './memory-transport.ts';
import { credentials as simulated } from './sandbox.ts';
import { Book } from './simulation/book.ts';
import { operations } from './simulation/operations.ts';
import { openStage } from './simulation/stage.ts';
import { perform } from './simulation/workload.ts';

export interface LivedWorld {
  sandbox: Sandbox;
  credentials: { key: string; secret: string };
  close(): Promise<void>;
}

/** @param refuse so many deliveries are refused before one is accepted */
export async function liveScenario(name: string, refuse = 0): Promise<LivedWorld> {
  const { stage, sandbox, close } = await openTheatre();
  let refused = 0;
  stage.receiver.answer = () => (refused++ % (refuse + 1) < refuse ? 500 : 200);
  const text = shippedScenarios[name]?.text ?? '';
  const { failed } = await runScenario(stage, text);
  if (failed !== null) throw new Error(`scenario ${name} failed`, { cause: failed });
  if (refuse > 0) await sandbox.advance(86_400_000);
  return { sandbox, credentials: scenarioCredentials, close };
}

export async function liveWalk(seed: string, count: number): Promise<LivedWorld> {
  const stage = await openStage(seed);
  const book = new Book((id) => stage.auditor.model.stateOf(id));
  for (const operation of operations(seed, count)) await perform(stage, book, operation);
  await stage.weather.clear();
  await stage.sandbox.advance(2 * 86_400_000);
  return { sandbox: stage.sandbox, credentials: simulated, close: stage.close };
}

/** Alters the records of a log as the service gives them. */
export interface Altered {
  answers?(logs: ApiLog[]): void;
  deliveries?(logs: WebhookLog[]): void;
}

export async function drift(
  bench: Bench,
  { sandbox, credentials }: LivedWorld,
  {
    altered = {},
    argv = [],
    options = {},
  }: { altered?: Altered; argv?: string[]; options?: RunOptions } = {},
): Promise<Run> {
  const service: Transport = memoryTransport((request) => sandbox.fetch(request));
  bench.bend(async (request) => {
    const answer = await service(request);
    const { pathname } = new URL(request.url);
    const isAnswers = pathname.endsWith('/api_logs');
    const alter = isAnswers
      ? altered.answers
      : pathname.endsWith('/logs/webhooks')
        ? altered.deliveries
        : undefined;
    if (alter === undefined || answer.status !== 200) return answer;
    const body = JSON.parse(answer.body);
    alter(body.object);
    return { ...answer, body: JSON.stringify(body) };
  });
  const env = { REMIT_API_KEY: credentials.key, REMIT_API_SECRET: credentials.secret, ...options.env };
  try {
    return await bench.run(['drift', '--since', '2026-01-01', ...argv], { ...options, env });
  } finally {
    bench.straighten();
  }
}

export const differencesOf = (run: Run): Difference[] => run.data<Difference[]>();
