/** The service's own reports: which there are, and which one is meant. Their paths are the service's: nothing is taken for granted. */
import type { Client } from '../../client/client.ts';
import { listReports as operation } from '../../contract/operations/reports.ts';
import {
  type ReportEnvironment,
  type ReportType,
  reportEnvironments,
  reportTypes,
} from '../../contract/resources/report.ts';
import { hint } from '../../core/next.ts';
import { Ambiguous, configProblem, notFound } from '../../core/problem.ts';
import type { Desk } from '../../payments/desk.ts';

/** A report as its path describes it; null where the path does not say it. */
export interface MonthlyReport {
  path: string;
  month: string | null;
  type: ReportType | null;
  environment: ReportEnvironment | null;
}

export interface ReportFilter {
  type?: ReportType | undefined;
  environment?: ReportEnvironment | undefined;
}

/** @throws Problem (config) where no host is set for the reports of this account */
export async function reportsClient(desk: Desk): Promise<{ client: Client; url: string }> {
  const { name, source, reportsUrl: url } = await desk.connection();
  if (url !== undefined) return { client: await desk.clientAt(url), url };
  throw configProblem(
    'no_reports_url',
    'nobody said where the service keeps the reports of this account: they are on a host of their own',
    source === 'profile'
      ? hint`take its URL from the operator's documents: ${{ do: 'change_profile', profile: name, setting: 'reports_url', value: 'URL' }}`
      : hint`take its URL from the operator's documents: ${{ set: 'reports_url', value: 'URL' }}`,
  );
}

/** Newest month first; those whose path names no month come last. */
export async function fetchReports(
  desk: Desk,
  { type, environment }: ReportFilter,
): Promise<MonthlyReport[]> {
  const { client } = await reportsClient(desk);
  const answer = await client.call(operation, { query: { type, environment }, signal: desk.signal });
  const reports = [...new Set(answer.available_reports)].map(reportAt).filter((report) => {
    const fits = (wanted: string | undefined, is: string | null) => wanted === undefined || is === wanted;
    return fits(type, report.type) && fits(environment, report.environment);
  });
  const key = ({ month, path }: MonthlyReport): string => `${month ?? ''} ${path}`;
  return reports.sort((a, b) => (key(a) < key(b) ? 1 : -1));
}

/** `test/<id>/monthly/transaction_report_2026-10.csv`. */
export function reportAt(path: string): MonthlyReport {
  const [first, ...rest] = path.split('/');
  const name = rest.at(-1) ?? '';
  return {
    path,
    month: /_(\d{4}-(?:0[1-9]|1[0-2]))\.csv$/.exec(name)?.[1] ?? null,
    type: reportTypes.find((type) => name.startsWith(`${type}_`)) ?? null,
    environment: reportEnvironments.find((environment) => environment === first) ?? null,
  };
}

export interface WantedReport extends ReportFilter {
  /** Any, where it is not said. */
  month?: string | undefined;
}

/** @throws Problem (not_found) with those that there are, Ambiguous where several fit */
export async function findReport(desk: Desk, { month, ...filter }: WantedReport): Promise<MonthlyReport> {
  const reports = await fetchReports(desk, filter);
  const found = month === undefined ? reports : reports.filter((report) => report.month === month);
  const [only] = found;
  if (only && found.length === 1) return only;
  const period = month === undefined ? '' : ` for ${month}`;
  if (only)
    throw new Ambiguous(
      `there are ${found.length} reports${period}`,
      'Which report?',
      found.map((report) => ({ id: report.path, line: lineOf(report), take: async () => report })),
    );
  const months = [...new Set(reports.map((report) => report.month))].filter((name) => name !== null);
  const kind = [filter.environment, filter.type, 'report'].filter((word) => word !== undefined).join(' ');
  throw notFound(
    `there is no ${kind}${period}${months.length > 0 ? `; there are those for ${listed(months)}` : ''}`,
    hint`${'`'}${{ do: 'list_reports' }}${'`'} lists all that there are`,
  );
}

const lineOf = ({ month, type, environment, path }: MonthlyReport): string =>
  month === null ? path : [month, type, environment].filter((word) => word !== null).join(' · ');

const MOST_NAMED = 12;

/** The newest of them; a list of years is no sentence. */
const listed = (months: readonly string[]): string =>
  months.length <= MOST_NAMED
    ? months.join(', ')
    : `${months.slice(0, MOST_NAMED).join(', ')} and ${months.length - MOST_NAMED} more`;
