/** The closing of a month: what is open, what was written, how it stands. */

import { amountText } from '../../../core/amount-words.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import type { MonthClosed } from '../../closing/close.ts';
import type { OpenPoint } from '../../closing/examine.ts';
import { closingFileShape, monthClosedShape, openPointShape } from '../../closing/shapes.ts';
import type { ClosingFile } from '../../closing/verify.ts';

export const openPointView: View<OpenPoint> = {
  shape: openPointShape,
  columns: [
    { name: 'paper', priority: 1, get: ({ paper }) => paper.replace('_', ' ') },
    { name: 'what', priority: 0, wrap: true, get: ({ what }) => what },
    {
      name: 'amount',
      right: true,
      amount: true,
      currency: 'currency',
      priority: 0,
      get: ({ amount, currency }) => amountText(amount, currency),
    },
    { name: 'currency', priority: 0, get: ({ currency }) => currency },
    { name: 'day', priority: 2, get: ({ day }) => day },
    { name: 'case', priority: 3, get: (row) => row.case },
  ],
  empty: 'Nothing is open.',
};

export const monthClosedView: View<MonthClosed> = {
  shape: monthClosedShape,
  columns: [
    { name: 'month', get: ({ month }) => month },
    { name: 'zone', get: ({ zone }) => zone },
    { name: 'files', right: true, get: ({ files }) => toCell(files) },
    { name: 'open', right: true, get: ({ open }) => toCell(open) },
    { name: 'folder', get: ({ folder }) => folder },
    { name: 'manifest', get: ({ manifest }) => manifest },
    { name: 'closed_at', time: true, get: (row) => row.closed_at },
    { name: 'known_until', time: true, get: (row) => row.known_until },
  ],
  details: (row) => [
    ['month', `${row.month}, in the time zone ${row.zone}`],
    ['folder', row.folder],
    ['files', toCell(row.files)],
    ['open', row.open === 0 ? 'nothing' : `${row.open}, listed in open.csv`],
    ['known until', row.known_until],
    ['manifest', row.manifest],
  ],
};

export const closingFileView: View<ClosingFile> = {
  shape: closingFileShape,
  columns: [
    { name: 'name', priority: 0, get: ({ name }) => name },
    { name: 'state', priority: 0, get: ({ state }) => state },
    { name: 'bytes', right: true, priority: 2, get: ({ bytes }) => (bytes === null ? null : toCell(bytes)) },
    { name: 'what', priority: 1, wrap: true, get: ({ what }) => what },
    { name: 'sha256', priority: 4, get: ({ sha256 }) => sha256 },
  ],
};
