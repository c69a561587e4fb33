/**
 * Every command of the tree in a pipe: what `remit commands` says that it may do, compared with what each does: the writes that the sandbox received, and what changed
 * in the files that remit keeps.
 */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSqlite } from '../../src/disk/driver.ts';
import { credentials, senderFlags } from '../support/cli.ts';
import { PATIENCE_MS } from '../support/patience.ts';
import { type Stop, tour } from '../support/tour.ts';
import { close, effectOf, ended, go, open, stage, withFlags } from '../support/walk.ts';

type Local = 'read' | 'write' | 'destructive';

const RANK = { read: 0, write: 1, destructive: 2, money: 3 } as const;

/** The journal of its own writes, what is kept for speed, and indexes of other tables. */
const BESIDE = /^(?:intents|seen|key_joins|payrun_sums|finds_.*|sqlite_.*)$/;
/** What remit keeps; all else in the folder was named by the caller. */
const KEPT =
  /^(?:remit\.db|remit-books-.*\.db|remit-webhooks-.*\.db|config\.json|secrets\.json|approvers?(?:\/.*)?|sandboxes\/.*)$/;

const declared = new Map<string, { effect: string | null; local: Local }>();
beforeAll(async () => {
  await open();
  const described = await stage.bench.run(['commands', '-o', 'json']);
  for (const { words, effect, local } of described.data<{ words: string; effect: string; local: Local }[]>())
    declared.set(words, { effect, local });
});
afterAll(close);

/** Each row of each table, and each file, by a name of its own. */
function kept(): Map<string, string> {
  const all = new Map<string, string>();
  const { dir } = stage.bench;
  for (const file of (readdirSync(dir, { recursive: true }) as string[]).filter((name) => KEPT.test(name))) {
    const path = join(dir, file);
    if (file.endsWith('.db')) for (const [name, row] of rowsOf(path)) all.set(`${file} ${name}`, row);
    else if (statSync(path).isFile()) all.set(file, readFileSync(path, 'utf8'));
  }
  return all;
}

function* rowsOf(path: string): Generator<[string, string]> {
  const { DatabaseSync } = loadSqlite(path);
  const database = new DatabaseSync(path, { timeout: PATIENCE_MS, readOnly: true });
  try {
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
    for (const { name } of tables as { name: string }[]) {
      if (BESIDE.test(name)) continue;
      for (const row of database.prepare(`SELECT * FROM "${name}"`).all()) {
        const cells = Object.values(row as object).map(String);
        yield [`${name} ${cells.slice(0, 3).join(' ')}`, JSON.stringify(cells)];
      }
    }
  } finally {
    database.close();
  }
}

function changeBetween(before: Map<string, string>, after: Map<string, string>): string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter(
    (name) => before.get(name) !== after.get(name),
  );
}

/** @param before what is kept now, where that is known from the command before */
async function does(
  words: string,
  argv: readonly string[],
  stop: Partial<Stop> = {},
  before: Map<string, string> = kept(),
) {
  let effect: keyof typeof RANK = 'read';
  const run = await go(words, { good: () => [], wrong: [], ...stop }, [...argv], {
    onRequest(request) {
      const one = effectOf(request);
      if (!request.url.includes('/_sandbox') && RANK[one] > RANK[effect]) effect = one;
    },
  });
  const after = kept();
  return { run, effect: effect as keyof typeof RANK, changed: changeBetween(before, after), after };
}

const digestOf = async (run: string): Promise<string> =>
  (await stage.bench.run(['batch', 'status', run, '-o', 'json'])).data<{ digest: string }>().digest;
const plan = (name: string, ...repeats: string[]): string[] => [
  ...['wages.csv', '--name', name, '--max-input', 'EUR=12000'],
  ...repeats.flatMap((run) => ['--repeat', run]),
];

