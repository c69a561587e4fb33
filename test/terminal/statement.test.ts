/** A statement as people see it, on a real pseudo-terminal of two widths. Screens are kept in `screens/statement`, to be read by eye. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { type Listening, listen } from '../../src/sandbox/http/listen.ts';
import { type Bench, controlToken, createBench, payArgv, senderFlags } from '../support/cli.ts';
import { some } from '../support/long.ts';
import { brokenLines, screenOf } from '../support/screen.ts';
import { variablesFor } from '../support/service.ts';
import { openTerminal } from '../support/terminal.ts';

let bench: Bench;
let listening: Listening;
let env: Record<string, string>;

beforeEach(async () => {
  bench = await createBench();
  listening = await listen(bench.sandbox, { port: 0 });
  keepControlToken({ REMIT_CONFIG_DIR: bench.dir }, listening.url, controlToken);
  env = { ...variablesFor(listening, bench.dir), TZ: 'UTC' };
  await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
});
afterEach(async () => {
  await listening.close();
  await bench.close();
});

async function shown(cols: number, ...argv: string[]) {
  const terminal = openTerminal(argv, env, { cols, rows: ROWS });
  const code = await terminal.exit;
  return { terminal, code };
}

const ROWS = 40;

async function keep(name: string, cols: number, ...argv: string[]): Promise<void> {
  const { code, terminal } = await shown(cols, ...argv);
  const raw = terminal.raw();
  // The books began in this month.
  expect([code, await brokenLines(raw, { cols, rows: ROWS })]).toEqual([10, []]);
  const plain = (await screenOf(raw, { cols, rows: ROWS })).replace(
    /\b(?=[0-9a-f]{8}\b)\d*[a-f]\w*/g,
    '0a0a0a0a',
  );
  await expect(plain).toMatchFileSnapshot(`screens/statement/${name}-${cols}.txt`);
}

it.each(some([80, 120], 1))('at %i columns', async (cols) => {
  for (const [account, id] of [
    ['0123456700', 'p-1'],
    ['0123456719', 'p-2'],
  ] as const)
    await bench.run(payArgv(account, '--external-id', id));
  await bench.run(['sandbox', 'clock', 'advance', '2d']);
  expect((await shown(cols, 'books', 'sync')).code).toBe(0);
  await keep('lines', cols, 'statement', '--month', '2026-01', '--currency', 'EUR');
  await keep('totals', cols, 'statement', '--month', '2026-01', '--totals');
});
