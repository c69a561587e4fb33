/** `webhooks listen` and `sandbox start` as processes of their own, for one file of tests. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect } from 'vitest';
import { senderFlags } from './cli.ts';
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
  let handler: Handler | undefined;
  afterEach(async () => {
    await handler?.close();
    handler = undefined;
  });

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
    sandbox: () => run(['sandbox', 'start', '--port', '0', '--clock', 'standing']),
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