/** In an order in which each finds what it changes. */
const DOERS: [string, () => string[] | Promise<string[]>, Partial<Stop>?][] = [
  [
    'login',
    () => [
      ...['--profile', 'doing', '--base-url', 'http://127.0.0.1:4010/v1', '--key', credentials.key],
      ...['--secret-stdin', '--no-keychain'],
    ],
    { stdin: credentials.secret },
  ],
  ['profiles', () => ['set', 'doing', 'output=json']],
  ['logout', () => ['--profile', 'doing']],
  ['batch map', () => ['save', 'doing', '--map', 'key=Employee']],
  ['batch plan', () => plan('doing-1', 'wages-2026-11')],
  ['batch approve', async () => ['doing-1', '--digest', await digestOf('doing-1')]],
  ['batch fix', () => ['doing-1', 'E-1001', '--set', 'last_name=Obi-Nwosu', '--yes']],
  ['batch hold', () => ['doing-1', '--because', 'a question']],
  ['batch release', () => ['doing-1', '--yes']],
  ['batch run', () => ['doing-1', '--in-flight', '1']],
  ['batch watch', () => ['doing-1', '--timeout', '5s']],
  ['batch forget', () => ['doing-1', '--yes']],
  ['batch plan', () => plan('doing-2', 'wages-2026-11', 'doing-1')],
  ['batch remaining', () => ['doing-2', '--hand-on', 'left.csv', '--yes']],
  ['batch take-back', () => ['doing-2', '--yes']],
  ['batch cancel', () => ['doing-2', '--yes']],
  ['books sync', () => []],
  ['books close', () => ['2025-12', '--ledger', 'ledger.csv', '--with-open']],
  ['books forget', () => ['--all', '--yes']],
  ['webhooks backfill', () => ['--public-url', 'http://127.0.0.1:9/hooks']],
];

/** What their own tests show: where several people, machines or senders are needed. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'approver create': 'test/runs/approver.test.ts',
  mcp: 'test/agents/plans.test.ts',
  'batch settle': 'test/runs/batch.test.ts',
  'batch work': 'test/runs/batch-workers.test.ts',
  console: 'test/console/acts.test.ts',
  'sandbox start': 'test/sandbox/sandbox-live.test.ts',
  'webhooks listen': 'test/webhooks/webhooks-listen.test.ts',
  'webhooks prune': 'test/webhooks/webhooks-inbox.test.ts',
  'webhooks replay': 'test/webhooks/webhooks-forward.test.ts',
};

/** A read by POST that is no operation of the catalogue; and a demo, which has a sandbox of its own. */
const OWN_WAY = new Set([
  'reports download',
  'reports list',
  'demo',
  'sandbox scenario',
  'sandbox exec',
  'sandbox audit',
  'sandbox start',
]);

describe('no command does more than it says', () => {
  let last: Map<string, string> | undefined;
  it.each(Object.entries(tour))('%s', async (words, stop) => {
    const said = declared.get(words);
    const argv = withFlags(stop.good(stage.ids), '--yes');
    const { run, effect, changed, after } = await does(words, argv, stop, last);
    last = after;
    ended(run, words, stop);
    expect(run.stdout, words).not.toMatch(/\u001b/);
    if (!OWN_WAY.has(words))
      expect(RANK[effect], words).toBeLessThanOrEqual(RANK[(said?.effect ?? 'read') as 'read']);
    if (said?.local === 'read') expect({ words, changed }).toEqual({ words, changed: [] });
  });
});

describe('each command that says that it changes what is kept does so', () => {
  beforeAll(async () => {
    await close();
    await open();
  });
  it('as it is declared', () => {
    const changing = [...declared].filter(([, { local }]) => local !== 'read').map(([words]) => words);
    const shown = new Set([...DOERS.map(([words]) => words), ...Object.keys(ELSEWHERE)]);
    expect(changing.sort()).toEqual([...shown].sort());
  });

  it.each(DOERS)('%s', async (words, argvOf, stop = {}) => {
    const { run, changed } = await does(words, await argvOf(), stop);
    expect(changed.length, `${words} ${run.stderr}`).toBeGreaterThan(0);
  });
});

it('a write above what its command says does not begin', async () => {
  const { create } = (await import('../../src/payments/cli/sender.ts')).commands;
  const { effect } = create;
  create.effect = 'read';
  try {
    const run = await stage.bench.run(['sender', 'create', ...senderFlags('customer-77')]);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('no more than "read" at the service, so nothing of effect "write" begins');
    expect(run.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  } finally {
    Object.assign(create, { effect });
  }
});
