/** Account validation: found answers 200 with what the market says; not found answers 422 with a text in `meta`. */
import { findMarket, type ValidationMarket } from '../../contract/corridors/account-validation.ts';
import { validationCountries, validationCurrencies } from '../../contract/resources/validation.ts';
import { accountExists } from '../outcomes/validation.ts';
import { Problems } from '../rules/problems.ts';
import { isBlank, readText, requireText } from '../rules/reading.ts';
import type { Plain } from '../store/records.ts';
import type { World } from '../world.ts';
import { type Answer, type Handler, ok, refused } from './handler.ts';

const PHONE = /^(?:\+[1-9][0-9]{6,14}|[0-9]{5,15})$/;

export const createValidation: Handler = (world, { body }) => {
  const problems = new Problems();
  const method = choice(body, 'method', ['bank', 'mobile'], problems);
  const country = choice(body, 'country', validationCountries, problems);
  const currency = choice(body, 'currency', validationCurrencies, problems);
  const mobileProvider = readText(body.mobile_provider, 'mobile_provider', problems)?.toLowerCase();
  if (method === null || country === null || currency === null) return malformed(problems);
  const market = findMarket({ method, country, currency, mobileProvider });
  if (!market) return unserved(method, country, currency, mobileProvider);
  for (const name of market.required) requireText(body[name], name, problems);
  checkPhone(body, problems);
  return problems.any ? malformed(problems) : enquire(world, market, body, mobileProvider);
};

function choice(body: Plain, field: string, values: readonly string[], problems: Problems): string | null {
  const text = requireText(body[field], field, problems);
  if (text === null || values.includes(text)) return text;
  problems.add(field, 'invalid');
  return null;
}

function checkPhone({ phone_number }: Plain, problems: Problems): void {
  if (isBlank(phone_number)) return;
  const text = readText(phone_number, 'phone_number', problems);
  if (text !== null && !PHONE.test(text)) problems.add('phone_number', 'invalid');
}

function enquire(world: World, market: ValidationMarket, body: Plain, provider: string | undefined): Answer {
  const { faults, clock } = world;
  if (faults.take('provider-outage', { corridor: market.type }, clock.now(), 'account_validations.create')) {
    return refused({}, { error: 'Account validation failed' });
  }
  const found = accountExists(market.type, { ...body, mobile_provider: provider });
  if (found) return ok({ [market.result]: result(world, market, provider) });
  const object = market.result === 'account_status' ? { account_status: 'inactive' } : {};
  return refused(object, { error: 'The account was not found' });
}

function result(world: World, { result }: ValidationMarket, provider: string | undefined): string {
  if (result === 'account_name') return world.settings.holder_name;
  return result === 'account_status' ? 'active' : (provider ?? '');
}

/** @assumes validation-market */
function unserved(method: string, country: string, currency: string, provider: string | undefined): Answer {
  const where = `${method} accounts in ${country} (${currency}${provider ? `, ${provider}` : ''})`;
  return refused({}, { error: `There is no validation for ${where}` });
}

function malformed(problems: Problems): Answer {
  return refused({ errors: problems.wire }, { error: 'The request is incomplete or wrong' });
}
