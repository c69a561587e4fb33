/** Currencies with the sandbox's fixed rates, and the payment methods it serves. */
import { balanceFields } from '../../contract/corridors/balance.ts';
import { describeField, fieldsFor } from '../../contract/corridors/check.ts';
import { type PayinFlow, payinTypes } from '../../contract/corridors/payins.ts';
import { currencies, currencyRule, inputCurrencies } from '../../core/currency.ts';
import { isUuid } from '../../core/ids.ts';
import { type Decimal, eq, fromMinorUnits } from '../../core/money.ts';
import { exchangeRate, inverse, MARGIN, midRate, movedRate } from '../rates.ts';
import { payinField } from '../rules/payin.ts';
import { fieldDescriptors } from '../rules/payout.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';
import { digits } from '../views/json.ts';
import { PROVIDER } from '../views/payout-method.ts';
import { badRequest, type Handler, ok } from './handler.ts';

const MAX_AMOUNT = '999999999999999';

function currencyView(code: string): Plain {
  const rule = currencyRule(code);
  const decimals = rule?.decimals ?? 2;
  return {
    code,
    name: rule?.name ?? code,
    symbol: rule?.symbol ?? code,
    decimals,
    subunit_to_unit: String(10 ** decimals),
    primary: code === 'EUR' || code === 'USD',
    min: fromMinorUnits(1n, decimals),
    max: MAX_AMOUNT,
    usd_equivalent: midRate(code, 'USD'),
  };
}

function oppositeView(code: string, rate: Decimal, mid: Decimal): Plain {
  const margin = eq(rate, mid) ? '0' : MARGIN;
  return { ...currencyView(code), rate: digits(rate), mtm_rate: digits(mid), margin };
}

/**
 * The output currencies that are taken, and so listed: a balance can be credited in every currency, so every one of
 * them is an output.
 * @assumes output-currencies
 */
const outputCurrencies = Object.keys(currencies).sort();

export const listCurrencies: Handler = () => ok(Object.keys(currencies).map(currencyView));

/** `rate` is what one unit of the input currency gives in the other. */
export const listInputCurrencies: Handler = (sandbox, { query }) => {
  if (!isSenderId(query)) return badRequest;
  const rateOf = rateIn(sandbox);
  return ok(
    inputCurrencies.map((code) => ({
      ...currencyView(code),
      opposites: outputCurrencies.map((to) => oppositeView(to, rateOf(code, to), midRate(code, to))),
    })),
  );
};

/** The same rates seen from the output: what one unit of it costs in the input currency is one over `rate` there. */
export const listOutputCurrencies: Handler = (sandbox, { query }) => {
  if (!isSenderId(query)) return badRequest;
  const rateOf = rateIn(sandbox);
  return ok(
    outputCurrencies.map((code) => ({
      ...currencyView(code),
      opposites: inputCurrencies.map((from) =>
        oppositeView(from, inverse(rateOf(from, code)), midRate(code, from)),
      ),
    })),
  );
};

/** Rates have moved for everybody where the fault is armed for no corridor alone. */
function rateIn({ faults }: SandboxState): typeof exchangeRate {
  const { armed } = faults.state();
  return armed.some(({ fault, corridor }) => fault === 'rate-moved' && corridor === null)
    ? movedRate
    : exchangeRate;
}

function isSenderId(query: URLSearchParams): boolean {
  const id = query.get('sender_id');
  return !id || isUuid(id);
}

export const listPayoutPaymentMethods: Handler = (sandbox) => {
  const payins = payinTypes.map(payinMethodView);
  const balances = outputCurrencies.map((currency) => `${currency}::Balance`);
  const types = [...sandbox.book.types.map(({ type }) => type), ...balances];
  return ok(types.map((type) => ({ ...payoutMethod(sandbox, type, true), opposites: payins })));
};

export const listPayinPaymentMethods: Handler = (sandbox) => {
  const payouts = sandbox.book.types.map(({ type }) => payoutMethod(sandbox, type, false));
  return ok(payinTypes.map((payin) => ({ ...payinMethodView(payin), opposites: payouts })));
};

const BALANCE_FIELDS: Plain = Object.fromEntries(
  balanceFields.map((field) => [field.name, { ...describeField(field, () => ({})) }]),
);

/** `fields` are long, bank lists among them: left out where the method is only named. */
function payoutMethod({ book }: SandboxState, type: string, withFields: boolean): Plain {
  const corridor = book.corridor(type);
  return {
    type,
    provider: PROVIDER,
    otc_permitted: false,
    details: (corridor ? fieldsFor(corridor, 'person') : balanceFields).map(({ name }) => name),
    default: true,
    ...(withFields ? { fields: corridor ? fieldDescriptors(book, corridor, 'person') : BALANCE_FIELDS } : {}),
  };
}

/** Over all flows: a provider that one of them takes is one of the method's. */
function payinMethodView({ type, flows }: (typeof payinTypes)[number]): Plain {
  const all: PayinFlow[] = Object.values(flows);
  const details = all.flatMap(({ inDetails }) => inDetails);
  const names = [...new Set(details.map(({ name }) => name))];
  const fields = names.map((name) => [
    name,
    payinField(
      details.filter((field) => field.name === name),
      all.length,
    ),
  ]);
  return {
    type,
    provider: PROVIDER,
    otc_permitted: false,
    details: names,
    fields: Object.fromEntries(fields),
  };
}
