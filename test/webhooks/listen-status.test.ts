/** The line below a listener: only where the terminal can draw over it. */
import { expect, it } from 'vitest';
import type { Context } from '../../src/payments/cli/context.ts';
import { type Status, startStatusLine } from '../../src/webhooks/cli/webhooks/listen/status.ts';

const status = { counts: {}, probed: null } as unknown as Status;

it.each([
  ['on a terminal', { isTerminal: true }, true],
  ['without one', { isTerminal: false }, false],
  ['with --quiet', { isTerminal: true, quiet: true }, false],
  ['on a terminal that cannot go back', { isTerminal: true, term: 'dumb' }, false],
])('%s', (_, { isTerminal, quiet = false, term = 'xterm' }: Record<string, unknown>, isDrawn) => {
  const err = (): void => {};
  const streams = { stderrIsTerminal: isTerminal, columns: 80, err };
  const context = { streams, globals: { quiet }, process: { env: { TERM: term } } } as unknown as Context;
  const stop = startStatusLine(context, status);
  // Who writes beside a line that is drawn takes it away first.
  expect(streams.err !== err).toBe(isDrawn);
  stop();
});
