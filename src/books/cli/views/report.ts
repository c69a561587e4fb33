import type { DataOf } from '../../../frame/shape.ts';
import { toCell, type View } from '../../../frame/terminal/view.ts';
import type { MonthlyReport } from '../../reports/list.ts';
import { reportFileShape, reportShape } from '../../shapes.ts';

export const reportView: View<MonthlyReport> = {
  shape: reportShape,
  empty: 'no reports: the service makes them month by month',
  columns: [
    { name: 'month', get: (row) => row.month },
    { name: 'type', get: (row) => row.type },
    { name: 'environment', get: (row) => row.environment },
    { name: 'path', priority: 1, get: (row) => row.path },
  ],
};

/** A report that was written to a file. */
export type ReportFile = DataOf<typeof reportFileShape>;

export const reportFileView: View<ReportFile> = {
  shape: reportFileShape,
  columns: [
    { name: 'path', get: (row) => row.path },
    { name: 'bytes', right: true, priority: 1, get: (row) => toCell(row.bytes) },
    { name: 'report', priority: 2, get: (row) => row.report },
  ],
};
