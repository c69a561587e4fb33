/** `webhooks listen` as a process of its own, against a sandbox that this process serves on loopback, for one file of tests. */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, expect } from 'vitest';
import { senderFlags, useBench } from './cli.ts';
import { machine, real } from './clock.ts';
import { startHandler } from './listening.ts';
import { type Program, usePrograms } from './program.ts';

interface Line {
  kind: string;
  data: Record<string, unknown>;
}
export const parse = (line: string): Line => JSON.parse(line) as Line;
export const lines = (program: Program): Line[] => program.stdout().split('\n').slice(0, -1).map(parse);
export const is =
  (kind: string, event = '') =>
  (line: string): boolean =>
    line.includes(`"kind":"${kind}"`) && line.includes(event);

export function credentialsIn(dir: string): { key: string; secret: string } {
  const { profiles } = JSON.parse(readFileSync(join(dir, 'config.json'), 'utf8')) as {
    profiles: Record<string, { key: string }>;
  };
  const secrets = JSON.parse(readFileSync(join(dir, 'secrets.json'), 'utf8')) as Record<string, string>;
  return { key: profiles.local?.key ?? '', secret: secrets.local ?? '' };
}

type Handler = Awaited<ReturnType<typeof startHandler>>;

export function useListening() {
  const home = usePrograms();
  const { env, remit } = home;
  const bench = useBench({ once: true });
  let handler: Handler | undefined;
  let service: { stop: AbortController; ended: Promise<unknown> } | undefined;
  afterEach(async () => {
    await handler?.close();
    handler = undefined;
    service?.stop.abort();
    await service?.ended;
    service = undefined;
  });

  /** As the command serves it, profile and all. */
  async function sandbox(): Promise<{ url: string }> {
    machine.ms = real.now();
    const stop = new AbortController();
    const stdout = new PassThrough();
    const argv = ['sandbox', 'start', '--port', '0', '--clock', 'standing', '-o', 'ndjson'];
    const unset = { REMIT_BASE_URL: undefined, REMIT_API_KEY: undefined, REMIT_API_SECRET: undefined };
    const ended = bench.run(argv, {
      ...{ stdout, interrupt: stop.signal, network: true },
      env: { ...unset, ...env() },
    });
    service = { stop, ended };
    const [ready] = await once(stdout, 'data');
    return parse(String(ready)).data as { url: string };
  }

  async function run(
    argv: string[],
    more: Record<string, string> = {},
  ): Promise<{ program: Program; ready: Record<string, string> }> {
    const program = home.start([...argv, '-o', 'ndjson'], more);
    return { program, ready: parse(await program.line(is('ready'))).data as Record<string, string> };
  }
  return {
    home,
    env,
    remit,
    run,
    sender: (id: string) => remit('sender', 'create', ...senderFlags(id)),
    listOf: async (...argv: string[]) => JSON.parse((await remit(...argv, '-o', 'json')).stdout).data,
    sandbox,
    listen: (...argv: string[]) => run(['webhooks', 'listen', ...argv]),
    async stop(program: Program): Promise<void> {
      program.signal('SIGINT');
      expect((await program.ended).code).toBe(0);
    },
    /** Closed after the test. */
    async handlerFor(...given: Parameters<typeof startHandler>): Promise<Handler> {
      handler = await startHandler(...given);
      return handler;
    },
  };
}
