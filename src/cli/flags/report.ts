/** Which of the service's own reports. */
import {
  type ReportEnvironment,
  type ReportType,
  reportEnvironments,
  reportTypes,
} from '../../contract/resources/report.ts';
import type { ReportFilter } from '../../desk/reports/list.ts';
import { type Flag, flagText, type Input } from './flag.ts';

export const reportFlags: readonly Flag[] = [
  { flags: '--type <type>', summary: 'only of this type', choices: reportTypes },
  { flags: '--environment <environment>', summary: 'only of this environment', choices: reportEnvironments },
];

export const readReportFilter = (input: Input): ReportFilter => ({
  type: flagText(input, 'type') as ReportType | undefined,
  environment: flagText(input, 'environment') as ReportEnvironment | undefined,
});
