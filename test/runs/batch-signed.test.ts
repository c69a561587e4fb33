/** Approvals are signatures: whoever pays counts those of accepted keys over this run, and nothing else that stands in the store. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { seededRandom } from '../../src/core/random.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { asProfile, machineOf, setApprovers } from '../support/approvers.ts';
import { answering, type Run } from '../support/cli.ts';
import { machine } from '../support/clock.ts';
import { isLong, some } from '../support/long.ts';
import { openStore } from '../support/open-store.ts';
import { alterFile, expectRefused, forgeryOf, paid, useSignedRuns } from '../support/signed-runs.ts';

const { bench, people, acme, plan, approve, pay, status, standings } = useSignedRuns();
const advance = (time: string): Promise<Run> => bench.run(['sandbox', 'clock', 'advance', time]);
const alter = (sql: string): Promise<void> => alterFile(bench, sql);
const inStatement = (path: string, value: string, at = 0): string =>
  `UPDATE payruns SET statements = json_set(statements, '$[${at}].${path}', ${value}) WHERE name = 'wages'`;

/** Pays somebody else with row 2, and makes plan and digest fit, as remit itself would. */
async function forgeRun(): Promise<void> {
  const store = await openStore(join(bench.dir, 'remit.db'), { clock: machine, random: seededRandom(1) });
  const { body, content, plan, digest } = await forgeryOf(await store.payruns(), 'Obi', 'Thief');
  store.close();
  const file = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  file.run('UPDATE payrun_rows SET body = ?, content = ? WHERE n = 2', body, content);
  file.run('UPDATE payruns SET plan = ?, digest = ?', plan, digest);
  file.close();
}

let digest: string;

const ALTERED: [string, string][] = [
  ['the signature', inStatement('signature', `'${Buffer.alloc(64).toString('base64')}'`)],
  ['no signature', inStatement('signature', 'null')],
  ['the end', inStatement('until', `'2099-01-01T00:00:00.000Z'`)],
  ['what it says', inStatement('at', `'2020-01-01T00:00:00.000Z'`)],
  ['the run', `UPDATE payruns SET id = '00000000-0000-4000-8000-000000000000'`],
  ['the name', `UPDATE payruns SET statements = json_set(statements, '$[0].replaces', json('["x"]'))`],
];

describe('where two of two sign', () => {
  beforeEach(async () => {
    const set = await setApprovers(bench, [people.grace, people.ada], { needed: 2 });
    expect(set.code, set.stderr).toBe(0);
    digest = await plan(3);
  });

  it('it is paid once both did, and says who signed until when', async () => {
    expectRefused(await pay(), 2, 'it has none of 2 signatures that this profile wants');
    const first = await approve(people.grace, digest);
    expect([first.code, first.stderr]).toEqual([0, expect.stringContaining('grace signed it')]);
    expect(first.stderr).toMatch(/holds until \d{4}-\d\d-\d\dT/);
    expectRefused(await pay(), 2, 'it has 1 of 2 signatures');
    expect((await approve(people.ada, digest)).code).toBe(0);
    expect(await status()).toMatchObject({
      state: 'approved',
      signatures_wanted: 2,
      signatures: [
        { approver: 'grace', standing: 'counts' },
        { approver: 'ada', standing: 'counts' },
      ],
    });
    expect(paid(await pay())).toBe(3);
  });

  it('one of them twice is one', async () => {
    await approve(people.grace, digest);
    await approve(people.grace, digest);
    expect(await standings()).toEqual([
      ['grace', 'replaced'],
      ['grace', 'counts'],
    ]);
    expectRefused(await pay(), 2, 'it has 1 of 2 signatures');
  });

  it('a plain approval is none: neither from a machine without a key, nor in the store', async () => {
    expectRefused(
      await acme('batch', 'approve', 'wages', '--digest', digest),
      2,
      'has no key of an approver',
    );
    const elsewhere = machineOf(bench, 'somebody');
    expect((await elsewhere.run(['batch', 'approve', 'wages', '--digest', digest])).code).toBe(0);
    expectRefused(await pay(), 2, 'it has none of 2 signatures');
  });
});

