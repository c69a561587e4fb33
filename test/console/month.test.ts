/** The view Month: each figure against the sandbox's ledger, or against what the terminal prints from the same books. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnswerOf, PagePart } from '../../src/console/wire.ts';
import { noBrowser, useBrowser } from '../support/browser.ts';
import { useBench } from '../support/cli.ts';
import { Asker, useConsole } from '../support/console.ts';
import { monthOn } from '../support/lived-month.ts';
import { isSound } from '../support/sound.ts';

const bench = useBench({ sender: true });
const { did, sync, advance, pay, live } = monthOn(bench);
const browser = useBrowser();
afterEach(() => browser.closeAll());
const start = useConsole(bench);
type Json = Record<string, string | number | null>;
interface Told {
  rows: Json[];
  notes: string[];
}
/** Rows of the terminal, and the sentences beside them. */
async function told(...argv: string[]): Promise<Told> {
  const run = await bench.run([...argv, '-o', 'json']);
  const notes = run.stderr.split('\n').filter((line) => line !== '');
  return { rows: run.data<Json[]>(), notes };
}
/** `1,234.50 EUR` is 1234.5, and an empty cell null. */
const plain = (text = ''): number | null =>
  text === '' || text === 'not seen' ? null : Number(text.replace(/[^\d.-]/g, ''));
const number = (value: unknown): number | null => (value == null ? null : Number(value));

/** Cells of a part, by the heads of its columns. */
const cellsOf = ({ heads, rows }: PagePart): Record<string, string>[] =>
  rows.map((cells) =>
    Object.fromEntries(
      cells.map((cell, at) => [heads[at]?.replace('>', ''), typeof cell === 'string' ? cell : cell.text]),
    ),
  );
/** Where the cells of a part lead. */
const linksOf = ({ rows }: PagePart): string[] =>
  rows.flatMap((cells) =>
    cells.flatMap((cell) => (typeof cell === 'string' ? [] : [`${cell.to} ${cell.of}`])),
  );
const SECTIONS = /^(Balances|(?:\w{3}) over time|Statement of \w{3}|Reconciliation)$/;

