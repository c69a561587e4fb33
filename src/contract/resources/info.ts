/** Currency and payment-method information (docs/wire.md 6). */
import * as z from 'zod/mini';
import { flag, looseText, maybeAmount, text } from './common.ts';

const currencyShape = {
  code: z.string(),
  name: text,
  symbol: text,
  decimals: z.nullish(z.number()),
  subunit_to_unit: looseText,
  primary: flag,
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
  type: text,
  options: z.nullish(z.record(z.string(), z.unknown())),
  validations: z.nullish(
    z.looseObject({
      presence: flag,
      /** A regex text in Ruby syntax, or `{with: regex}`. Never run as it is (docs/wire.md 3). */
      format: z.nullish(z.union([z.string(), z.looseObject({ with: text })])),
      inclusion: z.nullish(
        z.looseObject({ in: z.nullish(z.record(z.string(), z.unknown())), allow_blank: flag }),
      ),
    }),
  ),
});
export type FieldDescription = z.output<typeof fieldDescription>;
export const fields = z.nullish(z.record(z.string(), fieldDescription));

const paymentMethodShape = {
  type: z.string(),
  provider: text,
  otc_permitted: flag,
  details: z.nullish(z.array(z.string())),
  default: flag,
  fields,
};
export const paymentMethod = z.looseObject({
  ...paymentMethodShape,
  opposites: z.nullish(z.array(z.looseObject(paymentMethodShape))),
});
export type PaymentMethod = z.output<typeof paymentMethod>;
