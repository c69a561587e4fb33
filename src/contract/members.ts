import { byWord } from '../core/by-word.ts';

/** The meanings of the members of the service's records, for people (docs/wire.md 8 to 12). */
export const memberMeanings: Readonly<Record<string, string>> = byWord({
  amount_after_pending: 'the balance less what is reserved for payments under way',
  auto_refund:
    'a trait of a transaction: if it is not paid within 24 hours of funding, it is cancelled and refunded; on unless switched off',
  account_validation: 'a trait of a transaction: the name on the account is checked before it is paid',
  created_at: 'when the record was made, in UTC',
  due_amount: 'what is still to be paid in',
  editable:
    'whether the details of a recipient can be changed now; if the payout is pending, new details count only if this try fails',
  exchange_rate: 'how much of the output currency you get for one unit of the input currency',
  existing: 'in a refusal (422): the record that has the external id already',
  expires_at: 'until when a transaction can be funded: one hour after its creation',
  external_id: 'your own reference for a record; it names one transaction, or one sender, for ever',
  fields: 'the fields of a payout method: control, options, whether a field is required, and its format',
  input_amount: 'what the payment costs, in the currency that is paid in',
  input_currency: 'the currency that is paid in: that of the balance, or of the collection',
  mandate_id: 'the mandate that the recipient must have signed',
  may_cancel:
    'whether a recipient can be cancelled at once; if not, a cancel is only requested from the provider, which may still pay',
  metadata: 'your own notes that are kept with a record',
  mtm_rate: 'the mid-market rate; a payment gets this rate less the margin',
  output_amount: 'what the recipient gets, rounded as the currency asks',
  output_currency: 'the currency that the recipient gets',
  paid_amount: 'what has been paid in so far',
  payin_methods: 'how a collection is paid by the sender',
  payin_reference: 'the reference by which a payin is recognised',
  payout_method: 'where a recipient is paid: type and details',
  recipients: 'the payouts of a transaction: each has a state of its own, and each is cancelled on its own',
  requested_amount: 'the amount that was asked for, in requested_currency',
  requested_currency: 'the currency of requested_amount: either the one paid in or the one paid out',
  retriable: 'whether a failed payout is tried again',
  sender: 'who sends the money; must be approved before a transaction can be funded',
  state: 'the state of a record; it decides what can be done, a reason never does',
  state_reason: 'why the record is in its state, in the words of the service',
  state_reason_details:
    'why the record is in its state: code, category, and messages from general to detailed; for people only',
  traits: 'switches of a transaction: account_validation and auto_refund',
  transaction_state: 'the state of the transaction that a recipient belongs to',
  ux_flow: 'how the sender of a collection is asked to pay, such as ussd_popup',
});
