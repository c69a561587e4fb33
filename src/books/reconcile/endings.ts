/** How a row of either side can end. Each row of an input ends in exactly one of these. */

export const ENDINGS = [
  'matched',
  'expected',
  'not_funded',
  'only_in_ledger',
  'only_at_service',
  'only_in_statement',
  'amount_differs',
  'bank_charge',
  'currency_differs',
  'state_differs',
  'duplicate',
  'outside',
] as const;
export type RowEnding = (typeof ENDINGS)[number];

/** The meaning of each ending, in one sentence: lower case, no full stop. */
export const endingWords: Readonly<Record<RowEnding, string>> = {
  matched: 'both sides have it, and they agree',
  expected: 'it is in flight at the service',
  not_funded: 'it was never funded, so no money moved and there is nothing to book',
  only_in_ledger: 'the ledger alone has it',
  only_at_service: 'the service alone has it',
  only_in_statement: 'the statement alone has it',
  amount_differs: 'both sides have it, with another amount',
  bank_charge: 'both sides have it, and the bank took a charge within the tolerance of your rules',
  currency_differs: 'both sides have it, in another currency',
  state_differs: 'what is booked and the state at the service differ',
  duplicate: 'another row has the same payment',
  outside: 'it is outside of the time that is compared',
};

/** True for an ending that a person must look at. */
export const isDifference = (ending: RowEnding): boolean =>
  ending !== 'matched' && ending !== 'expected' && ending !== 'not_funded' && ending !== 'outside';
