/**
 * `remit recipient triage` over 10,000 recipients that need somebody: how soon its first rows are there, beside the time in which
 * `remit api` has fetched the same first page. In a pipe, and as a board in a pseudo-terminal.
 */
import { spawn as spawnInTerminal } from '@lydell/node-pty';
import { startChild } from '../support/children.ts';
import { type Figure, judgedStart, type Place } from '../support/figure.ts';
import { isOurs } from '../support/processor.ts';
import { environmentFor, remitOf, runToEnd } from '../support/remit.ts';
import { median, takeTurns } from '../support/turns.ts';

const RECIPIENTS = 10_000;
const FILLED = { recipients: RECIPIENTS, states: ['error', 'manual', 'stuck', 'exception'] };
const STATES = ['error', 'manual', 'stuck', 'overpaid', 'exception'];
const FIRST_PAGE = [
  ...['api', 'GET', '/recipients', '--param', 'per=100'],
  ...STATES.flatMap((state) => ['-f', `state[]=${state}`]),
];
const TRIAGE = ['recipient', 'triage', '--all'];
/** The pointer of the board stands before a row, never before a heading. */
const ROW_ON_BOARD = /❯/;

export async function triage({ programs, root, quick }: Place): Promise<Figure[]> {
  const server = startChild<object, { url: string }>(programs, 'filled-server', FILLED);
  const { url } = await server.ask({ path: '', count: 0 });
  const env = environmentFor(url);
  const remit = remitOf(root);
  const all: number[] = [];
  const turns = await takeTurns(
    {
      page: async () => ({ ms: (await runToEnd([remit, ...FIRST_PAGE], env)).firstMs }),
      rows: async () => {
        const { firstMs, ms = 0, lines } = await runToEnd([remit, ...TRIAGE, '-o', 'ndjson'], env);
        if (lines !== RECIPIENTS) throw new Error(`triage printed ${lines} rows of ${RECIPIENTS}`);
        all.push(ms);
        return { ms: firstMs };
      },
      pageShown: async () => ({ ms: await shown([remit, ...FIRST_PAGE], env, /"object"/) }),
      board: async () => ({ ms: await shown([remit, ...TRIAGE], env, ROW_ON_BOARD) }),
    },
    quick ? 5 : 15,
  );
  await server.stop();
  const piped = judgedStart('triage, first rows in a pipe / its first page', turns, ['rows', 'page'], 1.5);
  return [
    { ...piped, facts: `${piped.facts}; all ${RECIPIENTS} in ${median(all).toFixed(0)} ms` },
    judgedStart('triage, first rows on the board / its first page', turns, ['board', 'pageShown'], 1.5),
  ];
}

/** From the start of the process until this is on the terminal. */
function shown(args: string[], env: Record<string, string>, wanted: RegExp): Promise<number> {
  return new Promise((resolve, reject) => {
    const before = performance.now();
    const terminal = spawnInTerminal(process.execPath, args, {
      cols: 120,
      rows: 40,
      name: 'xterm-256color',
      env: { ...env, TERM: 'xterm-256color' },
    });
    isOurs(terminal.pid);
    let screen = '';
    let ms: number | undefined;
    terminal.onData((data) => {
      if (ms !== undefined) return;
      screen += data;
      if (!wanted.test(screen)) return;
      ms = performance.now() - before;
      terminal.write('\u0003');
    });
    terminal.onExit(() =>
      ms === undefined ? reject(new Error(`never shown: ${wanted}\n${screen}`)) : resolve(ms),
    );
  });
}
