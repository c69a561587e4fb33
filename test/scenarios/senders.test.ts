/** Senders: the three ways in which they are checked, every state, and what each state may do. */
import { scenarios } from '../support/scenario.ts';

scenarios('senders', {
  'where the partner does its own checks, a sender is approved at once': `
    create a number=0123456700 amount=10 EUR
    sender a state=approved
    expect a state=approved
    events sender.created sender.approved transaction.created
  `,
  'where the operator decides, the transaction waits, and is funded after the approval': `
    setting kyc=operator
    create a number=0123456700 amount=10 EUR
    sender a state=initial
    expect a state=initial
    fund a -> 422 to_id=invalid
    approve a
    sender a state=approved
    expect a state=approved
    events sender.created transaction.created sender.approved transaction.approved
    fund a
    expect a state=paid
    approve a -> 422
  `,
  'a rejected sender cannot transact, and new details restart the checks': `
    setting kyc=operator
    create a number=0123456700 amount=10 EUR
    reject a
    sender a state=rejected
    events-include sender.rejected
    create b number=0123456700 amount=10 EUR -> 422 sender.state=invalid
    call PATCH /senders/{a.sender} sender.city=Hamburg
    sender a state=initial
    approve a
    create b number=0123456700 amount=10 EUR
    expect b state=approved
  `,
  'a banned sender cannot transact until the ban is lifted': `
    create a number=0123456700 amount=10 EUR
    ban a
    sender a state=banned
    create b number=0123456700 amount=10 EUR -> 422 sender.state=invalid
    unban a
    sender a state=approved
    create b number=0123456700 amount=10 EUR
  `,
  'a disabled sender is gone for good, and its documents with it': `
    create a number=0123456700 amount=10 EUR file=passport.png
    call DELETE /senders/{a.sender}
    answer-has object.state=disabled
    events-include document.created sender.disabled document.disabled
    call PATCH /senders/{a.sender} sender.city=Hamburg -> 422
    create b number=0123456700 amount=10 EUR -> 422 sender.state=invalid
    call DELETE /senders/{a.sender}
    answer-has object.state=disabled
  `,
  'where documents decide, the lists are looked at first and the papers a minute later': `
    setting kyc=documents
    create a number=0123456700 amount=10 EUR -> 422 sender.documents=blank
    create a number=0123456700 amount=10 EUR file=passport.png
    sender a state=verified
    expect a state=initial
    advance 1m
    sender a state=approved
    expect a state=approved
  `,
  'papers that cannot be read leave it incomplete; better ones put it right': `
    setting kyc=documents
    create a number=0123456700 amount=10 EUR file=incomplete-scan.png
    advance 1m
    sender a state=incomplete
    call POST /documents document.upload=data:image/png;base64,aGVsbG8= document.upload_file_name=good.png
    call PATCH /senders/{a.sender} sender.city=Hamburg
    sender a state=verified
    advance 1m
    sender a state=incomplete
    approve a
    sender a state=approved
  `,
  'papers that are refused reject it': `
    setting kyc=documents
    create a number=0123456700 amount=10 EUR file=rejected.png
    advance 1m
    sender a state=rejected
    events-include sender.created sender.rejected
  `,
});

/* "Can transact: no" is asked whenever money would move, not only when a transaction is made. */
const stops = { banned: 'ban a', rejected: 'reject a', disabled: 'call DELETE /senders/{a.sender}' };
for (const [state, stop] of Object.entries(stops))
  scenarios('a sender that may not transact any more', {
    [`${state}: a debit is refused and moves nothing`]: `
      create a number=0123456700 amount=10 EUR
      create b number=0123456700 amount=10 EUR sender=sender-2
      ${stop}
      fund a -> 422 to_id=invalid
      fund b a -> 422
      balance EUR 250000.00
      expect a state=approved recipient=initial paid_amount=0
      expect b state=approved paid_amount=0
    `,
    [`${state}: create and fund is refused`]: `
      create a number=0123456700 amount=10 EUR
      ${stop}
      pay b number=0123456700 amount=10 EUR -> 422 sender.state=invalid
      balance EUR 250000.00
    `,
    [`${state}: a payin under way is neither forced nor confirmed`]: `
      create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
      drain
      ${stop}
      force payin a -> 422
      payin a -> 422
      payin a amount=60 -> 422
      payin a outcome=processing -> 422
      balance GHS 500000.00
      advance 61m
      expect a state=canceled payin=canceled paid_amount=0
    `,
    [`${state}: money that waits to clear is not paid out, and can be returned`]: `
      create a to=GHS::Balance number=ref amount=100 GHS input=GHS payin=GHS::Mobile
      drain
      payin a outcome=processing
      ${stop}
      force payin a -> 422
      payin a -> 422
      expect a state=pending payin=processing
      cancel-payin a
      refund a
      expect a state=refunded payin=refunded
      balance GHS 500000.00
    `,
    [`${state}: a payin that would collect by itself fails, because the sender is barred`]: `
      create a to=XOF::Balance number=ref amount=1000 XOF input=XOF payin=XOF::Mobile phone=+221771234709
      drain
      expect a payin=error payin_code=412
      complete a phone_number=+221771234700
      ${stop}
      retry a
      drain
      expect a state=approved payin=error payin_code=511 paid_amount=0
      balance XOF 25000000
    `,
  });

scenarios('a sender that may not transact any more', {
  'what was funded before is paid out': `
    create a number=0123456701 amount=10 EUR
    fund a
    ban a
    advance 2h
    expect a state=paid
  `,
  'pays again once the ban is lifted': `
    create a number=0123456700 amount=10 EUR
    ban a
    fund a -> 422
    unban a
    fund a
    expect a state=paid
  `,
});
