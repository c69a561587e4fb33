/** Why something happened, what is assumed, and scenarios, by command. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { shippedScenarios } from '../../src/sandbox/scenario/shipped.ts';
import { paymentFlags, type Run, senderFlags, useBench } from '../support/cli.ts';

const bench = useBench();

const sandbox = (words: string, ...rest: string[]): Promise<Run> =>
  bench.run(['sandbox', ...words.split(' '), ...rest]);

describe('explain', () => {
  const flags = [...paymentFlags('customer-1', '0123456719'), '--external-id', 'wages-1', '--fund'];
  interface Told {
    data: { at: string; object: string; id: string; to: string; rule: string; basis: string }[];
  }
  beforeEach(async () => {
    await bench.run(['sender', 'create', ...senderFlags('customer-1')]);
    await bench.run(['tx', 'create', ...flags, '--max-input', '20']);
  });
  const told = async (id: string) => (await sandbox(`explain ${id} -o json`)).json<Told>().data;

  it('a transaction by external id or id, with all that belongs to it; a recipient alone', async () => {
    const story = await told('wages-1');
    const idOf = (what: string) => story.find(({ object }) => object === what)?.id ?? '';
    expect(new Set(story.map(({ object }) => object))).toEqual(
      new Set(['sender', 'transaction', 'recipient']),
    );
    expect(story.every(({ rule, basis }) => rule !== '' && ['stated', 'assumed'].includes(basis))).toBe(true);
    expect(await told(idOf('transaction'))).toEqual(story);
    const recipient = await told(idOf('recipient'));
    expect(recipient).toEqual(story.filter(({ object }) => object === 'recipient'));
    expect(recipient.at(-1)?.to).toBe('error');
  });

  it('for people: times of the one day, sentences that go on in the next line, no id cut', async () => {
    const run = await bench.run(['sandbox', 'explain', 'wages-1'], { tty: true, columns: 80 });
    const lines = run.stdout.split('\n');
    expect(lines[0]).toMatch(/^AT +OBJECT +FROM +TO +BASIS +WHY$/);
    expect(lines[1]).toMatch(/^\d\d:\d\d:\d\d {2}sender/);
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(80);
    expect(run.stderr.replace(/\s+/g, ' ')).toMatch(
      /transaction [0-9a-f-]{36} is received: \d+ changes on \d{4}-\d\d-\d\d \(UTC\)/,
    );
    await sandbox('clock advance 25h');
    const later = await bench.run(['sandbox', 'explain', 'wages-1'], { tty: true, columns: 140 });
    expect(later.stdout.split('\n')[1]).toMatch(/^\d\d-\d\d \d\d:\d\d:\d\d/);
    expect(later.stderr.replace(/\s+/g, ' ')).toMatch(/is refunded: \d+ changes from \S+ to \S+ \(UTC\)/);
  });

  it('says which of several recipients, from 1', async () => {
    const recipient = (bank_account: string) => ({
      requested_amount: 1000,
      requested_currency: 'NGN',
      payout_method: {
        type: 'NGN::Bank',
        details: { first_name: 'Ada', last_name: 'Obi', bank_code: '044', bank_account },
      },
    });
    const payment = {
      input_currency: 'EUR',
      external_id: 'two',
      sender: { external_id: 'customer-1' },
      recipients: [recipient('0123456700'), recipient('0123456719')],
    };
    writeFileSync(join(bench.dir, 'two.json'), JSON.stringify(payment));
    const made = await bench.run(['tx', 'create', '--file', 'two.json', '--fund', '--max-input', '20']);
    expect(made.code, made.stderr).toBe(0);
    const { stdout } = await sandbox('explain two --fields object,to');
    expect(stdout).toContain('recipient 1\tsuccess\n');
    expect(stdout).toContain('recipient 2\terror\n');
  });

  it('what nobody knows is 6', async () => {
    const run = await sandbox('explain wages-2');
    expect([run.code, run.stderr]).toEqual([6, expect.stringContaining('wages-2')]);
  });
});

describe('assumptions', () => {
  it('all, or those with a word, without any sandbox', async () => {
    const all = await sandbox('assumptions --fields id');
    const some = await sandbox('assumptions REFUND --fields id');
    expect([all.code, some.code, all.requests]).toEqual([0, 0, []]);
    expect(some.stdout.split('\n').length).toBeLessThan(all.stdout.split('\n').length);
    const none = await sandbox('assumptions unicorn');
    expect([none.code, none.stderr]).toEqual([6, expect.stringContaining('remit sandbox assumptions')]);
  });
});

describe('scenario', () => {
  const file = (text: string): void => writeFileSync(join(bench.dir, 'mine.txt'), text);

  it('names those that come along, at least twelve, and prints one that then runs as a file', async () => {
    const { stdout } = await sandbox('scenario --list --fields name');
    expect(stdout.trim().split('\n')).toEqual(Object.keys(shippedScenarios));
    expect(Object.keys(shippedScenarios).length).toBeGreaterThanOrEqual(12);
    const shown = await sandbox('scenario --show wrong-account');
    file(shown.stdout);
    for (const words of ['scenario wrong-account', 'scenario mine.txt']) {
      const run = await sandbox(words);
      expect([run.code, run.requests, run.stderr]).toEqual([0, [], expect.stringContaining('steps hold')]);
    }
  });

  it('from stdin', async () => {
    const run = await bench.run(['sandbox', 'scenario', '-'], {
      stdin: 'pay a number=0123456700 amount=10\n',
    });
    expect([run.code, run.stdout]).toEqual([0, '1\tpay a number=0123456700 amount=10\tok\n']);
  });

  it('ends with 10 at the first line that does not hold: line, expected, found', async () => {
    file('# mine\npay a number=0123456700 amount=10\nexpect a state=refunded\nexpect a state=paid\n');
    const run = await sandbox('scenario mine.txt');
    expect([run.code, run.stdout]).toEqual([10, '']);
    expect(run.stderr).toBe(
      [
        'remit: mine.txt, line 3 does not hold: expect a state=refunded',
        '  expected  a state refunded',
        '  found     a state paid',
        '',
      ].join('\n'),
    );
    const json = await sandbox('scenario mine.txt -o json');
    expect(json.json<{ error: object }>().error).toMatchObject({
      category: 'check',
      message: expect.stringContaining('line 3'),
      fields: [
        { path: 'expected', words: ['a state refunded'] },
        { path: 'found', words: ['a state paid'] },
      ],
    });
  });

  it.each([
    ['pya a', 'found     pya'],
    ['expect a state=paid', 'a transaction called a'],
    ['pay a number=0123456700 amount=none', 'expected  success'],
    ['advance soon', 'expected  a duration such as 61m'],
  ])('%s is a line that does not hold', async (text, said) => {
    file(text);
    const run = await sandbox('scenario mine.txt');
    expect([run.code, run.stderr]).toEqual([10, expect.stringContaining(said)]);
    for (const line of run.stderr.split('\n')) expect(line.length).toBeLessThan(350);
  });

  it('no file, no name, a folder, a name that does not come along: 2', async () => {
    mkdirSync(join(bench.dir, 'folder'));
    for (const words of ['scenario nowhere.txt', 'scenario', 'scenario folder', 'scenario --show nothing'])
      expect([words, (await sandbox(words)).code]).toEqual([words, 2]);
    expect(existsSync(join(bench.dir, 'nowhere.txt'))).toBe(false);
  });
});
