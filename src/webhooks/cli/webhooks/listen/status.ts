/**
 * The line under the events: how long ago the last one came, what waits, and whether the public URL still leads here. A
 * listener that cannot be reached says so instead of looking alive.
 */

import { escapeLine } from '../../../../core/escape.ts';
import { canGoBack } from '../../../../frame/terminal/colour.ts';
import { everyMs, stickyLine } from '../../../../frame/terminal/sticky-line.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import type { Probed } from '../../../intake/probe.ts';
import type { ListenerCounts } from '../../../listener.ts';

export interface Status {
  counts: Readonly<ListenerCounts>;
  backlog: { waiting: number; deadLetters: number };
  /** Null while there is no public URL, or no answer yet. */
  probed: Probed | null;
  /** Since when it is as it is, in milliseconds since 1970. */
  probedSince: number;
  startedAt: number;
}

const EVERY_MS = 500;

/** @returns takes the line away; nothing is drawn without a terminal */
export function startStatusLine(context: Context, status: Status): () => void {
  const { streams, globals, process, paint } = context;
  if (!streams.stderrIsTerminal || globals.quiet || !canGoBack(process.env)) return () => undefined;
  const draw = (): string => {
    const text = statusLine(status, process.clock.now()).slice(0, streams.columns - 1);
    return isDeaf(status) ? paint.red(text) : paint.dim(text);
  };
  return stickyLine(streams, draw, everyMs(EVERY_MS));
}

export const isDeaf = ({ probed }: Status): boolean => probed !== null && !probed.reached;

/** Words first: colour only helps the eye. */
export function statusLine(status: Status, now: number): string {
  const { counts, backlog, probed } = status;
  const last =
    counts.lastAt === null
      ? `no event in ${age(now - status.startedAt)}`
      : `last event ${age(now - counts.lastAt)} ago`;
  const parts = [
    ...(isDeaf(status) ? [deafText(status, now)] : ['listening']),
    last,
    `${counts.received} received`,
    ...(counts.invalid > 0 ? [`${counts.invalid} invalid`] : []),
    ...(backlog.waiting > 0 ? [`${backlog.waiting} waiting`] : []),
    ...(backlog.deadLetters > 0 ? [`${backlog.deadLetters} given up`] : []),
    ...(probed?.reached ? ['public URL leads here'] : []),
  ];
  return parts.join(' · ');
}

function deafText({ probed, probedSince }: Status, now: number): string {
  const why = probed && !probed.reached ? escapeLine(probed.why) : '';
  return `NOT REACHABLE for ${age(now - probedSince)}: the public URL does not lead here (${why})`;
}

function age(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  if (seconds < 100) return `${seconds} s`;
  return seconds < 6_000 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3_600)} h`;
}
