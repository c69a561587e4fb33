/** What goes wrong after funding: reviews, silence, too much paid, exceptions, mandates, name checks, and named faults. */
import { describe, expect, test } from 'vitest';
import { faultNames } from '../../src/contract/controls/faults.ts';
import { runScenario } from '../../src/sandbox/scenario/run.ts';
import { shippedScenarios } from '../../src/sandbox/scenario/shipped.ts';
import { openTheatre } from '../../src/sandbox/scenario/theatre.ts';
import { scenario, scenarios } from '../support/scenario.ts';

describe('scenarios that come along', () => {
  for (const [name, { title, text }] of Object.entries(shippedScenarios)) scenario(`${name}: ${title}`, text);

  test('are at least twelve', () => expect(Object.keys(shippedScenarios).length).toBeGreaterThanOrEqual(12));
});

scenarios('compliance', {
  'a review holds the payouts for at most 24 hours': `
    setting review=true
    pay a number=0123456700 amount=10 EUR
    expect a state=processing recipient=initial
    advance 23h
    expect a state=processing
    advance 1h
    expect a state=paid recipient=success
  `,
  'a review is released by control, or ends in an exception that goes on later': `
    setting review=true
    pay a number=0123456700 amount=10 EUR
    pay b number=0123456700 amount=10 EUR
    review a release
    expect a state=paid
    review b exception
    expect b state=exception
    events-include transaction.exception
    review b resume
    expect b state=paid recipient=success
    review b hold -> 422
  `,
  'under review it can still be cancelled': `
    setting review=true
    pay a number=0123456700 amount=10 EUR
    cancel a
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
});

scenarios('a provider', {
  'that pays too much has paid': `
    pay a number=0123456701 amount=10 EUR
    answer a outcome=overpaid
    expect a state=paid recipient=overpaid may_cancel=false editable=false
    cancel a -> 422
    balance EUR 249990.00
  `,
  'that says nothing leaves the payout stuck; it may turn out to be paid': `
    pay a number=0123456701 amount=10 EUR
    answer a outcome=stuck
    advance 23h
    expect a recipient=pending
    advance 1h
    expect a recipient=stuck
    answer a outcome=paid
    expect a state=paid recipient=success
  `,
  'that breaks down puts the payout in exception until the operator has looked': `
    pay a number=0123456701 amount=10 EUR
    answer a outcome=exception
    expect a state=manual recipient=exception
    cancel a
    expect a recipient=exception
    answer a outcome=paid
    expect a state=paid recipient=success
  `,
  'in a pending loop cannot be cancelled at once; the cancel waits for the loop to end': `
    fail pending-loop times=2
    pay a number=0123456700 amount=10 EUR
    expect a recipient=pending may_cancel=false
    advance 10m
    expect a recipient=pending
    cancel a
    expect a recipient=pending
    advance 10m
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
  'files a proof of each payment, and none before': `
    pay a number=0123456719 amount=10 EUR
    proofs a
    answer-has object.length=0
    edit a number=0123456700
    drain
    proofs a
    answer-has object.length=1
  `,
});

scenarios('mandates', {
  'one mandate serves the same name and account again, and another account needs another': `
    pay a to=ZAR::Bank number=0123456700 amount=10 EUR
    expect a state=received recipient=initial code=22 editable=true may_cancel=true
    sign a
    expect a state=paid
    pay b to=ZAR::Bank number=0123456700 amount=10 EUR
    expect b state=paid
    pay c to=ZAR::Bank number=0123456755 amount=10 EUR
    expect c recipient=initial code=22
    sign c bypassed
    expect c state=paid
  `,
  'a mandate holds to the end of the calendar year': `
    pay a to=ZAR::Bank number=0123456700 amount=10 EUR auto_refund=false
    advance 366d
    sign a
    expect a recipient=initial
    call POST /transactions/{a}/payout
    expect a state=paid
  `,
  'validate starts the signing and says how far it is': `
    validate v to=ZAR::Bank number=0123456700 amount=10 EUR -> 422 base="in progress" main_error="the signing of the mandate is in progress"
    pay a to=ZAR::Bank number=0123456700 amount=10 EUR
    expect a recipient=initial
    sign a
    validate v to=ZAR::Bank number=0123456700 amount=10 EUR
  `,
  'what is never signed is refunded after 24 hours': `
    pay a to=ZAR::Bank number=0123456700 amount=10 EUR
    advance 24h
    expect a state=refunded recipient=refunded
    balance EUR 250000.00
  `,
});

scenarios('names', {
  'an outage of the check is retried until there is an answer': `
    fail provider-outage times=1
    pay a number=0123456700 amount=10 EUR account_validation=true
    expect a state=paid recipient=success
  `,
  'an account that does not exist stays in error until it is edited': `
    pay a number=9123456700 amount=10 EUR account_validation=true
    expect a recipient=error code=44 state_reason="the account could not be verified"
    edit a number=0123456700
    expect a state=paid
  `,
});

scenarios('flow discovery', {
  'validate says which flows are open, each with its own errors': `
    validate v to=GHS::Balance number=ref amount=10 GHS input=GHS payin=GHS::Mobile
    answer-has object.payin_methods.0.errors.mobile_provider=undefined
    validate v to=GHS::Balance number=ref amount=10 GHS input=GHS payin=GHS::Mobile in_mobile_provider=none
    answer-has object.payin_methods.0.errors.mobile_provider.0.error=blank
  `,
});

scenarios('faults', {
  'a corridor that is switched off refuses new transactions and says so': `
    fail corridor-inactive corridor=NGN::Bank times=1
    create a number=0123456700 amount=10 EUR -> 422 recipients.payout_method.type=invalid recipients.payout_method.base="not active"
    create a number=0123456700 amount=10 EUR
  `,
  'deliveries come twice, later, out of order, and wrongly signed': `
    fail webhook-duplicate event=sender.created
    fail webhook-reordered event=sender.approved
    create a number=0123456700 amount=10 EUR
    events sender.created sender.created transaction.created sender.approved
    fail webhook-delayed event=recipient.paid_out delay=5m
    fail webhook-missigned event=transaction.paid_out
    fund a
    drain
    events recipient.pending transaction.paid_out
    advance 5m
    events recipient.paid_out
  `,
  'requests are refused, answered with 5xx, cut off before or after, and late': `
    fail refused operation=transactions.create
    create a number=0123456700 amount=10 EUR -> lost
    fail 5xx operation=transactions.create status=502
    create a number=0123456700 amount=10 EUR -> 502
    fail reset-before-commit operation=transactions.create
    create a number=0123456700 amount=10 EUR -> lost
    call GET /transactions?external_id=a
    answer-has object.length=0
    fail slow operation=transactions.create delay=30s
    create a number=0123456700 amount=10 EUR
    expect a state=approved
  `,
});

describe('faults', () => {
  test('each of them is armed and fires in some scenario', async () => {
    const { stage, close } = await openTheatre();
    const { failed } = await runScenario(stage, faultNames.map((name) => `fail ${name}`).join('\n'));
    expect(failed).toBeNull();
    await close();
  });
});
