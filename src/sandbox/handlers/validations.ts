/** Account validation: found answers 200 with what the market says; not found answers 422 with a text in `meta`. */

import { findMarket, type ValidationMarket } from '../../contract/corridors/account-validation.ts';
import { isRefusedAccount } from '../../contract/corridors/accounts.ts';
import { describeFields } from '../../contract/corridors/check.ts';
import { validationCountries, validationCurrencies } from '../../contract/resources/validation.ts';
import { accountExists } from '../outcomes.ts';
import { Problems } from '../rules/problems.ts';
import { readText, requireText } from '../rules/reading.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';
import { type Answer, type Handler, ok, refused } from './handler.ts';

export const createValidation: Handler = (sandbox, { body }) => {
  const problems = new Problems();
  const method = choice(body, 'method', ['bank', 'mobile'], problems);
  const country = choice(body, 'country', validationCountries, problems);
  const currency = choice(body, 'currency', validationCurrencies, problems);
  const mobileProvider = readText(body.mobile_provider, 'mobile_provider', problems)?.toLowerCase();
  if (method === null || country === null || currency === null) return malformed(problems);
  const market = findMarket({ method, country, currency, mobileProvider });
  if (!market) return unserved(method, country, currency, mobileProvider);
  for (const name of market.required) requireText(body[name], name, problems);
  checkAccounts(sandbox, market, body, problems);
  if (problems.any) return malformed(problems, fieldsOf(sandbox, market, problems));
  return enquire(sandbox, market, body, mobileProvider);
};

function choice(body: Plain, field: string, values: readonly string[], problems: Problems): string | null {
  const text = requireText(body[field], field, problems);
  if (text === null || values.includes(text)) return text;
  problems.add(field, 'invalid');
  return null;
}

/** An account is what its corridor takes, and a phone is international: this request names no `phone_country`. */
function checkAccounts(
  { book }: SandboxState,
  market: ValidationMarket,
  body: Plain,
  problems: Problems,
): void {
  const { phone_country: _, ...details } = body;
  const named = [...market.required, ...(market.optional ?? [])];
  const fields = book.corridor(market.type)?.recipientKinds.person ?? [];
  for (const field of fields) {
    if (named.includes(field.name) && isRefusedAccount(field, details)) problems.add(field.name, 'invalid');
  }
}

/** The fields at fault, with all that they can be. */
function fieldsOf({ book }: SandboxState, { type }: ValidationMarket, problems: Problems): Plain {
  const corridor = book.corridor(type);
  const all = corridor ? describeFields(corridor, 'person', book.options) : {};
  const wrong = Object.keys(problems.wire ?? {});
  return Object.fromEntries(Object.entries(all).filter(([name]) => wrong.includes(name)));
}

function enquire(
  sandbox: SandboxState,
  market: ValidationMarket,
  body: Plain,
  provider: string | undefined,
): Answer {
  const { faults, clock } = sandbox;
  if (faults.take('provider-outage', { corridor: market.type }, clock.now(), 'account_validations.create')) {
    return refused({}, { error: 'Account validation failed' });
  }
  const found = accountExists(market.type, { ...body, mobile_provider: provider });
  if (found) return ok({ [market.result]: result(sandbox, market, provider) });
  const object = market.result === 'account_status' ? { account_status: 'inactive' } : {};
  return refused(object, { error: 'The account was not found' });
}

function result(sandbox: SandboxState, { result }: ValidationMarket, provider: string | undefined): string {
  if (result === 'account_name') return sandbox.settings.holder_name;
  return result === 'account_status' ? 'active' : (provider ?? '');
}

/** @assumes validation-market */
function unserved(method: string, country: string, currency: string, provider: string | undefined): Answer {
  const where = `${method} accounts in ${country} (${currency}${provider ? `, ${provider}` : ''})`;
  return refused({}, { error: `There is no validation for ${where}` });
}

function malformed(problems: Problems, fields?: Plain): Answer {
  return refused(
    { errors: problems.wire, ...(fields ? { fields } : {}) },
    { error: 'The request is incomplete or wrong' },
  );
}
