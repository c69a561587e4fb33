import { keyLast4 } from '../../core/account.ts';
import { counted, money } from '../../core/amount-words.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { View } from '../../frame/terminal/view.ts';
import { profileShape } from '../../payments/shapes/machine.ts';
import { signaturesWanted } from '../policy-downgrade.ts';
import type { Profile, ProfileLimits } from '../schema.ts';

/** A profile as JSON has it: names as everywhere else, the key by its last four. */
export type ShownProfile = DataOf<typeof profileShape>;

export const shownProfile = (name: string, profile: Profile, isDefault: boolean): ShownProfile => ({
  name,
  environment: profile.environment,
  base_url: profile.baseUrl,
  key: `…${keyLast4(profile.key)}`,
  secret_in: profile.secretIn,
  scheme: profile.scheme ?? 'signature',
  ca_file: profile.caFile ?? null,
  reports_url: profile.reports_url ?? null,
  output: profile.output ?? null,
  is_default: isDefault,
  ...(profile.read_only ? { read_only: true } : {}),
  ...(profile.two_person ? { two_person: true } : {}),
  ...(profile.max_amount ? { max_amount: profile.max_amount } : {}),
  ...(profile.max_per_day ? { max_per_day: profile.max_per_day } : {}),
  ...(profile.repeat_days === undefined ? {} : { repeat_days: profile.repeat_days }),
  ...(profile.max_rate_tolerance === undefined ? {} : { max_rate_tolerance: profile.max_rate_tolerance }),
  ...(profile.approvers === undefined ? {} : { approvers: profile.approvers }),
  ...(profile.approvals_needed === undefined ? {} : { approvals_needed: profile.approvals_needed }),
  ...(profile.accepted_approvers ? { accepted_approvers: profile.accepted_approvers } : {}),
  ...(profile.agent ? { agent: profile.agent } : {}),
  ...(profile.partner_path ? { partner_path: profile.partner_path } : {}),
});

export const profileView: View<ShownProfile> = {
  shape: profileShape,
  empty: 'no profiles yet: remit login, or remit sandbox start',
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'environment', get: (row) => row.environment },
    { name: 'base_url', priority: 1, least: 20, get: (row) => row.base_url },
    { name: 'key', get: (row) => row.key },
    { name: 'secret_in', priority: 3, get: (row) => row.secret_in },
    { name: 'limits', priority: 2, least: 12, get: limitsText },
    { name: 'default', priority: 1, get: (row) => (row.is_default ? 'yes' : '') },
  ],
};

/** `read-only; at most 5000.00 EUR, 4000.00 GBP; at most 20000.00 EUR a day`. */
export function limitsText({
  read_only: readOnly,
  max_amount: most,
  max_per_day: daily,
  two_person: twoPerson,
  repeat_days: days,
  max_rate_tolerance: tolerance,
  agent,
  ...signing
}: ProfileLimits): string {
  return [
    readOnly ? 'read-only' : '',
    atMost(most),
    daily === undefined ? '' : `${atMost(daily)} a day`,
    twoPerson ? 'two persons a pay run' : '',
    signaturesText(signing),
    days === undefined ? '' : `rows again after ${days} ${days === 1 ? 'day' : 'days'}`,
    tolerance === undefined ? '' : `rates of a run may move by ${tolerance} %`,
    agent === undefined ? '' : AGENT_WORDS[agent],
  ]
    .filter(Boolean)
    .join('; ');
}

function atMost(most: ProfileLimits['max_amount'] = {}): string {
  const amounts = Object.entries(most).map(([currency, amount]) => money(amount, currency));
  return amounts.length > 0 ? `at most ${amounts.join(', ')}` : '';
}

const AGENT_WORDS = {
  sandbox: 'agents write on a sandbox',
  prepare: 'agents prepare, a person approves',
} as const;

/** `2 signatures a pay run, of ada, grace`. */
function signaturesText(limits: ProfileLimits): string {
  const wanted = signaturesWanted(limits);
  if (wanted === undefined) return '';
  const names = Object.keys(limits.accepted_approvers ?? {}).join(', ') || 'nobody yet';
  return `${counted(wanted, 'signature')} a pay run, of ${names}`;
}
