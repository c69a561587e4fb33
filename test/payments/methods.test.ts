import { describe, expect, it } from 'vitest';
import {
  bankDetails as bank,
  collectionFlags,
  createArgv,
  lost,
  lostAfter,
  only,
  useBench,
  writesOf,
} from '../support/cli.ts';

const bench = useBench({ sender: true });

interface Method {
  data: { id: string; state: string; details: Record<string, string> };
}
const toStore = (account?: string) => ['payout-method', 'create', '--type', 'NGN::Bank', ...bank(account)];
const store = async (): Promise<string> => {
  const run = await bench.run([...toStore(), '-o', 'json']);
  expect(run.code).toBe(0);
  return run.json<Method>().data.id;
};

/** Nothing is heard any more once the first write has arrived. */
function goSilent(method: string): () => void {
  let sent = false;
  bench.intercept(async (request, next) => {
    const response = await next(request);
    sent ||= request.method === method;
    return sent ? lost(request, next) : response;
  });
  return () => bench.restore();
}

describe('payout-method', () => {
  it('is stored, listed by state, type and sender, shown and disabled', async () => {
    const id = await store();
    const listed = await bench.run('payout-method list --state enabled --type NGN::Bank -o json');
    expect(listed.requests[0]?.query).toBe('?state[]=enabled&type[]=NGN::Bank&per=100&page=1');
    expect(listed.data<{ id: string }[]>().map((one) => one.id)).toEqual([id]);
    const bySender = await bench.run(['payout-method', 'list', '--sender', 'customer-1']);
    expect(bySender.requests.at(-1)?.query).toMatch(/sender_id=[0-9a-f-]{36}/);
    const shown = await bench.run(['payout-method', 'show', id], { tty: true });
    expect(shown.stdout).toMatch(/bank account +••••6700/);
    const off = await bench.run(['payout-method', 'disable', id, '--fields', 'state']);
    expect([off.code, off.stdout]).toEqual([0, 'disabled\n']);
    const edited = await bench.run(['payout-method', 'edit', id, '--detail', 'bank_account=0123456711']);
    expect([edited.code, writesOf(edited)]).toEqual([1, []]);
  });

  it('an edit shows the change, counts as money and is in the journal', async () => {
    const id = await store();
    const edit = ['payout-method', 'edit', id, '--detail', 'bank_account=0123456711'];
    const production = await bench.run(edit, { env: { REMIT_BASE_URL: 'https://api.example.com/v1' } });
    expect([production.code, writesOf(production)]).toEqual([2, []]);
    const run = await bench.run([...edit, '--detail', 'bank_code=044', '--yes'], { tty: true });
    expect(run.code).toBe(0);
    expect(writesOf(run).map(({ body }) => body)).toEqual([{ details: { bank_account: '0123456711' } }]);
    expect(run.stderr).toContain('bank_account: ••••6700 -> 0123456711');
    const history = await bench.run(['history']);
    expect(history.stdout).toContain('change bank_account of NGN::Bank 044 ••••6700, A•••');
  });

  it('an edit whose answer is lost is 9, refused until it is settled, and found by settling', async () => {
    const id = await store();
    const edit = ['payout-method', 'edit', id, '--detail', 'bank_account=0123456711'];
    const speakAgain = goSilent('PATCH');
    const run = await bench.run(edit);
    speakAgain();
    expect(run.code).toBe(9);
    const settle = /remit (history settle [0-9a-f]{8})/.exec(run.stderr)?.[1] ?? '';
    // What stands is as asked by now: nothing is to be sent, nothing refused, and nothing left open.
    const again = await bench.run(edit);
    expect([again.code, writesOf(again)]).toEqual([0, []]);
    expect(again.stderr).toContain('nothing to change');
    expect(again.stderr).toContain('was applied: it is settled now');
    const settled = await bench.run(settle.split(' '));
    expect(settled.code).toBe(0);
    expect(settled.stderr).toContain('it is settled: applied');
  });

  it('a creation whose answer is lost is looked for, and not sent twice', async () => {
    bench.intercept(only((request) => request.method === 'POST', lostAfter));
    const run = await bench.run(toStore());
    expect([run.code, writesOf(run).length]).toEqual([0, 1]);
    expect(run.stderr).toContain('remit looked, and found it');
    bench.restore();
    const silent = goSilent('POST');
    const unknown = await bench.run(toStore('0123456799'));
    silent();
    expect([unknown.code, writesOf(unknown).length]).toEqual([9, 1]);
    expect(unknown.stderr).toContain('remit payout-method list --type NGN::Bank');
  });

  it.each([
    [['payout-method', 'create', '--type', 'NGN::Bank', '--detail', 'bank_acount=1'], 2],
    [['payout-method', 'create', '--detail', 'bank_account=1'], 2],
    [['payout-method', 'create', '--type', 'NGN::Bank', '--detail', 'bank_code=044'], 5],
    [['payout-method', 'show', 'abc'], 2],
    [['payout-method', 'show', '00000000-0000-4000-8000-000000000000'], 6],
    [['payin-method', 'show', '00000000-0000-4000-8000-000000000000'], 6],
    [['payin-method', 'edit', '00000000-0000-4000-8000-000000000000'], 2],
    [['mandate', 'show', '00000000-0000-4000-8000-000000000000'], 6],
    [['document', 'show', '00000000-0000-4000-8000-000000000000'], 6],
  ])('%j ends with %i', async (argv, code) => {
    expect((await bench.run(argv)).code).toBe(code);
  });
});

