/** How payouts go: paid, refused and edited, cancelled, pending, given up. Each line is one thing that someone does. */
import { describe } from 'vitest';
import { answerKind } from '../../src/sandbox/machines/recipient.ts';
import { outcomeTables } from '../../src/sandbox/outcomes.ts';
import { scenario, scenarios } from '../support/scenario.ts';

const bases: Readonly<Record<string, string>> = {
  'GHS::Mobile ': '+2333021234',
  'UGX::Mobile airtel': '+2567521234',
  'UGX::Mobile mtn': '+2567721234',
  'XAF::Mobile CM': '+2376740444',
  'XAF::Mobile GA': '+241747094',
  'XOF::Mobile ': '+2217740444',
};

scenarios('payouts', {
  'a funded payout is paid': `
    create a number=0123456700 amount=100 EUR
    expect a state=approved recipient=initial editable=true may_cancel=true due_amount=100
    fund a
    expect a state=paid recipient=success code=0 editable=false may_cancel=false paid_amount=100 due_amount=0
    balance EUR 249900.00
    events sender.created sender.approved transaction.created recipient.pending recipient.paid_out transaction.paid_out
  `,
  'a number with no ending of its own is paid': `
    pay a number=0123456755 amount=155000 NGN
    expect a state=paid recipient=success output_amount=155000
  `,
  'a cancelled payout comes back to the cent': `
    pay a number=0123456708 amount=33.33 EUR
    balance EUR 249966.67
    expect a state=received recipient=error code=3 retriable=true editable=true
    drain
    events sender.created sender.approved transaction.created recipient.pending recipient.error recipient.error
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
    events recipient.refunded transaction.refunded
    cancel a                                   # asking again does no harm
    balance EUR 250000.00
  `,
  'nobody may edit what only the sender could put right, but cancelling is open': `
    pay a number=0123456771 amount=10 EUR
    expect a state=received recipient=error code=511 editable=false retriable=false may_cancel=true
    edit a number=0123456700 -> 422
    cancel a
    expect a state=refunded recipient=refunded
  `,
  'a pending payout is paid two hours later': `
    pay a number=0123456701 amount=10 EUR
    expect a state=received recipient=pending code=14 may_cancel=false editable=true
    advance 119m
    expect a recipient=pending
    advance 1m
    expect a state=paid recipient=success
  `,
  'a cancel of a pending payout waits, and the payment wins': `
    pay a number=0123456701 amount=10 EUR
    drain
    cancel a
    expect a state=received recipient=pending
    advance 2h
    expect a state=paid recipient=success
    balance EUR 249990.00
    cancel a -> 422
  `,
  'a cancel of a pending payout waits, and a failure lets it through': `
    pay a number=0123456701 amount=10 EUR
    drain
    cancel a
    answer a code=416
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'an edit while pending counts at the next try': `
    pay a number=0123456701 amount=10 EUR
    drain
    edit a number=0123456719
    expect a recipient=pending
    answer a code=3
    expect a state=received recipient=error code=416
  `,
  'ten tries, then people must look; an edit sets it going again': `
    pay a number=0123456708 amount=10 EUR
    drain
    events sender.created sender.approved transaction.created recipient.pending recipient.error recipient.error
    advance 1m
    events recipient.error
    advance 5m
    events recipient.error
    advance 15m
    events recipient.error
    advance 60m
    events recipient.error
    advance 3h
    events recipient.error recipient.error recipient.error
    expect a state=received recipient=error
    advance 60m
    events recipient.error
    expect a state=manual recipient=manual retriable=false may_cancel=true editable=true
    advance 15h
    events
    edit a number=0123456700
    expect a state=paid recipient=success
  `,
  'a payout that was given up can be cancelled': `
    pay a number=0123456719 amount=10 EUR
    advance 7h
    expect a state=manual recipient=manual
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'the sandbox can be told to pay': `
    create a number=0123456719 amount=10 EUR
    force payout a -> 422
    fund a
    drain
    force payout a
    expect a state=paid recipient=success
    force payout a -> 422
  `,
  'cash waits to be picked up, keeps its reference through an edit, and can always be cancelled': `
    pay a to=MAD::Cash number=+212600000001 amount=50 EUR
    expect a state=received recipient=pending code=21 may_cancel=true editable=true
    edit a first_name=Amina
    expect a recipient=pending
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
    pay b to=MAD::Cash number=+212600000001 amount=50 EUR
    advance 2h
    expect b state=paid recipient=success
  `,
});

