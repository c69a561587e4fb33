/** A sandbox on a port, and a settings folder for programs that pay there and are killed while they do. */
import { afterEach, beforeEach } from 'vitest';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import type { SandboxOptions } from '../../src/sandbox/sandbox.ts';
import { type Program, temporaryHome } from './program.ts';
import { type Bench, credentials, type Json, startBench } from './sandbox.ts';
import { variablesFor } from './service.ts';

export interface KillStage {
  bench: Bench;
  /** Of the sandbox itself. */
  port: number;
  dir: string;
  /** What a program needs, to reach the sandbox through `port`. */
  env(port: number): Record<string, string>;
  /** How many transactions there are: looked up beside the service, so that no fault that is armed meets the look. */
  count(): number;
  wallet(): number;
}

/** A new one for each test of a file. */
export function useKillStage(options: () => Partial<SandboxOptions> = () => ({})): KillStage {
  const stage = {} as KillStage;
  let listening: Listening;
  let home: ReturnType<typeof temporaryHome>;
  beforeEach(async () => {
    const bench = await startBench(options());
    listening = await listen(bench.sandbox, { port: 0 });
    home = temporaryHome();
    const state = (): Json => bench.sandbox.control.state();
    const { dir } = home;
    Object.assign(stage, {
      bench,
      dir,
      port: listening.port,
      env: (port: number) => variablesFor({ url: `http://127.0.0.1:${port}/v1` }, dir, credentials),
      count: () => state().counts.transactions,
      wallet: () => Number(state().balances.EUR),
    });
  });
  afterEach(async () => {
    await listening.close();
    await stage.bench.sandbox.close();
    home.remove();
  });
  return stage;
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Resolves when it is so. */
export async function until(isReached: () => Promise<boolean> | boolean): Promise<void> {
  while (!(await isReached())) await turn();
}

export const hasEnded = ({ process }: Program): boolean =>
  process.exitCode !== null || process.signalCode !== null;

/** Killed so long after it is reached, or never, where it ends before that. Whether it was killed. */
export async function killAfter(
  program: Program,
  isReached: () => boolean,
  lingerMs: number,
): Promise<boolean> {
  await until(() => isReached() || hasEnded(program));
  setTimeout(() => program.process.kill('SIGKILL'), lingerMs);
  return (await program.ended).signal === 'SIGKILL';
}
