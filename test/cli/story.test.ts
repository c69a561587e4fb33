/** What a support person reads out, and the life of a payout as a picture. */
import { describe, expect, it } from 'vitest';
import { payArgv, type Run, useBench } from '../support/cli.ts';

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
      "recipient            ID
      payment              wages-1  ID
      to                   Ada Obi
      payout to            NGN::Bank  044 ••••6719
      receives             25000 NGN
      costs                14.99 EUR
      rate                 1667.9347826087

      state                error
      what happened        the last try failed; the service tries again until it succeeds or is cancelled
      reason               the account number is wrong (416): Invalid account number
      created              2026-01-05T09:00:00.000Z, 0s ago
      goes back by itself  in 1d to 1d 1h, unless it is paid

      who must act         you: edit the recipient, or cancel
      you can              remit recipient edit ID
                           remit recipient cancel ID --wait
      tell the customer    The account could not be paid. Please check the name and the account number
                           with the recipient; once we have the right ones the payment is tried again.
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
    expect(run.stdout).not.toContain('goes back by itself');
  });

  it('offers only to ask for a cancel where the payout is with the bank, and nothing where it is paid', async () => {
    await pay('0123456701');
    expect((await show()).stdout).toMatch(/remit recipient cancel \S+ --request --wait/);
    await bench.run(['sandbox', 'clock', 'advance', '3h']);
    const paid = await show();
    expect(paid.stdout).toContain('The payment was paid out.');
    expect(paid.stdout).not.toContain('you can');
  });
});

describe('--timeline', () => {
  async function life(): Promise<void> {
    await bench.run(['webhooks', 'add', 'http://127.0.0.1:9/hooks']);
    await pay('0123456719');
    await bench.run(['sandbox', 'clock', 'advance', '2h']);
    await bench.run(['recipient', 'edit', 'wages-1', '--detail', 'bank_account=0123456701']);
    await bench.run(['sandbox', 'clock', 'advance', '3h']);
  }

  it('draws states, tries, events and what was asked for, with the time between', async () => {
    await life();
    expect((await show('--timeline')).stdout).toMatchInlineSnapshot(`
      "2026-01-05T09:00:00.000Z  ○ initial  created with its payment
                                │
      2026-01-05T09:00:00.000Z  ▸ you: create and fund, answered 201
                                │
      2026-01-05T09:00:00.000Z  ○ pending  try 1  Pending (14)  [recipient.pending]
                                │
      2026-01-05T09:00:00.000Z  ✗ error  try 1  Invalid account number (416)  [recipient.error]
                                │
      2026-01-05T09:00:00.000Z  ✗ error  try 2  Invalid account number (416)  [recipient.error]
                                │ 1m
      2026-01-05T09:01:00.000Z  ✗ error  try 3  Invalid account number (416)  [recipient.error]
                                │ 5m
      2026-01-05T09:06:00.000Z  ✗ error  try 4  Invalid account number (416)  [recipient.error]
                                │ 15m
      2026-01-05T09:21:00.000Z  ✗ error  try 5  Invalid account number (416)  [recipient.error]
                                │ 1h
      2026-01-05T10:21:00.000Z  ✗ error  try 6  Invalid account number (416)  [recipient.error]
                                │ 39m
      2026-01-05T11:00:00.000Z  ▸ you: edit, answered 200
                                │ 2h
      2026-01-05T13:00:00.000Z  ✓ success  try 7  [recipient.paid_out]
      "
    `);
  });

  it('is a row each for machines, and never a signature or an account', async () => {
    await life();
    const run = await bench.run(['recipient', 'show', 'wages-1', '--timeline', '-o', 'json']);
    const { data } = run.json<{ data: { name: string; by: string }[] }>();
    expect(data.filter(({ by }) => by === 'you').map(({ name }) => name)).toEqual([
      'create and fund',
      'edit',
    ]);
    expect(data.at(-1)?.name).toBe('success');
    expect(run.stdout).not.toContain('01234567');
  });

  it('says so where the service has sent no webhook, and shows what stands now', async () => {
    await pay('0123456719');
    const run = await show('--timeline');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/now +✗ error/);
    expect(run.stderr).toContain('remit webhooks add');
  });

  it.each([1, 2])('counts as many tries as there were, with %i endpoints that refuse', async (endpoints) => {
    for (let port = 1; port <= endpoints; port++)
      await bench.run(['webhooks', 'add', `http://127.0.0.1:${port}/hooks`]);
    await pay('0123456708');
    for (const by of ['1m', '5m', '15m']) await bench.run(['sandbox', 'clock', 'advance', by]);
    const told = await bench.run(['sandbox', 'explain', 'wages-1', '-o', 'text']);
    const run = await bench.run(['recipient', 'show', 'wages-1', '--timeline', '-o', 'json']);
    const { data } = run.json<{ data: { name: string; attempt: number | null }[] }>();
    const errors = data.filter(({ name }) => name === 'error');
    expect(errors.map(({ attempt }) => attempt)).toEqual(errors.map((_, index) => index + 1));
    expect(errors.length).toBeGreaterThan(2);
    expect(errors).toHaveLength(told.stdout.match(/recipient\tpending\terror/g)?.length ?? 0);
  });
});