scenarios('automatic refund', {
  'after 24 hours without success the money comes back': `
    pay a number=0123456708 amount=10 EUR
    advance 23h
    expect a state=manual recipient=manual
    advance 1h
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'it can be turned off': `
    pay a number=0123456708 amount=10 EUR auto_refund=false
    advance 30h
    expect a state=received recipient=error
    balance EUR 249990.00
    edit a number=0123456700
    expect a state=paid recipient=success
  `,
  'without it tries go on every hour until one succeeds': `
    pay a number=0123456708 amount=10 EUR auto_refund=false
    advance 10h
    events-include recipient.error
    advance 60m
    events recipient.error
    advance 72h
    expect a state=received recipient=error may_cancel=true
    answer a code=0
    advance 60m
    expect a state=paid recipient=success
  `,
  'without it tries go on every hour until it is cancelled': `
    pay a number=0123456719 amount=10 EUR auto_refund=false
    advance 72h
    expect a state=received recipient=error
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'a provider that is told to give up leaves it to people, with it and without it': `
    pay a number=0123456701 amount=10 EUR auto_refund=false
    pay b number=0123456701 amount=10 EUR
    answer a outcome=manual
    answer b outcome=manual
    expect a state=manual recipient=manual
    expect b state=manual recipient=manual may_cancel=true
    advance 25h
    expect a state=manual recipient=manual
    expect b state=refunded recipient=refunded
    edit a number=0123456700
    expect a state=paid recipient=success
  `,
  'a cancel that waits wins over giving up': `
    pay a number=0123456701 amount=10 EUR
    cancel a
    expect a recipient=pending
    answer a outcome=manual
    expect a state=refunded recipient=refunded
  `,
  'a pending payout waits for the provider, and a failure is cancelled at once': `
    pay a number=0123456708 amount=10 EUR
    advance 7h
    answer a code=14
    edit a number=0123456701
    drain
    advance 16h
    expect a recipient=success
  `,
  'the provider has the last word on what is pending at 24 hours': `
    pay a number=0123456708 amount=10 EUR
    advance 23h
    edit a number=0123456701              # manual, so it is tried again: pending until the 25th hour
    advance 90m
    expect a state=received recipient=pending
    answer a code=3
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
});

scenarios('several recipients', {
  'each goes its own way, and the refund is partial': `
    pay a number=0123456700,0123456719 amount=40 EUR
    balance EUR 249920.00
    expect a state=received recipient=success
    expect a/2 state=received recipient=error
    cancel a/2
    expect a/2 state=refunded recipient=refunded
    balance EUR 249960.00
    events sender.created sender.approved transaction.created recipient.pending recipient.paid_out recipient.pending recipient.error recipient.error recipient.refunded transaction.refunded
  `,
  'cancelling one before funding takes it off the bill': `
    create a number=0123456700,0123456700 amount=40 EUR
    cancel a/2
    expect a state=approved recipient=initial input_amount=40
    fund a
    expect a state=paid recipient=success
    expect a/2 recipient=canceled
    balance EUR 249960.00
  `,
  'cancelling all of them cancels the transaction': `
    pay a number=0123456719,0123456719 amount=40 EUR
    drain
    cancel a
    expect a state=received recipient=refunded
    cancel a/2
    expect a/2 state=refunded recipient=refunded
    balance EUR 250000.00
  `,
});

scenarios('name checks', {
  'an enquiry without a valid answer is made again until there is one, however often that is': `
    fail provider-outage times=14
    pay a number=0123456700 amount=10 EUR account_validation=true
    advance 9h
    expect a state=received recipient=error code=44
    advance 2h
    expect a state=paid recipient=success
  `,
  'an enquiry for an account that its bank does not know is made again until it is cancelled': `
    pay a number=9123456700 amount=10 EUR account_validation=true
    advance 23h
    expect a state=received recipient=error code=44
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'enquiries are not counted as tries of the payout': `
    fail provider-outage times=9
    pay a number=0123456719 amount=10 EUR account_validation=true
    advance 8h
    expect a state=received recipient=error code=416
    advance 7h
    expect a state=manual recipient=manual
  `,
  'another name is an answer: it is tried ten times like any other error': `
    pay a number=0123456700 amount=10 EUR last=Mismatch account_validation=true
    advance 12h
    expect a state=manual recipient=manual code=44
  `,
  'an account that cannot be verified is an error too': `
    pay a number=9123456700 amount=10 EUR account_validation=true
    expect a state=received recipient=error code=44
    pay b number=9123456700 amount=10 EUR
    expect b state=paid recipient=success
  `,
});

