/** What a support person reads out, and the life of a payout as a picture. */
import { describe, expect, it } from 'vitest';
import { payArgv, paymentFlags, type Run, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const pay = (account: string, ...more: string[]): Promise<Run> =>
  bench.run(payArgv(account, '--external-id', 'wages-1', ...more));
const show = (...rest: string[]): Promise<Run> =>
  bench.run(['recipient', 'show', 'wages-1', ...rest], { tty: true });
/** Ids change from run to run. */
const plain = (text: string): string => text.replace(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'ID');

describe('remit recipient show', () => {
  it('says what happened, who must act, what to type and what to tell the customer', async () => {
    await pay('0123456719');
    expect(plain((await show()).stdout)).toMatchInlineSnapshot(`
      "recipient          ID
      payment            wages-1  ID
      sender             Ines Marques, customer-1, phone ••••5678, e-mail ••••es@example.com
      to                 Ada Obi
      payout to          NGN::Bank  044 ••••6719
      receives           25000 NGN
      costs              14.99 EUR
      rate               1667.9347826087

      state              error
      what happened      the last try failed; the service tries again until it succeeds or is cancelled
      reason             the account number is wrong (416): Invalid account number
      created            2026-01-05 09:00:00 UTC, 0s ago
      automatic refund   in about 24 h if still unpaid

      who must act       you: edit the recipient, or cancel
      you can            remit recipient edit ID
                         remit recipient cancel ID --wait
      tell the customer  The account number is wrong. Please check it with the recipient. Once we have the
                         right details, the payment is tried again with them; nothing has been paid out so
                         far.
      "
    `);
  });

  it('gives a script the same as data, in seconds', async () => {
    await pay('0123456719');
    await bench.run(['sandbox', 'clock', 'advance', '2h']);
    const run = await bench.run(['recipient', 'show', 'wages-1', '-o', 'json']);
    expect(run.data<{ standing: object }>().standing).toMatchObject({
      act: 'edit',
      can: ['edit', 'cancel'],
      age_seconds: 7200,
      refund_in_seconds: { earliest: 22 * 3600, latest: 23 * 3600 },
    });
  });

  it('promises no refund that the transaction switched off', async () => {
    await pay('0123456719', '--no-auto-refund');
    const run = await show();
    expect(run.stdout).toContain('who must act');
    expect(run.stdout).not.toContain('automatic refund');
  });

  it('offers only to ask for a cancel where the payout is with the provider, and nothing where it is paid', async () => {
    await pay('0123456701');
    expect((await show()).stdout).toMatch(/remit recipient cancel \S+ --request --wait/);
    await bench.run(['sandbox', 'clock', 'advance', '3h']);
    const paid = await show();
    expect(paid.stdout).toContain('25000 NGN was paid out.');
    expect(paid.stdout).not.toContain('you can');
  });
});

describe('what was done before', () => {
  it('a request to cancel is part of where it stands; asking again sends nothing', async () => {
    await pay('0123456701');
    const asked = await bench.run(['recipient', 'cancel', 'wages-1', '--request', '-o', 'json']);
    expect([asked.code, asked.data<{ ending: string }>().ending]).toEqual([8, 'cancellation requested']);
    const shown = await show();
    expect(shown.stdout).toContain('cancellation requested 0s ago; the provider has not answered yet');
    expect(shown.stdout).not.toContain('--request');
    expect(shown.stdout).toContain('We have asked to cancel the payment');
    const again = await bench.run(['recipient', 'cancel', 'wages-1', '--request', '-o', 'json']);
    expect([again.code, again.requests.filter(({ method }) => method === 'DELETE')]).toEqual([8, []]);
    expect(again.data<{ why: string }>().why).toContain('nothing was sent again');
    for (const words of [
      ['recipient', 'cancel'],
      ['tx', 'cancel'],
    ]) {
      const run = await bench.run([...words, 'wages-1']);
      expect([run.code, run.stdout.includes('cancellation requested')]).toEqual([8, true]);
      expect(run.stderr).not.toContain('--request');
      // Nothing is sent, so nobody is asked: a question would wait here for ever.
      expect((await bench.run([...words, 'wages-1'], { tty: true })).code).toBe(8);
    }
  });

  it('after an edit nobody is told to edit', async () => {
    await pay('0123456719');
    await bench.run(['recipient', 'edit', 'wages-1', '--detail', 'last_name=Okoye']);
    const { stdout } = await bench.run(['recipient', 'show', 'wages-1', '-o', 'json']);
    expect(JSON.parse(stdout).data.standing).toMatchObject({
      act: 'wait',
      because: 'edited 0s ago; the next try uses the new details',
      done_before: { edited_seconds: 0, cancel_requested_seconds: null },
    });
    const [row] = (await bench.run(['recipient', 'triage', '-o', 'json'])).data<
      { standing: { act: string } }[]
    >();
    expect(row?.standing.act).toBe('wait');
  });

  it('a payment that is funded at once reads as it stands, not as it began', async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-9')]);
    const flags = [...paymentFlags('customer-9', '0123456719'), '--fund', '--max-input', '20'];
    const run = await bench.run(['tx', 'create', ...flags, '--yes'], { tty: true });
    expect(run.stdout).toMatch(/state +error/);
    expect(run.stderr).toMatch(/The payout failed\. remit recipient show \S+\s+says why/);
    const waited = await bench.run(['tx', 'create', ...flags, '--new-payment', '--wait', '-o', 'json']);
    expect(waited.code).toBe(1);
  });
});

