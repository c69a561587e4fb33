/** Names one of the reports of the service. */
import {
  type ReportEnvironment,
  type ReportType,
  reportEnvironments,
  reportTypes,
} from '../../../contract/resources/report.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import type { ReportFilter } from '../../reports/list.ts';

export const reportFlags = flags({
  type: { value: 'type', summary: 'only of this type', choices: reportTypes },
  environment: { value: 'environment', summary: 'only of this environment', choices: reportEnvironments },
});

export const readReportFilter = (input: Input<typeof reportFlags>): ReportFilter => ({
  type: input.flags.type as ReportType | undefined,
  environment: input.flags.environment as ReportEnvironment | undefined,
});
