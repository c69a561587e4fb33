/** Currency and payment-method information (docs/wire.md 6). */
import * as z from 'zod/mini';
import { looseText, maybeAmount, wireFlag, wireText } from './common.ts';

const currencyShape = {
  code: z.string(),
  name: wireText,
  symbol: wireText,
  decimals: z.nullish(z.number()),
  subunit_to_unit: looseText,
  primary: wireFlag,
  min: maybeAmount,
  max: maybeAmount,
  usd_equivalent: maybeAmount,
};

export const currency = z.looseObject(currencyShape);

export type Currency = z.output<typeof currency>;

export const currencyOpposite = z.looseObject({
  ...currencyShape,
  rate: maybeAmount,
  mtm_rate: maybeAmount,
  margin: looseText,
});
export const currencyExchange = z.looseObject({
  ...currencyShape,
  opposites: z.nullish(z.array(currencyOpposite)),
});
export type CurrencyExchange = z.output<typeof currencyExchange>;

/** A `fields` descriptor: what a prompt for one payout detail is built from. */
export const fieldDescription = z.looseObject({
  type: wireText,
  options: z.nullish(z.record(z.string(), z.unknown())),
  validations: z.nullish(
    z.looseObject({
      presence: wireFlag,
      /** A regex text in Ruby syntax, or `{with: regex}`. Never run as it is (docs/wire.md 3). */
      format: z.nullish(z.union([z.string(), z.looseObject({ with: wireText })])),
      inclusion: z.nullish(
        z.looseObject({ in: z.nullish(z.record(z.string(), z.unknown())), allow_blank: wireFlag }),
      ),
    }),
  ),
});
export type FieldDescription = z.output<typeof fieldDescription>;
export const fields = z.nullish(z.record(z.string(), fieldDescription));

const paymentMethodShape = {
  type: z.string(),
  provider: wireText,
  otc_permitted: wireFlag,
  details: z.nullish(z.array(z.string())),
  default: wireFlag,
  fields,
};
export const paymentMethod = z.looseObject({
  ...paymentMethodShape,
  opposites: z.nullish(z.array(z.looseObject(paymentMethodShape))),
});
export type PaymentMethod = z.output<typeof paymentMethod>;
