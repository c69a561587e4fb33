/** How much room a text takes on a terminal: a Chinese character takes two places, an accent of its own none. */

/** Every character takes one place on every terminal, so that its length is its width. */
const PLACE_EACH = /^[ -~]*$/;

export const takesPlaceEach = (text: string): boolean => PLACE_EACH.test(text);

/** Until the library is loaded, which no start pays for that shows nothing on a terminal. */
let measured = (text: string): number => text.length;

/** Before anything is laid out on a terminal. */
export async function loadWidths(): Promise<void> {
  ({ default: measured } = await import('string-width'));
}

export const widthOf = (text: string): number => (takesPlaceEach(text) ? text.length : measured(text));

const ELLIPSIS = '…';
let graphemes: Intl.Segmenter | undefined;

/** Returns the part of the text that has room, with an ellipsis where something is cut. Never half a character. */
export function cutTo(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  if (takesPlaceEach(text)) return `${text.slice(0, Math.max(0, width - 1)).trimEnd()}${ELLIPSIS}`;
  graphemes ??= new Intl.Segmenter();
  let kept = '';
  let room = width - 1;
  for (const { segment } of graphemes.segment(text)) {
    room -= widthOf(segment);
    if (room < 0) break;
    kept += segment;
  }
  return `${kept.trimEnd()}${ELLIPSIS}`;
}

/** Cut before its last `end` characters, which stay; where there is no room for more, its end alone. */
export function cutBefore(text: string, width: number, end: number): string {
  const characters = [...text];
  if (widthOf(text) <= width || characters.length <= end) return cutTo(text, width);
  const kept = characters.slice(-end).join('');
  const room = width - widthOf(kept);
  if (room >= 2) return cutTo(text, room) + kept;
  return room >= 0 ? kept : cutTo(kept, width);
}

/** Filled with blanks to the width; a text that is longer stays as it is. */
export function padTo(text: string, width: number, right = false): string {
  const room = ' '.repeat(Math.max(0, width - widthOf(text)));
  return right ? room + text : text + room;
}
