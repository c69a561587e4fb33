/** `remit books sync` as a process that is killed between the pages, again and again: nothing is lost, and nothing is read from the start. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { type Bench, controlToken, createBench, senderFlags } from '../support/cli.ts';
import { runRemit, startRemit } from '../support/program.ts';
import { variablesFor } from '../support/service.ts';

let bench: Bench;
let listening: Listening;
let env: Record<string, string>;
/** Pages that were asked for, in their order. */
let asked: number[];
/** Whoever asks for this page is told of, and not answered. */
let heldPage: number | undefined;
let onHeld: () => void;

beforeEach(async () => {
  bench = await createBench({ balances: { EUR: '1000000.00' } });
  asked = [];
  heldPage = undefined;
  const { sandbox } = bench;
  const handle: typeof sandbox.handle = async (request) => {
    const page = Number(/\/transactions\?.*\bpage=(\d+)/.exec(request.url)?.[1] ?? 0);
    if (page > 0) asked.push(page);
    if (page > 0 && page === heldPage) {
      onHeld();
      await new Promise(() => {});
    }
    return sandbox.handle(request);
  };
  listening = await listen({ ...sandbox, handle }, { port: 0 });
  env = variablesFor(listening, bench.dir);
  keepControlToken({ REMIT_CONFIG_DIR: bench.dir }, listening.url, controlToken);
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
});
afterEach(async () => {
  await listening.close();
  await bench.close();
});

/** Killed while it waits for that page, once so many records are written: how many a machine writes together depends on its speed. The pages that it asked for. */
async function killedAt(page: number, written = 0): Promise<number[]> {
  asked = [];
  heldPage = page;
  const held = new Promise<void>((resolve) => {
    onHeld = resolve;
  });
  const program = startRemit(['books', 'sync'], env);
  await held;
  // The page before may still be on its way to the disk: a busy machine takes a while.
  while (written > 0 && (await status()).transactions < written);
  program.process.kill('SIGKILL');
  expect(await program.ended).toMatchObject({ signal: 'SIGKILL' });
  heldPage = undefined;
  return asked;
}

it('goes on behind what was written, and has every record in the end', async () => {
  for (const rounds of ['100', '30'])
    expect(await bench.run(['sandbox', 'seed', '--rounds', rounds])).toMatchObject({ code: 0 });
  await killedAt(3);
  await killedAt(12, 1);
  const { transactions, next_page: next, complete_until: complete } = await status();
  expect([next, complete]).toEqual([transactions / 100 + 1, null]);
  expect((await killedAt(13))[0]).toBe(next);
  asked = [];
  const last = await runRemit(['books', 'sync', '-o', 'json'], env);
  expect([last.code, JSON.parse(last.stdout).data.complete], last.stderr).toEqual([0, true]);
  expect(asked[0]).toBeGreaterThanOrEqual(next);
  const checked = await runRemit(['books', 'sync', '--check', '-o', 'json'], env);
  expect([checked.code, JSON.parse(checked.stdout).data], checked.stderr).toEqual([0, []]);
});

async function status(): Promise<{ transactions: number; next_page: number; complete_until: string | null }> {
  return JSON.parse((await runRemit(['books', 'status', '-o', 'json'], env)).stdout).data;
}
