/** One record as labels and values. On a terminal nothing is broken but at blanks: an id or a command stays whole. */

import { chosen, headOf, shownText } from './cells.ts';
import { paintState } from './paint.ts';
import type { Rendering } from './rendering.ts';
import type { DetailLine, View } from './view.ts';
import { padTo, widthOf } from './width.ts';
import { wrapLine } from './wrap.ts';

/** Narrower than this beside their labels, sentences go below them. */
const LEAST_ROOM = 24;
const GAP = 2;
const INDENT = '  ';

type Line = Exclude<DetailLine, ''>;

/** A line to copy. */
const isCommand = (text: string): boolean => /^remit[ \u00a0]\S/.test(text);

/** With no mark of `glued` left in it. */
const whole = (text: string): string => wrapLine(text, Number.POSITIVE_INFINITY);

export const drawRecord = <Row>(view: View<Row>, row: Row, rendering: Rendering): string =>
  drawLines(linesOf(view, row, rendering.fields), rendering);

/** A line without a value is left out. */
export function drawLines(lines: readonly DetailLine[], rendering: Rendering): string {
  const { paint, zone } = rendering;
  const shown = lines.filter((line) => line === '' || (line[1] ?? '') !== '');
  const labelOf = ([label, , options]: Line): string =>
    (options?.indent ? INDENT : '') + shownText(label, zone);
  const width = shown.reduce((most, line) => Math.max(most, line === '' ? 0 : widthOf(labelOf(line))), 0);
  const below = commandsBelow(
    shown,
    rendering.isTerminal ? rendering.columns - width - GAP : Number.POSITIVE_INFINITY,
  );
  return shown
    .map((line, index) => {
      if (line === '') return '\n';
      const value = shownText(line[1], zone);
      const isBelow = below.has(index);
      const text = rendering.isTerminal
        ? placed(value, width + GAP, { columns: rendering.columns, isBelow })
        : whole(value);
      const beside = text.startsWith('\n') ? labelOf(line).trimEnd() : `${padTo(labelOf(line), width)}  `;
      const name = text.startsWith('\n') && beside === '' ? '' : paint.dim(beside);
      const rest = name === '' ? text.slice(1) : text;
      return `${name}${line[2]?.state ? paintState(paint, rest, line[2].state(rest)) : rest}\n`;
    })
    .join('');
}

/** Commands below one label, or below the sentence beside it, stand alike: where one of them has no room beside it, all of them go below. */
function commandsBelow(lines: readonly DetailLine[], room: number): ReadonlySet<number> {
  const found = new Set<number>();
  for (let from = 0; from < lines.length; ) {
    let to = from + 1;
    const isOwn = (line: DetailLine | undefined): line is Line => Array.isArray(line) && line[0] === '';
    while (isOwn(lines[to])) to += 1;
    const values = lines.slice(from, to).map((line) => (line === '' ? '' : (line[1] ?? '')));
    const first = isCommand(values[0] ?? '') ? 0 : 1;
    const commands = values.slice(first);
    if (commands.every(isCommand) && commands.some((value) => widthOf(value) > room))
      for (let at = from + first; at < to; at++) found.add(at);
    from = to;
  }
  return found;
}

function linesOf<Row>(view: View<Row>, row: Row, fields: Rendering['fields']): readonly DetailLine[] {
  if (view.details && fields === undefined) return view.details(row);
  return chosen(view, fields).map((column) => [
    headOf(column).toLowerCase(),
    column.get(row),
    { state: column.state },
  ]);
}

/** Beside the label, going on below its own beginning; with a line feed in front, on lines of its own below the label. */
function placed(
  value: string,
  from: number,
  { columns, isBelow }: { columns: number; isBelow: boolean },
): string {
  const room = columns - from;
  if (widthOf(value) <= room && !isBelow) return whole(value);
  const longest = value.split(' ').reduce((most, word) => Math.max(most, widthOf(word)), 0);
  const isBeside = !isCommand(value) && room >= LEAST_ROOM && longest <= room;
  if (isBeside) return wrapLine(value, room).replaceAll('\n', `\n${' '.repeat(from)}`);
  return `\n${wrapLine(value, columns - INDENT.length)}`.replaceAll('\n', `\n${INDENT}`);
}
