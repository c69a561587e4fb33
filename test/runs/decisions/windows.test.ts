/** Windows in one process's hands: each gone through once, renewed while its rows are open, and given back when none is. */
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { workerName } from '../../../src/profiles/worker.ts';
import type { Lease, PayRuns } from '../../../src/runs/store/port.ts';
import { LEASE_MS, Windows } from '../../../src/runs/windows.ts';

const taken = (window: number, fence = 1): Lease => ({ runId: 'run-1', window, fence, until: 100 });

/** A store that hands out these windows, one after the other. */
function stage({
  offers = [],
  renewed = (one: Lease): Lease | undefined | Error => ({ ...one, until: one.until + 1 }),
  back,
}: {
  offers?: (Lease | undefined)[];
  renewed?: (one: Lease) => Lease | undefined | Error;
  back?: Error;
} = {}) {
  const done: unknown[] = [];
  const errors: unknown[] = [];
  let isDead: (worker: string) => boolean = () => false;
  const payruns = {
    take: async (
      id: string,
      worker: string,
      options: { after: number; leaseMs: number; isDead?: (worker: string) => boolean },
    ) => {
      isDead = options.isDead ?? isDead;
      done.push(['take', id, worker, options.after, options.leaseMs]);
      return offers.shift();
    },
    isTaken: async (...given: unknown[]) => {
      done.push(['isTaken', ...given]);
      return true;
    },
    renew: async (one: Lease, leaseMs: number) => {
      done.push(['renew', one.window, leaseMs]);
      const later = renewed(one);
      if (later instanceof Error) throw later;
      return later;
    },
    giveBack: async (one: Lease) => {
      done.push(['giveBack', one.window]);
      if (back) throw back;
    },
  } as unknown as PayRuns;
  const windows = new Windows(payruns, {
    runId: 'run-1',
    worker: 'here 1 a',
    leaseMs: 900,
    onError: (error) => errors.push(error),
  });
  return { windows, done, errors, isDead: (worker: string) => isDead(worker) };
}

const names = (done: unknown[]) => done.map((one) => (one as unknown[]).slice(0, 2).join(' '));

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterEach(() => void vi.useRealTimers());