interface Collection {
  data: { id: string; payin_methods: { id: string; state: string; out_details: Record<string, string> }[] };
}
const collection = (flow: string, externalId: string, number?: string) => [
  ...['tx', 'create', ...collectionFlags(flow, number), '--payin-detail', 'mobile_provider=mtn'],
  ...['--detail', 'reference=order-17', '--external-id', externalId, '-o', 'json'],
];

describe('a collection by flags', () => {
  it('sends the payin, says who is asked, and shows what the customer needs', async () => {
    const run = await bench.run(collection('ussd_menu_approval', 'order-17'));
    expect(run.code).toBe(0);
    expect(run.requests[0]?.body).toMatchObject({
      transaction: {
        input_currency: 'GHS',
        payin_methods: [
          {
            type: 'GHS::Mobile',
            ux_flow: 'ussd_menu_approval',
            in_details: { phone_number: '+233302123400', mobile_provider: 'mtn' },
          },
        ],
      },
    });
    expect(run.stderr).toContain('collection by GHS::Mobile ussd_menu_approval mtn ••••3400');
    expect(run.stderr).toContain('credit 50.00 GHS to the balance');
    expect(run.stderr).toMatch(/next: remit tx watch [0-9a-f-]{36}/);
    expect(run.stderr).not.toContain('tx fund');
    const [payin] = run.json<Collection>().data.payin_methods;
    expect(payin).toMatchObject({ state: 'pending', out_details: { dialing_number: '*170#' } });
    const shown = await bench.run(['tx', 'show', 'order-17'], { tty: true });
    expect(shown.stdout).toMatch(/dialing number +\*170#/);
    expect(shown.stdout).toMatch(/payin reference +\w+/);
    expect(shown.stdout).toMatch(/what to do +Dial the number/);
  });

  it('with one flow it needs no --payin-flow; an account to pay to is shown whole', async () => {
    const run = await bench.run(
      [
        ...['tx', 'create', '--payin', 'NGN::Bank', '--amount', '5000', '--type', 'NGN::Balance'],
        ...['--sender', 'customer-1', '--external-id', 'order-18', '--detail', 'reference=order-18', '--yes'],
      ],
      { tty: true },
    );
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/account number +0000000000/);
  });

  it('another customer under the same external id is no match', async () => {
    await bench.run(collection('ussd_popup', 'order-19'));
    expect((await bench.run(collection('ussd_popup', 'order-19'))).code).toBe(0);
    const other = await bench.run(collection('ussd_popup', 'order-19', '+233302999900'));
    expect(other.code).toBe(1);
  });

  it.each([
    [['--payin', 'GHS::Mobile'], '--payin-flow ussd_popup | ussd_menu_approval'],
    [['--payin', 'GHS::Mobile', '--payin-flow', 'ussd_popup', '--payin-detail', 'phone=1'], 'phone_number'],
    [['--payin', 'XYZ::Mobile'], '--payin-flow NAME'],
    [['--payin-detail', 'phone_number=1'], '--payin GHS::Mobile'],
    [['--payin', 'NGN::Bank', '--fund', '--max-input', '5'], 'leave --fund out'],
  ])('%j is a usage error and sends nothing', async (flags, words) => {
    const base = ['tx', 'create', '--amount', '5', '--type', 'GHS::Balance', '--sender', 'customer-1'];
    const run = await bench.run([...base, ...flags]);
    expect([run.code, run.requests]).toEqual([2, []]);
    expect(run.stderr).toContain(words);
  });
});

