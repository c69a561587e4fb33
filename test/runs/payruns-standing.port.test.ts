/** Whom a row pays by the service's records, in every store of pay runs: what is a change, what is a spelling, and what proves nothing. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { knownCorridor } from '../../src/runs/files/corridors.ts';
import { payeePrints } from '../../src/runs/files/payment.ts';
import { mayBecome } from '../../src/runs/states.ts';
import type { NewRow, PayRun, PayRuns, ShownPayout } from '../../src/runs/store/port.ts';
import { TERMS } from '../support/forgotten-runs.ts';
import { approved, drafted, everyStore, type KeptRuns, newRow } from '../support/payrun-stores.ts';

const ADA = { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account: '0000001119' };
const to = (bank_account: string | undefined, more = {}) => ({ ...ADA, ...more, bank_account });
const MOVED = to('0000002200');

async function rowTo(details: Record<string, unknown>, over: Partial<NewRow> = {}): Promise<NewRow> {
  const { type = 'NGN::Bank' } = over;
  const money = { requested_amount: '1000', requested_currency: 'NGN' };
  const payout_method = { type, details };
  const account = (await knownCorridor(type))?.account ?? [];
  return newRow(1, {
    ...{ type, amount: '1000', currency: 'NGN' },
    ...payeePrints(type, account, details, ['1000', 'NGN']),
    body: JSON.stringify({ recipients: [{ ...money, payout_method }] }),
    ...over,
  });
}

describe.each(everyStore())('whom a row pays, %s', (_, make) => {
  let kept: KeptRuns;
  let runs: PayRuns;
  let run: PayRun;
  beforeEach(async () => {
    kept = await make();
    ({ runs } = kept);
    run = await approved(runs, [await rowTo(ADA)]);
    expect(await hear({ details: ADA, at: 100 })).toEqual([]);
  });
  afterEach(() => kept.close());

  /** Answers what is to be looked up first. */
  async function hear(shown: Partial<ShownPayout>): Promise<string[]> {
    const unexplained: string[] = [];
    const news = { state: 'paid', shown: { type: 'NGN::Bank', details: ADA, ...shown } } as const;
    const seen = [{ externalId: 'wages-2026-11-1', news }];
    await runs.observe(run.id, seen, mayBecome, (id) => unexplained.push(id));
    return unexplained;
  }
  const stands = async () => (await kept.other.row(run.id, 'key-1'))?.stands;
  const planned = async (details: Record<string, unknown>) => {
    const row = await rowTo(details, { externalId: 'december-1' });
    const draft = await drafted(runs, [row], { name: 'december' });
    const { changed } = await draft.payees();
    const { rows } = await draft.repeated(0);
    await draft.discard();
    return [changed.map(({ by }) => by), rows];
  };

  it('is as it was asked and shown: the same account again is known, and another one is a change', async () => {
    expect(await stands()).toEqual({ at: 100 });
    expect([await planned(ADA), await planned(MOVED)]).toEqual([
      [[], 1],
      [['key'], 0],
    ]);
  });

  it('is another one by an edit: from then on that one is known, and was paid', async () => {
    expect(await hear({ details: MOVED, at: 200 })).toEqual(['wages-2026-11-1']);
    expect(await stands()).toEqual({ at: 100 });
    await hear({ details: MOVED, at: 200, by: { edit: 'i-1', at: 200 } });
    expect(await stands()).toEqual({ at: 200, edit: 'i-1', now: MOVED });
    expect([await planned(ADA), await planned(MOVED)]).toEqual([
      [['key'], 0],
      [[], 1],
    ]);
    await hear({ details: ADA, at: 300, by: { edit: 'i-2', at: 300 } });
    expect(await stands()).toEqual({ at: 300, edit: 'i-2' });
    expect(await planned(ADA)).toEqual([[], 1]);
  });

  it.each([
    ['by nobody here', undefined],
    ['after our edit, by somebody else', 'i-1'],
  ])(
    'is changed elsewhere %s: both accounts are asked about, by the key and by the name',
    async (_how, edit) => {
      if (edit) await hear({ details: to('0000003300'), at: 150, by: { edit, at: 150 } });
      await hear({ details: MOVED, at: 200, by: { edit, at: 200 } });
      expect(await stands()).toMatchObject({ now: MOVED, elsewhere: 200 });
      for (const details of [ADA, MOVED]) expect((await planned(details))[0]).toEqual(['key']);
      const draft = await drafted(runs, [await rowTo(MOVED, { key: 'other', externalId: 'd-1' })], {
        name: 'd',
      });
      expect((await draft.payees()).changed).toMatchObject([{ by: 'person' }]);
      await draft.discard();
    },
  );

  it.each<[string, Record<string, unknown>]>([
    ['in capitals', to('0000001119', { first_name: 'ADA', last_name: 'OBI' })],
    ['without its zeros', to('1119')],
    ['masked', to('••••1119')],
    ['absent', to(undefined)],
    ['with a reason of its own', to('0000001119', { transfer_reason: 'salary' })],
  ])('is the same %s', async (_how, details) => {
    expect(await hear({ details, at: 200 })).toEqual([]);
    expect(await stands()).toEqual({ at: 100 });
  });

  it('is not what an older record shows, nor one without a time', async () => {
    await hear({ details: MOVED, at: 200, by: { edit: 'i-1', at: 200 } });
    for (const at of [150, undefined]) expect(await hear({ details: ADA, at })).toEqual([]);
    expect(await stands()).toMatchObject({ now: MOVED });
  });

  it('stays the last whole one where another is shown masked, and that is a change all the same', async () => {
    await hear({ details: to('••••2200'), at: 200, by: { edit: undefined, at: 200 } });
    expect(await stands()).toEqual({ at: 200, elsewhere: 200 });
    expect((await planned(ADA))[0]).toEqual(['key']);
  });

  it('leaves the store when the run is forgotten, and nothing of it comes back', async () => {
    await hear({ details: MOVED, at: 200, by: { edit: 'i-1', at: 200 } });
    expect(await runs.forget(run.id, TERMS)).toBe(true);
    expect(await stands()).toBeUndefined();
    await hear({ details: ADA, at: 300, by: { edit: undefined, at: 300 } });
    expect(await stands()).toBeUndefined();
    expect((await planned(MOVED))[0]).toEqual([]);
  });
});

