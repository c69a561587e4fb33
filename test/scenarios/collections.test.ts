/** Collections: every type and flow, one-time codes, wrong amounts, retries, cancels, expiry and refunds. */
import { describe } from 'vitest';
import { type PayinFlow, payinTypes } from '../../src/contract/corridors/payins.ts';
import { scenario, scenarios } from '../support/scenario.ts';

describe('every type and flow', () => {
  for (const { type, currency, flows } of payinTypes) {
    for (const [name, flow] of Object.entries(flows) as [string, PayinFlow][]) {
      const start = `create a to=NGN::Bank number=0123456700 amount=1 ${currency} input=${currency} payin=${type} flow=${name}`;
      const code = flow.asksCode ? 'expect a payin=incomplete payin_code=23\ncode a 123456\ndrain' : '';
      const waits = type === 'XOF::Mobile' ? '' : 'expect a state=approved payin=pending\npayin a';
      scenario(
        `${type} ${name}`,
        `
        ${start} phone=+221771234700
        drain
        ${code}
        ${waits}
        expect a state=paid payin=success
        events-include payin_method.pending payin_method.paid_in transaction.paid_in transaction.paid_out
        `,
      );
    }
  }
});

scenarios('details', {
  'a collection whose details are missing waits for them': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile in_mobile_provider=none
    drain
    expect a state=approved payin=incomplete
    events-include payin_method.incomplete
    complete a mobile_provider=nobody -> 422 mobile_provider=invalid
    complete a mobile_provider=mtn
    drain
    expect a payin=pending
    payin a
    expect a state=paid payin=success
  `,
  'a wrong one-time code is refused, the right one starts the collection': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile flow=otp_verified_ussd_popup
    drain
    expect a payin=incomplete payin_code=23
    code a 000000 -> 422 otp=invalid
    code a 424242
    drain
    expect a payin=pending payin_code=14
  `,
  'a voucher with a wrong code fails, and can be tried again with another': `
    create a to=XOF::Balance number=ref amount=1000 XOF input=XOF payin=XOF::Mobile flow=ussd_voucher phone=+221771234755 in_otp=000000
    drain
    expect a payin=error payin_code=415
    complete a otp=424242
    retry a
    drain
    expect a payin=pending
  `,
});

for (const type of ['GHS::Mobile', 'UGX::Mobile', 'NGN::Bank']) {
  const [currency = ''] = type.split('::');
  scenarios('amounts', {
    [`${type} permits a wrong amount: resized and paid out`]: `
      create a to=NGN::Bank number=0123456700 amount=100000 ${currency} input=${currency} payin=${type}
      drain
      payin a amount=60000
      expect a state=paid payin=mispaid input_amount=60000 recipient=success
      events-include payin_method.mispaid transaction.mispaid transaction.paid_out
    `,
  });
}

scenarios('amounts', {
  'more than asked is paid out too, to each by its share': `
    create a to=NGN::Bank number=0123456700,0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a amount=300
    expect a state=paid input_amount=150
    expect a/2 input_amount=150
  `,
  'a resized payout that fails goes through error and back to paid': `
    create a to=NGN::Bank number=0123456719 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a amount=50
    expect a state=mispaid recipient=error
    edit a number=0123456700
    expect a state=paid recipient=success
  `,
  'a provider that does not permit it refuses a wrong amount': `
    create a to=XOF::Balance number=ref amount=1000 XOF input=XOF payin=XOF::Mobile phone=+221771234755
    drain
    payin a amount=900
    expect a state=approved payin=error payin_code=45
    balance XOF 25000000
  `,
});

scenarios('trouble', {
  'money that waits to clear keeps the transaction pending': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a outcome=processing
    expect a state=pending payin=processing
    events-include payin_method.processing
    payin a
    expect a state=paid payin=success
  `,
  'retry is for what failed, and for nothing else': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    retry a -> 422
    payin a code=412
    expect a payin=error payin_code=412
    events-include payin_method.error
    retry a
    drain
    expect a payin=pending
    payin a
    retry a -> 422
  `,
  'an exception waits for the operator, and can be cancelled': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a outcome=exception
    expect a payin=exception
    events-include payin_method.exception
    cancel-payin a
    expect a state=canceled payin=canceled
  `,
  'a collection that is called off before the customer paid': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    cancel-payin a
    expect a state=canceled recipient=canceled payin=canceled
    events-include payin_method.canceled transaction.canceled
    cancel-payin a
    force payin a -> 422
    balance GHS 500000.00
  `,
  'money that cannot be paid out is returned by hand': `
    create a to=NGN::Bank number=0123456719 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a
    drain
    cancel-payin a
    expect a state=manual recipient=canceled payin=canceled
    refund a
    expect a state=refunded recipient=refunded payin=refunded
    events-include payin_method.canceled payin_method.refunded transaction.refunded
    refund a -> 422
  `,
  'what was paid out cannot be called off': `
    create a to=NGN::Bank number=0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a
    expect a state=paid
    cancel-payin a -> 422
  `,
  'the customer has one hour': `
    create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
    advance 59m
    expect a payin=pending
    advance 2m
    expect a state=canceled payin=canceled
    payin a -> 422
  `,
  'a collection whose payout is with the bank cannot be called off': `
    create a to=NGN::Bank number=0123456701 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a
    expect a recipient=pending may_cancel=false
    cancel-payin a -> 422
    expect a state=received recipient=pending
  `,
});

/* Service description: a payin in `processing` has its funds collected; only what has no funds after an hour is cancelled. */
const held = `
  create a to=NGN::Bank number=0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
  drain
  payin a outcome=processing`;

