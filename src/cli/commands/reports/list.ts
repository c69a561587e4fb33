import type { ReportFilter } from '../../../desk/reports/list.ts';
import { command } from '../../command.ts';
import { type AskedLimit, listFlags, readLimits } from '../../flags/listing.ts';
import { readReportFilter, reportFlags } from '../../flags/report.ts';
import { limitsOf } from '../../output/limits.ts';
import { onePage, printKept } from '../../output/show-list.ts';
import { reportView } from '../../views/report.ts';

export { list as command };

const list = command({
  description:
    'Reports that the service makes each month, newest first. They are on a host of their own: remit profiles set PROFILE reports_url=URL says where; a sandbox has them on its own port.',
  flags: { ...reportFlags, ...listFlags },
  shows: [reportView],
  isTabular: true,
  effect: 'read',
  examples: ['remit reports list', 'remit reports list --type account -o csv'],
  read: (input): { filter: ReportFilter; limits: AskedLimit } => ({
    filter: readReportFilter(input),
    limits: readLimits(input),
  }),
  async run(context, { filter, limits: asked }) {
    const { listReports } = await import('../../../desk/reports/list.ts');
    const reports = await listReports(context, filter);
    const limits = limitsOf(context, asked);
    return printKept(context, limits, {
      view: reportView,
      what: 'reports',
      pages: onePage(reports),
      total: reports.length,
    });
  },
});
