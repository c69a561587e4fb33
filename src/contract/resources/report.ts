/** The service's own reports (docs/wire.md 16): answers without the `object` of all others. */
import * as z from 'zod/mini';

export const availableReports = z.looseObject({ available_reports: z.array(z.string()) });

export const reportAddressRequest = z.strictObject({
  path: z.string().check(z.minLength(1, 'must be the path of a report')),
});
export const reportAddress = z.looseObject({ authenticated_url: z.string() });

export const reportEnvironments = ['test', 'live'] as const;
export const reportTypes = ['transaction', 'account'] as const;
export type ReportEnvironment = (typeof reportEnvironments)[number];
export type ReportType = (typeof reportTypes)[number];
