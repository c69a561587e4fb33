/** Whoever says no to a run keeps it from being paid until it is approved again, and by a signature whoever pays it. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/driver.ts';
import { STORE_VERSION } from '../../src/store/open.ts';
import {
  approverOn,
  asProfile,
  type MadeApprover,
  machineOf,
  setApprovers,
  signIn,
} from '../support/approvers.ts';
import { type Run, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';

const bench = useBench({ sender: true });
const acme = (...argv: string[]): Promise<Run> => bench.run(argv, { env: asProfile('acme') });
const paid = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

async function plan(rows: number, name = 'wages'): Promise<string> {
  const path = join(bench.dir, `${name}.csv`);
  writeFileSync(path, fileOfRows(rows));
  const planned = await acme(
    ...['batch', 'plan', path, '--name', name, '--max-input', 'EUR=1000', '--repeat', 'wages', '-o', 'json'],
  );
  expect(planned.code, planned.stderr).toBe(0);
  return planned.data<{ digest: string }>().digest;
}
const approve = (who: MadeApprover, digest: string, ...more: string[]): Promise<Run> =>
  who.run(['batch', 'approve', 'wages', '--digest', digest, '-o', 'json', ...more]);
const pay = (name = 'wages'): Promise<Run> => acme('batch', 'run', name);
interface Status {
  state: string;
  why: string | null;
  rejected_by: string | null;
  signatures: { approver: string; standing: string; until: string | null; because: string | null }[];
  signatures_wanted: number | null;
  signed_until: string | null;
}
async function status(): Promise<Status & { notes: string }> {
  const made = await acme('batch', 'status', 'wages', '-o', 'json');
  return { ...made.data<Status>(), notes: made.stderr };
}
const standings = async () =>
  (await status()).signatures.map(({ approver, standing }) => [approver, standing]);

/** As somebody does who can write to the file. */
async function alter(sql: string): Promise<void> {
  const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  store.exec(sql);
  store.close();
}
let grace: MadeApprover;
let ada: MadeApprover;
let digest: string;

/** Nothing was sent, and it ended so. */
function expectRefused(made: Run, code: number, words: string): void {
  expect([made.code, paid(made), made.stderr]).toEqual([code, 0, expect.stringContaining(words)]);
}

beforeEach(async () => {
  await signIn(bench, 'acme');
  grace = await approverOn(machineOf(bench, 'grace'), 'grace');
  ada = await approverOn(machineOf(bench, 'ada'), 'ada');
});

describe('a rejection', () => {
  beforeEach(async () => {
    expect((await setApprovers(bench, [grace, ada])).code).toBe(0);
    digest = await plan(3);
  });
  const reject = (who: MadeApprover, because = 'row 2 left in May'): Promise<Run> =>
    approve(who, digest, '--reject', '--because', because);

  it('of one approver stands against the approval of another, until the same one approves', async () => {
    await approve(grace, digest);
    const said = await reject(ada);
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('Rejected; ada signed it')]);
    expectRefused(await pay(), 1, 'was rejected by ada');
    expect(await status()).toMatchObject({
      state: 'paused',
      why: 'rejected by ada: row 2 left in May',
      rejected_by: expect.stringMatching(/^ada, signed \(.*\): row 2 left in May$/),
    });
    await approve(grace, digest);
    expectRefused(await pay(), 1, 'was rejected by ada at');
    expect(await standings()).toEqual([
      ['grace', 'replaced'],
      ['ada', 'rejects'],
      ['grace', 'counts'],
    ]);
    await approve(ada, digest);
    expect(await standings()).toContainEqual(['ada', 'replaced']);
    expect(paid(await pay())).toBe(3);
  });

  it('takes the place of the own approval; in another order in the store it still does', async () => {
    await approve(grace, digest);
    await reject(grace);
    await alter(`UPDATE payruns SET rejection = NULL, state = 'approved',
      statements = json_array(json(statements -> '$[1]'), json(statements -> '$[0]'))`);
    expectRefused(await pay(), 1, 'was rejected by grace');
  });

  it('needs a reason, and no end', async () => {
    const bare = await approve(grace, digest, '--reject');
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('a rejection has a reason')]);
    const alone = await approve(grace, digest, '--because', 'x');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--because goes with --reject')]);
    const ends = await approve(grace, digest, '--reject', '--because', 'x', '--until', '2099-01-01');
    expect([ends.code, ends.stderr]).toEqual([2, expect.stringContaining('a rejection has no end')]);
  });

  it('by somebody without a key keeps everybody from paying until it is approved again', async () => {
    const somebody = machineOf(bench, 'somebody');
    const plain = (...argv: string[]) => bench.run(argv);
    const no = ['batch', 'approve', 'wages', '--digest', digest, '--reject', '--because', 'wrong month'];
    const said = await somebody.run(no);
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('Rejected, and not signed')]);
    expectRefused(await plain('batch', 'run', 'wages'), 1, 'wrong month');
    const again = await plain('batch', 'approve', 'wages', '--digest', digest);
    expect([again.code, again.stderr]).toEqual([0, expect.stringContaining('Approved; nothing was sent')]);
    expect((await status()).rejected_by).toBeNull();
    // After it was approved too.
    await somebody.run(no);
    expectRefused(await plain('batch', 'run', 'wages'), 1, 'wrong month');
    expect((await plain('batch', 'approve', 'wages', '--digest', digest)).code).toBe(0);
    expect(paid(await plain('batch', 'run', 'wages'))).toBe(3);
  });

  it('while the run pays lets no more rows leave', async () => {
    await approve(grace, digest);
    let first = true;
    bench.bend(async (request, next) => {
      if (request.url.endsWith('/create_and_fund') && first) {
        first = false;
        bench.straighten();
        await reject(ada);
      }
      return next(request);
    });
    const made = await acme('batch', 'run', 'wages', '--in-flight', '1');
    expect([made.code, (await status()).state]).toEqual([8, 'paused']);
    expect(made.stderr).toContain('Somebody else set it to paused: rejected by ada');
    expect((await bench.run('tx list -o json')).data()).toHaveLength(1);
  });
});
