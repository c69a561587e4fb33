/** Lists and downloads the service's own monthly reports. */
import { lstatSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { usage } from '../../core/problem.ts';
import { documentOut } from '../../frame/output/stream-out.ts';
import { chooseOne } from '../../payments/cli/ask/find.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { listFlags, readLimits } from '../../payments/cli/flags/listing.ts';
import { limitsOf } from '../../payments/cli/output/limits.ts';
import { printKept, rowsAtOnce } from '../../payments/cli/output/show-list.ts';
import { type Result, result } from '../../payments/cli/result.ts';
import { readReportFilter, reportFlags } from './flags/report.ts';
import { type ReportFile, reportFileView, reportView } from './views/report.ts';

const list = defineCommand({
  description:
    'Reports that the service makes each month, newest first. They are on a host of their own: remit profiles set PROFILE reports_url=URL says where; a sandbox has them on its own port.',
  flags: { ...reportFlags, ...listFlags },
  shows: [reportView],
  isTabular: true,
  effect: 'read',
  examples: ['remit reports list', 'remit reports list --type account -o csv'],
  read: (input) => ({
    filter: readReportFilter(input),
    limits: readLimits(input),
  }),
  async run(context, { filter, limits: asked }) {
    const { fetchReports } = await import('../reports/list.ts');
    const reports = await fetchReports(context, filter);
    const limits = limitsOf(context, asked);
    return printKept(context, limits, {
      view: reportView,
      what: 'reports',
      pages: rowsAtOnce(reports),
      total: reports.length,
    });
  },
});

const download = defineCommand({
  description:
    'Downloads one report, as the service made it: nothing in it is masked. The file is readable by you alone, and it is there whole or not at all. Without --to it goes into the current folder under its own name.',
  args: [{ name: 'PATH', summary: 'the path of a report, as reports list has it', optional: true }],
  flags: {
    month: { value: 'month', summary: 'in place of PATH: the report of this month, such as 2026-10' },
    ...reportFlags,
    to: { value: 'path', summary: 'write it into this folder, or to this file; - prints it' },
    force: { summary: 'replace a file that exists' },
  },
  shows: [reportFileView],
  effect: 'read',
  examples: [
    'remit reports download --month 2026-01 --type transaction',
    'remit reports download --month 2026-01 --type account --to january.csv --force',
    'remit reports download --month 2026-01 --type account --to - > january.csv',
  ],
  read(input) {
    const path = input.args[0];
    const month = input.flags.month;
    const filter = readReportFilter(input);
    if (month !== undefined && !/^\d{4}-(?:0[1-9]|1[0-2])$/.test(month))
      throw usage(`--month ${month} is not a month`, 'such as 2026-10');
    if (path !== undefined && (month ?? filter.type ?? filter.environment) !== undefined)
      throw usage('a path says which report: it takes no --month, --type or --environment');
    if (path === '') throw usage('the path of the report is empty', 'remit reports list has the paths');
    return {
      wanted: path ?? { month, ...filter },
      to: input.flags.to ?? '.',
      force: input.flags.force,
    };
  },
  async run(context, { wanted, to, force }) {
    if (typeof wanted !== 'string' && wanted.month === undefined && !context.interactive)
      throw usage('which report?', 'give its path, as remit reports list has it, or --month 2026-10');
    const [{ findReport, reportAt }, { downloadReport, reportFileName }] = await Promise.all([
      import('../reports/list.ts'),
      import('../reports/download.ts'),
    ]);
    const report =
      typeof wanted === 'string'
        ? reportAt(wanted)
        : await chooseOne(context, () => findReport(context, wanted), true);
    const file = to === '-' ? undefined : fileFor(context, to, reportFileName(report.path));
    if (file !== undefined) checkFree(context, file, force);
    const bytes = await context.working('downloading the report', () => downloadReport(context, report.path));
    const ended =
      file === undefined
        ? await print(context, bytes)
        : await write(context, { path: file, bytes, report: report.path, force });
    if (report.month !== null) await sayWhetherOver(context, report.month);
    return ended;
  },
});

/** A folder that is there, or that is written as one, gets a file of the report's own name. */
function fileFor({ process }: Context, to: string, name: string): string {
  const isFolder =
    /[/\\]$/.test(to) || statSync(resolve(process.cwd, to), { throwIfNoEntry: false })?.isDirectory();
  return isFolder ? join(to, name) : to;
}

function checkFree({ process }: Context, file: string, force: boolean): void {
  const stats = lstatSync(resolve(process.cwd, file), { throwIfNoEntry: false });
  if (stats === undefined) return;
  if (stats.isDirectory()) throw usage(`${file} is a folder`, 'name another with --to');
  if (!force) throw taken(file);
}

const taken = (file: string) =>
  usage(`${file} exists already`, '--force replaces it; --to names another file');

interface Written {
  path: string;
  bytes: Uint8Array;
  report: string;
  force: boolean;
}

async function write(context: Context, { path, bytes, report, force }: Written): Promise<Result> {
  const { makeOwnFile } = await import('../../disk/own-file.ts');
  const whole = resolve(context.process.cwd, path);
  const draft = `${whole}.${context.newId()}.part`;
  if (!makeOwnFile(whole, bytes, { draft, replace: force })) throw taken(path);
  const row: ReportFile = { path, bytes: bytes.length, report };
  return result(reportFileView, row);
}

async function print(context: Context, bytes: Uint8Array): Promise<Result> {
  const { isUtf8 } = await import('node:buffer');
  if (!isUtf8(bytes))
    throw usage('the report is not UTF-8, and cannot be printed', 'write it to a file: --to FILE');
  const text = Buffer.from(bytes).toString('utf8');
  await documentOut(context)(text);
  return { done: true };
}

/** A report that is taken too early may lack the rest of the month. */
async function sayWhetherOver(context: Context, month: string): Promise<void> {
  const { isMonthOver } = await import('../reports/months.ts');
  if (!(await isMonthOver(context, month)))
    context.note(`${month} is not over (UTC): the rest of the month is not in this report yet`);
}

export const commands = { list, download };
