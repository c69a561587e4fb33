/** Whoever says no to a run keeps it from being paid until it is approved again, and by a signature whoever pays it. */
import { beforeEach, describe, expect, it } from 'vitest';
import { type MadeApprover, machineOf, setApprovers } from '../support/approvers.ts';
import type { Run } from '../support/cli.ts';
import { alterFile, expectRefused, paid, useSignedRuns } from '../support/signed-runs.ts';

const { bench, people, acme, plan, approve, pay, status, standings } = useSignedRuns();
let digest: string;

describe('a rejection', () => {
  beforeEach(async () => {
    expect((await setApprovers(bench, [people.grace, people.ada])).code).toBe(0);
    digest = await plan(3);
  });
  const reject = (who: MadeApprover, because = 'row 2 left in May'): Promise<Run> =>
    approve(who, digest, '--reject', '--because', because);

  it('of one approver stands against the approval of another, until the same one approves', async () => {
    await approve(people.grace, digest);
    const said = await reject(people.ada);
    expect([said.code, said.stderr]).toEqual([0, expect.stringContaining('Rejected; ada signed it')]);
    expectRefused(await pay(), 1, 'was rejected by ada');
    expect(await status()).toMatchObject({
      state: 'paused',
      why: 'rejected by ada: row 2 left in May',
      rejected_by: expect.stringMatching(/^ada, signed \(.*\): row 2 left in May$/),
    });
    await approve(people.grace, digest);
    expectRefused(await pay(), 1, 'was rejected by ada at');
    expect(await standings()).toEqual([
      ['grace', 'replaced'],
      ['ada', 'rejects'],
      ['grace', 'counts'],
    ]);
    await approve(people.ada, digest);
    expect(await standings()).toContainEqual(['ada', 'replaced']);
    expect(paid(await pay())).toBe(3);
  });

  it('takes the place of the own approval; in another order in the store it still does', async () => {
    await approve(people.grace, digest);
    await reject(people.grace);
    await alterFile(
      bench,
      `UPDATE payruns SET rejection = NULL, state = 'approved',
      statements = json_array(json(statements -> '$[1]'), json(statements -> '$[0]'))`,
    );
    expectRefused(await pay(), 1, 'was rejected by grace');
  });

  it('needs a reason, and no end', async () => {
    const bare = await approve(people.grace, digest, '--reject');
    expect([bare.code, bare.stderr]).toEqual([2, expect.stringContaining('a rejection has a reason')]);
    const alone = await approve(people.grace, digest, '--because', 'x');
    expect([alone.code, alone.stderr]).toEqual([2, expect.stringContaining('--because goes with --reject')]);
    const ends = await approve(people.grace, digest, '--reject', '--because', 'x', '--until', '2099-01-01');
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
    await approve(people.grace, digest);
    let first = true;
    bench.intercept(async (request, next) => {
      if (request.url.endsWith('/create_and_fund') && first) {
        first = false;
        bench.restore();
        await reject(people.ada);
      }
      return next(request);
    });
    const made = await acme('batch', 'run', 'wages', '--in-flight', '1');
    expect([made.code, (await status()).state]).toEqual([8, 'paused']);
    expect(made.stderr).toContain('Somebody else set it to paused: rejected by ada');
    expect((await bench.run('tx list -o json')).data()).toHaveLength(1);
  });
});
