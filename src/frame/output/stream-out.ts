/** Records as they come, in the format that was asked for: nothing is held back until the end. */

import { once } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { escapeHostile } from '../../core/escape.ts';
import { usage } from '../../core/problem.ts';
import type { FrameContext } from '../context.ts';
import { formatInfo } from '../terminal/format.ts';
import type { OutEncoding } from '../terminal/streams.ts';
import type { View } from '../terminal/view.ts';

/** JSON is a line per record; CSV has its heading once. */
export async function streamOf<Row>(
  context: FrameContext,
  view: View<Row>,
): Promise<(row: Row) => Promise<void>> {
  const [{ render }, { openPages }, { renderingFor }, { paintFor }] = await Promise.all([
    import('../terminal/formats.ts'),
    import('../terminal/pages.ts'),
    import('../terminal/rendering.ts'),
    import('../terminal/paint.ts'),
  ]);
  checkNoFile(context);
  const asked = renderingFor(context.process, context.globals);
  const { asTheyCome: format = asked.format, isDrawn: asTable = false } = formatInfo(asked.format);
  const { isDocument } = formatInfo(format);
  const rendering = { ...asked, format, asTable, paint: paintFor(false) };
  const pages = await openPages(view, rendering);
  return async (row) => {
    const shown = context.masked(row);
    if (asked.query === undefined && !isDocument) {
      const text = pages.page([shown]);
      context.streams.out(asTable ? text.replaceAll('\t', '  ') : text);
      context.noteMasked(text);
    } else {
      const { text } = await render(view, shown, rendering);
      context.streams.out(isDocument ? `---\n${text}` : text);
      context.noteMasked(text);
    }
  };
}

/**
 * Writes at the reader's pace: a text waits until the one before it is taken, so that a slow reader fills no memory of
 * ours, and the next page is made meanwhile. False once the reader is gone (`| head`), or when Ctrl-C ended the wait.
 */
export function pacedOut(
  { streams, process }: FrameContext,
  encoding: OutEncoding = 'utf8',
): (text: string) => Promise<boolean> {
  const { stdout } = streams;
  let gone = false;
  let written = 0;
  stdout.once('error', () => {
    gone = true;
  });
  return async (text) => {
    // `once` rejects with the stream's error and when the signal fires: both are told by what is returned.
    if (!gone && stdout.writableNeedDrain)
      await once(stdout, 'drain', { signal: process.interrupt }).catch(() => {});
    if (gone || process.interrupt.aborted) return false;
    streams.out(text, encoding);
    // A file takes each text at once: without a turn of the loop Ctrl-C is not heard, and V8 gives no written text back.
    if (++written % TURN_EVERY === 0) await nextTurn();
    return true;
  };
}

const TURN_EVERY = 16;

/** @throws Problem (usage) where rows of a file were asked for, and something else is printed */
function checkNoFile({ globals: { output } }: FrameContext): void {
  if (formatInfo(output).isFile)
    throw usage(
      `-o ${output} is for rows, and with these flags something else is printed`,
      `leave -o ${output} out`,
    );
}

/**
 * A document that is a file for a program. On a terminal nothing in it moves the cursor: in a pipe and a file it is whole, and its
 * bytes are of the encoding that the program reads.
 */
export function documentOut(
  context: FrameContext,
  encoding: OutEncoding = 'utf8',
): (text: string) => Promise<boolean> {
  checkNoFile(context);
  const isTerminal = context.streams.stdoutIsTerminal;
  const out = pacedOut(context, isTerminal ? 'utf8' : encoding);
  return isTerminal ? (text) => out(escapeHostile(text)) : out;
}