describe('a month', () => {
  let asker: Asker;
  const ask = async (month: string | null, currency: string | null): Promise<AnswerOf<'month'>> =>
    (await asker.ask('month', { month, currency })).data;
  const begin = async (): Promise<void> => {
    asker = await Asker.from(await start());
  };
  const counted = async (of: 'corridors' | 'in_flight'): Promise<PagePart> =>
    (await asker.ask('counts', { of, month: '2026-01' })).data;
  const partsOf = async (month: string | null, currency: string | null) => {
    const { made } = await ask(month, currency);
    const [balances, days, statement, reconcile] = made?.parts ?? [];
    for (const { title } of made?.parts ?? []) expect(title).toMatch(SECTIONS);
    if (!(made && balances && days && statement && reconcile)) throw new Error('a part is missing');
    return { made, balances, days, statement, reconcile };
  };

  it('has the balances of the ledger, and the statements of the terminal', async () => {
    await live();
    await begin();
    let asked = 0;
    bench.intercept((request, next) => {
      asked += 1;
      return next(request);
    });
    const { made, balances, reconcile } = await partsOf(null, null);
    await counted('corridors');
    await counted('in_flight');
    expect(asked).toBe(0);
    bench.restore();
    expect(made).toMatchObject({ month: '2026-01', before: '2025-12', after: null });
    expect(reconcile.command).toBe('remit reconcile LEDGER --month 2026-01');
    const state = JSON.parse(await did('sandbox', 'state', '-o', 'json'));
    const { wallet } = (state.data ?? state).ledger as { wallet: Record<string, string> };
    const totals = (await told('statement', '--month', '2026-01', '--totals')).rows;
    expect(totals.length).toBeGreaterThan(1);
    expect(
      cellsOf(balances).map((one) => [
        one.Currency,
        plain(one.Opening),
        plain(one.Closing),
        plain(one.Movements),
      ]),
    ).toEqual(
      totals.map(({ currency, opening, movements }) => [
        currency,
        number(opening),
        number(wallet[String(currency)]),
        movements,
      ]),
    );
    expect(linksOf(balances)).toEqual(totals.map(({ currency }) => `currency ${currency}`));
    const moved = totals.filter(({ movements, currency }) => movements !== 0 || currency === 'XOF');
    for (const one of moved) await isAsTold('2026-01', one);
  });

  /** Line for line, the sum that proves them, and the balance that stood behind the last line of each day. */
  async function isAsTold(month: string, totals: Json): Promise<void> {
    const { statement, days } = await partsOf(month, String(totals.currency));
    expect(statement.command).toBe(`remit statement --month ${month} --currency ${totals.currency}`);
    const { rows, notes } = await told(...(statement.command ?? '').split(' ').slice(1), '--all');
    expect(
      cellsOf(statement).map((one) => [
        one.Time,
        one.Kind,
        plain(one.Amount),
        plain(one.Balance),
        one.Reference,
      ]),
    ).toEqual(
      rows
        .slice(0, 200)
        .map((row) => [
          row.at,
          String(row.kind).replaceAll('_', ' '),
          number(row.amount),
          number(row.balance),
          row.external_id ?? '',
        ]),
    );
    expect(linksOf(statement)).toEqual(
      rows
        .slice(0, 200)
        .filter((row) => row.transaction_id !== null)
        .map((row) =>
          row.recipient_id === null ? `search ${row.transaction_id}` : `payout ${row.recipient_id}`,
        ),
    );
    expect(notes.join('\n')).toContain(statement.notes.at(-1));
    const proof = Object.fromEntries(statement.proof.map(({ label, text }) => [label, plain(text)]));
    expect(proof).toMatchObject({
      paid: 0 - Number(totals.gross),
      refunded: number(totals.refunded),
      'left over': 0,
    });
    const parts = Object.entries(proof).filter(([label]) => label !== 'closing' && label !== 'left over');
    const cents = parts.reduce((sum, [, amount]) => sum + Math.round(Number(amount) * 100), 0);
    if (proof.opening !== null) expect(cents).toBe(Math.round(Number(proof.closing) * 100));
    const points = days.plot?.points ?? [];
    expect(days.rows).toEqual(points.map(({ label, text }) => [label, text]));
    for (const { label, place, text } of points) {
      expect(plain(text)).toBe(place);
      const day = label.slice(0, 10);
      const last = rows
        .filter(({ at, kind }) => String(at).slice(0, 10) <= day && !String(kind).startsWith('closing'))
        .at(-1);
      if (place !== null && last?.balance != null) expect([day, place]).toEqual([day, number(last.balance)]);
    }
    expect(points.at(-1)?.place).toBe(proof.closing);
  }

  it('proves itself where the opening was seen, and says how many lines are in the terminal alone', async () => {
    await live();
    await advance('25d');
    await did('sandbox', 'seed', '--rounds', '16');
    await pay('00', 'paid-3');
    await advance('2d');
    await sync();
    await begin();
    const { made, statement, days } = await partsOf(null, null);
    expect(made).toMatchObject({ month: '2026-02', after: null });
    expect((await ask('2026-01', null)).made?.after).toBe('2026-02');
    const [totals = {}] = (await told('statement', '--month', '2026-02', '--totals', '--currency', 'EUR'))
      .rows;
    expect(totals.opening).not.toBeNull();
    await isAsTold('2026-02', totals);
    expect(statement.proved).toEqual({
      word: 'proved: the lines lead from the opening to the closing balance',
      look: 'good',
    });
    expect(statement.rows).toHaveLength(200);
    const left = Number(totals.movements) + 2 - 200;
    expect(statement.notes[0]).toBe(`${left} more lines: ${statement.command}`);
    expect(days.plot?.points.at(-1)?.label).toBe('2026-02-07, so far');
  });

  it('counts payouts by corridor, and what is in flight, as the terminal does', async () => {
    await live();
    await begin();
    const summary = await counted('corridors');
    const { rows, notes } = await told('summary', '--month', '2026-01');
    expect(rows.length).toBeGreaterThan(1);
    expect(
      cellsOf(summary).map((one) => [
        one.Corridor,
        ...[one.Payouts, one.Paid, one.Refused, one.Cost, one.Refunded, one.Arrived].map(plain),
      ]),
    ).toEqual(
      rows.map((row) => [
        `${row.group}${row.direction === 'payout' ? '' : ` (${row.direction})`}`,
        ...[row.payouts, row.paid, row.refused, row.input_amount, row.refunded, row.output_amount].map(
          number,
        ),
      ]),
    );
    expect(summary.plot?.points.map(({ place }) => place)).toEqual(rows.map(({ payouts }) => payouts));
    for (const note of summary.notes) expect(notes.join('\n')).toContain(note);
    const flying = await counted('in_flight');
    expect(flying).toMatchObject({
      title: 'In flight at the end of 2026-01-11',
      command: 'remit summary --as-of 2026-01-11',
    });
    const then = await told('summary', '--as-of', '2026-01-11');
    expect(then.rows.length).toBeGreaterThan(0);
    expect(
      cellsOf(flying).map((one) => [one.Kind, one.From, one.Oldest, plain(one.Payouts), plain(one.Amount)]),
    ).toEqual(
      then.rows.map((row) => [
        String(row.kind).replaceAll('_', ' '),
        row.source,
        row.oldest_at,
        row.payouts,
        number(row.amount),
      ]),
    );
    for (const note of flying.notes) expect(then.notes.join('\n')).toContain(note);
  });

  it('is refused in words where it is none, and where there is no such balance', async () => {
    await begin();
    expect(await ask(null, null)).toEqual({
      made: null,
      notes: ['This machine has no books, so no month can be shown.'],
    });
    await sync();
    const refused = async (month: string | null, currency: string | null): Promise<string> =>
      (await asker.ask('month', { month, currency })).data.problem.message;
    expect(await refused('2026-13', null)).toBe('"2026-13" is not a month');
    expect(await refused(null, 'XXX')).toBe('there is no balance in XXX');
    // A month before the first sync: nobody saw a balance, and none is made up.
    const { made, days, statement } = await partsOf('2025-11', 'EUR');
    expect(made.after).toBe('2025-12');
    expect(statement.proved).toEqual({ word: 'not proved: nobody saw the opening balance', look: 'bad' });
    expect(days).toMatchObject({ plot: null, rows: [], none: 'Nobody had seen this balance by then.' });
  });
});

