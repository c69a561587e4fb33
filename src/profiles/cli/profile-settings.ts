/**
 * The settings of a profile that can be set by name: `max_amount.EUR=5000`, `read_only=true`; without a value
 * one is taken away.
 */

import { BaseUrlError, checkReportsUrl } from '../../contract/base-url.ts';
import { isPathSegment } from '../../contract/operations/partner-path.ts';
import { decimalsOf } from '../../core/currency.ts';
import { type Decimal, parseAmount } from '../../core/money.ts';
import { usage } from '../../core/problem.ts';
import { flags, type Input } from '../../frame/flags/flag.ts';
import { formatInfo, type OutputFormat, outputFormats } from '../../frame/terminal/format.ts';
import { isPercent } from '../rate-tolerance.ts';
import { AGENT_RIGHTS, type Profile } from '../schema.ts';
import type { SecretFrom } from './sign-in.ts';

const CEILINGS = ['max_amount', 'max_per_day'] as const;
type CeilingName = (typeof CEILINGS)[number];

export type Setting =
  | { name: 'read_only'; value: boolean }
  | { name: 'two_person'; value: boolean }
  /** Without a currency, all of them are taken away. */
  | { name: CeilingName; currency: string | undefined; value: Decimal | undefined }
  | { name: 'repeat_days'; value: number | undefined }
  | { name: 'max_rate_tolerance'; value: string | undefined }
  | { name: 'approvers'; value: string | undefined }
  | { name: 'approvals_needed'; value: number | undefined }
  /** Never typed: whom the user accepted by the fingerprint. */
  | { name: 'accepted_approvers'; value: Readonly<Record<string, string>> | undefined }
  | { name: 'agent'; value: Profile['agent'] }
  | { name: 'partner_path'; value: string | undefined }
  | { name: 'reports_url'; value: string | undefined }
  | { name: 'output'; value: OutputFormat | undefined };

const HOW =
  'read_only=true, two_person=true, repeat_days=6, max_rate_tolerance=0.5, output=json, partner_path=partner, reports_url=https://reports.example.com, approvers=FILE, approvals_needed=2, agent=prepare, max_amount.EUR=5000, max_per_day.EUR=20000, or max_amount.EUR= to take it away';

/** @throws Problem (usage) */
export function readSetting(given: string): Setting {
  const [name = '', value] = splitAt(given, '=');
  if (value === undefined) throw usage(`"${given}" sets nothing`, HOW);
  if (name === 'read_only' || name === 'two_person') {
    if (!['true', 'false', ''].includes(value)) throw usage(`${name} is true or false, not "${value}"`, HOW);
    return { name, value: value === 'true' };
  }
  if (name === 'partner_path') {
    if (value !== '' && !isPathSegment(value))
      throw usage(`partner_path is one segment of a path, not "${value}"`, HOW);
    return { name, value: value === '' ? undefined : value };
  }
  if (name === 'repeat_days') return { name, value: value === '' ? undefined : daysIn(value) };
  if (name === 'max_rate_tolerance') {
    if (value !== '' && !isPercent(value))
      throw usage(`max_rate_tolerance is a percentage from 0 to 50, not "${value}"`, HOW);
    return { name, value: value === '' ? undefined : value };
  }
  if (name === 'approvers') return { name, value: value === '' ? undefined : value };
  if (name === 'approvals_needed') return { name, value: value === '' ? undefined : approversIn(value) };
  if (name === 'reports_url') return { name, value: value === '' ? undefined : reportsUrl(value) };
  if (name === 'agent') return { name, value: value === '' ? undefined : agentRight(value) };
  if (name === 'output') return { name, value: value === '' ? undefined : formatNamed(value) };
  return readCeiling(name, value);
}

function readCeiling(given: string, value: string): Setting {
  const [before, code] = splitAt(given, '.');
  const name = CEILINGS.find((one) => one === before);
  if (name !== undefined && code === undefined && value === '')
    return { name, currency: undefined, value: undefined };
  if (name === undefined || !/^[A-Za-z]{3}$/.test(code ?? ''))
    throw usage(`a profile has no setting "${given}"`, HOW);
  const currency = code?.toUpperCase() ?? '';
  return { name, currency, value: value === '' ? undefined : amountIn(value, currency) };
}

function daysIn(value: string): number {
  const days = Number(value);
  if (!/^\d{1,3}$/.test(value) || days > 366)
    throw usage(`repeat_days is a number of days from 0 to 366, not "${value}"`, HOW);
  return days;
}

