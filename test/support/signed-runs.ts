/** Runs called `wages` that the profile acme pays where grace and ada signed them: in a file, or in the store that is named. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { STORE_VERSION } from '../../src/client/store/tables.ts';
import { openDatabase } from '../../src/disk/driver.ts';
import { contentOf, hashOfWindow, planDigest, planOf } from '../../src/runs/plan-text.ts';
import type { PayRuns } from '../../src/runs/store/port.ts';
import { approverOn, asProfile, type MadeApprover, machineOf, signIn } from './approvers.ts';
import { type Bench, baseUrl, type Run, useBench } from './cli.ts';
import { fileOfRows } from './payrun-audit.ts';

/** What `batch status -o json` says of who signed. */
interface Status {
  state: string;
  why: string | null;
  rejected_by: string | null;
  signatures: { approver: string; standing: string; until: string | null; because: string | null }[];
  signatures_wanted: number | null;
  signed_until: string | null;
}

export interface SignedRuns {
  bench: Bench;
  /** Each has a machine and a key of their own. Made anew for each test. */
  people: { grace: MadeApprover; ada: MadeApprover };
  /** As the machine that pays does it. */
  acme(...argv: string[]): Promise<Run>;
  /** So many rows, from a file of the run's name. Its digest. */
  plan(rows: number, name?: string, ...more: string[]): Promise<string>;
  approve(who: MadeApprover, digest: string, ...more: string[]): Promise<Run>;
  pay(name?: string): Promise<Run>;
  status(): Promise<Status & { notes: string }>;
  /** Of each statement in the store: whose it says that it is, and what it counts for. */
  standings(): Promise<[string, string][]>;
}

export const paid = (made: Run): number =>
  made.requests.filter(({ path }) => path.endsWith('/create_and_fund')).length;

/** Nothing was sent, and it ended so. */
export function expectRefused(made: Run, code: number, words: string): void {
  expect([made.code, paid(made), made.stderr]).toEqual([code, 0, expect.stringContaining(words)]);
}

/** @param store where the runs are kept; in a file of the bench, if it is not said */
export function useSignedRuns({ store }: { store?: () => string } = {}): SignedRuns {
  const bench = useBench({ sender: true });
  const people = {} as SignedRuns['people'];
  const kept = () => (store === undefined ? {} : { REMIT_STORE: store() });
  const acme = (...argv: string[]): Promise<Run> =>
    bench.run(argv, { env: { ...asProfile('acme'), ...kept() } });
  const status: SignedRuns['status'] = async () => {
    const made = await acme('batch', 'status', 'wages', '-o', 'json');
    return { ...made.data<Status>(), notes: made.stderr };
  };
  beforeEach(async () => {
    await signIn(bench, 'acme');
    for (const name of ['grace', 'ada'] as const)
      people[name] = await approverOn(machineOf(bench, name, store?.()), name);
  });
  return {
    bench,
    people,
    acme,
    async plan(rows, name = 'wages', ...more) {
      const path = join(bench.dir, `${name}.csv`);
      writeFileSync(path, fileOfRows(rows));
      const limits = ['--max-input', 'EUR=1000', '--repeat', 'wages'];
      const planned = await acme('batch', 'plan', path, '--name', name, ...limits, ...more, '-o', 'json');
      expect(planned.code, planned.stderr).toBe(0);
      return planned.data<{ digest: string }>().digest;
    },
    approve: (who, digest, ...more) =>
      who.run(['batch', 'approve', 'wages', '--digest', digest, '-o', 'json', ...more]),
    pay: (name = 'wages') => acme('batch', 'run', name),
    status,
    standings: async () => (await status()).signatures.map(({ approver, standing }) => [approver, standing]),
  };
}

/** As somebody does who can write to the file. */
export async function alterFile(bench: Bench, sql: string): Promise<void> {
  const store = await openDatabase(join(bench.dir, 'remit.db'), { newest: STORE_VERSION, steps: {} });
  store.exec(sql);
  store.close();
}

/** What row 2, plan and digest of `wages` become where somebody else is paid, and all fits together, as remit itself would have it. */
export async function forgeryOf(payruns: PayRuns, from: string, to: string) {
  const [run] = await payruns.find(baseUrl, 'wages');
  if (run === undefined) throw new Error('no run');
  const rows = (await payruns.rows(run.id)).map((row) =>
    row.n === 2 ? { ...row, body: row.body.replace(from, to) } : row,
  );
  const plan = { ...planOf(run), windows: [hashOfWindow(rows)] };
  const digest = planDigest(plan, baseUrl, 'wages');
  expect(digest).not.toBe(run.digest);
  const { externalId = '', body = '' } = rows[1] ?? {};
  return { body, content: contentOf(externalId, body), plan: JSON.stringify(plan), digest };
}
