/** What the console writes: nothing that was not shown, each thing once, and in production only by the typed word. */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { lost, paymentFlags, useBench } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { Asker, useConsole } from '../support/console.ts';

const bench = useBench({ sender: true });
const open = useConsole(bench);

const LIVE = { REMIT_BASE_URL: 'https://api.example.com/v1' };
async function started(flags: readonly string[] = ['--write'], env: Record<string, string> = {}) {
  return Asker.from(await open(flags, env));
}

async function pay(ending: string, id: string): Promise<string> {
  const flags = [...paymentFlags('customer-1', `01234567${ending}`), '--external-id', id];
  const made = await bench.run(['tx', 'create', ...flags, '--fund', '--max-input', '20', '-o', 'json']);
  expect(made.code, made.stderr).toBe(0);
  return made.data<{ recipients: { id: string }[] }>().recipients[0]?.id ?? '';
}
const shown = async (asker: Asker, id: string) => (await asker.ask('payout', { id })).data;
async function stateOf(id: string): Promise<string> {
  return (await bench.run(['recipient', 'show', id, '-o', 'json'])).data<{ state: string }>().state;
}
const newId = () => randomUUID().replaceAll('-', '');

let writes: string[];
/** Writes that reach the service from here on. */
function countWrites(): void {
  writes = [];
  bench.intercept(async (request, next) => {
    if (request.method !== 'GET') writes.push(`${request.method} ${new URL(request.url).pathname}`);
    return next(request);
  });
}

