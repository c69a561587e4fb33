/** Commands that look again and again: what they print, how they end, and how often they ask. */
import { describe, expect, it } from 'vitest';
import { TransportError } from '../../src/core/transport.ts';
import { createArgv, paymentFlags, type Run, useBench, words } from '../support/cli.ts';
import { machine } from '../support/clock.ts';

const bench = useBench({ sender: true });

/** Runs `act` before the request of this number, counted from now. */
function meanwhile(number: number, act: () => Promise<unknown> | unknown): void {
  let count = 0;
  bench.intercept(async (request, next) => {
    if (++count === number) await act();
    return next(request);
  });
}
const create = (account: string, externalId: string, ...more: string[]) =>
  bench.run(createArgv(account, '--external-id', externalId, ...more));
const pay = (account: string, externalId: string) =>
  create(account, externalId, '--fund', '--max-input', '20');
interface Line {
  kind: string;
  data: { what: string; from: string | null; to: string; reason: string | null };
}
const lines = ({ stdout }: Run): Line[] =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

describe('tx watch', () => {
  it('prints a line for each change, of recipients too, and ends with 0 when it is paid', async () => {
    await pay('0123456719', 'wages-1');
    const shown = await bench.run(['tx', 'show', 'wages-1', '-o', 'json']);
    const [recipient] = shown.data<{ recipients: { id: string }[] }>().recipients;
    meanwhile(4, async () => {
      await bench.run([
        'recipient',
        'edit',
        recipient?.id ?? '',
        '--detail',
        'bank_account=0123456700',
        '--name-as-given',
      ]);
      await bench.sandbox.advance(60_000);
    });
    const run = await bench.run(['tx', 'watch', 'wages-1', '-o', 'ndjson']);
    expect(run.code).toBe(0);
    expect(lines(run).map(({ kind, data }) => [kind, data.what, data.from, data.to])).toEqual([
      ['change', 'transaction', null, 'received'],
      ['change', 'recipient', null, 'error'],
      ['change', 'transaction', 'received', 'paid'],
      ['change', 'recipient', 'error', 'success'],
    ]);
    expect(lines(run)[1]?.data.reason).toBe('Invalid account number (416)');
  });

  it('what ends otherwise is 1, unless it was waited for', async () => {
    await create('0123456700', 'wages-2');
    meanwhile(4, () => bench.sandbox.advance(61 * 60_000));
    expect((await bench.run(['tx', 'watch', 'wages-2'])).code).toBe(1);
    const awaited = await bench.run(['tx', 'watch', 'wages-2', '--until', 'canceled']);
    expect([awaited.code, awaited.requests.length]).toEqual([0, 1]);
    expect((await bench.run(['tx', 'watch', 'wages-2', '--until', 'paid'])).code).toBe(1);
  });

  it('a paid one has been received, whether that was seen or not', async () => {
    await pay('0123456700', 'wages-3');
    expect((await bench.run(['tx', 'watch', 'wages-3', '--until', 'received'])).code).toBe(0);
  });

  it('when the time is up it is 8, and says how it stands; Ctrl-C is 130', async () => {
    await create('0123456700', 'wages-4');
    const run = await bench.run(['tx', 'watch', 'wages-4', '--timeout', '0s']);
    expect([run.code, run.requests.length]).toEqual([8, 1]);
    expect(run.stderr).toContain('the time is up: it is approved');
    const stop = new AbortController();
    meanwhile(3, () => stop.abort());
    expect((await bench.run(['tx', 'watch', 'wages-4'], { interrupt: stop.signal })).code).toBe(130);
  });

  it('asks a real service six times in the first hour and not once more', async () => {
    await create('0123456700', 'wages-5');
    const { id } = (await bench.run(['tx', 'show', 'wages-5', '-o', 'json'])).data<{ id: string }>();
    bench.intercept(async (request, next) => {
      const response = await next(request);
      const body = String(response.body).replaceAll(
        '2026-01-05T09:00:00.000Z',
        new Date(machine.ms).toISOString(),
      );
      return { ...response, body };
    });
    const run = await bench.run(['tx', 'watch', id, '--timeout', '59m'], {
      env: { REMIT_BASE_URL: 'https://api.example.com/v1' },
    });
    expect([run.code, run.requests.length]).toEqual([8, 6]);
  });

  it('a failure that passes is passed over, one that does not ends it', async () => {
    await pay('0123456719', 'wages-6');
    let count = 0;
    bench.intercept(async (request, next) => {
      if (++count > 2) throw new TransportError('not_sent', 'ECONNREFUSED', 'connection refused');
      return next(request);
    });
    const run = await bench.run(['tx', 'watch', 'wages-6']);
    expect(run.code).toBe(75);
    expect(run.stderr.match(/looking again/g)).toHaveLength(4);
  });

  it.each(['table', 'text', 'csv', 'yaml', 'json'])('prints %s as it comes', async (format) => {
    await pay('0123456700', 'wages-7');
    const run = await bench.run(['tx', 'watch', 'wages-7', '-o', format]);
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('paid');
    if (format === 'csv') expect(run.stdout.match(/^seen_at,what,id,from,to,reason$/gm)).toHaveLength(1);
  });
});

