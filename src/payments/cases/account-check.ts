/**
 * The account check tells what the provider (a bank, a mobile operator) says about an account
 * (docs/wire.md 5, decision 0013). A refusal can also mean that the bank cannot be reached just now, and an
 * outage of the check proves nothing: it never stands in the way.
 */

import { ApiError } from '../../client/errors.ts';
import { findMarket } from '../../contract/corridors/account-validation.ts';
import { loadCorridor } from '../../contract/corridors/index.ts';
import { isBlank, textValue } from '../../contract/corridors/values.ts';
import { createAccountValidation } from '../../contract/operations/account-validations.ts';
import {
  type AccountValidationRequest,
  type AccountValidationResult,
  accountValidationRequest,
} from '../../contract/resources/validation.ts';
import { fold } from '../../core/fold.ts';
import type { Desk } from '../desk.ts';
import { problemOf } from '../problem-of.ts';
import { maskValue } from '../words/mask.ts';
import { fullName } from '../words/person.ts';

export type AccountAnswer = AccountValidationResult & { valid: boolean; error?: string | null | undefined };

/** @throws whatever is no answer about the account */
export async function askAboutAccount(desk: Desk, request: AccountValidationRequest): Promise<AccountAnswer> {
  const client = await desk.client();
  try {
    const { object } = await client.call(createAccountValidation, { body: request });
    return { valid: true, ...object };
  } catch (error) {
    if (!(error instanceof ApiError) || error.kind !== 'validation') throw error;
    if (typeof error.details.meta.error !== 'string') throw error;
    const found = (error.details.resource ?? {}) as AccountValidationResult;
    return { valid: false, ...found, error: error.details.meta.error };
  }
}

/** Says how the holder's name reads beside the given one, and when that was asked, in milliseconds. */
export interface HolderAnswer {
  name: 'match' | 'close' | 'other' | 'cannot_tell';
  at: number;
}

export type AccountCheck =
  /** Accounts of this kind cannot be checked, or nothing that is checked was given. */
  | { kind: 'none' }
  /** `differs` where no part of the recipient's name is in the account's. */
  | { kind: 'known'; says: string; name: HolderAnswer['name']; differs?: boolean }
  | { kind: 'unknown'; says: string }
  | { kind: 'unavailable'; says: string };

type Details = Readonly<Record<string, unknown>>;

/** Takes the details of a payout as they will be. `changed` names what is new, and only that is a reason to ask. */
export async function checkAccount(
  desk: Desk,
  type: string,
  details: Details,
  changed: readonly string[],
): Promise<AccountCheck> {
  const asked = await requestFor(type, details);
  if (asked === undefined || !changed.some((name) => asked.fields.includes(name))) return { kind: 'none' };
  if (isNational(asked.request.phone_number)) return { kind: 'unavailable', says: NATIONAL };
  try {
    return judge(desk, await askAboutAccount(desk, asked.request), details);
  } catch (error) {
    const { category, message } = problemOf(error).facts;
    if (category === 'interrupted') throw error;
    return { kind: 'unavailable', says: `the account could not be checked: ${message}` };
  }
}

const NATIONAL =
  'the account could not be checked: only an international number can be (+ and its country first)';
const isNational = (phone: string | undefined): boolean => phone !== undefined && !phone.startsWith('+');

/** The service's words where it could not ask; an account that it does not find has other words, or a status. */
const OUTAGE = /^account validation failed\.?$/i;

function judge(desk: Desk, answer: AccountAnswer, details: Details): AccountCheck {
  if (isOutage(answer))
    return { kind: 'unavailable', says: `the provider could not be asked: ${answer.error}` };
  if (!answer.valid) return { kind: 'unknown', says: `the account was not found: ${answer.error}` };
  const { account_name: name, mapped_mobile_provider: network, account_status: status } = answer;
  const given = details.mobile_provider;
  if (network && typeof given === 'string' && network.toLowerCase() !== given.toLowerCase())
    return { kind: 'unknown', says: `the number belongs to ${network}, not to ${given}` };
  if (name) return named(desk, name, fullName(details));
  return { kind: 'known', name: 'cannot_tell', says: `the account is known${status ? ` (${status})` : ''}` };
}

/** An empty answer: one with a network or a status did ask a provider. */
const isOutage = ({ valid, error, ...found }: AccountAnswer): boolean =>
  !valid &&
  OUTAGE.test((error ?? '').trim()) &&
  [found.account_name, found.mapped_mobile_provider, found.account_status].every((one) => !one);

/** Names are written in many ways, so a difference is said and stops nothing. */
function named({ mask }: Desk, accountName: string, given: string): AccountCheck {
  const says = `the account is in the name of ${maskValue('account_name', accountName, mask)}`;
  if (given === '') return { kind: 'known', name: 'cannot_tell', says };
  if (readsAs(given, accountName))
    return { kind: 'known', name: isSame(given, accountName) ? 'match' : 'close', says };
  const wanted = maskValue('account_name', given, mask);
  return { kind: 'known', name: 'other', says: `${says}, which does not read as ${wanted}`, differs: true };
}

/** True where any word of one name is in the other, whatever its case, its accents and the order. */
export function readsAs(given: string, accountName: string): boolean {
  const theirs = new Set(wordsOf(accountName));
  return wordsOf(given).some((word) => theirs.has(word));
}

/** The same words, in any order. */
const isSame = (given: string, accountName: string): boolean =>
  wordsOf(given).sort().join(' ') === wordsOf(accountName).sort().join(' ');

const wordsOf = (name: string): string[] =>
  fold(name)
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');

/** Undefined where no check exists, or where not everything that it needs is there. */
async function requestFor(
  type: string,
  details: Details,
): Promise<{ request: AccountValidationRequest; fields: readonly string[] } | undefined> {
  const [currency = '', kind = ''] = type.split('::');
  const method = kind === 'Bank' ? 'bank' : 'mobile';
  const country = textValue(details.country) ?? (await loadCorridor(type))?.countries[0] ?? '';
  const mobileProvider = textValue(details.mobile_provider) ?? undefined;
  const market = findMarket({ method, country, currency, mobileProvider });
  if (market === undefined || (kind !== 'Bank' && kind !== 'Mobile')) return undefined;
  const fields = [...market.required, ...(market.optional ?? [])];
  if (market.required.some((name) => isBlank(details[name]))) return undefined;
  const given = fields.flatMap((name) => (isBlank(details[name]) ? [] : [[name, textValue(details[name])]]));
  const checked = accountValidationRequest.safeParse({
    method,
    country,
    currency,
    ...Object.fromEntries(given),
  });
  return checked.success ? { request: checked.data, fields } : undefined;
}
