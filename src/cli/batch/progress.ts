/**
 * How far a run is. A terminal shows one line that is drawn again; without one a line is printed every ten seconds, and with
 * `-o ndjson` every row is printed as it becomes something.
 */

import { add } from '../../core/money.ts';
import {
  type PayRow,
  type PayRun,
  type PayRuns,
  ROW_STATES,
  type RowNews,
  type RowStateInfo,
  type RowSum,
  rowStates,
} from '../../core/ports/payruns.ts';
import { money, thousands } from '../../desk/words/amount.ts';
import { escapeLine } from '../../desk/words/escape.ts';
import type { Context } from '../context.ts';
import { streamOf } from '../output/stream-out.ts';
import { formatInfo } from '../terminal/format.ts';
import { duration } from '../terminal/progress.ts';
import { everyMs, stickyLine, type Ticker } from '../terminal/sticky-line.ts';
import { stateWords } from '../views/payrun.ts';
import { rowView, shownRow } from '../views/payrun-row.ts';

export interface Counted {
  name: string;
  rows: number;
  /** Rows that were paid for, and rows that had any end, before this began. */
  paidBefore: number;
  endedBefore: number;
  done: number;
  refused: number;
  unknown: number;
  spent: Record<string, string>;
  ms: number;
}

const EVERY_MS = 250;
const LINE_EVERY_MS = 10_000;

export interface PayProgress {
  onRow(row: PayRow, news: RowNews): void;
  stop(): Promise<void>;
}

export async function payProgress(
  context: Context,
  payruns: PayRuns,
  run: PayRun,
  tickers: { line: Ticker; print: Ticker } = { line: everyMs(EVERY_MS), print: everyMs(LINE_EVERY_MS) },
): Promise<PayProgress> {
  const { streams, globals, world } = context;
  const sums = await payruns.sums(run.id);
  const startedAt = world.clock.now();
  const count = (fits: (info: RowStateInfo) => boolean): number =>
    sums.reduce((all, { state, rows }) => all + (fits(rowStates[state]) ? rows : 0), 0);
  const counted: Counted = {
    name: run.name,
    rows: run.rows,
    paidBefore: count(({ takesMoney }) => takesMoney),
    endedBefore: count(({ open }) => !open),
    done: 0,
    refused: 0,
    unknown: 0,
    spent: {},
    ms: 0,
  };
  const unknown = new Set<number>();
  const { isJson, isByLine } = formatInfo(globals.output);
  const isStreamed = isJson && isByLine;
  const printed = isStreamed ? await streamOf(context, rowView) : undefined;
  const printing: Promise<void>[] = [];
  const text = (): string => {
    counted.ms = world.clock.now() - startedAt;
    counted.unknown = unknown.size;
    return progressText(counted);
  };
  const isTerminal = streams.stderrIsTerminal && world.env.TERM !== 'dumb';
  const stopLine = globals.quiet
    ? () => {}
    : isTerminal
      ? stickyLine(streams, () => fitting(text(), streams.columns - 1), tickers.line)
      : tickers.print(() => streams.err(`${text()}\n`));
  // Payments on their way may take a while: silence would make people press again.
  const stopping = (): void => context.say('Stopping: what is on its way gets its answer first.');
  world.interrupt.addEventListener('abort', stopping, { once: true });
  return {
    onRow(row, news) {
      if (news.state === 'unknown') unknown.add(row.n);
      else unknown.delete(row.n);
      if (news.state === 'refused') counted.refused += 1;
      if (news.state !== undefined && rowStates[news.state].takesMoney) counted.done += 1;
      // A payment by somebody else, or from elsewhere, is none of the cost here.
      if (news.cost !== undefined && news.found === undefined)
        counted.spent[row.inputCurrency] = add(counted.spent[row.inputCurrency] ?? '0', news.cost);
      if (printed !== undefined) printing.push(printed(shownRow(rowAfter(row, news))));
    },
    async stop() {
      world.interrupt.removeEventListener('abort', stopping);
      stopLine();
      await Promise.all(printing);
    },
  };
}

const rowAfter = (row: PayRow, { state = row.state, ...news }: RowNews): PayRow => ({
  ...row,
  ...news,
  state,
});

/** `wages: 120 of 200 paid for, 3 refused, 1 unknown · 1,240.00 EUR · 8 a second · 10 s left`. */
export function progressText(counted: Counted): string {
  const { name, rows, paidBefore, endedBefore, done, refused, unknown, spent, ms } = counted;
  const seen = done + refused;
  const rate = ms > 0 ? (seen * 1000) / ms : 0;
  const left = Math.max(0, rows - endedBefore - seen - unknown);
  const words = [
    `${thousands(paidBefore + done)} of ${thousands(rows)} paid for`,
    ...(refused > 0 ? [`${thousands(refused)} refused`] : []),
    ...(unknown > 0 ? [`${thousands(unknown)} unknown`] : []),
  ].join(', ');
  const amounts = Object.entries(spent).map(([currency, amount]) => money(amount, currency));
  return [
    `${escapeLine(name)}: ${words}`,
    ...(amounts.length > 0 ? [amounts.join(' and ')] : []),
    ...(rate >= 1 ? [`${thousands(Math.round(rate))} a second`] : []),
    ...(rate > 0 && left > 0 ? [`${duration(left / rate)} left`] : []),
  ].join(' · ');
}

/** Cuts a line to the width. Parts that have no room are left out from the end: how fast, then how much. */
function fitting(text: string, width: number): string {
  const parts = text.split(' · ');
  while (parts.length > 1 && parts.join(' · ').length > width) parts.pop();
  return parts.join(' · ').slice(0, Math.max(0, width));
}

/** Shows how the rows change while a run is watched. */
export function followProgress(
  context: Context,
  run: PayRun,
  tickers: { line: Ticker; print: Ticker } = { line: everyMs(EVERY_MS), print: everyMs(LINE_EVERY_MS) },
): { onLook(sums: readonly RowSum[]): void; stop(): void } {
  const { streams, globals, world } = context;
  let shown: string | undefined;
  const isTerminal = streams.stderrIsTerminal && world.env.TERM !== 'dumb';
  const print = (): void => {
    if (shown !== undefined) streams.err(`${shown}\n`);
  };
  const stop = globals.quiet
    ? () => {}
    : isTerminal
      ? stickyLine(streams, () => shown?.slice(0, Math.max(0, streams.columns - 1)), tickers.line)
      : tickers.print(print);
  return {
    onLook(sums) {
      const states = ROW_STATES.flatMap((state) => {
        const rows = sums.reduce((all, sum) => all + (sum.state === state ? sum.rows : 0), 0);
        return rows > 0 ? [`${thousands(rows)} ${stateWords(state)}`] : [];
      });
      shown = `${escapeLine(run.name)}: ${states.join(', ')}`;
    },
    stop,
  };
}
