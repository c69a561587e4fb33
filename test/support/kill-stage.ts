/** A sandbox on a port, and a settings folder for programs that pay there and are killed while they do. */
import { afterEach, beforeEach } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import type { Sandbox, SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { type Program, startRemit, temporaryHome } from './program.ts';
import { type Bench, credentials, type Json, startBench } from './sandbox.ts';
import { variablesFor } from './service.ts';

export interface KillStage {
  bench: Bench;
  /** Of the sandbox itself. */
  port: number;
  dir: string;
  /** What a program needs, to reach the sandbox through `port`. */
  env(port: number): Record<string, string>;
  start(argv: readonly string[], env: Record<string, string>, through?: readonly string[]): Program;
  /** How many transactions there are: looked up beside the service, so that no fault that is armed meets the look. */
  count(): number;
  wallet(): number;
  /** The targets of the requests that came, answered or not. */
  arrived: string[];
  /** Resolves when it is so. It is looked at whenever a request came or was carried out, and when a program of this stage ended. */
  until(isReached: () => boolean): Promise<void>;
  /** Killed so long after it is reached, or never, where it ends before that. Whether it was killed. */
  killAfter(program: Program, isReached: () => boolean, lingerMs: number): Promise<boolean>;
}

export const hasEnded = ({ process }: Program): boolean =>
  process.exitCode !== null || process.signalCode !== null;

/** A new one for each test of a file. */
export function useKillStage(options: () => Partial<SandboxOptions> = () => ({})): KillStage {
  const bell = new Bell();
  let listening: Listening;
  let home: ReturnType<typeof temporaryHome>;
  const state = (): Json => stage.bench.sandbox.control.state();
  const stage = {
    env: (port) => variablesFor({ url: `http://127.0.0.1:${port}/v1` }, home.dir, credentials),
    start(argv, env, through) {
      const program = startRemit(argv, env, through);
      void program.ended.then(() => bell.ring());
      return program;
    },
    count: () => state().counts.transactions,
    wallet: () => Number(state().balances.EUR),
    until: (isReached) => bell.until(isReached),
    async killAfter(program, isReached, lingerMs) {
      await bell.until(() => isReached() || hasEnded(program));
      setTimeout(() => program.process.kill('SIGKILL'), lingerMs);
      return (await program.ended).signal === 'SIGKILL';
    },
  } as KillStage;
  beforeEach(async () => {
    stage.bench = await startBench(options());
    stage.arrived = [];
    listening = await listen(ringing(stage.bench.sandbox, stage.arrived, bell), { port: 0 });
    home = temporaryHome();
    stage.port = listening.port;
    stage.dir = home.dir;
  });
  afterEach(async () => {
    await listening.close();
    await stage.bench.sandbox.close();
    home.remove();
  });
  return stage;
}

/** Wakes whoever waits, so that nobody needs to look again and again. */
class Bell {
  #waiting: (() => void)[] = [];

  ring(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  async until(isReached: () => boolean): Promise<void> {
    while (!isReached()) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }
}

/** Rings when a request comes, and when it was carried out, before its answer leaves. */
const ringing = (sandbox: Sandbox, arrived: string[], bell: Bell): Sandbox => ({
  ...sandbox,
  handle(request) {
    arrived.push(request.url);
    bell.ring();
    return sandbox.handle(request).finally(() => bell.ring());
  },
});
