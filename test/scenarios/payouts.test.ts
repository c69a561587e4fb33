/** How payouts go: paid, refused and edited, cancelled, pending, given up. Each line is one thing that someone does. */
import { describe } from 'vitest';
import { scenario } from '../support/scenario.ts';

describe('payouts', () => {
  scenario(
    'a funded payout is paid',
    `
    create a number=0123456700 amount=100 EUR
    expect a state=approved recipient=initial editable=true may_cancel=true
    fund a
    expect a state=paid recipient=success code=0 editable=false may_cancel=false paid_amount=100 due_amount=0
    balance EUR 249900.00
    events sender.created sender.approved transaction.created recipient.pending recipient.paid_out transaction.paid_out
    `,
  );

  scenario(
    'an account that the bank refuses is corrected and paid',
    `
    pay a number=0123456719 amount=100 EUR
    expect a state=received recipient=error code=416 editable=true retriable=false may_cancel=true
    edit a number=0123456700
    expect a state=paid recipient=success
    balance EUR 249900.00
    `,
  );

  scenario(
    'a cancelled payout comes back to the cent',
    `
    pay a number=0123456708 amount=33.33 EUR
    balance EUR 249966.67
    expect a state=received recipient=error code=3 retriable=true
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
    cancel a                                   # asking again does no harm
    balance EUR 250000.00
    `,
  );
});
