/** Whom a row was paid to: what the service shows of it stands, and what the file asked for is kept beside it. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { answering, only, type Run, useBench } from '../support/cli.ts';

const bench = useBench({ sender: true });
const batch = (...argv: string[]): Promise<Run> => bench.run(['batch', ...argv]);

/** The first one cannot be paid to; the second one can. */
const ASKED = '0000001119';
const RIGHT = '0000002200';

function file(account: string): string {
  const path = join(bench.dir, 'wages.csv');
  writeFileSync(
    path,
    `key,type,amount,input_currency,sender,first_name,last_name,bank_code,bank_account
E-1,NGN::Bank,1000,EUR,customer-1,Ada,Obi,044,${account}
E-2,NGN::Bank,1000,EUR,customer-1,Kofi,Obi,044,0000000300
`,
  );
  return path;
}
const plan = (name: string, account: string): Promise<Run> =>
  batch('plan', file(account), '--name', name, '--max-input', 'EUR=1000', '--repeat', 'october');
const rows = async () => (await batch('rows', 'october', '-o', 'json')).data<Record<string, string>[]>();

async function inError(): Promise<string> {
  expect((await plan('october', ASKED)).code).toBe(0);
  expect((await batch('run', 'october')).code).toBe(0);
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await batch('watch', 'october');
  const [row] = await rows();
  expect(row).toMatchObject({ state: 'in_error', account: '044 ••••1119' });
  return String(row?.recipient_id);
}

it('is what an edit made of it, and the next plan takes that account and asks about the old one', async () => {
  const id = await inError();
  const edit = ['recipient', 'edit', id, '--detail', `bank_account=${RIGHT}`, '--skip-validation'];
  const edited = await bench.run(edit);
  expect(edited.code, edited.stderr).toBe(0);
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await batch('watch', 'october');
  expect((await rows())[0]).toMatchObject({
    state: 'paid',
    account: '044 ••••2200',
    asked_account: '044 ••••1119',
    changed_elsewhere_at: null,
  });
  const old = await plan('november', ASKED);
  expect([old.code, old.stderr.includes('last paid: Ada Obi, 044 ••••2200 (E-1 of october)')]).toEqual([
    10,
    true,
  ]);
  const right = await plan('november', RIGHT);
  expect(right.code, right.stderr).toBe(0);
  expect(right.stderr).not.toContain('CHANGED');
  const diff = async (account: string) => {
    const run = await batch('diff', 'october', file(account), '-o', 'json');
    return [run.code, run.data<{ old_account: string }[]>().map((one) => one.old_account)];
  };
  expect(await diff(ASKED)).toEqual([10, ['044 ••••2200']]);
  expect(await diff(RIGHT)).toEqual([0, []]);
});

const editTo = (id: string, account: string, from?: string): Promise<Run> =>
  bench.run(['recipient', 'edit', id, '--detail', `bank_account=${account}`, '--skip-validation'], {
    ...(from && { env: { REMIT_CONFIG_DIR: from } }),
  });
/** Another machine, which keeps a journal of its own. */
const elsewhere = (): string => {
  const dir = join(bench.dir, 'elsewhere');
  mkdirSync(dir);
  return dir;
};

it('is known from the edit itself, before anybody looks at the run', async () => {
  const id = await inError();
  expect((await editTo(id, RIGHT)).code).toBe(0);
  expect((await rows())[0]).toMatchObject({
    account: '044 ••••2200',
    account_is: 'shown',
    state: 'in_error',
  });
  expect((await plan('november', ASKED)).code).toBe(10);
  expect((await plan('november', RIGHT)).code).toBe(0);
});

it('changed where this machine has no edit, is shown, and the next plan asks, whichever account it has', async () => {
  const id = await inError();
  // An edit of ours that the service refused explains nothing.
  const refusal = '{"object":{"errors":{"payout_method":[{"error":"invalid"}]}},"meta":{}}';
  bench.intercept(only(({ method }) => method === 'PATCH', answering(422, refusal)));
  expect((await editTo(id, '0000003300')).code).toBe(5);
  bench.restore();
  const edited = await editTo(id, RIGHT, elsewhere());
  expect(edited.code, edited.stderr).toBe(0);
  await bench.run(['sandbox', 'clock', 'advance', '2h']);
  await batch('watch', 'october');
  const changed_elsewhere_at = expect.stringMatching(/^2026-.*Z$/);
  expect((await rows())[0]).toMatchObject({ state: 'paid', account: '044 ••••2200', changed_elsewhere_at });
  const shown = await batch('show', 'october', 'E-1', '-o', 'table');
  expect(shown.stdout).toMatch(/paid to +044 ••••2200/);
  expect(shown.stdout).toContain('THE ACCOUNT WAS CHANGED ELSEWHERE');
  for (const account of [ASKED, RIGHT]) {
    const planned = await plan('november', account);
    expect([planned.code, planned.stderr.includes('2200, CHANGED ELSEWHERE, seen at 2026-')]).toEqual([
      10,
      true,
    ]);
    expect((await batch('diff', 'october', file(account))).code).toBe(10);
  }
  const pain = await batch('report', 'october', '--pain002');
  expect(pain.stdout).toContain('<Id>044 ••••2200</Id>');
  expect(pain.stdout).toContain('<StsRsnInf><AddtlInf>asked for 044 ••••1119</AddtlInf>');
});

it('a detail that remit does not know is named apart', async () => {
  bench.intercept(async (request, next) => {
    const answer = await next(request);
    const body = String(answer.body).replaceAll('"bank_code"', '"payout_rail":"nip","bank_code"');
    return { ...answer, body };
  });
  expect((await plan('october', RIGHT)).code).toBe(0);
  expect((await batch('run', 'october')).code).toBe(0);
  expect((await rows())[0]).toMatchObject({ unknown_details: 'payout_rail', changed_elsewhere_at: null });
});
