/** A teller writes the words of a listener: a stream of JSON lines, or lines for people. */

import { asBuffer } from '../../../../core/bytes.ts';
import { escapeHostile, escapeLine } from '../../../../core/escape.ts';
import type { Shape } from '../../../../frame/shape.ts';
import { formatInfo } from '../../../../frame/terminal/format.ts';
import { ndjsonLine } from '../../../../frame/terminal/formats.ts';
import { clockTime } from '../../../../frame/terminal/local-time.ts';
import { type Paint, paintFor, paintState } from '../../../../frame/terminal/paint.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import { readyShape } from '../../../../payments/shapes/machine.ts';
import { lookOf } from '../../../../payments/words/looks.ts';
import type { Gap } from '../../../catch-up.ts';
import type { ListenerCounts } from '../../../listener.ts';
import { gapShape, settledShape, stoppedShape, toldShape } from '../../../shapes.ts';
import type { ListenEvent } from '../../../told.ts';

/** One delivery as one line: aligned on a terminal, with whole ids and times elsewhere. */
interface LineStyle {
  terminal: boolean;
  paint: Paint;
  columns: number;
  /** The reader's time zone, where it is known. */
  zone?: string | undefined;
}

export function toldLine(told: ListenEvent, style: LineStyle): string {
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

function eventLine(told: ListenEvent, { terminal, columns, zone }: LineStyle, paint: Paint): string {
  const state = typeof told.object?.state === 'string' ? short(told.object.state) : '';
  const id = short(told.object_id ?? '');
  const cells = terminal
    ? [
        clockTime(told.received_at, zone),
        verdictOf(told, paint, VERDICT),
        short(told.event ?? '').padEnd(EVENT),
        ...(columns < WIDE ? [] : [id.slice(0, 8).padEnd(8)]),
        paintState(paint, state, lookOf(state)) + ' '.repeat(Math.max(0, STATE - state.length)),
      ]
    : [told.received_at, verdictOf(told, paint, 0), short(told.event ?? ''), id, state];
  return [...cells, handedText(told, paint), marksText(told, paint)].filter(Boolean).join('  ');
}

function verdictOf({ duplicate, recovered }: ListenEvent, paint: Paint, width: number): string {
  if (duplicate) return paint.dim('duplicate'.padEnd(width));
  return recovered ? paint.cyan('recovered'.padEnd(width)) : paint.green('verified'.padEnd(width));
}

function handedText(
  { state, forward_status: status, forward_error: error, latency_ms: ms }: ListenEvent,
  paint: Paint,
): string {
  if (ms === null) return error === null ? '' : `-> ${escapeLine(error)}`;
  const answer = `-> ${status ?? escapeLine(error ?? 'done')}`;
  if (state === 'handed_on') return `${answer} ${ms} ms`;
  return state === 'dead_letter' ? paint.red(`${answer}, given up`) : paint.yellow(`${answer}, retries`);
}

function marksText({ repeat, late, attempts }: ListenEvent, paint: Paint): string {
  const marks = [
    ...(repeat ? ['repeat'] : []),
    ...(late ? ['late'] : []),
    ...(attempts > 1 ? [`try ${attempts}`] : []),
  ];
  return marks.length === 0 ? '' : paint.dim(marks.join(', '));
}

/** Indents the lines below the verdict to align them. */
const INDENT = ' '.repeat(8 + 2 + VERDICT + 2);

/** Why, and what to do about it, where that is known: on a terminal below each other. */
function refusedLine(told: ListenEvent, { terminal, zone }: LineStyle, paint: Paint): string {
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

export interface Teller {
  /** JSON lines were asked for. */
  isStream: boolean;
  ready(facts: ReadyFacts, profile: string): void;
  event(told: ListenEvent): void;
  /** Tells an event and answers whether a reader took it. */
  handOut(told: ListenEvent): Promise<boolean>;
  /** A delivery that was told before as tried again: taken at last, or given up. */
  ended(told: ListenEvent): void;
  gap(gap: Gap, sentence: string): void;
  trouble(message: string): void;
  stopped(facts: StoppedFacts): void;
}

interface StoppedFacts extends ListenerCounts {
  reason: string;
  waiting: number | null;
}

interface ReadyFacts extends Record<string, unknown> {
  url: string;
  registered: string | null;
  forward_to: string | null;
  inbox: string;
}

export interface TellerOptions {
  /** Called after each event that was told. */
  counted: () => void;
  /** The reader is gone. */
  gone: () => void;
}

export function createTeller(context: Context, { counted, gone }: TellerOptions): Teller {
  const { streams, globals, paint } = context;
  const { log } = context.process;
  const isStream = formatInfo(globals.output).isJson === true;
  const write = async (text: string): Promise<boolean> => {
    const taken = await streams.handOut(text);
    if (!taken) gone();
    return taken;
  };
  const { line, eventText } = linesFor(context, isStream);
  const handOutText = async (text: string): Promise<boolean> => {
    const taken = await write(text);
    if (taken) counted();
    return taken;
  };
  let trouble = '';
  // Lines of one turn are written at once: a write for each line would cost as much as the line.
  let lines: string[] = [];
  const flush = (): void => {
    const text = lines.join('');
    lines = [];
    if (text !== '') void write(text);
  };
  return {
    isStream,
    ready(facts, profile) {
      const { url, registered, forward_to, inbox: store } = facts;
      if (isStream) void write(line(readyShape, facts));
      if (log) log.event('ready', { of: 'listener', profile, url, registered, forward_to, store });
      else if (!isStream) for (const text of readyLines(facts)) context.say(text);
    },
    event(told) {
      if (lines.push(eventText(told)) === 1) setImmediate(flush);
      if (told.signature !== 'invalid' && !told.duplicate) counted();
    },
    ended(told) {
      if (lines.push(isStream ? line(settledShape, endedFacts(told)) : eventText(told)) === 1)
        setImmediate(flush);
    },
    // Only the text waits for its reader: what was read of a deep body takes 28 times its room.
    handOut: (told) => handOutText(eventText(told)),
    gap(gap, sentence) {
      flush();
      if (isStream) void write(line(gapShape, gap));
      if (log) log.event('gap_recovered', gap);
      else context.say(`remit: ${sentence}`, paint.yellow);
    },
    // The same again and again, for each delivery while a disk is full, says nothing more.
    trouble(message) {
      if (message === trouble) return;
      trouble = message;
      if (log) log.event('trouble', { message });
      else context.say(`remit: ${message}`, paint.red);
    },
    stopped(facts) {
      flush();
      if (isStream) void write(line(stoppedShape, stoppedOf(facts)));
      if (log) log.event('listened', stoppedOf(facts));
      else if (!isStream) context.note(stoppedSentence(facts));
    },
  };
}

/** Makes the lines: one of the stream, and one event as the stream or a person gets it. */
function linesFor({ streams, globals, masked, zone }: Context, isStream: boolean) {
  const { stdoutIsTerminal: terminal } = streams;
  const style = { terminal, paint: paintFor(streams.colour.stdout), columns: streams.columns, zone };
  const line = (shape: Shape, data: unknown): string => {
    const text = ndjsonLine(shape, data);
    return terminal ? escapeHostile(text) : text;
  };
  const eventText = (told: ListenEvent): string => {
    try {
      return textOf(told);
    } catch (error) {
      // Nested deeper than our stack reaches: `body_b64` has it whole.
      if (!(error instanceof RangeError)) throw error;
      return textOf({ ...told, object: null });
    }
  };
  const textOf = (told: ListenEvent): string => {
    if (!isStream) return toldLine(told, style);
    // No personal data in a form that cannot be masked.
    const { body, ...rest } = told;
    const encoded = globals.reveal ? asBuffer(body).toString('base64') : null;
    return line(toldShape, { ...rest, object: masked(told.object), body_b64: encoded });
  };
  return { line, eventText };
}

const endedFacts = (told: ListenEvent) =>
  Object.fromEntries(settledShape.members.map((name) => [name, told[name as keyof ListenEvent]]));

/** Scripts wait for the first line. */
function readyLines({
  url,
  registered,
  public_url: publicUrl,
  forward_to: to,
}: Record<string, unknown>): string[] {
  const sure = registered ? `registered  ${registered}` : 'not registered: the service sends nothing here';
  return [
    `listening on ${url} (Ctrl-C ends it)`,
    `  ${sure}`,
    ...(publicUrl && publicUrl !== registered ? [`  verifying   for ${publicUrl}`] : []),
    ...(to ? [`  handing on  to ${to}`] : []),
  ];
}

const stoppedOf = ({ lastAt: _, handedOn, deadLetters: __, ...rest }: StoppedFacts) => ({
  ...rest,
  handed_on: handedOn,
});

function stoppedSentence({ received, duplicates, invalid, waiting }: StoppedFacts): string {
  const parts = [
    `${received} received`,
    ...(duplicates ? [`${duplicates} duplicates dropped`] : []),
    ...(invalid ? [`${invalid} invalid`] : []),
    ...(waiting ? [`${waiting} wait for the next run`] : []),
  ];
  return `stopped: ${parts.join(', ')}`;
}
