/** The demos, as processes: what they print adds up, and nothing of them is left. */
import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Asker } from '../support/console.ts';
import { isLong } from '../support/long.ts';
import { runRemit, startRemit, usePrograms } from '../support/program.ts';

const home = usePrograms();
const { env, remit } = home;

describe('the demo', () => {
  it('ends with 0 and a table in which every amount adds up', async () => {
    const demo = await remit('demo');
    expect(demo.code, demo.stderr).toBe(0);
    const costs = [...demo.stdout.matchAll(/^demo-\d .* (\d+\.\d\d)$/gm)].map(
      ([, cost]) => Number(cost) * 100,
    );
    expect(costs).toHaveLength(4);
    const [before, less, after] = ['balance before', 'less the cost', 'balance after'].map(
      (label) => Number(new RegExp(`${label}.* (-?\\d+\\.\\d\\d)$`, 'm').exec(demo.stdout)?.[1]) * 100,
    );
    expect(Math.round((before ?? 0) + (less ?? 0))).toBe(Math.round(after ?? 1));
    expect(Math.round(costs.reduce((a, b) => a + b, 0))).toBe(Math.round(-(less ?? 0)));
    expect(demo.stdout).toContain('remit sandbox start');
  });

  it.runIf(isLong).each(['refund_posts_nothing', 'expiry_never', 'edit_ignored'])(
    'with the rule %s broken it notices and ends with 1',
    async (rule) => {
      const demo = await remit('demo', '--break-rule', rule);
      expect(demo.code).toBe(1);
      expect(demo.stderr).toContain('the demo expected that');
      expect(demo.stdout).not.toContain('Every amount adds up');
    },
  );
});

describe.runIf(isLong)('the demo of a pay run', () => {
  /** What it makes for itself goes here. */
  const temporary = (): string => {
    const folder = join(home.dir, 'temporary');
    mkdirSync(folder, { recursive: true });
    return folder;
  };

  it('is killed half way, run again, and ends with a table in which every amount adds up', async () => {
    const folder = temporary();
    const { code, stdout, stderr } = await runRemit(['demo', 'payroll'], { ...env(), TMPDIR: folder });
    expect(code, stderr).toBe(0);
    expect(stdout).toMatch(
      /on disk: \d paid for, \d sent without an answer, \d not sent; the service has \d\n/,
    );
    const cents = (text: string | undefined): number => Math.round(Number(text) * 100);
    const rows = [...stdout.matchAll(/^E-\d\d .*?(?:([\d.]+) {2})?(paid|in error|refused)$/gm)];
    const costOf = (state: string): number =>
      rows.filter((row) => row[2] === state).reduce((sum, row) => sum + cents(row[1] ?? '0'), 0);
    expect(rows.map((row) => row[2]).sort()).toEqual(['in error', ...Array(10).fill('paid'), 'refused']);
    const [before, paid, held, after] = [
      'balance before',
      'less 10 paid out',
      'less 1 in error',
      'balance after',
    ]
      .map((label) => new RegExp(`${label}.* (-?\\d+\\.\\d\\d)$`, 'm').exec(stdout)?.[1])
      .map(cents) as [number, number, number, number];
    expect([-paid, -held]).toEqual([costOf('paid'), costOf('in error')]);
    expect(before + paid + held).toBe(after);
    expect(stdout).toContain('Every amount adds up.');
    expect(readdirSync(folder)).toEqual([]);
  });

  describe.runIf(isLong)('in other ways', () => {
    it('gives its rows as JSON', async () => {
      const { stdout } = await runRemit(['demo', 'payroll', '-o', 'json'], { ...env(), TMPDIR: temporary() });
      expect(JSON.parse(stdout)).toMatchObject({ kind: 'demo_row', data: { length: 12 } });
    });

    it('leaves nothing behind when it is stopped', async () => {
      const folder = temporary();
      const demo = startRemit(['demo', 'payroll'], { ...env(), TMPDIR: folder });
      await demo.line((line) => line.startsWith('2. '));
      demo.signal('SIGINT');
      expect((await demo.ended).code).toBe(130);
      expect(demo.stderr()).toContain('the demo was stopped; nothing of it is left');
      expect(readdirSync(folder)).toEqual([]);
    });
  });

  it('takes no other name, and breaks no rule', async () => {
    expect((await remit('demo', 'wages')).code).toBe(2);
    expect((await remit('demo', 'payroll', '--break-rule', 'edit_ignored')).code).toBe(2);
  });
});

describe.runIf(isLong)('the demo of the console', () => {
  it('opens a page over payments, runs and a listener, and leaves nothing behind', async () => {
    const folder = join(home.dir, 'temporary');
    mkdirSync(folder, { recursive: true });
    const demo = startRemit(['demo', 'console'], { ...env(), TMPDIR: folder });
    // Killed it could stop none of its children.
    onTestFinished(async () => {
      demo.signal('SIGINT');
      await demo.ended;
    });
    await demo.says('Open within half a minute');
    const url = await demo.line((line) => line.startsWith('http://127.0.0.1:'));
    const asker = await Asker.from({ url, origin: new URL(url).origin });
    const { data: about } = await asker.ask('about', {});
    expect(about).toMatchObject({ canWrite: true, isProduction: false, hasControls: true });
    const runs = (await asker.ask('runs', {})).data.rows as { of: string }[][];
    expect(runs.map(([run]) => run?.of).sort()).toEqual(['november', 'october']);
    const { data: october } = await asker.ask('run', { id: 'october' });
    expect(october.needing.rows).toEqual([expect.arrayContaining(['OCT-2', 'in error'])]);
    expect((await asker.ask('triage', {})).data.rows.length).toBeGreaterThan(3);
    expect((await asker.ask('search', { words: 'eze' })).data).toMatchObject({ hasBooks: true });
    demo.signal('SIGINT');
    expect((await demo.ended).code).toBe(0);
    expect(readdirSync(folder)).toEqual([]);
    // The sandbox was a process of its own: it is gone with its port, and so is the page.
    await expect(asker.ask('about', {})).rejects.toThrow();
  });
});