describe('what to tell', () => {
  it('a refund to our balance is not yet the customer’s', async () => {
    await pay('0123456719');
    await bench.run(['recipient', 'cancel', 'wages-1', '--wait']);
    const { stdout } = await show();
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain(
      'The payment was cancelled. 14.99 EUR is back in our account. We can refund you now.',
    );
  });
});

describe('--timeline', () => {
  async function life(): Promise<void> {
    await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/hooks']);
    await pay('0123456719');
    await bench.run(['sandbox', 'clock', 'advance', '2h']);
    await bench.run([
      'recipient',
      'edit',
      'wages-1',
      '--detail',
      'bank_account=0123456701',
      '--name-as-given',
    ]);
    await bench.run(['sandbox', 'clock', 'advance', '3h']);
  }

  it('draws states, events and what was asked for, with the time between; nothing is numbered', async () => {
    await life();
    expect((await show('--timeline')).stdout).toMatchInlineSnapshot(`
      "2026-01-05 09:00:00 UTC  ○ initial  created with its payment
                               │
      2026-01-05 09:00:00 UTC  ▸ you: create, answered 201
                               │
      2026-01-05 09:00:00 UTC  ▸ you: fund, answered 201
                               │
      2026-01-05 09:00:00 UTC  ○ pending  Pending (14)  [recipient.pending]
                               │
      2026-01-05 09:00:00 UTC  ✗ error  Invalid account number (416)  [recipient.error]
                               │
      2026-01-05 09:00:00 UTC  ✗ error  Invalid account number (416)  [recipient.error]
                               │ 1m
      2026-01-05 09:01:00 UTC  ✗ error  Invalid account number (416)  [recipient.error]
                               │ 5m
      2026-01-05 09:06:00 UTC  ✗ error  Invalid account number (416)  [recipient.error]
                               │ 15m
      2026-01-05 09:21:00 UTC  ✗ error  Invalid account number (416)  [recipient.error]
                               │ 1h
      2026-01-05 10:21:00 UTC  ✗ error  Invalid account number (416)  [recipient.error]
                               │ 39m
      2026-01-05 11:00:00 UTC  ▸ you: edit, answered 200
                               │ 2h
      2026-01-05 13:00:00 UTC  ✓ success  [recipient.paid_out]
      "
    `);
  });

  it('is a row each for machines, and never a signature or an account', async () => {
    await life();
    const run = await bench.run(['recipient', 'show', 'wages-1', '--timeline', '-o', 'json']);
    const { data } = run.json<{ data: { name: string; by: string }[] }>();
    expect(data.filter(({ by }) => by === 'you').map(({ name }) => name)).toEqual(['create', 'fund', 'edit']);
    expect(data.at(-1)?.name).toBe('success');
    expect(run.stdout).not.toContain('01234567');
  });

  it('older records add to it and change nothing that stands there; they are offered', async () => {
    await life();
    const all = (await show('--timeline')).stdout;
    // As if the log were long: a record is a page, and five pages are read.
    const logs = new Map<string, unknown[]>();
    bench.intercept(async (request, next) => {
      const { pathname, searchParams } = new URL(request.url);
      const response = await next(request);
      if (!/\/(?:logs\/webhooks|api_logs)$/.test(pathname)) return response;
      const page = Number(searchParams.get('page'));
      const records = logs.get(pathname) ?? JSON.parse(response.body).object;
      logs.set(pathname, records);
      const meta = { pagination: { next_page: page < records.length ? page + 1 : null } };
      return { ...response, body: JSON.stringify({ object: records.slice(page - 1, page), meta }) };
    });
    const run = await show('--timeline');
    bench.restore();
    expect(run.stderr).toContain('--all reads the older ones too.');
    const shown = run.stdout.split('\n').filter((line) => /[○▸✗✓■]/.test(line));
    expect(shown.length).toBeGreaterThan(1);
    expect(shown.length).toBeLessThan(all.split('\n').filter((line) => /[○▸✗✓■]/.test(line)).length);
    // How it stands now has no time of its own until the record of it is read.
    for (const line of shown.filter((one) => !one.startsWith('now'))) expect(all).toContain(line);
    expect(run.stdout).toContain('┆ older records were not read');
  });

  it('is in the order of time, however the service writes a time', async () => {
    await life();
    const names = async () =>
      (await bench.run(['recipient', 'show', 'wages-1', '--timeline', '-o', 'json']))
        .data<{ by: string; name: string }[]>()
        .map(({ by, name }) => `${by} ${name}`);
    const before = await names();
    bench.intercept(async (request, next) => {
      const response = await next(request);
      if (!request.url.includes('/logs/webhooks')) return response;
      const there = (text: string): string =>
        new Date(Date.parse(text) + 7_200_000).toISOString().replace(/\.\d+Z/, '+02:00');
      return {
        ...response,
        body: response.body.replace(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, text) => `"${there(text)}"`),
      };
    });
    expect(await names()).toEqual(before);
    bench.restore();
  });

  it('what the logs no longer hold is told by the inbox of this machine', async () => {
    const hook = 'http://127.0.0.1:9/hooks';
    await bench.run(['webhooks', 'add', hook]);
    await pay('0123456719');
    expect((await bench.run(['webhooks', 'backfill', '--public-url', hook])).code).toBe(0);
    bench.intercept(async (request, next) => {
      const response = await next(request);
      const isLog = new URL(request.url).pathname.endsWith('/logs/webhooks');
      return isLog ? { ...response, body: JSON.stringify({ object: [] }) } : response;
    });
    const { stdout, stderr } = await show('--timeline');
    bench.restore();
    expect(stdout).toMatch(/✗ error {2}Invalid account number \(416\) {2}\[recipient\.error\]/);
    expect(stderr).not.toContain('remit webhooks add');
  });

  it('says so where the service has sent no webhook, and shows what stands now', async () => {
    await pay('0123456719');
    const run = await show('--timeline');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/now +✗ error/);
    expect(run.stderr).toContain('remit webhooks add');
  });

  it.each([1, 2])('shows each failure once, with %i endpoints that refuse', async (endpoints) => {
    for (let port = 1; port <= endpoints; port++)
      await bench.run(['webhooks', 'add', `http://127.0.0.1:${port}/hooks`]);
    await pay('0123456708');
    for (const by of ['1m', '5m', '15m']) await bench.run(['sandbox', 'clock', 'advance', by]);
    const told = await bench.run(['sandbox', 'explain', 'wages-1', '-o', 'text']);
    const run = await bench.run(['recipient', 'show', 'wages-1', '--timeline', '-o', 'json']);
    const { data } = run.json<{ data: { name: string }[] }>();
    const errors = data.filter(({ name }) => name === 'error');
    expect(errors.length).toBeGreaterThan(2);
    expect(errors).toHaveLength(told.stdout.match(/recipient\tpending\terror/g)?.length ?? 0);
  });
});