describe('where one signs', () => {
  beforeEach(async () => {
    expect((await setApprovers(bench, [people.grace])).code).toBe(0);
    digest = await plan(4);
  });

  it('a key that was never accepted counts for nothing, also in the file', async () => {
    expect((await approve(people.ada, digest)).code).toBe(0);
    expectRefused(await pay(), 2, 'it has none of 1 signature ');
    writeFileSync(join(bench.dir, 'approvers.txt'), people.grace.line + people.ada.line);
    const made = await pay();
    expectRefused(made, 2, 'it has none of 1 signature ');
    expect(made.stderr).toContain('ada in the file of approvers: the key was never accepted here');
    expect(await standings()).toEqual([['ada', 'not_accepted']]);
  });

  it('an accepted name with another key in the file counts for nothing', async () => {
    writeFileSync(join(bench.dir, 'approvers.txt'), people.ada.line.replace('ada', 'grace'));
    await approve(people.grace, digest);
    expectRefused(await pay(), 2, 'it has none of 1 signature ');
  });

  it.each(some(ALTERED, 2))('%s, changed in the store, approves nothing', async (_, sql) => {
    await approve(people.grace, digest);
    await alter(sql);
    expectRefused(await pay(), 10, 'did not come from the approver named there');
    expect(await standings()).toEqual([['grace', 'forged']]);
    expect((await acme('batch', 'status', 'wages')).stderr).toContain('find out who can write to the store');
    // Whoever has the key signs again, and what is forged stands in nobody's way.
    expect((await approve(people.grace, digest)).code).toBe(0);
    const made = await pay();
    expect(paid(made), made.stderr).toBe(4);
    expect(made.stderr).toContain('1 signature of the run in the store did not come from an approver');
  });

  it('the name of another approver over a signature counts for nothing', async () => {
    expect((await setApprovers(bench, [people.grace, people.ada])).code).toBe(0);
    await approve(people.grace, digest);
    await alter(inStatement('approver', `'ada'`));
    expectRefused(await pay(), 2, 'it has none of 1 signature ');
    expect(await standings()).toEqual([['ada', 'not_accepted']]);
  });

  it('a signature of another run proves nothing of this one', async () => {
    await approve(people.grace, digest);
    await plan(4, 'more');
    await alter(`UPDATE payruns SET state = 'approved', approval = (SELECT approval FROM payruns WHERE name = 'wages'),
      statements = (SELECT statements FROM payruns WHERE name = 'wages') WHERE name = 'more'`);
    expectRefused(await pay('more'), 10, 'did not come from the approver');
  });

  it('rows, plan and digest that were changed together after the approval are paid by nobody', async () => {
    await approve(people.grace, digest);
    await forgeRun();
    expectRefused(await pay(), 10, 'did not come from the approver');
    // Without approvers nobody notices: that is what the signatures are for.
    expect((await acme('profiles', 'set', 'acme', 'approvers=')).code).toBe(0);
    expect(paid(await pay())).toBe(4);
  });

  it('a second store with the same file takes no signature of the first', async () => {
    await approve(people.grace, digest);
    const first = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
    const statements = String(first.get("SELECT statements FROM payruns WHERE name = 'wages'")?.statements);
    first.close();
    const elsewhere = join(bench.dir, 'second.db');
    const env = { ...asProfile('acme'), REMIT_STORE: elsewhere };
    const planned = await bench.run(
      [
        'batch',
        'plan',
        join(bench.dir, 'wages.csv'),
        '--name',
        'wages',
        '--max-input',
        'EUR=1000',
        '-o',
        'json',
      ],
      { env },
    );
    expect(planned.data<{ digest: string }>().digest).toBe(digest);
    const second = await openDatabase(elsewhere, { newest: STORE_VERSION, steps: {} });
    second.run("UPDATE payruns SET state = 'approved', statements = ?", statements);
    second.close();
    expectRefused(await bench.run(['batch', 'run', 'wages'], { env }), 10, 'did not come from the approver');
  });

  it('it ends after seven days by the time of the service; two days before, status says so', async () => {
    await approve(people.grace, digest);
    expect((await status()).notes).not.toContain('The approval ends');
    await advance('5d1h');
    expect((await status()).notes).toContain('The approval ends at');
    await advance('2d');
    expectRefused(await pay(), 2, 'that of grace ended at');
    expect(await standings()).toEqual([['grace', 'ended']]);
    expect((await approve(people.grace, digest)).code).toBe(0);
    expect(paid(await pay())).toBe(4);
  });

  it('of a run that is to be paid later it ends seven days after that', async () => {
    await acme('batch', 'cancel', 'wages', '--yes');
    const later = await plan(4, 'later', '--not-before', '2099-05-06T08:00');
    expect((await people.grace.run(['batch', 'approve', 'later', '--digest', later])).code).toBe(0);
    const shown = await acme('batch', 'status', 'later', '-o', 'json');
    expect(shown.data<{ signed_until: string }>().signed_until).toBe('2099-05-13T08:00:00.000Z');
  });

  it('a correction takes signatures away, and a rejection stands in its way', async () => {
    expect((await approve(people.grace, digest)).code).toBe(0);
    expect((await approve(people.ada, digest)).code).toBe(0);
    const fix = () => acme('batch', 'fix', 'wages', 'E-1', '--set', 'last_name=Obi-Nwosu', '-o', 'json');
    const fixed = await fix();
    expect(fixed.code, fixed.stderr).toBe(0);
    expect(await standings()).toEqual([]);
    expectRefused(await pay(), 2, 'is not approved');
    const { digest: now } = fixed.data<{ digest: string }>();
    await approve(people.grace, now, '--reject', '--because', 'who is this?');
    expect((await approve(people.ada, now)).code).toBe(0);
    const again = await acme('batch', 'fix', 'wages', 'E-1', '--set', 'last_name=Nwosu');
    expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('was rejected by grace')]);
    await approve(people.grace, now);
    expect(paid(await pay())).toBe(4);
  });

  it('--until names the end', async () => {
    const past = await approve(people.grace, digest, '--until', '2h');
    expect([past.code, past.stderr]).toEqual([2, expect.stringContaining('would be over already')]);
    expect((await approve(people.grace, digest, '--until', '2099-05-06')).code).toBe(0);
    expect((await status()).signed_until).toBe('2099-05-06T23:59:59.999Z');
    await advance('30d');
    expect(paid(await pay())).toBe(4);
  });

  it('rows of unknown outcome are only looked for once the approval has ended, and settled once it is given again', async () => {
    await approve(people.grace, digest);
    bench.intercept((request, next) =>
      request.url.endsWith('/create_and_fund') || request.url.includes('/transactions?')
        ? answering(503)(request, next)
        : next(request),
    );
    expect((await pay()).code).toBe(9);
    bench.restore();
    await advance('8d');
    const looked = await acme('batch', 'settle', 'wages');
    expect([looked.code, paid(looked)], looked.stderr).toEqual([9, 0]);
    expect(looked.stderr).toMatch(
      /Only looked for; nothing was sent: .* is not approved: .*that of grace ended at/,
    );
    expect(looked.stderr).toContain(
      'When it may be paid, remit batch approve wages --digest DIGEST, and settle again.',
    );
    await approve(people.grace, digest);
    const settled = await acme('batch', 'settle', 'wages');
    expect([settled.code, paid(settled)], settled.stderr).toEqual([0, 4]);
  });

  it.runIf(isLong)(
    'an approval that ends while the run pays pauses it, and rows that were sent are settled',
    async () => {
      digest = await plan(205, 'wages-205');
      expect((await people.grace.run(['batch', 'approve', 'wages-205', '--digest', digest])).code).toBe(0);
      let sent = 0;
      bench.intercept(async (request, next) => {
        if (request.url.endsWith('/create_and_fund') && ++sent === 100) await advance('8d');
        return next(request);
      });
      const made = await acme('batch', 'run', 'wages-205', '--in-flight', '1');
      expect([made.code, paid(made)]).toEqual([8, 200]);
      expect(made.stderr).toContain(
        'Paused: the run "wages-205" is not approved: it has none of 1 signature',
      );
      expectRefused(await pay('wages-205'), 2, 'ended at');
      expect((await people.grace.run(['batch', 'approve', 'wages-205', '--digest', digest])).code).toBe(0);
      expect(paid(await pay('wages-205'))).toBe(5);
    },
  );
});
