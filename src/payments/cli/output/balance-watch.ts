/**
 * Balances looked at again and again. The service asks for five minutes between two looks (docs/rules.md 11); a sandbox on this
 * machine may be asked every half second. On a terminal the table is drawn again in its place; elsewhere what changed is
 * printed, a line each.
 */

import type { Account } from '../../../contract/resources/account.ts';
import { isoTime } from '../../../core/clock.ts';
import { isLoopback } from '../../../core/hosts.ts';
import { usage } from '../../../core/problem.ts';
import { exitCodes } from '../../../frame/exit-codes.ts';
import { pacedOut, streamOf } from '../../../frame/output/stream-out.ts';
import { canGoBack } from '../../../frame/terminal/colour.ts';
import { formatInfo } from '../../../frame/terminal/format.ts';
import { render } from '../../../frame/terminal/formats.ts';
import { withLocal } from '../../../frame/terminal/local-time.ts';
import { renderingFor } from '../../../frame/terminal/rendering.ts';
import { type Floor, type Floors, floorNotes, floorRows } from '../../balance-floors.ts';
import { tolerant } from '../../polling.ts';
import type { Context } from '../context.ts';
import type { Watch } from '../flags/watch.ts';
import type { Result } from '../result.ts';
import { accountView, type BalanceAtLook, seenBalanceView } from '../views/account.ts';

const LEAST_MS = 300_000;
const LOCAL_MS = 2_000;
const LOCAL_LEAST_MS = 500;

/** @throws Problem (usage) where it is asked for more often than the service allows */
export async function watchBalances(
  context: Context,
  { everyMs, count, timeoutMs }: Watch,
  read: () => Promise<readonly Account[]>,
  floors?: Floors,
): Promise<Result> {
  const { process } = context;
  const pause = pauseOf(everyMs, (await context.connection()).baseUrl);
  const show = await shower(context);
  const look = tolerant(context);
  const until = process.clock.now() + timeoutMs;
  let rows: Floor[] = [];
  for (let number = 1; ; number++) {
    // With nothing read yet there is nothing to show again: the first failure is the answer.
    const accounts = number === 1 ? await read() : await look(read);
    if (accounts !== undefined && !(await show(accounts))) break;
    if (accounts !== undefined && floors !== undefined) {
      rows = floorRows(floors, accounts);
      if (rows.every(({ enough }) => enough)) break;
    }
    const left = until - process.clock.now();
    if (number >= count || left <= 0) break;
    await process.sleep(Math.min(pause, left), process.interrupt);
    if (process.interrupt.aborted || process.clock.now() >= until) break;
  }
  if (process.interrupt.aborted) return { done: true, exit: exitCodes.interrupted };
  for (const note of rows.length > 0 ? floorNotes(rows) : []) context.say(note);
  return { done: true, exit: rows.every(({ enough }) => enough) ? exitCodes.ok : exitCodes.check };
}

function pauseOf(asked: number | undefined, baseUrl: string): number {
  const local = isLoopback(new URL(baseUrl).hostname);
  const least = local ? LOCAL_LEAST_MS : LEAST_MS;
  if (asked !== undefined && asked < least)
    throw usage(
      local
        ? 'a look takes longer than that'
        : 'the service asks for five minutes between two looks at a balance',
      `--watch ${local ? '500ms' : '5m'} or more`,
    );
  return asked ?? (local ? LOCAL_MS : LEAST_MS);
}

type Show = (accounts: readonly Account[]) => Promise<boolean>;

/** False once the reader is gone. */
async function shower(context: Context): Promise<Show> {
  const rendering = renderingFor(context.process, context.globals);
  const inPlace =
    rendering.isTerminal &&
    formatInfo(rendering.format).isDrawn === true &&
    canGoBack(context.process.env) &&
    !rendering.query;
  return inPlace ? redrawn(context) : changed(context);
}

/** One write: the lines above are written over from the top, so that nothing is empty in between. */
function redrawn(context: Context): Show {
  const out = pacedOut(context);
  const rendering = renderingFor(context.process, context.globals);
  let height = 0;
  return async (accounts) => {
    const { text } = await render(accountView, accounts, rendering);
    const time = withLocal(isoTime(context.process.clock.now()).replace(/\.\d+/, ''), rendering.zone);
    const lines = [
      ...text.trimEnd().split('\n'),
      rendering.paint.dim(`as of ${time}; Ctrl-C ends it`.slice(0, rendering.columns - 1)),
    ];
    const up = height === 0 ? '' : `\u001b[${height}A\r`;
    height = lines.length;
    return out(`${up}${lines.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`);
  };
}

function changed(context: Context): Show {
  const before = new Map<string, string>();
  let gone = false;
  context.streams.stdout.once('error', () => {
    gone = true;
  });
  let print: Awaited<ReturnType<typeof streamOf<BalanceAtLook>>> | undefined;
  return async (accounts) => {
    print ??= await streamOf(context, seenBalanceView);
    const now = isoTime(context.process.clock.now());
    for (const account of accounts) {
      const text = JSON.stringify(account);
      if (before.get(account.currency) === text) continue;
      before.set(account.currency, text);
      await print({ seen_at: now, ...account });
    }
    return !gone;
  };
}
