/** A collection that is incomplete: the commands ask for what it lacks, and for a code only where its flow has one. */
import { describe, expect, it } from 'vitest';
import { useBench, words } from '../support/cli.ts';

const bench = useBench({ sender: true });

const collect = (flow: string, ...details: string[]) =>
  bench.run([
    ...words(`tx create --payin GHS::Mobile --payin-flow ${flow} --amount 50 --type GHS::Balance`),
    ...['--sender', 'customer-1', '--external-id', 'order-1'],
    ...details.flatMap((detail) => ['--payin-detail', detail]),
  ]);

describe('without its provider', () => {
  it('create, show, retry and edit ask for the provider and say what it can be', async () => {
    const made = await collect('ussd_popup', 'phone_number=+233302123400');
    expect(made.code, made.stderr).toBe(0);
    expect(made.stderr).toMatch(
      /waits for mobile_provider: remit payin-method edit \S+ --detail mobile_provider=VALUE/,
    );
    expect(made.stderr).not.toContain('--otp');
    const shown = await bench.run(['payin-method', 'show', 'order-1']);
    expect(shown.stderr).toContain('mobile_provider is one of airtel, mtn, tigo, vodafone');
    const retried = await bench.run(['payin-method', 'retry', 'order-1']);
    expect(retried.stderr).toMatch(/next +remit payin-method edit \S+ --detail mobile_provider=VALUE/);
    expect(retried.stderr).not.toContain('--otp');
    const edited = await bench.run('payin-method edit order-1 --detail phone_number=+233302123455');
    expect(edited.code, edited.stderr).toBe(0);
    expect(edited.stderr).toContain('waits for mobile_provider');
    const done = await bench.run(['payin-method', 'edit', 'order-1', '--detail', 'mobile_provider=mtn']);
    expect([done.code, done.stderr.includes('waits for')]).toEqual([0, false]);
  });

  it('names all that is missing', async () => {
    const made = await collect('ussd_popup');
    expect(made.stderr).toContain('--detail phone_number=VALUE --detail mobile_provider=VALUE');
  });
});

describe('with a code to hand in', () => {
  it('the commands ask for the code', async () => {
    await collect('otp_verified_ussd_popup', 'phone_number=+233302123400', 'mobile_provider=mtn');
    const shown = await bench.run(['payin-method', 'show', 'order-1']);
    expect(shown.stderr).toMatch(/waits for the code: remit payin-method edit \S+ --otp CODE/);
    const done = await bench.run(['payin-method', 'edit', 'order-1', '--otp', '424242']);
    expect([done.code, done.stderr.includes('waits for')]).toEqual([0, false]);
  });

  it('before that they ask for the details that are missing', async () => {
    const made = await collect('otp_verified_ussd_popup', 'phone_number=+233302123400');
    expect(made.stderr).toContain('--detail mobile_provider=VALUE');
    expect(made.stderr).not.toContain('--otp');
  });
});

describe('payin-method edit without flags', () => {
  it('asks on a terminal for what is missing, with the choices of the service', async () => {
    await collect('ussd_popup', 'phone_number=+233302123400');
    const edited = await bench.run(['payin-method', 'edit', 'order-1', '--yes'], {
      tty: true,
      stdin: 'airtel\r',
    });
    expect(edited.stderr).toMatch(/Mobile provider/);
    expect(edited.stderr.toLowerCase()).toContain('airtel');
    expect(edited.code, edited.stderr).toBe(0);
    const shown = await bench.run(['payin-method', 'show', 'order-1', '-o', 'json']);
    const { state, in_details: details } = shown.data<{
      state: string;
      in_details: { mobile_provider: string };
    }>();
    expect([state === 'incomplete', details.mobile_provider]).toEqual([false, 'airtel']);
  });

  it('asks for the code where the flow has one', async () => {
    await collect('otp_verified_ussd_popup', 'phone_number=+233302123400', 'mobile_provider=mtn');
    const edited = await bench.run(['payin-method', 'edit', 'order-1', '--yes'], {
      tty: true,
      stdin: '424242\r',
    });
    expect(edited.code, edited.stderr).toBe(0);
    expect(edited.stderr).toContain('The one-time code that the customer received');
    const shown = await bench.run(['payin-method', 'show', 'order-1', '-o', 'json']);
    expect(shown.data<{ state: string }>().state).not.toBe('incomplete');
  });

  it('names the flags without a terminal, and where nothing is waited for', async () => {
    await collect('ussd_popup', 'phone_number=+233302123400', 'mobile_provider=mtn');
    for (const tty of [true, false]) {
      const run = await bench.run(['payin-method', 'edit', 'order-1'], { tty });
      expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('--detail NAME=VALUE')]);
    }
  });
});
