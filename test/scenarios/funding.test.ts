/** How transactions get their money, or do not: debits, expiry, duplicates, collections. */
import { scenarios } from '../support/scenario.ts';

scenarios('funding', {
  'after an hour without funds it is cancelled and takes none': `
    create a number=0123456700 amount=100 EUR
    advance 59m
    expect a state=approved
    advance 1m
    expect a state=canceled recipient=canceled
    fund a -> 422 to_id=invalid
    balance EUR 250000.00
    events sender.created sender.approved transaction.created    # no collection: no transaction.canceled
  `,
  'nobody pays twice': `
    create a number=0123456700 amount=100 EUR
    fund a
    fund a -> 422 to_id=invalid
    balance EUR 249900.00
  `,
  'amount and currency of a debit must be those of the transaction': `
    create a number=0123456700 amount=100 EUR
    fund a amount=99.99 -> 422 amount=invalid
    fund a currency=USD -> 422 currency=invalid
    fund a amount=1e2 -> 422 amount=invalid
    fund a amount=100.00 currency=EUR
    expect a state=paid
  `,
  'several debits are all or nothing': `
    create a number=0123456700 amount=100 EUR
    create b number=0123456700 amount=200 EUR
    fund a b amount=100 -> 422 amount=invalid
    balance EUR 250000.00
    fund a b a -> 422 to_id=invalid
    balance EUR 250000.00
    fund a b
    balance EUR 249700.00
    expect a state=paid
    expect b state=paid
  `,
  'a balance that is too small carries nothing': `
    create a number=0123456700 amount=200000 EUR
    create b number=0123456700 amount=60000 EUR
    fund a b -> 422 amount=insufficient_balance
    balance EUR 250000.00
    pay c number=0123456700 amount=250000.01 EUR -> 422 amount=insufficient_balance
    pay c number=0123456700 amount=250000 EUR          # the refused one did not use up its external_id
    expect c state=paid
    balance EUR 0.00
  `,
  'an external_id names one transaction for ever': `
    create a number=0123456700 amount=10 EUR
    create b number=0123456700 amount=10 EUR external_id=a -> 422 external_id=taken
    advance 2h
    pay b number=0123456700 amount=10 EUR external_id=a -> 422 external_id=taken
    balance EUR 250000.00
  `,
  'every recipient cancelled before funding cancels the transaction': `
    create a number=0123456700 amount=10 EUR
    cancel a
    expect a state=canceled recipient=canceled
    fund a -> 422 to_id=invalid
  `,
});

scenarios(
  'funding',
  {
    'with a rule broken on purpose nothing expires': `
    create a number=0123456700 amount=100 EUR
    advance 61m
    expect a state=approved
  `,
  },
  { breakRule: ['expiry_never'] },
);

scenarios('collections', {
  'collected money goes to the balance': `
    create a to=GHS::Balance number=ref-1 amount=100 GHS input=GHS payin=GHS::Mobile
    expect a state=approved payin=pending
    force payin a
    expect a state=paid recipient=success payin=success
    balance GHS 500100.00
    events sender.created sender.approved transaction.created payin_method.pending payin_method.paid_in transaction.paid_in recipient.pending recipient.paid_out transaction.paid_out
    force payin a -> 422
  `,
  'collected money can be paid out at once': `
    create a to=NGN::Bank number=0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    force payin a
    expect a state=paid recipient=success
    balance GHS 500000.00
  `,
  'a customer who does not pay within the hour is too late': `
    create a to=GHS::Balance number=ref-1 amount=100 GHS input=GHS payin=GHS::Mobile
    advance 61m
    expect a state=canceled payin=canceled
    force payin a -> 422
    balance GHS 500000.00
    events sender.created sender.approved transaction.created payin_method.pending payin_method.canceled transaction.canceled
  `,
  'collected money that cannot be paid out goes back by hand': `
    create a to=NGN::Bank number=0123456719 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    force payin a
    drain
    cancel a
    expect a state=manual recipient=canceled
  `,
});