describe('logs tail', () => {
  it('new requests alone, oldest first, and not its own looking', async () => {
    await bench.run(['balance', 'USD']);
    meanwhile(3, async () => {
      await bench.run(['balance', 'EUR']);
      await bench.run(['balance', 'GBP']);
    });
    const run = await bench.run(['logs', 'tail', '--count', '2', '--fields', 'request_url']);
    expect(run.code).toBe(0);
    expect(run.stdout.split('\n').map((line) => line.split('/').at(-1))).toEqual(['EUR', 'GBP', '']);
  });

  it('--since begins with what was logged; Ctrl-C ends it with 0', async () => {
    await bench.run(['balance', 'USD']);
    const stop = new AbortController();
    meanwhile(3, () => stop.abort());
    const run = await bench.run(['logs', 'tail', '--since', '2026-01-01', '-o', 'ndjson'], {
      interrupt: stop.signal,
    });
    expect(run.code).toBe(0);
    expect(lines(run).map(({ kind }) => kind)).toEqual(['api_log', 'api_log', 'api_log']);
  });

  it('--webhooks follows deliveries', async () => {
    await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/', '--event', 'transaction.created']);
    meanwhile(3, () => create('0123456700', 'wages-8'));
    const run = await bench.run(['logs', 'tail', '--webhooks', '--count', '1', '-o', 'json']);
    expect(run.code).toBe(0);
    expect(run.data<{ metadata: { event: string } }>().metadata.event).toBe('transaction.created');
  });
});

describe('tx validate', () => {
  const collect = (...details: string[]) => [
    ...words('tx validate --payin GHS::Mobile --amount 50 --type GHS::Balance --sender customer-1'),
    ...details.flatMap((detail) => ['--payin-detail', detail]),
  ];

  it('says of every flow of the type whether it is open', async () => {
    const argv = collect('phone_number=+233302123400', 'mobile_provider=vodafone');
    const run = await bench.run([...argv, '-o', 'json']);
    expect(run.code).toBe(0);
    const { flows } = run.data<{ flows: { ux_flow: string; open: boolean }[] }>();
    expect(flows.map(({ ux_flow, open }) => [ux_flow, open])).toEqual([
      ['ussd_popup', true],
      ['ussd_menu_approval', false],
      ['otp_verified_ussd_popup', false],
    ]);
    const listed = await bench.run(['tx', 'list', '-o', 'json']);
    expect(listed.data<unknown[]>()).toEqual([]);
  });

  it('none open is 5 with what is missing; so is one flow that is named', async () => {
    const asked = [...collect('mobile_provider=vodafone'), '--detail', 'reference=order-17'];
    const none = await bench.run(asked, { tty: true });
    expect(none.code).toBe(5);
    expect(none.stdout).toMatch(/ussd_popup: not open: phone_number {2}is missing/);
    const one = await bench.run([...collect(), '--payin-flow', 'ussd_popup']);
    expect([one.code, one.stderr.includes('no payin flow')]).toEqual([5, true]);
    expect((await bench.run(collect('phone=1'))).code).toBe(2);
  });

  it('a payment that would be taken is 0, one that would not 5 with its field', async () => {
    const good = await bench.run(['tx', 'validate', ...paymentFlags('customer-1')]);
    expect(good.code).toBe(0);
    expect(good.requests.map(({ path }) => path)).toEqual(['/transactions/validate']);
    const flags = paymentFlags('customer-1').map((flag) => flag.replace('bank_code=044', 'bank_code=xyz'));
    const bad = await bench.run(['tx', 'validate', ...flags]);
    expect([bad.code, bad.stderr.includes('payout_method.bank_code')]).toEqual([5, true]);
  });
});
