/** One delivery as one line: aligned on a terminal, with whole ids and times elsewhere. */

import type { Told } from '../../desk/webhooks/told.ts';
import { escapeLine } from '../../desk/words/escape.ts';
import { clockTime } from '../terminal/local-time.ts';
import { type Paint, paintState } from '../terminal/paint.ts';

export interface LineStyle {
  terminal: boolean;
  paint: Paint;
  columns: number;
  /** The reader's time zone, where it is known. */
  zone?: string | undefined;
}

export function toldLine(told: Told, style: LineStyle): string {
  const { paint } = style;
  const line = told.signature === 'invalid' ? refusedLine(told, style, paint) : eventLine(told, style, paint);
  return `${line.trimEnd()}\n`;
}

const VERDICT = 10;
const EVENT = 23;
const STATE = 10;

/** Below this the object's id has no room. */
const WIDE = 96;

/** Longer than any id or event of the service: a line stays a line. JSON has it whole. */
const LONGEST = 120;

function short(text: string): string {
  const shown = escapeLine(text.slice(0, 4 * LONGEST));
  return shown.length > LONGEST ? `${shown.slice(0, LONGEST)}… (${text.length} characters)` : shown;
}

function eventLine(told: Told, { terminal, columns, zone }: LineStyle, paint: Paint): string {
  const state = typeof told.object?.state === 'string' ? short(told.object.state) : '';
  const id = short(told.object_id ?? '');
  const cells = terminal
    ? [
        clockTime(told.received_at, zone),
        verdictOf(told, paint, VERDICT),
        short(told.event ?? '').padEnd(EVENT),
        ...(columns < WIDE ? [] : [id.slice(0, 8).padEnd(8)]),
        paintState(paint, state) + ' '.repeat(Math.max(0, STATE - state.length)),
      ]
    : [told.received_at, verdictOf(told, paint, 0), short(told.event ?? ''), id, state];
  return [...cells, handedText(told, paint), marksText(told, paint)].filter(Boolean).join('  ');
}

function verdictOf({ duplicate, recovered }: Told, paint: Paint, width: number): string {
  if (duplicate) return paint.dim('duplicate'.padEnd(width));
  return recovered ? paint.cyan('recovered'.padEnd(width)) : paint.green('verified'.padEnd(width));
}

function handedText(
  { state, forward_status: status, forward_error: error, latency_ms: ms }: Told,
  paint: Paint,
): string {
  if (ms === null) return error === null ? '' : `-> ${escapeLine(error)}`;
  const answer = `-> ${status ?? escapeLine(error ?? 'done')}`;
  if (state === 'handed_on') return `${answer} ${ms} ms`;
  return state === 'dead_letter' ? paint.red(`${answer}, given up`) : paint.yellow(`${answer}, retries`);
}

function marksText({ repeat, late, attempts }: Told, paint: Paint): string {
  const marks = [
    ...(repeat ? ['repeat'] : []),
    ...(late ? ['late'] : []),
    ...(attempts > 1 ? [`try ${attempts}`] : []),
  ];
  return marks.length === 0 ? '' : paint.dim(marks.join(', '));
}

/** Indents what is said below the verdict, so that it stands under it. */
const INDENT = ' '.repeat(8 + 2 + VERDICT + 2);

/** Why, and what to do about it, where that is known: on a terminal below each other. */
function refusedLine(told: Told, { terminal, zone }: LineStyle, paint: Paint): string {
  const why = escapeLine(told.message ?? 'not examined: one a second is');
  const hint = told.hint === null ? [] : [escapeLine(told.hint)];
  const more = told.unshown > 0 ? [`and ${told.unshown} more before it`] : [];
  const forwarded = handedText({ ...told, state: 'handed_on' }, paint);
  const from = `from ${escapeLine(told.from ?? '')}`;
  if (!terminal)
    return [told.received_at, 'INVALID', [why, ...hint, ...more].join('; '), from, told.id, forwarded]
      .filter(Boolean)
      .join('  ');
  const about = [from, ...more, `remit webhooks show ${told.id}`, forwarded].filter(Boolean).join(' · ');
  const first = `${clockTime(told.received_at, zone)}  ${paint.red('INVALID'.padEnd(VERDICT))}  ${why}`;
  return [first, ...[...hint, about].map((text) => INDENT + paint.dim(text))].join('\n');
}
