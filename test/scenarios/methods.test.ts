/** Stored payout methods, documents, account validation, and amounts in any currency. */
import { scenarios } from '../support/scenario.ts';

const method =
  'payout_method.type=NGN::Bank payout_method.details.first_name=Chidi payout_method.details.last_name=Eze payout_method.details.bank_code=044 payout_method.details.bank_account=0123456700';

scenarios('stored payout methods', {
  'are created, changed and disabled, and say so': `
    call POST /payout_methods ${method}
    answer-has object.state=enabled object.fields.bank_code.type=select object.fields.bank_code.options.044="Access Bank"
    call GET /payout_methods/{last}
    answer-has object.fields.bank_code.validations.presence=true
    call PATCH /payout_methods/{last} details.bank_account=0123456755
    answer-has object.details.bank_account=0123456755 object.details.bank_code=044
    call DELETE /payout_methods/{last}
    answer-has object.state=disabled
    events payout_method.created payout_method.disabled
    call GET /payout_methods?state[]=disabled
    answer-has object.length=1 meta.pagination.next_page=null
    call GET /payout_methods?state=enabled&type[]=NGN::Bank
    answer-has object.length=0
  `,
  'those of recipients are found by their sender, and change with their recipient only': `
    create a number=0123456700 amount=10 EUR
    call GET /payout_methods?sender_id={a.sender}
    answer-has object.length=1 object.0.type=NGN::Bank
    call GET /payout_methods?sender_id={a.sender}&type=GHS::Bank
    answer-has object.length=0
  `,
});

scenarios('documents', {
  'are stored and referred to': `
    call POST /documents document.upload=data:application/pdf;base64,aGVsbG8= document.upload_file_name=bill.pdf document.side=front
    answer-has object.upload_content_type=application/pdf object.upload_file_size=5 object.source=Manual object.category=uncategorised
    call POST /documents document.upload=nonsense document.upload_file_name=x -> 422 upload=invalid
    call POST /documents document.upload=https://files.example.com/a.png document.upload_file_name=a.png document.side=top -> 422 side=invalid
    events document.created
    call POST /senders sender.documents.0.id=00000000-0000-4000-8000-000000000000 -> 422 documents=invalid
    call GET /documents
    answer-has object.length=1
  `,
});

const ask = (rest: string) => `call POST /account_validations ${rest}`;

scenarios('account validation', {
  'answers with a name, a network or a standing': `
    ${ask('method=bank country=NG currency=NGN bank_code=044 bank_account=0123456789')}
    answer-has object.account_name="TEST USER"
    ${ask('method=mobile country=SN currency=XOF phone_number=+221774044400 mobile_provider=orange')}
    answer-has object.mapped_mobile_provider=orange
    ${ask('method=mobile country=UG currency=UGX phone_number=+256772123400 mobile_provider=mtn')}
    answer-has object.account_status=active
    ${ask('method=mobile country=UG currency=UGX phone_number=+256772123419 mobile_provider=mtn -> 422')}
    answer-has object.account_status=inactive
    ${ask('method=bank country=GH currency=GHS bank_code=030100 bank_account=9123456789 -> 422')}
    fail provider-outage
    ${ask('method=bank country=NG currency=NGN bank_code=044 bank_account=0123456789 -> 422')}
    answer-has meta.error="Account validation failed"
  `,
});

scenarios('amounts', {
  'are asked for in the input, the output or a third currency': `
    calculate a number=0123456700 amount=100 EUR
    answer-has object.input_amount=100
    calculate a number=0123456700 amount=166793.4 NGN
    answer-has object.recipients.0.output_amount=166794
    calculate a number=0123456700 amount=100 USD
    answer-has object.recipients.0.requested_currency=USD object.input_currency=EUR
    calculate a number=0123456700 amount=100.125 EUR
    answer-has object.input_amount=100.13
  `,
  'a business recipient needs a name': `
    create a type=business number=0123456700 amount=10 EUR name="" -> 422 recipients.payout_method.name=blank
    create a type=business number=0123456700 amount=10 EUR
    expect a state=approved
  `,
  'one currency in and out needs a balance in it': `
    create a to=GHS::Bank number=12345678900 amount=10 GHS input=GHS
    create b to=ZAR::Bank number=0123456700 amount=10 ZAR input=ZAR -> 422 input_currency=invalid
  `,
  'the simplified rules for senders do not hold for Moroccan and West African cash': `
    setting wtr2=true
    create a to=MAD::Cash number=+212600000001 amount=50 EUR
    expect a state=approved
  `,
});
