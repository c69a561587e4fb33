/**
 * The two calls of the reports host (docs/wire.md 16). They are signed like all others, and they are no rows of the catalogue:
 * that is what is below the base URL of the service, and these are at a host of their own.
 */
import {
  availableReports,
  reportAddress,
  reportAddressRequest,
  reportEnvironments,
  reportTypes,
} from '../resources/report.ts';
import { operation, readOperation } from './operation.ts';

export const listReports = readOperation({
  id: 'reports.list',
  wireId: 'get-reports',
  path: '/reports',
  summary: 'Reports that can be downloaded',
  query: [
    { name: 'type', kind: 'text', values: reportTypes },
    { name: 'environment', kind: 'text', values: reportEnvironments },
  ],
  answer: availableReports,
});

/** It changes nothing: asked twice, it gives two addresses of the same file. */
export const addressReport = operation({
  id: 'reports.address',
  wireId: 'post-authenticated-url',
  method: 'POST',
  path: '/authenticated_url',
  summary: 'An address from which a report can be downloaded for ten minutes',
  body: reportAddressRequest,
  answer: reportAddress,
  effect: 'read',
  settle: 'repeat',
});