scenarios('money that was collected and is not confirmed yet', {
  'does not expire: it is confirmed, and paid out, whenever that comes': `
    ${held}
    advance 3h
    expect a state=pending recipient=initial payin=processing
    payin a
    expect a state=paid recipient=success payin=success paid_amount=100
  `,
  'is returned by hand when the collection is called off': `
    ${held}
    cancel-payin a
    expect a state=manual recipient=canceled payin=canceled paid_amount=100
    refund a
    expect a state=refunded recipient=refunded payin=refunded
    events-include payin_method.canceled payin_method.refunded transaction.refunded
    refund a -> 422
  `,
  'is returned by hand when its last recipient is cancelled, after the hour too': `
    ${held}
    advance 2h
    cancel a
    expect a state=manual recipient=canceled payin=canceled paid_amount=100
    payin a -> 422
    refund a
    expect a state=refunded recipient=refunded payin=refunded
  `,
  "of one recipient that is cancelled meanwhile stays the customer's": `
    create a to=NGN::Bank number=0123456700,0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a outcome=processing
    cancel a/2
    expect a state=pending input_amount=100
    payin a
    expect a recipient=success paid_amount=200
    expect a/2 recipient=canceled
    refund a
    expect a/2 recipient=refunded state=refunded
  `,
  'of a recipient that is cancelled meanwhile keeps its share when another amount is confirmed': `
    create a to=NGN::Bank number=0123456700,0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a outcome=processing
    cancel a/2
    payin a amount=120
    expect a recipient=success input_amount=60 paid_amount=120
    expect a/2 recipient=canceled input_amount=60
    refund a
    expect a/2 recipient=refunded state=refunded
  `,
  'and in the end did not come leaves the transaction waiting for funds, for the rest of its hour': `
    create a to=NGN::Bank number=0123456700,0123456700 amount=100 GHS input=GHS payin=GHS::Mobile
    drain
    payin a outcome=processing
    cancel a/2
    payin a code=412
    expect a state=approved payin=error paid_amount=0
    retry a
    drain
    payin a
    expect a state=paid recipient=success paid_amount=100
    expect a/2 recipient=canceled
  `,
  'and in the end did not come is cancelled at once where the hour is over': `
    ${held}
    advance 2h
    payin a code=412
    expect a state=canceled recipient=canceled payin=canceled paid_amount=0
    refund a -> 422
  `,
  'and went wrong on the way is kept, and returned by hand when it is cancelled': `
    ${held}
    payin a outcome=exception
    advance 2h
    expect a state=pending payin=exception
    cancel-payin a
    expect a state=manual payin=canceled paid_amount=100
    refund a
    expect a state=refunded recipient=refunded payin=refunded
  `,
  'is not reviewed, held or resumed before it is confirmed': `
    ${held}
    review a hold -> 422
    review a exception -> 422
    force payout a -> 422
    force payin a
    expect a state=paid payin=success
  `,
});

const ghs = 'to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile';

scenarios('what a payin says of itself', {
  'its flow inside its details, and its transaction under both names': `
    create a ${ghs} external_id=order-7
    call GET /payin_methods/{a.payin}
    answer-has object.in_details.ux_flow=ussd_popup object.external_id=order-7 object.transaction_external_id=order-7
    call PATCH /payin_methods/{a.payin} in_details.ux_flow=ussd_popup in_details.mobile_provider=tigo
    answer-has object.in_details.mobile_provider=tigo object.in_details.ux_flow=ussd_popup
  `,
  'what it lacks, and what that can be, until it is there': `
    create a ${ghs} in_mobile_provider=none
    answer-has object.payin_methods.0.errors.mobile_provider.0.error=blank
    drain
    call GET /payin_methods/{a.payin}
    answer-has object.state=incomplete object.errors.mobile_provider.0.error=blank
    answer-has object.fields.mobile_provider.type=select object.fields.mobile_provider.options.mtn=MTN
    complete a mobile_provider=mtn
    answer-has object.errors=undefined object.fields=undefined
  `,
  'the code that its flow waits for': `
    create a ${ghs} flow=otp_verified_ussd_popup
    drain
    call GET /payin_methods/{a.payin}
    answer-has object.state=incomplete object.errors.otp.0.error=blank object.fields.otp.type=input
    code a 000000 -> 422 otp=invalid
    code a 424242
    answer-has object.errors=undefined
  `,
  'what is closed, in the answer of a validation': `
    validate a ${ghs} in_mobile_provider=none
    answer-has object.payin_methods.0.errors.mobile_provider.0.error=blank
    answer-has object.payin_methods.0.fields.mobile_provider.options.airtel=Airtel
  `,
});

const failed = `
  create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
  drain
  payin a code=3`;

scenarios('a provider that takes no collections at the moment (3x)', {
  'is asked again by itself: at once, then later and later': `
    ${failed}
    drain
    expect a payin=pending
    payin a code=331
    expect a payin=error payin_code=331
    advance 1m
    expect a payin=pending
    payin a code=3
    advance 4m
    expect a payin=error
    advance 1m
    expect a payin=pending
    payin a
    expect a state=paid payin=success
    events-include payin_method.error payin_method.pending payin_method.error payin_method.paid_in
  `,
  'is asked again by hand as well, and only once': `
    ${failed}
    drain
    payin a code=3
    complete a mobile_provider=tigo
    retry a
    drain
    expect a payin=pending
    payin a code=412
    advance 30m
    expect a payin=error payin_code=412
  `,
  'is not asked again once the hour is over': `
    ${failed}
    drain
    payin a code=3
    drain
    advance 61m
    expect a state=canceled payin=canceled
    advance 3h
    expect a payin=canceled
  `,
});
