/** The books: what a sync did, where they stand, what differs. */

import { counted } from '../../../core/amount-words.ts';
import { wallTime } from '../../../core/zone.ts';
import type { DataOf } from '../../../frame/shape.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import type { Difference } from '../../check.ts';
import { amountWords, movementsIn } from '../../closings.ts';
import { booksForgottenShape, booksShape, differenceShape, syncedShape } from '../../shapes.ts';

export type SyncedRow = DataOf<typeof syncedShape>;

export const syncedView: View<SyncedRow> = {
  shape: syncedShape,
  columns: [
    { name: 'added', right: true, get: ({ added }) => toCell(added) },
    { name: 'changed', right: true, get: ({ changed }) => toCell(changed) },
    { name: 'open', right: true, get: ({ open }) => toCell(open) },
    { name: 'pages', right: true, get: ({ pages }) => toCell(pages) },
    { name: 'calls', right: true, get: ({ calls }) => toCell(calls) },
    { name: 'complete', get: ({ complete }) => (complete ? 'yes' : 'no') },
    { name: 'seconds', right: true, get: ({ seconds }) => seconds },
  ],
  details: ({ added, changed, open, calls, complete, missing, seconds }) => [
    ['added', toCell(added)],
    ['changed', toCell(changed)],
    ['open', toCell(open)],
    ['calls', `${calls} in ${seconds} s`],
    [
      'complete',
      complete
        ? 'yes'
        : missing > 0
          ? `no: ${missing} more are at the service`
          : 'no: it was interrupted, run it again',
    ],
  ],
};

export type BooksRow = DataOf<typeof booksShape>;

export const booksView: View<BooksRow> = {
  shape: booksShape,
  columns: [
    { name: 'transactions', right: true, get: (row) => toCell(row.transactions) },
    { name: 'recipients', right: true, get: (row) => toCell(row.recipients) },
    { name: 'open', right: true, get: (row) => toCell(row.open) },
    { name: 'complete_until', head: 'complete until', time: true, get: (row) => row.complete_until },
    { name: 'oldest', time: true, get: (row) => row.oldest },
    { name: 'newest', time: true, get: (row) => row.newest },
    { name: 'file', get: (row) => row.file },
  ],
  details: (row) => [
    ['transactions', `${row.transactions}, with ${row.recipients} recipients`],
    ['open', `${row.open} (not final when they were last read)`],
    ['complete until', row.complete_until ?? 'not yet: run remit books sync'],
    ['oldest', row.oldest],
    ['newest', row.newest],
    ...(row.next_page === null ? [] : [['goes on at', `page ${row.next_page}`] as const]),
    ...(row.forgotten_before === null ? [] : [['forgotten before', row.forgotten_before] as const]),
    ...(row.names ? [] : [['names', 'not kept: hashes in their place'] as const]),
    ...row.closed.map((one) => ['closed', closedWords(one)] as const),
    ['size', sizeOf(row.bytes)],
    ['file', row.file],
  ],
};

/** `2026-10 on 2026-11-02, manifest 3f9a1c0b77de; 2 movements correct it: -300.00 EUR`. */
function closedWords({ month, zone, closed_at, manifest, corrections }: BooksRow['closed'][number]): string {
  const closed = `${month} on ${wallTime(Date.parse(closed_at), zone).day}, manifest ${manifest.slice(0, 12)}`;
  if (corrections.length === 0) return closed;
  const movements = movementsIn(corrections);
  return `${closed}; ${counted(movements, 'movement')} ${movements === 1 ? 'corrects' : 'correct'} it: ${amountWords(corrections)}`;
}

const sizeOf = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

export const differenceView: View<Difference> = {
  shape: differenceShape,
  columns: [
    { name: 'id', id: true, priority: 0, get: ({ id }) => id },
    { name: 'kind', priority: 0, get: ({ kind }) => kind },
    { name: 'what', wrap: true, get: ({ what }) => what },
  ],
  empty: 'The books and the service say the same.',
};

export type ForgottenRow = DataOf<typeof booksForgottenShape>;

export const forgottenView: View<ForgottenRow> = {
  shape: booksForgottenShape,
  columns: [
    { name: 'forgotten', right: true, get: ({ forgotten }) => toCell(forgotten) },
    { name: 'before', time: true, get: ({ before }) => before },
    { name: 'left', right: true, get: ({ left }) => toCell(left) },
  ],
};
