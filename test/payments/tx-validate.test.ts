/** `tx validate` and payin flows: which are open, asked for alone or with a payment, and never a yes to one that is closed. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isWriteRequest, paymentFlags, type Run, useBench } from '../support/cli.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely by tests
type Json = any;

const bench = useBench({ sender: true });

const vodafone = ['phone_number=+233302123400', 'mobile_provider=vodafone'];
const details = vodafone.flatMap((detail) => ['--payin-detail', detail]);
const discover = (...more: string[]) => ['tx', 'validate', '--payin', 'GHS::Mobile', ...more];

function said(run: Run): { valid: boolean; open: string[] } {
  const { valid, flows } = run.data<{ valid: boolean; flows: Json[] }>();
  return { valid, open: flows.filter(({ open }) => open).map(({ ux_flow }) => ux_flow) };
}

describe('a payin type alone', () => {
  it.each([true, false])('asks which flows are open, and for nothing else (terminal: %s)', async (tty) => {
    const run = await bench.run(discover(...details), { tty });
    expect([run.code, run.stdout.match(/GHS::Mobile \w+: open/g)]).toEqual([
      0,
      ['GHS::Mobile ussd_popup: open'],
    ]);
    const bodies = run.requests.map(({ body }) => (body as Json).transaction);
    expect(bodies.map((sent) => Object.keys(sent))).toEqual([['payin_methods']]);
  });

  it('with a flow that is not offered is 5', async () => {
    const run = await bench.run(discover('--payin-flow', 'http_redirect'), { tty: true });
    expect([run.code, run.stdout]).toEqual([5, expect.stringMatching(/http_redirect: not open: ux_flow/)]);
  });

  it('sends an external id along, and a used one is 5', async () => {
    const made = ['tx', 'create', ...paymentFlags('customer-1'), '--external-id', 'used-1'];
    expect((await bench.run(made)).code).toBe(0);
    const free = await bench.run(discover(...details, '--external-id', 'free-1'));
    const [asked] = free.requests.map(({ body }) => (body as Json).transaction);
    expect([free.code, asked.external_id]).toEqual([0, 'free-1']);
    const used = await bench.run(discover(...details, '--external-id', 'used-1'));
    expect([used.code, used.stderr]).toEqual([5, expect.stringMatching(/external_id +is taken already/)]);
    const whole = ['tx', 'validate', ...paymentFlags('customer-1'), '--external-id', 'used-1'];
    expect((await bench.run(whole)).code).toBe(5);
  });
});

it('one closed flow of several that were named is a no', async () => {
  const dry = await bench.run([
    'tx',
    'create',
    ...paymentFlags('customer-1'),
    '--dry-run',
    '-o',
    'json',
    '--reveal',
  ]);
  const { transaction } = dry.data<{ body: Json }>().body;
  const flow = (mobile_provider: string) => ({
    type: 'GHS::Mobile',
    ux_flow: 'ussd_menu_approval',
    in_details: { phone_number: '+233302123400', mobile_provider },
  });
  const file = join(bench.dir, 'two-flows.json');
  const both = {
    external_id: 'two-1',
    input_currency: 'GHS',
    payin_methods: [flow('mtn'), flow('vodafone')],
  };
  writeFileSync(file, JSON.stringify({ ...transaction, ...both }));
  const run = await bench.run(['tx', 'validate', '--file', file, '-o', 'json']);
  expect([run.code, said(run)]).toEqual([5, { valid: false, open: ['ussd_menu_approval'] }]);
  expect(run.stderr).toContain('not every payin flow that was named is open');
});

describe('an answer', () => {
  /* What other services make of the same call: their own order, a method left out, words, a problem of the whole. */
  const spelt: [string, (object: Json) => Json, { valid: boolean; open: string[] }][] = [
    [
      'in another order',
      (object) => ({ ...object, payin_methods: object.payin_methods.toReversed() }),
      { valid: true, open: ['ussd_popup'] },
    ],
    [
      'without the one that is open',
      (object) => ({ ...object, payin_methods: object.payin_methods.slice(1) }),
      { valid: false, open: [] },
    ],
    ['without any', ({ payin_methods: _, ...object }) => object, { valid: false, open: [] }],
    [
      'with words for lists',
      (object) => ({
        ...object,
        payin_methods: object.payin_methods.map((each: Json) => ({ ...each, errors: { otp: 'closed' } })),
      }),
      { valid: false, open: [] },
    ],
    [
      'with a problem of the whole',
      (object) => ({ ...object, errors: { base: [{ error: 'closed today' }] } }),
      { valid: false, open: ['ussd_popup'] },
    ],
  ];

  it.each(spelt)('%s is read for what it says', async (_, change, expected) => {
    bench.intercept(async (request, next) => {
      const answer = await next(request);
      if (!isWriteRequest(request)) return answer;
      const parsed = JSON.parse(answer.body);
      return { ...answer, body: JSON.stringify({ ...parsed, object: change(parsed.object) }) };
    });
    const run = await bench.run(discover(...details, '-o', 'json'));
    expect([run.code, said(run)]).toEqual([expected.valid ? 0 : 5, expected]);
  });
});
