/** Which monthly reports there are. @assumes report-months */
import { createHash } from 'node:crypto';
import {
  type ReportEnvironment,
  type ReportType,
  reportEnvironments,
  reportTypes,
} from '../../contract/resources/report.ts';
import type { SandboxWorld } from '../world.ts';

export interface Report {
  path: string;
  type: ReportType;
  /** Milliseconds; the end is the beginning of the next month. */
  from: number;
  to: number;
}

interface Asked {
  type?: string | undefined;
  environment?: string | undefined;
}

const OURS: ReportEnvironment = 'test';

/** Oldest first; null where a filter has a value that there is not. */
export function listReports(world: SandboxWorld, { type, environment }: Asked = {}): Report[] | null {
  if (type !== undefined && !includes(reportTypes, type)) return null;
  if (environment !== undefined && !includes(reportEnvironments, environment)) return null;
  if (environment !== undefined && environment !== OURS) return [];
  const wanted = reportTypes.filter((one) => type === undefined || type === one);
  const account = accountId(world);
  return months(world).flatMap(({ name, from, to }) =>
    wanted.map((one) => ({
      path: `${OURS}/${account}/monthly/${one}_report_${name}.csv`,
      type: one,
      from,
      to,
    })),
  );
}

export const findReport = (world: SandboxWorld, path: string): Report | undefined =>
  listReports(world)?.find((report) => report.path === path);

const includes = (values: readonly string[], value: string): boolean => values.includes(value);

/** The same for the same key, and no part of it. */
function accountId({ credentials }: SandboxWorld): string {
  const hex = createHash('sha256').update(`account of ${credentials.key}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

function months({ store, clock }: SandboxWorld): { name: string; from: number; to: number }[] {
  const [first] = store.postings.all();
  if (!first) return [];
  const months: { name: string; from: number; to: number }[] = [];
  for (let from = monthOf(first.at); from <= clock.now(); from = nextMonth(from))
    months.push({ name: new Date(from).toISOString().slice(0, 7), from, to: nextMonth(from) });
  return months;
}

function monthOf(at: number): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function nextMonth(from: number): number {
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