describe('a ledger', () => {
  const ROWS = [
    'paid-1,2026-01-05,14.99',
    'failed-1,2026-01-05,14.99',
    'paid-2,2026-01-08,15.99',
    'x-9,2026-01-09,5',
  ];
  const LEDGER = ['external_id,date,amount,currency', ...ROWS.map((row) => `${row},EUR`), ''].join('\n');
  const inTerminal = async (...more: string[]) => {
    writeFileSync(join(bench.dir, 'ledger.csv'), LEDGER);
    const flags = ['--against', 'books', '--month', '2026-01', '-o', 'json', ...more];
    const run = await bench.run(['reconcile', join(bench.dir, 'ledger.csv'), ...flags]);
    return run.data<
      { case: string; decision: string | null; note: string | null; ledger: { line: number } | null }[]
    >();
  };

  it('is held against the books as in the terminal, and nothing is asked of the service', async () => {
    await live();
    const asker = await Asker.from(await start([]));
    let asked = 0;
    bench.intercept((request, next) => {
      asked += 1;
      return next(request);
    });
    const file = { name: 'ledger.csv', content: Buffer.from(LEDGER).toString('base64') };
    const { data } = await asker.ask('reconcile', { month: '2026-01', file });
    expect(asked).toBe(0);
    bench.restore();
    const cases = await inTerminal();
    expect(data.said).toBe(`${cases.length} open differences.`);
    expect(data.rows.map(([id]: string[]) => id)).toEqual(cases.map((one) => one.case));
    const words = (line: number) => data.rows.find((row: string[]) => row[2]?.startsWith(`line ${line}: `));
    expect(words(3)?.[1]).toBe('it is booked as paid, and it was refunded since');
    expect(words(4)?.slice(1, 3)).toEqual([
      'both sides have it, with another amount',
      'line 4: 15.99 EUR paid-2 of 2026-01-08',
    ]);
    expect(words(4)?.[3]).toMatchObject({ text: expect.stringContaining('14.99 EUR paid-2'), to: 'search' });
    expect(words(5)?.slice(1)).toEqual(['the ledger alone has it', 'line 5: 5.00 EUR x-9 of 2026-01-09', '']);
    expect(data.notes.join()).toContain('The books are complete until');
    const wrong = { name: 'ledger.csv', content: Buffer.from('a,b\n1,2\n').toString('base64') };
    expect((await asker.ask('reconcile', { month: '2026-01', file: wrong })).status).toBe(400);
  });

  it.skipIf(noBrowser)('is decided on by ticks, in a file that the command takes', async () => {
    await live();
    const { url, origin } = await start([]);
    const tab = await browser.open(url, { width: 360, height: 740 });
    const { page } = tab;
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    await page.goto(`${origin}/#/month?month=2026-01`);
    const buffer = Buffer.from(LEDGER);
    const given = { name: 'ledger.csv', mimeType: 'text/csv', buffer };
    await page.getByLabel(/Your ledger of the month/).setInputFiles(given);
    const row = page.getByRole('row', { name: /x-9/ });
    await row.getByRole('checkbox').check();
    await row.getByLabel('Why').fill('cash, paid by hand');
    await isSound(tab, 'reconcile');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download what was decided' }).click();
    const path = join(bench.dir, 'decided.csv');
    await (await saved).saveAs(path);
    expect((await saved).suggestedFilename()).toBe('remit-decisions-2026-01.csv');
    const decided = (await inTerminal('--decisions', path)).filter(({ decision }) => decision === 'accept');
    expect(decided).toMatchObject([{ note: 'cash, paid by hand', ledger: { line: 5 } }]);
  });
});

describe.skipIf(noBrowser)('without books', () => {
  it('the page says so, and is filled by the sync that it offers', async () => {
    await pay('00', 'paid-1');
    const { url, origin } = await start();
    const { page, complaints } = await browser.open(url);
    await page.getByRole('heading', { name: 'Find a payout' }).waitFor();
    await page.goto(`${origin}/#/month?month=2026-01`);
    await page.getByText('This machine has no books, so no month can be shown.').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await page.getByRole('button', { name: 'Copy all payments to this machine' }).click();
    await page.getByRole('heading', { name: 'Statement of EUR' }).waitFor();
    await page.getByRole('table', { name: 'Payouts by corridor' }).getByText('14.99 EUR').waitFor();
    await page.getByRole('button', { name: 'Read what is newer' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