describe('a cancel', () => {
  it('is asked about first, and sent once it was answered; the command that does the same is shown', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row, can } = await shown(asker, id);
    expect(can).toContainEqual({ act: 'cancel', command: `remit recipient cancel ${id} --wait` });
    countWrites();
    const wish = { id: newId(), act: 'cancel' as const, of: [{ id, digest: row.digest }], answers: [] };
    const asked = await asker.ask('act', wish);
    expect(asked.data).toMatchObject({
      kind: 'asks',
      said: 'Cancel 25,000 NGN to Ada Obi, on the sandbox?',
      button: 'Cancel 25,000 NGN in environment',
      type: null,
    });
    expect(asked.data.heard.map(({ text }: { text: string }) => text.trim())).toContain(
      'cancel 25000 NGN to Ada Obi, NGN::Bank 044 ••••6719',
    );
    expect([writes, await stateOf(id)]).toEqual([[], 'error']);
    const done = await asker.ask('act', { ...wish, answers: [{ shown: asked.data.shown }] });
    expect(done.data).toMatchObject({
      kind: 'done',
      endings: [{ id, look: 'good' }],
      command: `remit recipient cancel ${id} --wait`,
    });
    expect(done.data.endings[0].text).toContain(': refunded');
    expect(writes).toHaveLength(1);
    const entry = (await bench.run('history -o json')).data<{ command: string; summary: string }[]>()[0];
    expect(entry).toMatchObject({ command: 'console act' });
  });

  it('is refused where the payout is no longer as it was shown, and nothing is sent', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    expect(
      await bench.run(['recipient', 'edit', id, '--detail', 'bank_account=0123456700', '--skip-validation']),
    ).toMatchObject({ code: 0 });
    countWrites();
    const refused = await asker.act({ act: 'cancel', of: [{ id, digest: row.digest }] });
    expect([refused.status, refused.data.problem.code, writes]).toEqual([409, 'changed_since', []]);
    const again = await asker.act({ act: 'cancel', of: [{ id, digest: 'made-up' }] });
    expect(again.data.problem.code).toBe('changed_since');
  });

  it('is refused where the account alone was changed, and the state is as it was', async () => {
    const id = await pay('01', 'wages-1');
    const asker = await started();
    const of = [{ id, digest: (await shown(asker, id)).row.digest }];
    const edited = ['--detail', 'bank_account=0987654301', '--skip-validation'];
    expect((await bench.run(['recipient', 'edit', id, ...edited])).code).toBe(0);
    expect(await stateOf(id)).toBe('pending');
    countWrites();
    const refused = await asker.act({ act: 'request_cancel', of });
    expect([refused.data.problem?.code, writes]).toEqual(['changed_since', []]);
  });

  it('is refused where it changed between the question and the answer', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    const wish = { id: newId(), act: 'cancel' as const, of: [{ id, digest: row.digest }], answers: [] };
    const asked = await asker.ask('act', wish);
    expect(
      await bench.run(['recipient', 'edit', id, '--detail', 'bank_account=0123456700', '--skip-validation']),
    ).toMatchObject({ code: 0 });
    countWrites();
    const refused = await asker.ask('act', { ...wish, answers: [{ shown: asked.data.shown }] });
    expect([refused.data.problem.code, writes]).toEqual(['changed_since', []]);
  });

  it('is not sent by an answer to another question', async () => {
    const [one, two] = [await pay('19', 'wages-1'), await pay('71', 'wages-2')];
    const asker = await started();
    const wishFor = async (id: string) => ({
      id: newId(),
      act: 'cancel' as const,
      of: [{ id, digest: (await shown(asker, id)).row.digest }],
      answers: [] as { shown: string }[],
    });
    const first = await asker.ask('act', await wishFor(one));
    countWrites();
    const second = await asker.ask('act', {
      ...(await wishFor(two)),
      answers: [{ shown: first.data.shown }],
    });
    expect([second.data.kind, writes]).toEqual(['asks', []]);
  });

  it('that is sent twice is one write, and both are told the same', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    const wish = { id: newId(), act: 'cancel' as const, of: [{ id, digest: row.digest }], answers: [] };
    const { data } = await asker.ask('act', wish);
    countWrites();
    const answered = { ...wish, answers: [{ shown: data.shown }] };
    const both = await Promise.all([asker.ask('act', answered), asker.ask('act', answered)]);
    const later = await asker.ask('act', answered);
    expect(new Set([...both, later].map((one) => JSON.stringify(one.data))).size).toBe(1);
    expect(writes).toHaveLength(1);
  });

  it('of two windows at once is one write, and the second is told', async () => {
    const id = await pay('19', 'wages-1');
    const left = await started();
    const right = new Asker(left.origin);
    right.token = left.token;
    const tabs = [left, right];
    const { row } = await shown(left, id);
    countWrites();
    const ends = await Promise.all(
      tabs.map((tab) => tab.act({ act: 'cancel', of: [{ id, digest: row.digest }] })),
    );
    expect(writes).toHaveLength(1);
    expect(ends.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('of several rows has an ending for each, and one digest of them all', async () => {
    const ids = [await pay('19', 'wages-1'), await pay('19', 'wages-2')];
    machine.ms += 60_000;
    const asker = await started();
    const { rows } = (await asker.ask('triage', {})).data;
    expect(rows.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    const done = await asker.act({
      act: 'cancel',
      of: rows.map(({ id, digest }: never) => ({ id, digest })),
    });
    expect(done.data.endings.map(({ id }: { id: string }) => id).sort()).toEqual([...ids].sort());
    expect(await Promise.all(ids.map(stateOf))).toEqual(['refunded', 'refunded']);
  });

  it('of several is refused as a whole where one of them changed, or is acted on elsewhere', async () => {
    const ids = [await pay('19', 'wages-1'), await pay('71', 'wages-2')];
    const asker = await started();
    const of = await Promise.all(
      ids.map(async (id) => ({ id, digest: (await shown(asker, id)).row.digest as string })),
    );
    await bench.run([
      'recipient',
      'edit',
      ids[0] ?? '',
      '--detail',
      'bank_account=0123456718',
      '--skip-validation',
    ]);
    countWrites();
    const refused = await asker.act({ act: 'cancel', of });
    expect([refused.data.problem.message, writes]).toEqual([
      '1 of these 2 changed since they were shown',
      [],
    ]);
    let goOn: () => void = () => {};
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    let leave: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    bench.intercept(async (request, next) => {
      if (request.method === 'DELETE') {
        leave();
        await held;
      }
      return next(request);
    });
    const second = asker.act({ act: 'cancel', of: of.slice(1) });
    await left;
    const both = await asker.act({ act: 'cancel', of });
    goOn();
    expect([both.data.problem.code, (await second).data.kind]).toEqual(['under_way', 'done']);
    // What was under way is over: nothing stands in the way any more.
    const again = await asker.act({ act: 'cancel', of: of.slice(1) });
    expect(again.data.problem.code).toBe('changed_since');
  });

  it('says of each that it is over, waits, or did not work', async () => {
    const [paid, asked, failing] = [
      await pay('00', 'wages-1'),
      await pay('01', 'wages-2'),
      await pay('19', 'wages-3'),
    ];
    const asker = await started();
    const digestOf = async (id: string) => ({ id, digest: (await shown(asker, id)).row.digest as string });
    const of = await Promise.all([paid, asked, failing].map(digestOf));
    const wish = { id: newId(), act: 'request_cancel' as const, of, answers: [] };
    const first = await asker.ask('act', wish);
    expect(first.data.button).toBe('Ask to cancel 3 payouts in environment');
    const done = await asker.ask('act', { ...wish, answers: [{ shown: first.data.shown }] });
    expect(done.data.endings.map(({ look }: { look: string }) => look)).toEqual(['bad', 'waiting', 'good']);
    expect(done.data.notes.join(' ')).toContain('Do not credit your customer');
  });

  it('is one question however long it is read: an age that passes is no part of what was agreed to', async () => {
    const [asked, failing] = [await pay('01', 'wages-1'), await pay('19', 'wages-2')];
    await bench.run(['recipient', 'cancel', asked, '--request']);
    const asker = await started();
    machine.ms += 45_000;
    const digestOf = async (id: string) => ({ id, digest: (await shown(asker, id)).row.digest as string });
    const of = await Promise.all([asked, failing].map(digestOf));
    const wish = { id: newId(), act: 'request_cancel' as const, of, answers: [] };
    const first = await asker.ask('act', wish);
    const heard = (answer: typeof first): string =>
      answer.data.heard.map(({ text }: { text: string }) => text).join(' ');
    expect(heard(first)).toMatch(/requested 4\ds ago/);
    // Somebody uses the page now and then.
    for (let count = 0; count < 9; count++) {
      machine.ms += 20 * 60_000 + 14_000;
      await asker.ask('about', {});
    }
    const later = await asker.ask('act', { ...wish, id: newId() });
    expect(heard(later)).toMatch(/requested 3h 2m ago/);
    expect(later.data.shown).toBe(first.data.shown);
    const done = await asker.ask('act', { ...wish, answers: [{ shown: first.data.shown }] });
    expect(done.data.kind).toBe('done');
  });

  it('that can only be asked for says so, and the page looks until it is answered', async () => {
    const id = await pay('01', 'wages-1');
    const asker = await started();
    const before = await shown(asker, id);
    expect(before.can.map(({ act }: { act: string }) => act)).toEqual(['edit', 'request_cancel']);
    const of = [{ id, digest: before.row.digest }];
    expect((await asker.act({ act: 'cancel', of })).data.problem.code).toBe('not_cancellable_at_once');
    const done = await asker.act({ act: 'request_cancel', of });
    expect(done.data.endings[0]).toMatchObject({ look: 'waiting' });
    expect(await shown(asker, id)).toMatchObject({ isAwaiting: true });
    const waiting = (await asker.ask('requests', {})).data.rows;
    expect(waiting).toMatchObject([{ state: { word: 'not answered yet' }, recipient: id, canSettle: false }]);
  });
});

describe('a tab that is closed in the middle of a write', () => {
  it('loses nothing: the write is finished once, and the journal has its outcome', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    const wish = { id: newId(), act: 'cancel' as const, of: [{ id, digest: row.digest }], answers: [] };
    const { data } = await asker.ask('act', wish);
    writes = [];
    let leave: () => void = () => {};
    let goOn: () => void = () => {};
    const left = new Promise<void>((resolve) => {
      leave = resolve;
    });
    const held = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    bench.intercept(async (request, next) => {
      if (request.method !== 'DELETE') return next(request);
      writes.push(request.url);
      leave();
      await held;
      return next(request);
    });
    const answered = { ...wish, answers: [{ shown: data.shown }] };
    await asker.askAndLeave('act', answered, left);
    // Another tab is told while it is under way, and the same act has its outcome later.
    const other = await asker.act({ act: 'cancel', of: [{ id, digest: row.digest }] });
    expect(other.data.problem.code).toBe('under_way');
    goOn();
    expect((await asker.ask('act', answered)).data).toMatchObject({
      kind: 'done',
      endings: [{ look: 'good' }],
    });
    expect([writes.length, await stateOf(id)]).toEqual([1, 'refunded']);
    const [entry] = (await bench.run('history -o json')).data<{ state: string; operation: string }[]>();
    expect(entry).toMatchObject({ operation: 'recipients.cancel', state: 'applied' });
  });
});

describe('a correction', () => {
  it('sends what was written and nothing else, and shows before and after', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row, details } = await shown(asker, id);
    const named = details.filter(({ isNamed }: { isNamed: boolean }) => isNamed);
    expect(named.map(({ name, shown }: never) => [name, shown])).toContainEqual(['bank_account', '••••6719']);
    const wish = {
      id: newId(),
      act: 'edit' as const,
      of: [{ id, digest: row.digest }],
      details: { bank_account: '0123456700' },
      answers: [],
    };
    const asked = await asker.ask('act', wish);
    expect(asked.data.heard.map(({ text }: { text: string }) => text).join('\n')).toMatch(
      /bank_account.*••••6719 -> 0123456700/,
    );
    // The bank knows the account under another name: that is asked apart, before anything else.
    expect(asked.data.said).toMatch(/in the name of [^,]+, which does not read as Ada Obi$/);
    const answers = [{ shown: asked.data.shown }];
    const last = await asker.ask('act', { ...wish, answers });
    expect([last.data.kind, last.data.button]).toEqual(['asks', 'Correct 25,000 NGN in environment']);
    answers.push({ shown: last.data.shown });
    countWrites();
    const done = await asker.ask('act', { ...wish, answers });
    expect([done.data.kind, writes.filter((one) => one.startsWith('PATCH'))]).toEqual([
      'done',
      [expect.stringContaining(id)],
    ]);
    expect(done.data.command).toBe(`remit recipient edit ${id} --detail bank_account=0123456700`);
    expect(await stateOf(id)).not.toBe('refunded');
  });

  it('never sends a masked value back', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    countWrites();
    const of = [{ id, digest: row.digest }];
    const refused = await asker.act({ act: 'edit', of, details: { bank_account: '••••6700' } });
    expect([refused.status, refused.data.problem.code, writes]).toEqual([400, 'bad_wish', []]);
  });

  it('of which one value is masked is refused whole', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const of = [{ id, digest: (await shown(asker, id)).row.digest }];
    const details = { first_name: 'Adaeze', bank_account: '••••6700' };
    expect((await asker.act({ act: 'edit', of, details })).data.problem.code).toBe('bad_wish');
  });

  it('of two recipients at once is none, and nothing is sent', async () => {
    const ids = [await pay('19', 'wages-1'), await pay('71', 'wages-2')];
    const asker = await started();
    const of = await Promise.all(
      ids.map(async (id) => ({ id, digest: (await shown(asker, id)).row.digest as string })),
    );
    countWrites();
    const refused = await asker.act({ act: 'edit', of, details: { first_name: 'Adaeze' } });
    expect([refused.data.problem.code, writes]).toEqual(['bad_wish', []]);
  });

  it('that changes nothing sends nothing, and says so', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const of = [{ id, digest: (await shown(asker, id)).row.digest }];
    countWrites();
    const done = await asker.act({ act: 'edit', of, details: { first_name: 'Ada' } });
    expect(done.data.endings[0].text).toContain('it reads like that already; nothing was sent');
    expect(writes).toEqual([]);
  });

  it('to an account that looks wrong by itself is asked about in production, before all else', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started(['--write', '--live=key:7f3c'], LIVE);
    const of = [{ id, digest: (await shown(asker, id)).row.digest }];
    const wish = { id: newId(), act: 'edit' as const, of, details: { bank_account: '12345' }, answers: [] };
    countWrites();
    const asked = await asker.ask('act', wish);
    expect(asked.data).toMatchObject({
      kind: 'asks',
      type: null,
      said: expect.stringContaining('bank_account'),
    });
    expect(writes).toEqual([]);
  });

  it('of a detail that the type does not have is refused, by its name', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    const of = [{ id, digest: row.digest }];
    const refused = await asker.act({ act: 'edit', of, details: { bank_acount: '0123456700' } });
    expect(refused.data.problem).toMatchObject({
      code: 'unknown_detail',
      outcome: 'not applied: nothing was sent',
    });
  });
});

