/** Postings, balances and what an audit of them finds. */
import { describe, expect, it } from 'vitest';
import { InvariantError } from '../../../src/core/invariants.ts';
import { auditing, Ledger, type LedgerEntry, move } from '../../../src/sandbox/ledger/ledger.ts';
import type { PostingRecord } from '../../../src/sandbox/store/records.ts';
import { RecordMap } from '../../../src/sandbox/store/rows.ts';

const entry = (book: string, currency: string, minor: bigint) => ({ book, currency, minor }) as LedgerEntry;

it.each([
  ['EUR', '12.5', 1250n],
  ['NGN', '12', 12n],
  ['BTC', '0.00000001', 1n],
])('a movement in %s of %s takes from one side and gives to the other', (currency, amount, minor) => {
  expect(move('wallet', 'held', currency, amount)).toEqual([
    entry('wallet', currency, -minor),
    entry('held', currency, minor),
  ]);
});

describe('a posting', () => {
  it.each<[string, LedgerEntry[], boolean]>([
    ['of two sides', [entry('opening', 'EUR', -5n), entry('wallet', 'EUR', 5n)], true],
    ['of two sides that differ', [entry('opening', 'EUR', -5n), entry('wallet', 'EUR', 6n)], false],
    ['of two currencies', [entry('opening', 'EUR', -5n), entry('wallet', 'USD', 5n)], false],
    ['of one side', [entry('wallet', 'EUR', 5n)], false],
    ['of one side that is nothing', [entry('wallet', 'EUR', 0n)], true],
    [
      'of three sides',
      [entry('opening', 'EUR', -5n), entry('wallet', 'EUR', 3n), entry('held', 'EUR', 2n)],
      true,
    ],
    [
      'of three sides that differ',
      [entry('opening', 'EUR', -5n), entry('wallet', 'EUR', 5n), entry('held', 'EUR', 2n)],
      false,
    ],
    [
      'of two currencies, each with its sides',
      [...move('opening', 'wallet', 'EUR', '1'), ...move('opening', 'wallet', 'USD', '2')],
      true,
    ],
  ])('%s', (_, entries, balances) => {
    const ledger = new Ledger();
    if (balances) expect(() => ledger.post('x', 0, entries)).not.toThrow();
    else expect(() => ledger.post('x', 0, entries)).toThrow('x balances');
    expect(ledger.has('x')).toBe(balances);
  });

  it.each<[string, string, boolean]>([
    ['wallet', 'held', false],
    ['held', 'delivered', false],
    ['opening', 'wallet', true],
    ['collected', 'held', true],
    ['exchange', 'delivered', true],
  ])('from an empty %s to %s may be: %j', (from, to, may) => {
    const ledger = new Ledger();
    const post = () => ledger.post('x', 0, move(from as 'wallet', to as 'held', 'EUR', '0.01'));
    if (may) expect(post).not.toThrow();
    else expect(post).toThrow(`${from}:EUR does not go below zero`);
  });

  it('may take the last of a balance, and is made once', () => {
    const ledger = new Ledger();
    ledger.post('in', 0, move('opening', 'wallet', 'EUR', '1'));
    ledger.post('out', 0, move('wallet', 'held', 'EUR', '1'));
    expect(ledger.balance('wallet', 'EUR')).toBe('0.00');
    expect(ledger.balance('held', 'EUR')).toBe('1.00');
    expect(() => ledger.post('out', 0, move('opening', 'wallet', 'EUR', '1'))).toThrow('out is posted once');
  });
});

/** A wallet in two currencies, one of them empty again. */
function filled(): { ledger: Ledger; postings: RecordMap<PostingRecord> } {
  const postings = new RecordMap<PostingRecord>();
  const ledger = new Ledger({ postings } as never);
  ledger.post('opening:USD', 1, move('opening', 'wallet', 'USD', '2'));
  ledger.post('opening:EUR', 2, move('opening', 'wallet', 'EUR', '1'));
  ledger.post('debit:1', 3, move('wallet', 'held', 'EUR', '1'));
  ledger.post('pay:1', 4, move('held', 'delivered', 'EUR', '1'));
  return { ledger, postings };
}

describe('what it holds', () => {
  it('is told by book and currency, without books that hold nothing, but with empty wallets', () => {
    expect(filled().ledger.totals()).toEqual({
      opening: { USD: '-2.00', EUR: '-1.00' },
      wallet: { USD: '2.00', EUR: '0.00' },
      delivered: { EUR: '1.00' },
    });
  });

  it('is in these currencies', () => {
    const { ledger } = filled();
    expect(ledger.walletCurrencies()).toEqual(['EUR', 'USD']);
    expect([ledger.hasWallet('EUR'), ledger.hasWallet('GBP')]).toEqual([true, false]);
    expect(ledger.balance('wallet', 'GBP')).toBe('0.00');
  });

  it('was moved by these', () => {
    const { ledger } = filled();
    expect([...ledger.walletMovements()]).toEqual([
      { cause: 'opening:USD', at: 1, currency: 'USD', minor: 200n },
      { cause: 'opening:EUR', at: 2, currency: 'EUR', minor: 100n },
      { cause: 'debit:1', at: 3, currency: 'EUR', minor: -100n },
    ]);
  });

  it('is written, and read in the place of what was there', () => {
    const { ledger } = filled();
    expect(ledger.piece.name).toBe('balances');
    const written = ledger.piece.read();
    expect(written).toMatchObject({ 'wallet:USD': '200', 'wallet:EUR': '0', 'held:EUR': '0' });
    const other = new Ledger();
    other.post('in', 0, move('opening', 'wallet', 'GBP', '9'));
    other.piece.write(written as never);
    expect(other.piece.read()).toEqual(written);
    expect(other.hasWallet('GBP')).toBe(false);
  });
});

describe('an audit', () => {
  it('passes what is right, a posting a step', () => {
    const { ledger, postings } = filled();
    expect(() => ledger.audit()).not.toThrow();
    expect([...auditing(postings.all(), ledger.piece.read() as never)]).toEqual([1, 1, 1, 1]);
  });

  it('stops at a balance that is not the sum of its entries', () => {
    const { ledger } = filled();
    ledger.piece.write({ 'wallet:USD': '201' } as never);
    expect(() => ledger.audit()).toThrow('wallet:USD is the sum of its entries');
    ledger.piece.write({ 'wallet:GBP': '1' } as never);
    expect(() => ledger.audit()).toThrow(InvariantError);
  });

  it.each<[unknown, boolean]>([
    ['opening EUR -5;wallet EUR 5', true],
    ['opening EUR -5;wallet EUR 4', false],
    // As an earlier version kept them.
    [
      [
        { book: 'opening', currency: 'EUR', minor: '-5' },
        { book: 'wallet', currency: 'EUR', minor: '5' },
      ],
      true,
    ],
    [
      [
        { book: 'opening', currency: 'EUR', minor: '-5' },
        { book: 'wallet', currency: 'EUR', minor: '4' },
      ],
      false,
    ],
  ])('of the entries %j passes: %j', (entries, passes) => {
    const all = () => [...auditing([{ id: 'x', at: 0, entries } as never], { 'wallet:EUR': '5' })];
    if (passes) expect(all()).toEqual([1]);
    else expect(all).toThrow('x balances');
  });
});