function approversIn(value: string): number {
  if (!/^[1-9]\d?$/.test(value))
    throw usage(`approvals_needed is a number from 1 to 99, not "${value}"`, HOW);
  return Number(value);
}

function agentRight(value: string): NonNullable<Profile['agent']> {
  const right = AGENT_RIGHTS.find((one) => one === value);
  if (right === undefined) throw usage(`agent is ${AGENT_RIGHTS.join(' or ')}, not "${value}"`, HOW);
  return right;
}

function reportsUrl(value: string): string {
  try {
    return checkReportsUrl(value);
  } catch (error) {
    throw error instanceof BaseUrlError ? usage(error.message, HOW) : error;
  }
}

function formatNamed(value: string): OutputFormat {
  // A file is for one command: all others would be refused.
  const formats = outputFormats.filter((one) => !formatInfo(one).isFile);
  const format = formats.find((one) => one === value);
  if (format === undefined)
    throw usage(`there is no output format "${value}"`, `choose one of ${formats.join(', ')}`);
  return format;
}

const amountIn = (text: string, currency: string): Decimal =>
  parseAmount(text, decimalsOf(currency), currency);

function splitAt(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

type Settable = Pick<
  Profile,
  | CeilingName
  | 'read_only'
  | 'two_person'
  | 'repeat_days'
  | 'max_rate_tolerance'
  | 'approvers'
  | 'approvals_needed'
  | 'accepted_approvers'
  | 'agent'
  | 'partner_path'
  | 'reports_url'
  | 'output'
>;

export function withSettings<P extends Settable>(profile: P, settings: readonly Setting[]): P {
  const changed: P = { ...profile };
  for (const setting of settings) apply(changed, setting);
  return changed;
}

function apply(profile: Settable, setting: Setting): void {
  if (setting.name === 'read_only' || setting.name === 'two_person')
    put(profile, setting.name, setting.value || undefined);
  else if (setting.name === 'repeat_days') put(profile, 'repeat_days', setting.value);
  else if (setting.name === 'max_rate_tolerance') put(profile, 'max_rate_tolerance', setting.value);
  else if (setting.name === 'approvers') put(profile, 'approvers', setting.value);
  else if (setting.name === 'approvals_needed') put(profile, 'approvals_needed', setting.value);
  else if (setting.name === 'accepted_approvers')
    put(profile, 'accepted_approvers', setting.value && { ...setting.value });
  else if (setting.name === 'agent') put(profile, 'agent', setting.value);
  else if (setting.name === 'output') put(profile, 'output', setting.value);
  else if (setting.name === 'reports_url') put(profile, 'reports_url', setting.value);
  else if (setting.name === 'partner_path') put(profile, 'partner_path', setting.value);
  else if (setting.currency === undefined) delete profile[setting.name];
  else {
    const { [setting.currency]: _, ...others } = profile[setting.name] ?? {};
    const { value } = setting;
    const most = value === undefined ? others : { ...others, [setting.currency]: value };
    put(profile, setting.name, Object.keys(most).length > 0 ? most : undefined);
  }
}

/** Sets a value, or takes it away: a setting without a value is not in the file. */
function put<Name extends keyof Settable>(
  profile: Settable,
  name: Name,
  value: Settable[Name] | undefined,
): void {
  if (value === undefined) delete profile[name];
  else profile[name] = value;
}

/**
 * Where a secret comes from: a prompt, standard input, a file or the environment, never an argument, which
 * others see.
 */
export const keyFlags = flags({
  key: { value: 'key', summary: 'the API key' },
  secretStdin: { summary: 'read the secret from standard input' },
  secretFile: { value: 'path', summary: 'read the secret from a file' },
  secretEnv: { value: 'name', summary: 'read the secret from this environment variable' },
});

/** @throws Problem (usage) where there are several */
export function readSecretFrom(input: Input<typeof keyFlags>): SecretFrom {
  const path = input.flags.secretFile;
  const name = input.flags.secretEnv;
  const sources: SecretFrom[] = [
    ...(input.flags.secretStdin ? [{ kind: 'stdin' } as const] : []),
    ...(path === undefined ? [] : [{ kind: 'file', path } as const]),
    ...(name === undefined ? [] : [{ kind: 'env', name } as const]),
  ];
  if (sources.length > 1) throw usage('the secret is given in more than one way');
  return sources[0] ?? { kind: 'ask' };
}
