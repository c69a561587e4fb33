/**
 * Which accounts exist in the sandbox. GHS and NGN accounts that start with 9 and GHS mobile numbers that end in 8 or 9 do
 * not; for Uganda, airtel numbers ending in 29 do not, and mtn numbers ending in 19 are inactive. All others do.
 */

type Details = Readonly<Record<string, unknown>>;

const fails: Readonly<Record<string, (details: Details) => boolean>> = {
  'GHS::Bank': (details) => text(details.bank_account).startsWith('9'),
  'NGN::Bank': (details) => text(details.bank_account).startsWith('9'),
  'GHS::Mobile': (details) => /[89]$/.test(text(details.phone_number)),
  'UGX::Mobile': (details) =>
    text(details.phone_number).endsWith(text(details.mobile_provider) === 'mtn' ? '19' : '29'),
};

/** @assumes account-exists */
export function accountExists(type: string, details: Details): boolean {
  return !(fails[type]?.(details) ?? false);
}

function text(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}
