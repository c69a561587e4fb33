/** What support types, and what stands in a row: each recipient's own facts, whoever else the payment goes to. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { paymentJson, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
type Row = Record<string, unknown>;

const people = [
  ['Ada', 'Obi', '0123456700', '25000'],
  ['Bola', 'Eze', '0123456719', '64000'],
  ['阳', '欧阳', '0123456701', '30000'],
] as const;

/** One payment: Ada has her money, Bola's account is wrong, and the third is under way. */
beforeEach(async () => {
  const payment = paymentJson(...people.map(([, , account]) => account));
  payment.recipients.forEach((recipient, place) => {
    const [first_name, last_name, , amount] = people[place] ?? people[0];
    recipient.requested_amount = amount;
    Object.assign(recipient.payout_method.details, { first_name, last_name });
  });
  const file = join(bench.dir, 'three.json');
  writeFileSync(file, JSON.stringify(payment));
  const flags = ['--external-id', 'three', '--fund', '--max-input', '90'];
  const made = await bench.run(['tx', 'create', '--file', file, ...flags]);
  expect(made.code, made.stderr).toBe(0);
  await bench.run(['books', 'sync']);
});

const search = (...words: string[]) => bench.run(['search', ...words, '-o', 'json']);
const found = async (...words: string[]) =>
  (await search(...words)).data<{ payout_method: { details: { first_name: string } }; state: string }[]>();
const names = async (...words: string[]): Promise<string[]> =>
  (await found(...words)).map(({ payout_method: { details } }) => details.first_name).sort();
const screen = async (...words: string[]): Promise<string> =>
  (await bench.run(['search', ...words], { tty: true, columns: 140 })).stdout;

it('a row is the recipient that fits, with its own name, account, amount and state', async () => {
  const [ada] = (await search('6700')).data<Row[]>();
  expect(ada).toMatchObject({
    state: 'success',
    state_words: 'paid',
    output_amount: '25000',
    external_id: 'three',
    transaction_state: 'received',
    why: 'end of account',
    by_sender: false,
  });
  expect(await names('6700')).toEqual(['Ada']);
  expect(await names('bola')).toEqual(['Bola']);
  expect(await found('bola')).toMatchObject([{ state: 'error' }]);
  const shown = await screen('bola');
  expect(shown).toMatch(/failing +Bola Eze +044 ••••6719 +64000 NGN/);
  expect(shown).not.toMatch(/Ada|6700|received/);
  expect(await screen('6700')).toMatch(/paid +Ada Obi +044 ••••6700 +25000 NGN/);
});

it('words of two recipients find neither; those of the payment find all', async () => {
  expect(await names('bola', '6700')).toEqual([]);
  expect(await names('bola', '25000')).toEqual([]);
  expect(await names('bola', '64000')).toEqual(['Bola']);
  expect(await names('three')).toEqual(['Ada', 'Bola', '阳']);
});

it('by the sender: the row says so, and shows the sender', async () => {
  const rows = (await search('ines')).data<Row[]>();
  expect(rows).toHaveLength(3);
  expect(rows[0]).toMatchObject({ by_sender: true, why: expect.stringContaining("sender's") });
  const shown = await screen('ines');
  expect(shown).toMatch(/SENDER/);
  expect(shown).toMatch(/Bola Eze +Ines \S+ .*sender's name/);
  expect(await screen('bola')).not.toMatch(/SENDER/);
});

it('amounts as they are written, names of two signs and a day alone are found', async () => {
  for (const amount of ['64,000', '64.000', '64000', '64000.00', "64'000", '64,000.00', '64.000,00'])
    expect(await names(amount), amount).toEqual(['Bola']);
  expect(await names('64,001')).toEqual([]);
  expect(await names('欧阳')).toEqual(['阳']);
  expect(await names('阳', '30000')).toEqual(['阳']);
  expect(await names('王')).toEqual([]);
  expect(await names('2026-01-05')).toEqual(['Ada', 'Bola', '阳']);
  expect(await names('2026-01-05', '欧阳')).toEqual(['阳']);
  expect(await names('2026-01-06')).toEqual([]);
  expect((await bench.run(['search', 'EUR'])).code).toBe(2);
});

it('a script has the same columns whoever was found', async () => {
  const width = async (word: string) =>
    (await bench.run(['search', word, '-o', 'text'])).stdout.split('\n')[0]?.split('\t').length;
  expect(await width('ines')).toBe(await width('bola'));
});
