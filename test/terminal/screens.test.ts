/**
 * The screens that people look at most, as they are on a real terminal of four widths, with names of every kind. They are kept in
 * test/terminal/screens/seen, to be read by eye; nothing on them is broken by the terminal.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { paymentFlags, senderFlags } from '../support/cli.ts';
import { isLong } from '../support/long.ts';
import { runRemit } from '../support/program.ts';
import { brokenLines, screenOf } from '../support/screen.ts';
import { type Service, startService } from '../support/service.ts';
import { wholeOutput } from '../support/terminal.ts';

const WIDTHS = [60, 80, 100, 140];
const ROWS = 60;

/** A name of each kind, the ending of the account, and how the payment is called. */
const people = [
  ['wages-long', '19', 'Maximiliana', 'Wolfeschlegelsteinhausenbergerdorff-Featherstonehaugh'],
  ['wages-short', '00', 'Bo', 'Ng'],
  ['wages-hebrew', '01', 'שרה', 'כהן'],
  ['wages-chinese', '71', '張', '偉'],
  ['wages-hostile', '08', 'Eve\u001b[31m', 'O\u202eK\u0007'],
] as const;

/** In this order: some of them change what the ones after them show. The short form draws the first ten. */
const screens: Record<string, string[]> = {
  'tx-list': ['tx', 'list'],
  'tx-show': ['tx', 'show', 'wages-long'],
  'tx-cancel': ['tx', 'cancel', 'wages-hebrew', '--yes'],
  'recipient-list': ['recipient', 'list'],
  'recipient-show': ['recipient', 'show', 'wages-long'],
  'recipient-show-pending': ['recipient', 'show', 'wages-hebrew'],
  'recipient-timeline': ['recipient', 'show', 'wages-long', '--timeline'],
  'recipient-triage': ['recipient', 'triage', '--no-input'],
  'sender-list': ['sender', 'list'],
  'sender-show': ['sender', 'show', 'customer-1'],
  balance: ['balance'],
  history: ['history'],
  'logs-api': ['logs', 'api', '--limit', '5'],
  'logs-webhooks': ['logs', 'webhooks', '--limit', '5'],
  'webhooks-list': ['webhooks', 'list'],
  rates: ['rates', 'EUR', 'NGN', '100'],
  corridor: ['corridors', 'NGN::Bank'],
  'payout-method-list': ['payout-method', 'list'],
  'document-list': ['document', 'list'],
  'webhooks-events': ['webhooks', 'events'],
  'webhooks-names': ['webhooks', 'events', '--names'],
  corridors: ['corridors'],
  currencies: ['currencies'],
  methods: ['methods', 'NGN::Bank'],
  explain: ['explain', '416'],
  'explain-state': ['explain', 'stuck'],
  'balance-min': ['balance', '--min', 'EUR=9999999,NGN=1'],
  'tx-calculate': ['tx', 'calculate', '--type', 'NGN::Bank', '--amount', '5000', '--input-currency', 'EUR'],
  'help-flags': ['help', 'flags'],
  'recipient-cancel': ['recipient', 'cancel', 'wages-long', '--wait', '--yes'],
  'recipient-show-refunded': ['recipient', 'show', 'wages-long'],
  'not-found': ['tx', 'show', 'nobody-7'],
  'not-cancellable': ['recipient', 'cancel', 'wages-hebrew', '--yes'],
};

let service: Service;

beforeAll(async () => {
  service = await startService();
  const run = async (...argv: string[]): Promise<void> => {
    const { code, stderr } = await runRemit(argv, service.env);
    expect(`${argv.join(' ')}: ${code} ${code === 0 ? '' : stderr}`).toBe(`${argv.join(' ')}: 0 `);
  };
  await run(
    ...'payout-method create --type NGN::Bank --detail first_name=Ada --detail last_name=Obi'.split(' '),
    ...'--detail bank_code=044 --detail bank_account=0123456700'.split(' '),
  );
  await run('document', 'create', '--url', 'https://example.com/papers/17.pdf', '--type', 'proof_of_address');
  await run('webhooks', 'add', 'http://127.0.0.1:9/a/rather/long/address/of/an/endpoint/for/webhooks');
  await run('sender', 'create', ...senderFlags('customer-1'));
  for (const [name, ending, first, last] of people) {
    const flags = paymentFlags('customer-1', `01234567${ending}`)
      .map((flag) => flag.replace(/^first_name=.*/, `first_name=${first}`))
      .map((flag) => flag.replace(/^last_name=.*/, `last_name=${last}`));
    await run('tx', 'create', ...flags, '--external-id', name, '--fund', '--max-input', '20');
  }
});
afterAll(() => service.close());

/** What differs from run to run: ids that are made here, times of this machine, ports, requests that were tried again. */
const plain = (text: string): string =>
  text
    .replace(/\b[0-9a-f]{8}\b/g, '0a0a0a0a')
    .replace(/\b20\d\d-\d\d-\d\d \d\d:\d\d/g, '2026-01-05 09:00')
    .replace(/127\.0\.0\.1:\d{4,5}/g, '127.0.0.1:40000')
    .replace(/5 of \d+ (requests|deliveries)/g, '5 of 75 $1');

describe('on a terminal', () => {
  it.each(Object.entries(screens).slice(0, isLong ? undefined : 3))('%s', async (name, argv) => {
    const drawn: string[] = [];
    for (const cols of WIDTHS) {
      const size = { cols, rows: ROWS };
      const raw = await wholeOutput(argv, { ...service.env, TZ: 'Africa/Lagos' }, size);
      const broken = await brokenLines(raw, size);
      expect(broken, `${argv.join(' ')} at ${cols} columns`).toEqual([]);
      // Nothing from outside may move the cursor, colour a line or turn it round.
      expect(raw).not.toMatch(/\u001b\[31mO|\u202e|\u0007/);
      drawn.push(`${cols} columns: remit ${argv.join(' ')}\n\n${plain(await screenOf(raw, size))}`);
    }
    await expect(drawn.join(`\n${'─'.repeat(60)}\n`)).toMatchFileSnapshot(`screens/seen/${name}.txt`);
  });
});
