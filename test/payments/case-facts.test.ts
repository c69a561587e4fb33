/** What a caller asks about a payout, and one screen answers: who sent it, when it was paid or came back, where cash is, what looks alike. */
import { expect, it } from 'vitest';
import { payArgv, paymentFlags, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });

const pay = async (id: string, account: string, ...more: string[]): Promise<void> => {
  const made = await bench.run(payArgv(account, '--external-id', id, ...more));
  expect([0, 1, 8], made.stderr).toContain(made.code);
};
const show = async (id: string): Promise<string> =>
  (await bench.run(['recipient', 'show', id], { tty: true, columns: 120 })).stdout;
const facts = async (id: string) =>
  (await bench.run(['recipient', 'show', id, '-o', 'json'])).data<Record<string, unknown>>();

it('the sender, by name and by the ends of phone and e-mail', async () => {
  await pay('wages-1', '0123456719');
  const shown = await show('wages-1');
  expect(shown).toMatch(/sender +Ines Marques, customer-1, phone ••••5678, e-mail ••••es@example\.com/);
  expect(shown).not.toContain('ines@');
  expect(await facts('wages-1')).toMatchObject({
    sender: { external_id: 'customer-1', phone_number: '••••5678' },
  });
  const inCi = await bench.run(['recipient', 'show', 'wages-1'], { tty: true, env: { CI: 'true' } });
  expect(inCi.stdout).not.toMatch(/Ines|Marques|example/);
});

it('when it was paid: by the books, or at the latest when the payment last changed', async () => {
  await pay('wages-1', '0123456700');
  expect(await show('wages-1')).toMatch(/\npaid +2026-01-05 09:\S+ UTC, at the latest\n/);
  expect(await facts('wages-1')).toMatchObject({
    paid_at: null,
    changed_at: expect.stringMatching(/^2026-01-05/),
  });
  await bench.run(['books', 'sync']);
  expect(await show('wages-1')).toMatch(/\npaid +2026-01-05 09:\S+ UTC\n/);
  expect(await show('wages-1')).not.toMatch(/\n(?:refunded|fund until) /);
  expect(await facts('wages-1')).toMatchObject({
    paid_at: expect.stringMatching(/^2026-01-05/),
    refunded_at: null,
  });
});

it('when it came back, and until when it can be funded', async () => {
  await pay('wages-1', '0123456719');
  await bench.run(['recipient', 'cancel', 'wages-1', '--wait', '--yes']);
  expect(await show('wages-1')).toMatch(/\nrefunded +2026-01-05 09:\S+ UTC, at the latest\n/);
  await bench.run(['tx', 'create', ...paymentFlags('customer-1', '0123456700'), '--external-id', 'wages-2']);
  const open = await show('wages-2');
  expect(open).toMatch(/\nfund until +2026-01-05 10:\S+ UTC/);
  expect(open).not.toMatch(/\npaid /);
});

it('the code of a cash pick-up, and where', async () => {
  await bench.run([
    'sender',
    'create',
    ...senderFlags('customer-2'),
    '--field',
    'identification_type=ID',
    '--field',
    'identification_number=AB1234567',
  ]);
  const details = ['first_name=Awa', 'last_name=Diop', 'phone_number=+221774044436', 'cash_provider=wizall'];
  const made = await bench.run([
    ...['tx', 'create', '--sender', 'customer-2', '--input-currency', 'EUR', '--type', 'XOF::Cash'],
    ...['--amount', '10000', '--currency', 'XOF', '--external-id', 'cash-1', '--fund', '--max-input', '40'],
    ...details.flatMap((one) => ['--detail', one]),
  ]);
  expect(made.code, made.stderr).toBe(0);
  const shown = await show('cash-1');
  expect(shown).toMatch(/\npick-up code +\d{9}\n/);
  expect(shown).toMatch(/\npicked up +Wizall, Senegal\n/);
  expect(shown).toContain('The cash is ready. The recipient has to collect it.');
});

it('payments of the same days to the same account, from the books or from the service', async () => {
  await pay('wages-1', '0123456700');
  await pay('wages-2', '0123456700', '--new-payment');
  await pay('other', '0123456701');
  const alone = /\nsame account +wages-2, 25000 NGN, paid, 2026-01-05/;
  expect(await show('wages-1')).toMatch(alone);
  expect(await show('other')).not.toContain('same account');
  await bench.run(['books', 'sync']);
  const run = await bench.run(['recipient', 'show', 'wages-1'], { tty: true, columns: 120 });
  expect(run.stdout).toMatch(alone);
  expect(run.requests.some(({ path }) => path.endsWith('/recipients'))).toBe(false);
  expect(await facts('wages-1')).toMatchObject({
    look_alikes: [{ external_id: 'wages-2', state: 'success' }],
  });
  await bench.run(['sandbox', 'clock', 'advance', '5d']);
  await pay('later', '0123456700', '--new-payment');
  expect(await show('later')).not.toContain('same account');
});

it('what to do where a payout that is paid did not arrive; nothing that remit cannot know', async () => {
  await pay('wages-1', '0123456700');
  const paid = (await show('wages-1')).replaceAll(/\s+/g, ' ');
  expect(paid).toMatch(/did not arrive\? remit recipient proofs \S+ then ask the operator, with the proof/);
  await pay('wages-2', '0123456719');
  expect(await show('wages-2')).not.toContain('did not arrive');
  await bench.run(['recipient', 'cancel', 'wages-2', '--wait', '--yes']);
  const back = (await show('wages-2')).replaceAll(/\s+/g, ' ');
  expect(back).toContain('is back in our account. We can refund you now.');
  expect(back).not.toMatch(/nothing was taken|on its way/i);
});