scenarios(
  'name checks',
  {
    'a strict account compares with the test name': `
    pay a number=0123456700 amount=10 EUR
    expect a state=received recipient=error code=44
    pay b number=0123456700 amount=10 EUR account_validation=false
    expect b state=paid recipient=success
  `,
  },
  { settings: { account_validation: true, strict_names: true } },
);

describe('outcomes by number', () => {
  /* Every ending that the service documents, and one that it does not. */
  for (const { type, field, when, endings } of outcomeTables) {
    const base = bases[`${type} ${when?.value ?? ''}`] ?? (field === 'bank_account' ? '01234567' : '');
    const chosen = when
      ? `${when.field}=${when.value}${when.value === 'GA' ? ' mobile_provider=airtel' : ''}`
      : '';
    for (const [ending, code] of Object.entries({ ...endings, '55': '0' })) {
      const kind = { paid: 'success', pending: 'pending', failed: 'error' }[answerKind(code)];
      scenario(
        `${type} ${when?.value ?? ''} ${ending}`,
        `pay a to=${type} number=${base}${ending} ${chosen} amount=20 EUR\nexpect a recipient=${kind} code=${code}`,
      );
    }
  }
});

const paid = 'pay a to=MAD::Cash number=+212600000001 amount=10 EUR';

scenarios('cash', {
  'can be cancelled in every state until it is paid': `
    ${paid}
    expect a recipient=pending may_cancel=true
    answer a outcome=stuck
    advance 25h
    expect a recipient=stuck may_cancel=true
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'can be cancelled in an exception': `
    ${paid}
    answer a outcome=exception
    expect a recipient=exception may_cancel=true
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
});

const refunded = '"not paid out within 24 hours of funding: cancelled and refunded automatically"';

scenarios('reasons', {
  'of an automatic refund stand on recipient and transaction': `
    pay a number=0123456708 amount=10 EUR
    advance 25h
    expect a state=refunded recipient=refunded state_reason=${refunded}
    call GET /transactions/{a}
    answer-has object.state_reason=${refunded}
  `,
  'of an automatic refund that waited for the provider too': `
    pay a number=0123456708 amount=10 EUR
    advance 23h
    edit a number=0123456701
    advance 90m
    answer a code=3
    expect a state=refunded state_reason=${refunded}
    call GET /transactions/{a}
    answer-has object.state_reason=${refunded}
  `,
  'of an automatic refund of one of two': `
    pay a number=0123456700,0123456708 amount=10 EUR
    advance 25h
    expect a/2 state=refunded recipient=refunded state_reason=${refunded}
    expect a recipient=success
    call GET /transactions/{a}
    answer-has object.state_reason=${refunded}
  `,
  'of exceptions say that people must look': `
    pay a number=0123456701 amount=10 EUR
    answer a outcome=exception
    expect a recipient=exception state_reason="the operator must check this payout by hand"
    call GET /transactions/{a}
    answer-has object.state_reason="some payouts need people: look at the state and reason of each recipient"
    answer a code=0
    call GET /transactions/{a}
    answer-has object.state=paid object.state_reason=null
    pay b number=0123456701 amount=10 EUR
    review b exception
    call GET /transactions/{b}
    answer-has object.state=exception object.state_reason="something unexpected happened: ask the operator"
  `,
});