describe.each(everyStore())('the first record, %s', (_, make) => {
  async function first(details: Record<string, unknown>, type = 'NGN::Bank') {
    const { runs, close } = await make();
    const run = await approved(runs, [await rowTo(details, { type })]);
    const hear = async (shown: Omit<ShownPayout, 'type'>): Promise<unknown> => {
      const unexplained: string[] = [];
      await runs.observe(
        run.id,
        [{ externalId: 'wages-2026-11-1', news: { shown: { type, ...shown } } }],
        mayBecome,
        (id) => unexplained.push(id),
      );
      return [unexplained.length, (await runs.row(run.id, 'key-1'))?.stands];
    };
    return { hear, close };
  }

  it('says how the service writes it, and the same way later is no change', async () => {
    const { hear, close } = await first(ADA);
    expect(await hear({ details: to('••••1119'), at: 50 })).toEqual([0, undefined]);
    const spelt = to('1119', { last_name: 'OBI' });
    const stands = { at: 100, spelt: { bank_account: '1119', last_name: 'OBI' } };
    expect(await hear({ details: { ...spelt, bank_name: 'Access' }, at: 100 })).toEqual([0, stands]);
    expect(await hear({ details: spelt, at: 200 })).toEqual([0, stands]);
    expect(await hear({ details: ADA, at: 300 })).toEqual([0, stands]);
    expect(await hear({ details: { ...spelt, bank_code: '058' }, at: 400 })).toEqual([1, stands]);
    await close();
  });

  it('says what the service filled in, and another country later is a change', async () => {
    const asked = {
      first_name: 'Awa',
      last_name: 'Ba',
      mobile_provider: 'wave',
      phone_number: '+221771234567',
    };
    const { hear, close } = await first(asked, 'XOF::Mobile');
    const spelt = { ...asked, country: 'SN' };
    const stands = { at: 100, spelt: { country: 'SN' } };
    for (const at of [100, 200]) expect(await hear({ details: spelt, at })).toEqual([0, stands]);
    expect(await hear({ details: { ...spelt, country: 'CI' }, at: 300 })).toEqual([1, stands]);
    await close();
  });

  it('may hide a name that a later one shows, and tell details that remit does not know', async () => {
    const { hear, close } = await first(ADA);
    expect(await hear({ details: to('1119', { first_name: 'A**' }), at: 100 })).toEqual([
      0,
      { at: 100, spelt: { bank_account: '1119' } },
    ]);
    const named = { at: 200, spelt: { bank_account: '1119', rail: 'nip' } };
    expect(await hear({ details: to('1119', { rail: 'nip' }), at: 200 })).toEqual([0, named]);
    expect(await hear({ details: to('1119', { rail: 'other' }), at: 300 })).toEqual([1, named]);
    await close();
  });

  it('with another account leaves what the service filled in apart', async () => {
    const asked = {
      first_name: 'Awa',
      last_name: 'Ba',
      mobile_provider: 'wave',
      phone_number: '+221771234567',
    };
    const { hear, close } = await first(asked, 'XOF::Mobile');
    const other = { ...asked, phone_number: '+221770000000' };
    const stands = { at: 100, spelt: { country: 'SN' }, now: other, edit: 'i-1' };
    const details = { ...other, country: 'SN' };
    expect(await hear({ details, at: 100, by: { edit: 'i-1', at: 100 } })).toEqual([0, stands]);
    expect(await hear({ details, at: 200 })).toEqual([0, stands]);
    await close();
  });
});
