/** Scenarios that come along, one for each failure that a partner must handle. They are run by the tests of this project. */
export interface ShippedScenario {
  title: string;
  text: string;
}

export const shippedScenarios: Readonly<Record<string, ShippedScenario>> = {
  'wrong-account': {
    title: 'the bank refuses the account; it is corrected and paid',
    text: `
pay a number=0123456719 amount=100 EUR
expect a state=received recipient=error code=416 editable=true retriable=false may_cancel=true
events-include recipient.error
edit a number=0123456700              # later tries use the new account
expect a state=paid recipient=success
events-include recipient.paid_out transaction.paid_out
balance EUR 249900.00
`,
  },
  'temporary-error': {
    title: 'the provider takes no payouts for now; the service tries again',
    text: `
fail provider-outage corridor=NGN::Bank times=3
pay a number=0123456700 amount=100 EUR
expect a state=received recipient=error code=3 retriable=true
advance 10m                           # tried again at once, after 1 and 5 minutes
expect a state=paid recipient=success
`,
  },
  'sender-error': {
    title: 'only the sender could put it right: it is cancelled and refunded',
    text: `
pay a number=0123456771 amount=10 EUR
expect a state=received recipient=error code=511 editable=false may_cancel=true
edit a number=0123456700 -> 422
cancel a
expect a state=refunded recipient=refunded
balance EUR 250000.00
`,
  },
  'too-many-tries': {
    title: 'ten tries fail and people must look; an edit sets it going again',
    text: `
pay a number=0123456708 amount=10 EUR
advance 12h
expect a state=manual recipient=manual
edit a number=0123456700
expect a state=paid recipient=success
`,
  },
  'auto-refund': {
    title: 'what is not paid within 24 hours of funding comes back',
    text: `
pay a number=0123456708 amount=33.33 EUR
balance EUR 249966.67
advance 25h
expect a state=refunded recipient=refunded
balance EUR 250000.00
events-include recipient.error transaction.refunded
`,
  },
  'paid-while-cancelling': {
    title: 'a cancel is requested while the payout is with the provider, and the provider pays',
    text: `
pay a number=0123456701 amount=10 EUR
expect a recipient=pending may_cancel=false
fail paid-while-cancelling
cancel a                              # taken, and not a promise
expect a state=paid recipient=success # never credit your customer before it is refunded
balance EUR 249990.00
`,
  },
  'cancel-kept-until-failure': {
    title: 'a cancel of a pending payout takes effect when the provider says that it failed',
    text: `
pay a number=0123456701 amount=10 EUR
cancel a
expect a state=received recipient=pending
answer a code=416
expect a state=refunded recipient=refunded
balance EUR 250000.00
`,
  },
  'not-funded-in-time': {
    title: 'a transaction that nobody funds within the hour takes no funds any more',
    text: `
create a number=0123456700 amount=100 EUR
advance 61m
expect a state=canceled
fund a -> 422 to_id=invalid
create a number=0123456700 -> 422 external_id=taken   # its external_id is used up for ever
`,
  },
  'too-little-balance': {
    title: 'the balance does not carry the payment: nothing is created, nothing is taken',
    text: `
pay a number=0123456700 amount=250000.01 EUR -> 422 amount=insufficient_balance
balance EUR 250000.00
create a number=0123456700 amount=250000.01 EUR
fund a -> 422 amount=insufficient_balance
expect a state=approved
`,
  },
  'answer-lost': {
    title: 'the payment is made and the answer is lost: the same again finds it, and nothing is paid twice',
    text: `
fail response-lost operation=transactions.create_and_fund
pay a number=0123456700 amount=100 EUR -> lost
call GET /transactions?external_id=a
answer-has object.0.state=paid
pay a number=0123456700 amount=100 EUR -> 422 external_id=taken
answer-has meta.existing.transaction.state=paid
balance EUR 249900.00
`,
  },
  'webhook-first': {
    title: 'the webhook arrives before the answer, and again after it',
    text: `
fail webhook-first operation=transactions.create_and_fund
fail webhook-duplicate event=transaction.paid_out
pay a number=0123456700 amount=100 EUR
events-include recipient.paid_out transaction.paid_out transaction.paid_out
expect a state=paid
`,
  },
  'name-mismatch': {
    title: 'the account belongs to someone else: the payout waits until it is corrected',
    text: `
pay a number=0123456700 amount=10 EUR last=Mismatch account_validation=true
expect a state=received recipient=error code=44 editable=true
edit a last_name=Eze
expect a state=paid recipient=success
`,
  },
  stuck: {
    title: 'the provider gives no answer for a day: the outcome is unknown until the operator finds out',
    text: `
pay a number=0123456701 amount=10 EUR auto_refund=false
answer a outcome=stuck
advance 25h
expect a recipient=stuck may_cancel=false
cancel a                              # kept; only the provider's word decides
expect a recipient=stuck
answer a code=416
expect a state=refunded recipient=refunded
balance EUR 250000.00
`,
  },
  'wrong-amount-collected': {
    title: 'a customer pays less than was asked: the transaction is resized and goes on',
    text: `
create a to=GHS::Balance number=ref-1 amount=100 GHS input=GHS payin=GHS::Mobile
drain
payin a amount=60
expect a state=paid payin=mispaid input_amount=60 recipient=success
events-include payin_method.mispaid transaction.mispaid transaction.paid_out
balance GHS 500060.00
`,
  },
  'collection-fails': {
    title: 'a collection fails; it is tried again, and the customer pays',
    text: `
create a to=GHS::Balance number=ref-1 amount=100 GHS input=GHS payin=GHS::Mobile
drain
payin a outcome=error
expect a payin=error
retry a
drain
payin a
expect a state=paid payin=success
`,
  },
  mandate: {
    title: 'a payout to South Africa waits until its recipient has signed',
    text: `
pay a to=ZAR::Bank number=0123456700 amount=100 EUR
expect a state=received recipient=initial code=22 may_cancel=true
sign a
expect a state=paid recipient=success
`,
  },
};