describe('payin-method', () => {
  const begin = async (flow: string, externalId: string, number?: string): Promise<string> => {
    const run = await bench.run(collection(flow, externalId, number));
    return run.json<Collection>().data.payin_methods[0]?.id ?? '';
  };

  it('a wrong code is 5, the right one starts the collection; the code is never shown on a terminal', async () => {
    const id = await begin('otp_verified_ussd_popup', 'order-20');
    const shown = await bench.run(['payin-method', 'show', id], { tty: true });
    expect(shown.stdout).toMatch(/reason +OTP verification required \(23\)/);
    const wrong = await bench.run(['payin-method', 'edit', id, '--otp', '000000']);
    expect([wrong.code, /otp {2}is not valid/.test(wrong.stderr)]).toEqual([5, true]);
    const right = await bench.run(['payin-method', 'edit', id, '--otp', '482913', '--yes'], { tty: true });
    expect(right.code).toBe(0);
    expect(writesOf(right).map(({ body }) => body)).toEqual([{ in_details: { otp: '482913' } }]);
    expect(right.stdout + right.stderr).not.toContain('482913');
    expect((await bench.run(['history'])).stdout).not.toContain('482913');
    const after = await bench.run(['payin-method', 'show', id, '--fields', 'state']);
    expect(after.stdout).toBe('pending\n');
  });

  it('cancelled: 0 and canceled; in production it asks first; the second time nothing is sent', async () => {
    const id = await begin('ussd_popup', 'order-21');
    const cancel = ['payin-method', 'cancel', id, '--fields', 'state'];
    const production = await bench.run(cancel, { env: { REMIT_BASE_URL: 'https://api.example.com/v1' } });
    expect([production.code, writesOf(production)]).toEqual([2, []]);
    const run = await bench.run(cancel);
    expect([run.code, run.stdout]).toEqual([0, 'canceled\n']);
    const again = await bench.run(cancel);
    expect([again.code, writesOf(again)]).toEqual([0, []]);
  });

  it('a cancellation whose answer is lost is found by looking', async () => {
    const id = await begin('ussd_popup', 'order-22');
    bench.intercept(only((request) => request.method === 'DELETE', lostAfter));
    const run = await bench.run(['payin-method', 'cancel', id]);
    expect([run.code, writesOf(run).length]).toEqual([0, 1]);
  });

  it('only a failed collection is tried again; a lost answer to that is settled by looking', async () => {
    const made = await bench.run([
      ...['tx', 'create', '--payin', 'XOF::Mobile', '--payin-flow', 'ussd_popup', '--amount', '5000'],
      ...['--payin-detail', 'phone_number=+2250700000009', '--payin-detail', 'mobile_provider=mtn'],
      ...['--payin-detail', 'country=CI', '--type', 'XOF::Balance', '--sender', 'customer-1', '-o', 'json'],
    ]);
    const [payin] = made.json<Collection>().data.payin_methods;
    expect(payin?.state).toBe('error');
    const id = payin?.id ?? '';
    const edited = await bench.run(`payin-method edit ${id} --detail phone_number=+2250700000005`);
    expect(edited.stderr).toContain(`remit payin-method retry ${id}`);
    bench.intercept(only((request) => request.url.endsWith('/retry'), lostAfter));
    const retried = await bench.run(['payin-method', 'retry', id, '--fields', 'state']);
    expect([retried.code, writesOf(retried).length]).toEqual([0, 1]);
    const again = await bench.run(['payin-method', 'retry', id]);
    expect([again.code, writesOf(again)]).toEqual([1, []]);
  });
});