/** What was begun is over, and so is what that began. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('a window', () => {
  it('is taken, and stands in our hands', async () => {
    const { windows, done } = stage({ offers: [taken(3)] });
    expect(await windows.take(2)).toEqual({ lease: taken(3), open: 0, isFed: false, isLost: false });
    expect(done).toEqual([['take', 'run-1', 'here 1 a', 2, 900]]);
    await windows.end();
  });

  it('that was gone through already is given back, and the next is asked for', async () => {
    const { windows, done } = stage({ offers: [taken(3), taken(3), taken(4), taken(3), undefined] });
    await windows.take(-1);
    expect((await windows.take(-1))?.lease.window).toBe(4);
    expect(await windows.take(-1)).toBeUndefined();
    expect(done.map((one) => (one as unknown[]).filter((_, i) => i !== 2 && i !== 4))).toEqual([
      ['take', 'run-1', -1],
      ['take', 'run-1', -1],
      ['giveBack', 3],
      ['take', 'run-1', 3],
      ['take', 'run-1', -1],
      ['giveBack', 3],
      ['take', 'run-1', 3],
    ]);
    await windows.end();
  });

  it('is given back when it is fed and its last row has its answer', async () => {
    const { windows, done } = stage({ offers: [taken(3)] });
    const held = await windows.take(-1);
    if (!held) throw new Error('there is one');
    let answer: () => void = () => {};
    windows.track(held, new Promise((resolve) => (answer = resolve)));
    windows.track(held, Promise.resolve());
    expect(held.open).toBe(2);
    await settled();
    expect([held.open, names(done)]).toEqual([1, ['take run-1']]);
    windows.fed(held);
    await settled();
    expect([held.isFed, held.open, names(done)]).toEqual([true, 1, ['take run-1']]);
    answer();
    await windows.end();
    expect([held.open, names(done)]).toEqual([0, ['take run-1', 'giveBack 3']]);
  });

  it('is kept while more of it may begin', async () => {
    const { windows, done } = stage({ offers: [taken(3)] });
    const held = await windows.take(-1);
    if (!held) throw new Error('there is one');
    windows.track(held, Promise.resolve());
    await windows.end();
    expect(names(done)).toEqual(['take run-1']);
  });

  it('whose row fails is heard of, and is given back all the same', async () => {
    const { windows, done, errors } = stage({ offers: [taken(3)] });
    const held = await windows.take(-1);
    if (!held) throw new Error('there is one');
    windows.track(held, Promise.reject(new Error('a defect')));
    windows.fed(held);
    await windows.end();
    expect(errors).toEqual([new Error('a defect')]);
    expect(names(done)).toEqual(['take run-1', 'giveBack 3']);
  });

  it('that cannot be given back is heard of, and is not renewed any more', async () => {
    const { windows, done, errors } = stage({ offers: [taken(3)], back: new Error('no store') });
    const held = await windows.take(-1);
    if (!held) throw new Error('there is one');
    windows.fed(held);
    await settled();
    vi.advanceTimersByTime(300);
    await settled();
    expect(errors).toEqual([new Error('no store')]);
    expect(names(done)).toEqual(['take run-1', 'giveBack 3']);
    await windows.end();
  });

  it('that was lost is not given back, and may be ours again', async () => {
    const { windows, done } = stage({ offers: [taken(3), taken(3, 2)], renewed: () => undefined });
    const held = await windows.take(-1);
    if (!held) throw new Error('there is one');
    await windows.doubt(held);
    expect(held.isLost).toBe(true);
    windows.fed(held);
    await settled();
    expect((await windows.take(-1))?.lease.fence).toBe(2);
    expect(names(done)).toEqual(['take run-1', 'renew 3', 'take run-1']);
    await windows.end();
  });
});

describe('the lease', () => {
  it('is renewed three times while it lasts, and no more when all is over', async () => {
    const { windows, done } = stage({ offers: [taken(3)] });
    const held = await windows.take(-1);
    vi.advanceTimersByTime(299);
    await settled();
    expect(done).toHaveLength(1);
    vi.advanceTimersByTime(1);
    await settled();
    expect(done.slice(1)).toEqual([['renew', 3, 900]]);
    expect(held).toMatchObject({ lease: { until: 101 }, isLost: false });
    await windows.end();
    vi.advanceTimersByTime(3_000);
    await settled();
    expect(done).toHaveLength(2);
  });

  it('of a window that was lost is not asked for again', async () => {
    const { windows, done } = stage({ offers: [taken(3)], renewed: () => undefined });
    const held = await windows.take(-1);
    for (let i = 0; i < 3; i++) {
      vi.advanceTimersByTime(300);
      await settled();
    }
    expect(held?.isLost).toBe(true);
    expect(names(done)).toEqual(['take run-1', 'renew 3']);
    await windows.end();
  });

  it('that cannot be asked for now is asked for again', async () => {
    const { windows, done, errors } = stage({ offers: [taken(3)], renewed: () => new Error('no store') });
    const held = await windows.take(-1);
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(300);
      await settled();
    }
    expect([held?.isLost, errors]).toEqual([false, []]);
    expect(names(done)).toEqual(['take run-1', 'renew 3', 'renew 3']);
    await windows.end();
  });

  it('lasts so long that a dead worker is replaced within a minute', () => {
    expect(LEASE_MS).toBe(30_000);
  });
});

describe('a worker', () => {
  it('is asked about by the run and its own name', async () => {
    const { windows, done } = stage();
    expect(await windows.isTakenByOthers()).toBe(true);
    expect(done).toEqual([['isTaken', 'run-1', 'here 1 a']]);
    await windows.end();
  });

  it('is dead where its process is seen to run no more; of another the lease decides', async () => {
    const { windows, isDead } = stage();
    await windows.take(-1);
    // No process has an id so great.
    const none = 2 ** 30;
    expect(isDead(workerName({ pid: none }, 'a'))).toBe(true);
    expect(isDead(workerName({ pid: process.pid }, 'a'))).toBe(false);
    expect(isDead(`${hostname()} ${none} a`)).toBe(false);
    await windows.end();
  });
});
