/**
 * Everything that the service's description leaves open and the sandbox decides, beside the moves in the state tables (decision
 * 0027). Code that embodies one of these names it (`@assumes id`); a test holds both lists together, and `docs/assumptions.md`
 * is made from these rows.
 */

import { accountAssumptions } from './account.ts';
import { paymentsAssumptions } from './payments.ts';
import type { AssumptionRow } from './row.ts';

/** The reports host. */
const reportsAssumptions: readonly AssumptionRow[] = [
  [
    'reports-port',
    'Reports',
    "The calls of the reports host, `GET /reports` and `POST /authenticated_url`, are on the port of the sandbox, outside `/v1`. The address leads to the same port, takes a plain GET, and holds for ten minutes of the sandbox's clock, however often it is used; then it is answered with 403. A path that is not in the list is a 404. These calls are not in the log of requests.",
    'The host, its calls and the ten minutes are stated; the statuses are not.',
    'Reports',
  ],
  [
    'report-months',
    'Reports',
    'There is a transaction report and an account report for each month (UTC) from the first movement on. The report of the current month is there too, as far as the month has gone. All are of the environment `test`.',
    'That reports are monthly is all that is said.',
    'Reports',
  ],
  [
    'report-columns',
    'Reports',
    'The transaction report has a row for each recipient of a transaction that was created in the month, with the states as they are now; the account report has a row for each movement of a balance, with the balance after it. Columns of the first: `transaction_id`, `external_id`, `created_at`, `funded_at`, `transaction_state`, `sender_id`, `recipient_id`, `recipient_state`, `reason_code`, `payout_type`, `input_currency`, `input_amount`, `rate`, `output_currency`, `output_amount`, `paid_at`, `refunded_at`; of the second: `posted_at`, `currency`, `kind` (`opening`, `debit`, `refund`, `credit`, `top_up`), `amount` (signed), `balance`, `transaction_id`, `recipient_id`, `movement_id`. Times are UTC, amounts plain decimals. No name and no account is in them.',
    'The columns are printed nowhere.',
    'Reports',
  ],
];

export interface Assumption {
  id: string;
  area: string;
  rule: string;
  why: string;
  /** The section of the service's description. */
  where: string;
}

export const assumptions: readonly Assumption[] = [
  ...paymentsAssumptions,
  ...accountAssumptions,
  ...reportsAssumptions,
].map(([id, area, rule, why, where]) => ({ id, area, rule, why, where }));