describe('a name in place of an id', () => {
  it('the external id or the id of a collection stands for its payin method', async () => {
    const made = (await bench.run(collection('otp_verified_ussd_popup', 'order-30'))).json<Collection>().data;
    const payin = made.payin_methods[0]?.id;
    for (const name of ['order-30', made.id, payin ?? '']) {
      const shown = await bench.run(['payin-method', 'show', name, '-o', 'json', '--query', 'id']);
      expect([name, shown.stdout.trim()]).toEqual([name, `"${payin}"`]);
    }
    const edited = await bench.run(['payin-method', 'edit', 'order-30', '--otp', '482913']);
    expect(writesOf(edited)).toEqual([expect.objectContaining({ path: `/payin_methods/${payin}` })]);
    const cancelled = await bench.run(['payin-method', 'cancel', 'order-30', '--fields', 'state']);
    expect([cancelled.code, cancelled.stdout]).toEqual([0, 'canceled\n']);
  });

  it('of several payin methods it asks, or names each of them', async () => {
    const made = (await bench.run(collection('ussd_popup', 'order-31'))).json<Collection>().data;
    const other = '11111111-1111-4111-8111-111111111111';
    bench.intercept(async (request, next) => {
      const response = await next(request);
      if (!request.url.includes('external_id=')) return response;
      const answer = JSON.parse(String(response.body));
      answer.object[0].payin_methods.push({
        ...answer.object[0].payin_methods[0],
        id: other,
        state: 'error',
      });
      return { ...response, body: JSON.stringify(answer) };
    });
    const run = await bench.run(['payin-method', 'retry', 'order-31', '-o', 'json']);
    expect([run.code, writesOf(run)]).toEqual([2, []]);
    const { error } = JSON.parse(run.stderr.trim());
    expect(error).toMatchObject({ code: 'ambiguous_id', hint: 'take one of these ids' });
    expect(error.fields).toEqual([
      {
        path: made.payin_methods[0]?.id,
        words: [expect.stringContaining('pending  collection by GHS::Mobile')],
      },
      { path: other, words: [expect.stringContaining('error')] },
    ]);
  });

  it('of a payment without one says so; a beginning of an id is not written to', async () => {
    const paid = await bench.run(createArgv(undefined, '--external-id', 'wages-1'));
    const id = paid.json<Collection>().data.id;
    const none = await bench.run(['payin-method', 'show', 'wages-1']);
    expect([none.code, none.stderr]).toEqual([6, expect.stringContaining('it is paid from the balance')]);
    expect((await bench.run(['payin-method', 'cancel', id.slice(0, 8)])).stderr).toContain(
      'a write takes a full one',
    );
    const mandate = await bench.run(['mandate', 'show', 'wages-1']);
    expect([mandate.code, mandate.stderr]).toEqual([6, expect.stringContaining('wages-1 has no mandate')]);
  });

  it('the external id of a payment, or a recipient, stands for its mandate', async () => {
    const details = [
      ...['first_name=Ada', 'last_name=Obi', 'email=ada@example.com', 'branch_code=051001', 'city=Cape Town'],
      ...['bank_account=1234567800', 'phone_number=+27821234567', 'street=Main Road 1', 'postal_code=8001'],
    ];
    await bench.run([
      ...['tx', 'create', '--input-currency', 'EUR', '--amount', '500', '--type', 'ZAR::Bank'],
      ...['--sender', 'customer-1', '--external-id', 'zar', '--fund', '--max-input', '500'],
      ...details.flatMap((pair) => ['--detail', pair]),
    ]);
    const shown = await bench.run(['tx', 'show', 'zar', '-o', 'json']);
    const [recipient] = shown.data<{ recipients: { id: string; mandate_id: string }[] }>().recipients;
    for (const name of ['zar', recipient?.id ?? '', recipient?.mandate_id ?? '']) {
      const run = await bench.run(['mandate', 'show', name, '-o', 'json', '--query', 'id']);
      expect([name, run.stdout.trim()]).toEqual([name, `"${recipient?.mandate_id}"`]);
    }
    const signed = await bench.run(`sandbox mandate ${recipient?.id} signed --query status`);
    expect(signed.stdout).toBe('signed\n');
    expect((await bench.run(['sandbox', 'mandate', 'zar', 'failed'])).code).not.toBe(6);
    expect((await bench.run(['sandbox', 'mandate', 'nobody-7', 'signed'])).code).toBe(6);
  });
});
