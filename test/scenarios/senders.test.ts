/** Senders: the three ways in which they are checked, every state, and what each state may do. */
import { describe } from 'vitest';
import { scenario } from '../support/scenario.ts';

describe('senders', () => {
  scenario(
    'where the partner does its own checks, a sender is approved at once',
    `
    create a number=0123456700 amount=10 EUR
    sender a state=approved
    expect a state=approved
    events sender.created sender.approved transaction.created
    `,
  );

  scenario(
    'where the operator decides, the transaction waits, and is funded after the approval',
    `
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
  );

  scenario(
    'a rejected sender cannot transact, and new details restart the checks',
    `
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
  );

  scenario(
    'a banned sender cannot transact until the ban is lifted',
    `
    create a number=0123456700 amount=10 EUR
    ban a
    sender a state=banned
    create b number=0123456700 amount=10 EUR -> 422 sender.state=invalid
    unban a
    sender a state=approved
    create b number=0123456700 amount=10 EUR
    `,
  );

  scenario(
    'a disabled sender is gone for good, and its documents with it',
    `
    create a number=0123456700 amount=10 EUR file=passport.png
    call DELETE /senders/{a.sender}
    answer-has object.state=disabled
    events-include document.created sender.disabled document.disabled
    call PATCH /senders/{a.sender} sender.city=Hamburg -> 422
    create b number=0123456700 amount=10 EUR -> 422 sender.state=invalid
    call DELETE /senders/{a.sender}
    answer-has object.state=disabled
    `,
  );

  scenario(
    'where documents decide, the lists are looked at first and the papers a minute later',
    `
    setting kyc=documents
    create a number=0123456700 amount=10 EUR -> 422 sender.documents=blank
    create a number=0123456700 amount=10 EUR file=passport.png
    sender a state=verified
    expect a state=initial
    advance 1m
    sender a state=approved
    expect a state=approved
    `,
  );

  scenario(
    'papers that cannot be read leave it incomplete; better ones put it right',
    `
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
  );

  scenario(
    'papers that are refused reject it',
    `
    setting kyc=documents
    create a number=0123456700 amount=10 EUR file=rejected.png
    advance 1m
    sender a state=rejected
    events-include sender.created sender.rejected
    `,
  );
});
