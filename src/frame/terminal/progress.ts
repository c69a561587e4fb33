/**
 * Work that takes over a second says so on stderr: a spinner with words, or a bar with rate and time left
 * where the length is known. Only on a terminal, never with --quiet; the line is gone before anything else is
 * written, and at the end.
 */

import { thousands } from '../../core/amount-words.ts';
import { escapeLine } from '../../core/escape.ts';
import type { Progress } from '../../core/progress.ts';
import type { FrameContext } from '../context.ts';
import { canGoBack } from './colour.ts';
import { everyMs, stickyLine, type Ticker } from './sticky-line.ts';

const AFTER_MS = 1_000;
const EVERY_MS = 120;
const FRAMES = [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'];
const BAR = 20;

const SILENT: Progress = { tell() {}, say() {}, stop() {} };

export function createProgress(
  context: FrameContext,
  words: string,
  ticker: Ticker = everyMs(EVERY_MS),
): Progress {
  const { streams, process, globals } = context;
  if (!streams.stderrIsTerminal || globals.quiet || !canGoBack(process.env)) return SILENT;
  const startedAt = process.clock.now();
  const state: ProgressLine = { words, done: 0, total: undefined, ms: 0, frame: 0 };
  const stop = stickyLine(
    streams,
    () => {
      state.ms = process.clock.now() - startedAt;
      if (state.ms < AFTER_MS) return undefined;
      state.frame += 1;
      return progressLine(state, streams.columns);
    },
    ticker,
  );
  return {
    tell(done, total) {
      state.done = done;
      state.total = total ?? state.total;
    },
    say(other) {
      state.words = other;
    },
    stop,
  };
}

/** The line is there while `work` goes on, and away when it ends, however it ends. */
export async function withProgress<T>(
  context: FrameContext,
  words: string,
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const progress = createProgress(context, words);
  try {
    return await work(progress);
  } finally {
    progress.stop();
  }
}

export interface ProgressLine {
  words: string;
  done: number;
  total: number | undefined;
  ms: number;
  frame: number;
}

/** `⠋ reading transactions  ███████░░░░░░░░░░░░░ 36 %  72,000 of 200,000, 9,100 a second, 14 s left`. */
export function progressLine({ words, done, total, ms, frame }: ProgressLine, columns: number): string {
  const rate = ms > 0 ? (done * 1000) / ms : 0;
  const known = total !== undefined && total > 0;
  const parts = [`${FRAMES[frame % FRAMES.length]} ${escapeLine(words)}`];
  if (known) parts.push(bar(Math.min(1, done / total)));
  const numbers = [
    ...(done > 0 ? [known ? `${thousands(done)} of ${thousands(total)}` : thousands(done)] : []),
    ...(done > 0 && rate >= 1 ? [`${thousands(Math.round(rate))} a second`] : []),
    ...(known && rate > 0 && total > done ? [`${duration((total - done) / rate)} left`] : []),
  ];
  if (numbers.length > 0) parts.push(numbers.join(', '));
  else if (!known) parts.push(duration(ms / 1000));
  // One column stays free: a full line would go on in the next one.
  return shortened(parts, columns - 1);
}

/** Shortens a line. Parts that have no room go from the middle first: the bar, then the end of the words. */
function shortened(parts: readonly string[], width: number): string {
  const whole = parts.join('  ');
  if (whole.length <= width) return whole;
  const short = [parts[0], parts.at(-1)].join('  ');
  return (short.length <= width ? short : whole).slice(0, Math.max(0, width));
}

function bar(part: number): string {
  const full = Math.round(part * BAR);
  return `${'█'.repeat(full)}${'░'.repeat(BAR - full)} ${Math.floor(part * 100)} %`;
}

/** `14 s`, `3 min`, `2 h`: rounded up. */
export function duration(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 100) return `${whole} s`;
  return whole < 6_000 ? `${Math.ceil(whole / 60)} min` : `${Math.ceil(whole / 3_600)} h`;
}
