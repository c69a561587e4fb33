/**
 * A validate call with payin methods and neither sender nor recipients asks which flows are open. Each method comes back with
 * its own problems; only what is about the call as a whole refuses it. @assumes validate-answer
 */

import { inputCurrencies } from '../../core/currency.ts';
import type { Plain } from '../store/records.ts';
import { fieldsNamed, type PayinReading, readPayin } from './payin.ts';
import { Problems } from './problems.ts';
import { isBlank, readText } from './reading.ts';

export function isDiscovery({ sender, recipients, payin_methods }: Plain): boolean {
  const named = Array.isArray(payin_methods) && payin_methods.length > 0;
  return named && sender === undefined && recipients === undefined;
}

/** Returns the object that goes back, and whether it is a refusal. */
export function discover(sent: Plain): { object: Plain; refused: boolean } {
  const problems = new Problems();
  const currency = readText(sent.input_currency, 'input_currency', problems);
  if (currency !== null && !inputCurrencies.includes(currency)) problems.add('input_currency', 'invalid');
  readText(sent.external_id, 'external_id', problems);
  const methods = sent.payin_methods as unknown[];
  const known = problems.any || isBlank(currency) ? null : currency;
  const object = { ...sent, payin_methods: methods.map((each) => payinAnswer(readPayin(each, known))) };
  return problems.any
    ? { object: { ...object, errors: problems.wire }, refused: true }
    : { object, refused: false };
}

/** The method as sent, with an `errors` of its own: empty where the flow is open, else with the `fields` that are at fault. */
export function payinAnswer({ refused, problems, missing }: PayinReading): Plain {
  const sent = refused();
  const errors = new Problems().merge(problems).merge(missing).wire ?? {};
  const fields = fieldsNamed(String(sent.type), String(sent.ux_flow), Object.keys(errors));
  return { ...sent, errors, ...(Object.keys(fields).length > 0 ? { fields } : {}) };
}
