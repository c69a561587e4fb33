/**
 * What a profile keeps itself from: `read_only` refuses every write, `max_amount` every payment above an amount in the currency
 * that is paid in. With any `max_amount`, a payment in a currency that it does not name is refused too. They are there against
 * a slip of the hand; whoever can change the settings can lift them.
 */
import { isPathSegment } from '../contract/operations/partner-path.ts';
import { type Decimal, isDecimal } from '../core/money.ts';
import { configProblem } from '../core/problem.ts';

export interface ProfileLimits {
  /** Currency to amount: `{"EUR": "5000.00"}`. */
  max_amount?: Record<string, Decimal>;
  read_only?: boolean;
  /** The segment of the partner balance's path, where the service has another than `partner`. */
  partner_path?: string;
}

/** A limit that cannot be read is no limit that may be passed over. @throws Problem (config) */
export function readLimits(given: ProfileLimits, name: string, path: string): ProfileLimits {
  const { max_amount: most, read_only: readOnly, partner_path: segment } = given as Record<string, unknown>;
  if (segment !== undefined && !isPathSegment(segment))
    throw broken(
      `partner_path of profile "${name}" in ${path} is no segment of a path, such as partner`,
      name,
    );
  if (readOnly !== undefined && typeof readOnly !== 'boolean')
    throw broken(`read_only of profile "${name}" in ${path} is neither true nor false`, name);
  if (most !== undefined && !isAmounts(most))
    throw broken(
      `max_amount of profile "${name}" in ${path} is not currencies with amounts, such as {"EUR": "5000.00"}`,
      name,
    );
  return {
    ...(most === undefined ? {} : { max_amount: most }),
    ...(readOnly === undefined ? {} : { read_only: readOnly }),
    ...(segment === undefined ? {} : { partner_path: segment }),
  };
}

const isAmounts = (value: unknown): value is Record<string, Decimal> =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  Object.entries(value).every(
    ([currency, amount]) => /^[A-Z]{3}$/.test(currency) && typeof amount === 'string' && isDecimal(amount),
  );

const broken = (message: string, name: string) =>
  configProblem('config_broken', message, `say it again: remit profiles set ${name} NAME=VALUE`);
