/** Account settings of the partner that the sandbox plays for, and the rules that a test may break on purpose. */
import { isPathSegment } from '../contract/operations/partner-path.ts';

export interface SandboxSettings {
  /** Tells who checks senders: the partner (`waived`: approved at once), the operator, or the operator with documents. */
  kyc: 'waived' | 'operator' | 'documents';
  /** The simplified identification rules for senders. */
  wtr2: boolean;
  /** True where the name check is on for a transaction whose traits do not say. */
  account_validation: boolean;
  /** True where compliance reviews every funded transaction before it is paid out. */
  review: boolean;
  /** Compare recipient names with `holder_name`; off, only the last name `Mismatch` fails. */
  strict_names: boolean;
  /** The account holder that every validated account has. */
  holder_name: string;
  /** Refuse a nonce that the key used before. */
  nonce_memory: boolean;
  /** Ask senders for `metadata` and `documents`, as the description does; off, both may be left out. */
  strict_senders: boolean;
  /** The segment of the partner balance's path, which the description calls a stand-in. */
  partner_path: string;
}

export const defaultSettings: Readonly<SandboxSettings> = {
  kyc: 'waived',
  wtr2: false,
  account_validation: false,
  review: false,
  strict_names: false,
  holder_name: 'TEST USER',
  nonce_memory: true,
  strict_senders: true,
  partner_path: 'partner',
};

/** The values that each of them can have, for people. */
const settingValues: { [K in keyof SandboxSettings]: string } = {
  kyc: 'waived, operator or documents',
  wtr2: 'true or false',
  account_validation: 'true or false',
  review: 'true or false',
  strict_names: 'true or false',
  holder_name: 'a name',
  nonce_memory: 'true or false',
  strict_senders: 'true or false',
  partner_path: 'one segment of a path, such as partner',
};

const choices: { [K in keyof SandboxSettings]: (value: unknown) => boolean } = {
  kyc: (value) => value === 'waived' || value === 'operator' || value === 'documents',
  wtr2: (value) => typeof value === 'boolean',
  account_validation: (value) => typeof value === 'boolean',
  review: (value) => typeof value === 'boolean',
  strict_names: (value) => typeof value === 'boolean',
  holder_name: (value) => typeof value === 'string' && value.trim() !== '',
  nonce_memory: (value) => typeof value === 'boolean',
  strict_senders: (value) => typeof value === 'boolean',
  partner_path: isPathSegment,
};

/** Names of the members that are no setting or have a value that it cannot take. */
export function badSettings(change: Readonly<Record<string, unknown>>): string[] {
  return Object.keys(change).filter(
    (name) => !Object.hasOwn(choices, name) || !choices[name as keyof SandboxSettings](change[name]),
  );
}

/** Says what is wrong with a name that `badSettings` gave. */
export function badSetting(name: string): string {
  if (!Object.hasOwn(settingValues, name))
    return `there is no setting ${name}: ${Object.keys(settingValues).join(', ')}`;
  return `${name} is ${settingValues[name as keyof SandboxSettings]}`;
}

export const breakableRules = {
  refund_posts_nothing: 'a cancelled recipient is called refunded, but no money comes back',
  expiry_never: 'a transaction that nobody funds is never cancelled',
  edit_ignored: 'an edit answers 200 and changes nothing',
} as const;

export type BreakableRule = keyof typeof breakableRules;
