/**
 * How far a run is. A terminal shows one line that is drawn again; without one a line is printed every ten seconds, and with
 * `-o ndjson` every row is printed as it becomes something.
 */

import { money, thousands } from '../../../../core/amount-words.ts';
import { escapeLine } from '../../../../core/escape.ts';
import { streamOf } from '../../../../frame/output/stream-out.ts';
import { canGoBack } from '../../../../frame/terminal/colour.ts';
import { formatInfo } from '../../../../frame/terminal/format.ts';
import { duration } from '../../../../frame/terminal/progress.ts';
import { everyMs, stickyLine, type Ticker } from '../../../../frame/terminal/sticky-line.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import { stateWords } from '../../../../payments/words/looks.ts';
import type { PaidCount, PaidCounter, RowsByState } from '../../../progress.ts';
import { rowView } from '../../views/row.ts';

const EVERY_MS = 250;
const LINE_EVERY_MS = 10_000;
const TICKERS: { line: Ticker; print: Ticker } = { line: everyMs(EVERY_MS), print: everyMs(LINE_EVERY_MS) };

export interface PayProgress {
  onRow(...heard: Parameters<PaidCounter['onRow']>): void;
  stop(): Promise<void>;
}

export async function payProgress(
  context: Context,
  counter: PaidCounter,
  tickers = TICKERS,
): Promise<PayProgress> {
  const { globals, process } = context;
  const startedAt = process.clock.now();
  const { isJson, isByLine } = formatInfo(globals.output);
  const isStreamed = isJson && isByLine;
  const printed = isStreamed ? await streamOf(context, rowView) : undefined;
  const printing: Promise<void>[] = [];
  const text = (): string => progressText(counter.count(), process.clock.now() - startedAt);
  const stopLine = keepShowing(context, text, tickers);
  // Payments on their way may take a while: silence would make people press again.
  const stopping = (): void => context.say('Stopping: what is on its way gets its answer first.');
  process.interrupt.addEventListener('abort', stopping, { once: true });
  return {
    onRow(row, news) {
      const shown = counter.onRow(row, news);
      if (printed !== undefined) printing.push(printed(shown()));
    },
    async stop() {
      process.interrupt.removeEventListener('abort', stopping);
      stopLine();
      await Promise.all(printing);
    },
  };
}

/** `wages: 120 of 200 paid for, 3 refused, 1 unknown · 1,240.00 EUR · 8 a second · 10 s left`. */
function progressText(counted: PaidCount, ms: number): string {
  const { name, rows, paidBefore, endedBefore, done, refused, unknown, spent } = counted;
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

/** A line that is drawn over where the terminal can go back, and else printed now and then. Returns what ends it. */
function keepShowing(
  { streams, globals, process }: Context,
  text: () => string,
  { line, print }: typeof TICKERS,
): () => void {
  if (globals.quiet) return () => {};
  if (streams.stderrIsTerminal && canGoBack(process.env))
    return stickyLine(streams, () => fitting(text(), streams.columns - 1) || undefined, line);
  return print(() => {
    if (text() !== '') streams.err(`${text()}\n`);
  });
}

/** Shows how the rows change while a run is watched. */
export function followProgress(
  context: Context,
  name: string,
  tickers = TICKERS,
): { onLook(rows: RowsByState): void; stop(): void } {
  let shown = '';
  return {
    onLook(rows) {
      const states = rows.map(([state, count]) => `${thousands(count)} ${stateWords(state)}`);
      shown = `${escapeLine(name)}: ${states.join(', ')}`;
    },
    stop: keepShowing(context, () => shown, tickers),
  };
}
