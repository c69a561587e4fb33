/** A teller writes the words of a listener: a stream of JSON lines, or lines for people. */

import { asBuffer } from '../../core/bytes.ts';
import { readyShape } from '../../desk/shapes/machine.ts';
import type { Shape } from '../../desk/shapes/shape.ts';
import { gapShape, settledShape, stoppedShape, toldShape } from '../../desk/shapes/webhooks.ts';
import type { Gap } from '../../desk/webhooks/catch-up.ts';
import type { Counts } from '../../desk/webhooks/listener.ts';
import type { Told } from '../../desk/webhooks/told.ts';
import { escapeHostile } from '../../desk/words/escape.ts';
import type { Context } from '../context.ts';
import { formatInfo } from '../terminal/format.ts';
import { ndjsonLine } from '../terminal/formats.ts';
import { paintFor } from '../terminal/paint.ts';
import { toldLine } from './told-line.ts';

export interface Teller {
  /** JSON lines were asked for. */
  isStream: boolean;
  ready(facts: ReadyFacts, profile: string): void;
  event(told: Told): void;
  /** Tells an event and answers whether a reader took it. */
  handOut(told: Told): Promise<boolean>;
  /** A delivery that was told before as tried again: taken at last, or given up. */
  ended(told: Told): void;
  gap(gap: Gap, sentence: string): void;
  trouble(message: string): void;
  stopped(facts: StoppedFacts): void;
}

interface StoppedFacts extends Counts {
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
  /** Nobody reads any more. */
  gone: () => void;
}

export function createTeller(context: Context, { counted, gone }: TellerOptions): Teller {
  const { streams, globals, paint } = context;
  const { log } = context.world;
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
  const eventText = (told: Told): string => {
    try {
      return textOf(told);
    } catch (error) {
      // Nested deeper than our stack reaches: `body_b64` has it whole.
      if (!(error instanceof RangeError)) throw error;
      return textOf({ ...told, object: null });
    }
  };
  const textOf = (told: Told): string => {
    if (!isStream) return toldLine(told, style);
    // No personal data in a form that cannot be masked.
    const { body, ...rest } = told;
    const encoded = globals.reveal ? asBuffer(body).toString('base64') : null;
    return line(toldShape, { ...rest, object: masked(told.object), body_b64: encoded });
  };
  return { line, eventText };
}

const endedFacts = (told: Told) =>
  Object.fromEntries(settledShape.members.map((name) => [name, told[name as keyof Told]]));

/** The first line is what whoever waits for it looks for. */
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
