import type { Report } from '../../desk/reports/list.ts';
import { text, type View } from '../terminal/view.ts';

export const reportView: View<Report> = {
  kind: 'report',
  empty: 'no reports: the service makes them month by month',
  columns: [
    { name: 'month', get: (row) => row.month },
    { name: 'type', get: (row) => row.type },
    { name: 'environment', get: (row) => row.environment },
    { name: 'path', priority: 1, get: (row) => row.path },
  ],
};

/** A report that was written to a file. */
export interface ReportFile {
  path: string;
  bytes: number;
  report: string;
}

export const reportFileView: View<ReportFile> = {
  kind: 'report_file',
  columns: [
    { name: 'path', get: (row) => row.path },
    { name: 'bytes', right: true, priority: 1, get: (row) => text(row.bytes) },
    { name: 'report', priority: 2, get: (row) => row.report },
  ],
};