describe('an outcome that is not known', () => {
  it('is said, stands under My requests, and is settled from there by a question of its own', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started();
    const { row } = await shown(asker, id);
    let isAway = false;
    bench.intercept(async (request, next) => {
      if (request.method === 'DELETE') isAway = true;
      return isAway ? lost(request, next) : next(request);
    });
    const unknown = await asker.act({ act: 'cancel', of: [{ id, digest: row.digest }] });
    expect(unknown.data.endings).toMatchObject([{ id, look: 'bad' }]);
    expect(unknown.data.endings[0]).toMatchObject({
      text: expect.stringContaining(': unknown'),
      why: expect.stringContaining('remit history settle'),
    });
    bench.restore();
    const { rows } = (await asker.ask('requests', {})).data;
    expect(rows).toMatchObject([{ canSettle: true, recipient: id, state: { look: 'bad' } }]);
    expect(rows[0].command).toBe(`remit history settle ${rows[0].id.slice(0, 8)}`);
    // What is not found there is sent now: that is asked.
    const wish = { id: newId(), act: 'settle' as const, of: [{ id: rows[0].id, digest: '' }], answers: [] };
    const asked = await asker.ask('act', wish);
    expect(asked.data).toMatchObject({ kind: 'asks', button: 'Settle it in environment' });
    expect(await stateOf(id)).toBe('error');
    const settled = await asker.ask('act', { ...wish, answers: [{ shown: asked.data.shown }] });
    expect(settled.data).toMatchObject({ kind: 'done', command: rows[0].command });
    expect(settled.data.endings[0].text).toMatch(/: (?:not )?applied$/);
    expect((await asker.ask('requests', {})).data.rows).toEqual([]);
  });
});

