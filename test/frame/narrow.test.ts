/** Narrow terminals: an id stays whole, sentences are broken at blanks, and what matters most has the room. */
import { describe, expect, it } from 'vitest';
import { render } from '../../src/frame/terminal/formats.ts';
import { paintFor } from '../../src/frame/terminal/paint.ts';
import type { View } from '../../src/frame/terminal/view.ts';
import { endingView, type ShownEnding } from '../../src/payments/cli/views/ending.ts';
import { listedRecipientView } from '../../src/payments/cli/views/recipient.ts';
import { listedTransactionView } from '../../src/payments/cli/views/transaction.ts';
import { paymentFlags, useBench } from '../support/cli.ts';

const bench = useBench({
  once: true,
  sender: true,
  setUp: async () => {
    const flags = [...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1'];
    await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20']);
  },
});

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const show = async (words: string[], columns: number, env = {}): Promise<string> =>
  (await bench.run(words, { tty: true, columns, env })).stdout;

describe('a record', () => {
  it.each([
    ['recipient', 40],
    ['recipient', 60],
    ['tx', 40],
    ['tx', 60],
  ] as const)('remit %s show at %i columns: only a line to copy is longer', async (group, columns) => {
    const text = await show([group, 'show', 'wages-1'], columns);
    expect(text).toMatch(ID);
    const long = text.split('\n').filter((line) => line.length > columns);
    expect(long.filter((line) => !/^ *remit /.test(line))).toEqual([]);
  });

  it('has a sentence beside its label, at its own beginning', async () => {
    const text = await show(['tx', 'show', 'wages-1'], 60);
    expect(text).toMatch(/which means {9}\S[^\n]+\n {20}\S/);
  });

  it('has times in the zone of the reader, on the screen and along the line', async () => {
    const zone = { TZ: 'Africa/Lagos' };
    expect(await show(['recipient', 'show', 'wages-1'], 100, zone)).toContain(
      '2026-01-05 10:00:00 UTC+1, 0s ago',
    );
    expect(await show(['recipient', 'show', 'wages-1', '--timeline'], 100, zone)).toContain(
      '2026-01-05 10:00:00 UTC+1  ○ initial',
    );
  });
});

describe('a table', () => {
  it.each([40, 60, 80, 100, 120])('triage at %i columns: the id first, in short', async (columns) => {
    const [head = '', row = ''] = (await show(['recipient', 'triage', '--no-input'], columns)).split('\n');
    expect(head).toMatch(/^ID(?: |$)/);
    expect(row).toMatch(/^[0-9a-f]{8} /);
    expect(Math.max(head.length, row.length)).toBeLessThanOrEqual(columns);
    if (columns >= 60) expect(head).toContain('WHO ACTS');
    if (columns >= 60) expect(head).toMatch(/AMOUNT +NAME +REFUND IN/);
  });

  const bank = 'FIRST-CITY-MONUMENT';
  const long = (members: object) => ({
    id: 'a48e0c79-3a1c-4a78-ae61-6da39be44a90',
    state: 'error' as const,
    created_at: '2026-01-05T09:00:00Z',
    output_amount: '2501903.0',
    output_currency: 'NGN',
    payout_method: {
      type: 'NGN::Bank',
      details: { first_name: 'Maximiliana', last_name: 'Obi', bank_code: bank, bank_account: '••••6719' },
    },
    ...members,
  });
  const drawn = async (view: View<never>, row: object, columns: number): Promise<string> => {
    const rendering = {
      format: 'table',
      columns,
      paint: paintFor(false),
      isTerminal: true,
      zone: 'UTC',
    } as const;
    return (await render(view, [row as never, row as never], rendering)).text;
  };

  it.each([60, 80, 100])(
    'of recipients at %i columns has the last four, however long the bank is',
    async (columns) => {
      const text = await drawn(listedRecipientView as View<never>, long({}), columns);
      expect(text).toMatch(/••••6719/);
      expect(text).toMatch(/Maximili/);
      expect(text).toContain('2501903 NGN');
      if (columns >= 80) expect(text).toContain('2026-01-05');
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
    },
  );

  it('at 40 columns a name is worth more than an id, of payments and of recipients', async () => {
    const row = long({});
    const recipients = await drawn(listedRecipientView as View<never>, row, 40);
    expect(recipients).toMatch(/NAME +OUTPUT/);
    expect(recipients).toContain('Maximil');
    const payment = {
      id: row.id,
      state: 'received',
      input_amount: '1500.0',
      input_currency: 'EUR',
      recipients: [row],
    };
    const payments = await drawn(listedTransactionView as View<never>, payment, 40);
    expect(payments).toContain('Maximil');
    expect(payments).not.toContain('a48e0c79');
  });

  it('of payments has the day of each at 80 columns, and what was sent by its name and account', async () => {
    const payment = {
      ...long({}),
      external_id: 'INV-2044',
      recipients: [long({})],
      input_amount: '15.0',
      input_currency: 'EUR',
    };
    expect(await drawn(listedTransactionView as View<never>, payment, 80)).toContain('2026-01-05');
    const list = await bench.run(['history'], { tty: true, columns: 80 });
    expect(list.stdout).toMatch(/14\.99 EUR|25000 NGN/);
    expect(list.stdout).toMatch(/A•••.*••••6719/);
  });

  it('puts back what has room beside what is wider', async () => {
    const [head = ''] = (await show(['tx', 'list'], 80)).split('\n');
    expect(head).toContain('EXTERNAL ID');
  });

  it.each([80, 100, 160])('of endings at %i columns says why before it says who', async (columns) => {
    const ending: ShownEnding = {
      recipient: { id: 'a48e0c79-3a1c-4a78-ae61-6da39be44a90', state: 'pending' } as ShownEnding['recipient'],
      transaction_id: 'ce21cb32-1be4-4e21-8f42-7d6e1a6f6a11',
      ending: 'not cancelled',
      why: 'the payout is under way: only the partner can stop it',
      sent: false,
    };
    const rendering = { format: 'table', columns, paint: paintFor(false), isTerminal: true } as const;
    const { text } = await render(endingView, [ending], rendering);
    expect(text).toMatch(columns > 120 ? /NAME.*WHY/ : /WHY/);
    for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
  });
});
