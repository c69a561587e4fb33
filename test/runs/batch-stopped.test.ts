/** A no that is said while somebody settles: what was not sent by then is only looked for. An approval lifts no hold. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { setApprovers } from '../support/approvers.ts';
import { answering, type Intercept, type Run, useBench } from '../support/cli.ts';
import { fileOfRows } from '../support/payrun-audit.ts';
import { useSignedRuns } from '../support/signed-runs.ts';

const isPayment = ({ url }: { url: string }): boolean => url.endsWith('/create_and_fund');
const sent = ({ requests }: Run): number =>
  requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;
/** No payment arrives, and no look is answered. */
const away: Intercept = (request, next) =>
  isPayment(request) || request.url.includes('/transactions?')
    ? answering(503)(request, next)
    : next(request);

describe('signatures', () => {
  const { bench, people, acme, plan, approve, status } = useSignedRuns();

  /** So many rows of a signed run, or somewhat less, of which nobody knows what became. */
  async function unknownRows(rows: number): Promise<{ digest: string; unknown: number }> {
    await setApprovers(bench, [people.grace]);
    const digest = await plan(rows);
    expect((await approve(people.grace, digest)).code).toBe(0);
    bench.intercept(away);
    expect((await acme('batch', 'run', 'wages')).code).toBe(9);
    bench.restore();
    const { states } = (await acme('batch', 'status', 'wages', '-o', 'json')).data<{
      states: { unknown: number };
    }>();
    return { digest, unknown: states.unknown };
  }

  it.each(['batch settle wages', 'history settle --all', 'history settle'])(
    'that end between the first look at them and the answer of a person let nothing leave: %s',
    async (line) => {
      await unknownRows(line === 'history settle' ? 1 : 2);
      const [{ id } = { id: '' }] = (await acme('history', '-o', 'json')).data<{ id: string }[]>();
      let isRead = false;
      bench.intercept(async (request, next) => {
        const answer = await next(request);
        if (!isRead) {
          isRead = true;
          await bench.run(['sandbox', 'clock', 'advance', '8d']);
        }
        return answer;
      });
      const given = line === 'history settle' ? [id] : [];
      const settled = await acme(...line.split(' '), ...given, '--yes');
      const said = settled.stdout + settled.stderr;
      expect([settled.code, sent(settled)], said).toEqual([9, 0]);
      expect(said).toContain('Only looked for; nothing was sent: the run "wages" is not approved');
      expect(said).toContain('that of grace ended at ');
      expect(said).toMatch(/looks again\. .*approve wages .* settle again\. .*--not-paid --because TEXT/);
    },
  );

  it('that end while a run is settled let no row of a later window leave', async () => {
    const { digest, unknown } = await unknownRows(201);
    let isLooked = false;
    bench.intercept(async (request, next) => {
      if (request.url.includes('/transactions?') && !isLooked) {
        isLooked = true;
        await bench.run(['sandbox', 'clock', 'advance', '8d']);
      }
      return next(request);
    });
    const settled = await acme('batch', 'settle', 'wages', '--yes', '-o', 'json');
    bench.restore();
    expect([settled.code, sent(settled)], settled.stderr).toEqual([9, unknown - 1]);
    expect(settled.stderr).toContain('It was stopped meanwhile; from then on rows were only looked for:');
    expect(settled.stderr).toMatch(/that of grace ended at .*--rows E-200 --not-paid/s);
    // Signed again, the last one leaves too.
    expect((await approve(people.grace, digest)).code).toBe(0);
    const again = await acme('batch', 'settle', 'wages', '--yes');
    expect([again.code, sent(again)], again.stderr).toEqual([8, 1]);
    expect(again.stderr).toContain(`${unknown} of 201 rows are paid for; ${201 - unknown} are not sent yet`);
  });

  it('that end while a run is paid pause it before a window in which rows were only begun', async () => {
    const { unknown } = await unknownRows(201);
    let isLooked = false;
    bench.intercept(async (request, next) => {
      if (request.url.includes('/transactions?') && !isLooked) {
        isLooked = true;
        await bench.run(['sandbox', 'clock', 'advance', '8d']);
      }
      return next(request);
    });
    const ran = await acme('batch', 'run', 'wages', '--yes');
    bench.restore();
    // The last rows of the first window wait for each other: some of them had not begun.
    expect([ran.code, sent(ran) > 180 && sent(ran) <= 200], ran.stderr).toEqual([9, true]);
    expect(unknown).toBeLessThan(200);
    expect((await status()).state).toBe('paused');
    expect((await acme('batch', 'show', 'wages', 'E-200', '-o', 'json')).data()).toMatchObject({
      state: 'unknown',
    });
  });

  it('and approvals of a run on hold are kept, and end with 8: nobody pays it before it is released', async () => {
    await setApprovers(bench, [people.grace]);
    const digest = await plan(1);
    await acme('batch', 'hold', 'wages', '--because', 'the bank asks');
    const signed = await approve(people.grace, digest);
    expect([signed.code, (await status()).state]).toEqual([8, 'approved']);
    expect(signed.stderr).toContain('grace signed it');
    expect(signed.stderr).toMatch(/It is on hold, by .*: the bank asks\. .*remit batch release wages/);
    const no = await approve(people.grace, digest, '--reject', '--because', 'not this month');
    expect(no.code, no.stderr).toBe(0);
  });
});

describe('an approval without a signature', () => {
  const bench = useBench({ sender: true });

  it('of a run on hold ends with 8 each time, and with 0 once it is released', async () => {
    const path = join(bench.dir, 'wages.csv');
    writeFileSync(path, fileOfRows(1));
    const planned = await bench.run([
      'batch',
      'plan',
      path,
      '--name',
      'wages',
      '--max-input',
      'EUR=9',
      '-o',
      'json',
    ]);
    const argv = ['batch', 'approve', 'wages', '--digest', planned.data<{ digest: string }>().digest];
    await bench.run(['batch', 'hold', 'wages', '--because', 'the bank asks']);
    for (const words of ['Approved; nothing was sent', 'It was approved before']) {
      const approved = await bench.run(argv);
      expect([approved.code, approved.stderr]).toEqual([8, expect.stringContaining(words)]);
      expect(approved.stderr).toContain('remit batch release wages');
    }
    await bench.run(['batch', 'release', 'wages']);
    expect((await bench.run(argv)).code).toBe(0);
  });
});