describe('a page that may not write', () => {
  it('reads, says why, and sends nothing', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started([]);
    expect((await asker.ask('about', {})).data).toMatchObject({
      canWrite: false,
      whyNot: expect.stringContaining('it was started without --write'),
    });
    const { row } = await shown(asker, id);
    countWrites();
    const refused = await asker.act({ act: 'cancel', of: [{ id, digest: row.digest }] });
    expect([refused.data.problem.code, writes]).toEqual(['read_only', []]);
  });

  it('after half an hour without a key is one of those, and hides what --reveal showed', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started(['--write', '--reveal']);
    const account = async () => (await asker.ask('payout', { id }, { 'x-remit-awake': undefined })).data.row;
    const before = await account();
    expect(before.account).toBe('044 0123456719');
    machine.ms += 30 * 60_000 + 1;
    const { account: masked, digest } = await account();
    expect(masked).toBe('044 ••••6719');
    countWrites();
    // A key that is pressed now wakes nothing: a new code does.
    const refused = await asker.act({ act: 'cancel', of: [{ id, digest }] });
    expect([refused.data.problem.code, writes]).toEqual(['idle', []]);
  });
});

describe('in production', () => {
  it('starts to write only where it is named, and by the right name', async () => {
    const unnamed = await bench.run(['console', '--no-browser', '--write'], { env: LIVE });
    expect([unnamed.code, unnamed.stderr]).toEqual([2, expect.stringContaining('add --live=')]);
    const wrong = await bench.run(['console', '--no-browser', '--write', '--live=other'], { env: LIVE });
    expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('does not name')]);
  });

  it('wants the typed word for each act, and nothing else will do', async () => {
    const id = await pay('19', 'wages-1');
    const asker = await started(['--write', '--live=key:7f3c'], LIVE);
    expect((await asker.ask('about', {})).data).toMatchObject({ isProduction: true, canWrite: true });
    const { row } = await shown(asker, id);
    countWrites();
    const wish = { id: newId(), act: 'cancel' as const, of: [{ id, digest: row.digest }], answers: [] };
    const asked = await asker.ask('act', wish);
    expect(asked.data.type).toEqual({ asks: 'Type the last four of the account (6719):', shown: '6719' });
    for (const typed of [undefined, '', 'y', 'yes', '6718', '0123456719']) {
      const given = { shown: asked.data.shown, ...(typed === undefined ? {} : { typed }) };
      const still = await asker.ask('act', { ...wish, answers: [given] });
      expect([still.data.kind, writes], String(typed)).toEqual(['asks', []]);
    }
    const done = await asker.ask('act', { ...wish, answers: [{ shown: asked.data.shown, typed: '6719' }] });
    expect([done.data.kind, writes.length]).toEqual(['done', 1]);
  });
});
