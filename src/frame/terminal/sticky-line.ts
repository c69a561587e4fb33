/**
 * One line at the bottom of stderr that is drawn again and again, and gone while anything else is written: progress, or what a
 * listener is doing. Only for terminals.
 */
import type { Streams } from './streams.ts';

/** Calls `tick` again and again until what it returns is called. */
export type Ticker = (tick: () => void) => () => void;

export const everyMs =
  (ms: number): Ticker =>
  (tick) => {
    const handle = setInterval(tick, ms);
    // A line keeps no process alive.
    handle.unref();
    return () => clearInterval(handle);
  };

/** @param line what to draw now; undefined for nothing. @returns takes the line away, for good */
export function stickyLine(streams: Streams, line: () => string | undefined, ticker: Ticker): () => void {
  const { out, err, handOut } = streams;
  let drawn = false;
  const clear = (): void => {
    if (drawn) err('\r\u001b[K');
    drawn = false;
  };
  const after =
    <T>(write: (text: string) => T) =>
    (text: string): T => {
      clear();
      return write(text);
    };
  // Other writers find the line empty; the next tick draws it again below.
  streams.err = after(err);
  if (streams.stdoutIsTerminal) {
    streams.out = after(out);
    streams.handOut = after(handOut);
  }
  const stopTicking = ticker(() => {
    const text = line();
    if (text === undefined) return;
    err(`\r${text}\u001b[K`);
    drawn = true;
  });
  let stopped = false;
  return () => {
    if (stopped) return;
    stopped = true;
    stopTicking();
    clear();
    streams.out = out;
    streams.handOut = handOut;
    streams.err = err;
  };
}
