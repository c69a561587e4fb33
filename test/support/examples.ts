import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { keepControlToken } from '../../src/profiles/control-token.ts';
import { leaves } from '../../src/program/tree.ts';
import {
  type Bench,
  baseUrl,
  controlToken,
  credentials,
  noAccount,
  type Run,
  type RunOptions,
} from './cli.ts';
import { signIn, writeExampleFiles } from './example-files.ts';
import { parseLine, runLine } from './shell.ts';
import { type Ids, type Stage, setStage } from './stage.ts';

const ID = '6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11';

/** What the made-up id of the examples stands for, by the words of the command. */
const meant: readonly (readonly [RegExp, (ids: Ids) => string])[] = [
  [/^remit tx |transactions\.get/, ({ open }) => open],
  [/^remit recipient proofs/, ({ paidRecipient }) => paidRecipient],
  [/^remit recipient/, ({ wrongRecipient }) => wrongRecipient],
  [/^remit sender/, ({ sender }) => sender],
  [/^remit payout-method/, ({ payoutMethod }) => payoutMethod],
  [/^remit payin-method retry/, ({ payinFailed }) => payinFailed],
  [/^remit payin-method/, ({ payinCode }) => payinCode],
  [/^remit document/, ({ document }) => document],
  [/ mandate /, ({ mandate }) => mandate],
  [/ --request /, ({ request }) => request],
  [/^remit logs/, ({ apiLog }) => apiLog],
  [/^remit webhooks/, ({ webhook }) => webhook],
];

/** Runs that go on until Ctrl-C, which comes at once, and how they end. */
const endless: Readonly<Record<string, number>> = {
  'sandbox start': 0,
  console: 0,
  'webhooks listen': 0,
  'logs tail': 0,
  'tx watch': 130,
  'balance --watch': 130,
  'balance EUR --watch': 130,
  'batch work --store postgres://remit@localhost/remit': 0,
};

interface Odd {
  code: number;
  why: string;
  stderr?: RegExp;
  /** Where it depends on what other examples did before: that is right too. */
  or?: number;
}

const NOT_TAKEN: Odd = { code: 1, why: 'nobody serves a handler here', stderr: /were not taken/ };
const NO_ENDPOINT: Odd = { code: 10, why: 'nobody serves the endpoint that is registered here' };
const NO_HANDLER: Odd = { code: 75, why: 'nobody serves a handler here' };

const SENT: Odd = { code: 1, why: 'its rows are paid', stderr: /was sent already/ };
const NONE_LEFT: Odd = { code: 1, why: 'its rows are paid', stderr: /no row of run/ };
const NO_STORE: Odd = { code: 75, why: 'no PostgreSQL runs here', stderr: /does not answer/ };
const DIFFERS: Odd = {
  code: 10,
  why: 'the ledger has fewer payments than the sandbox',
  stderr: /to look at/,
};
const NONE_RUNS: Odd = { code: 6, why: 'no sandbox runs on this machine', stderr: /remit sandbox start/ };

const PAYS_NOBODY: Odd = {
  code: 2,
  why: 'the program of the stage pays nobody: test/audit has some that do',
  stderr: /nothing was audited/,
};

/** Examples that do not end with 0 here, where nobody can be asked. */
const odd: Readonly<Record<string, Odd>> = {
  'remit approve k7fq2m9x4t': { code: 2, why: 'no person is at a terminal here', stderr: /here is none/ },
  'remit profiles rotate live --key K --secret-stdin < secret.txt': {
    code: 2,
    why: 'the sandbox of the stage has one key: rotate.test.ts has two',
    stderr: /this is the key that the profile has/,
  },
  'remit profiles set live approvers=approvers.txt approvals_needed=2': {
    code: 2,
    why: 'it asks for the fingerprints: approver.test.ts names them',
    stderr: /the key of ada was never accepted here/,
  },
  'remit sign POST /senders -d @body.json --nonce n-1 --signature 0f3c…': {
    code: 7,
    why: 'the signature of the example is none',
    stderr: /^/,
  },
  'remit sandbox audit -- node pay.mjs': PAYS_NOBODY,
  'remit sandbox audit --kill --env API_URL=url --env API_TOKEN=key -- python3 pay.py': PAYS_NOBODY,
  'remit sandbox audit --budget 3m --report audit.json --report audit.xml -- ./pay': PAYS_NOBODY,
  'remit sandbox audit --attach 4010 --trigger "curl -fs localhost:8080/pay" --idle 2s': PAYS_NOBODY,
  'remit sandbox audit --webhook 8080 --public-url https://pay.example.com/hooks -- ./pay': PAYS_NOBODY,
  'remit sandbox audit --case a55ae8:cut -- node pay.mjs': PAYS_NOBODY,
  'remit sandbox audit verify audit.json': {
    code: 2,
    why: 'there is no report here',
    stderr: /cannot be read/,
  },
  'remit login': { code: 2, why: 'it asks', stderr: /--base-url is missing/ },
  'remit tx create': { code: 2, why: 'it asks', stderr: /by flag .*--file/ },
  'remit sender create': { code: 5, why: 'it asks', stderr: /first_name +is missing/ },
  'remit validate-account': { code: 2, why: 'it asks', stderr: /--country is missing/ },
  [`remit recipient edit ${ID}`]: { code: 2, why: 'it asks', stderr: /name it: --detail/ },
  'remit recipient edit wages-1 --detail bank_account=0123456700': {
    code: 5,
    why: 'the sandbox’s bank knows every account as TEST USER',
    stderr: /--name-as-given sends them/,
  },
  'remit sandbox restore before-wages.snap': { code: 2, why: 'it asks', stderr: /needs --yes/ },
  'remit webhooks send --to http://127.0.0.1:3000/hooks --event recipient.error': NO_HANDLER,
  'remit webhooks send --to http://127.0.0.1:3000/hooks --event transaction.paid_out --times 2 --nonce again':
    NO_HANDLER,
  'remit webhooks test-handler --to http://127.0.0.1:3000/hooks': NO_HANDLER,
  'remit webhooks test-handler --to http://127.0.0.1:3000/hooks --counter http://127.0.0.1:3000/handled':
    NO_HANDLER,
  'remit webhooks test-handler --to http://127.0.0.1:3000/hooks --only slow --only huge --timeout 20s':
    NO_HANDLER,
  'remit webhooks replay --since 2h --to http://127.0.0.1:3000/hooks': NOT_TAKEN,
  'remit sandbox reset': { code: 2, why: 'it asks', stderr: /needs --yes/ },
  ...Object.fromEntries(
    [
      '--against bank.xml',
      '--against books --against bank.xml --rules rules.yaml',
      '--against bank.xml --with-open --folder closed/2026-10',
    ].map((flags) => [
      `remit books close 2026-10 --ledger ledger.csv ${flags}`,
      { code: 2, why: 'in the sandbox it is January', stderr: /2026-10 is not over/ },
    ]),
  ),
  ...Object.fromEntries(
    ['', ' --manifest 3f9a1c0b77de'].map((flags) => [
      `remit books verify books-2026-10${flags}`,
      { code: 6, why: 'no month is closed', stderr: /has no manifest\.json/ },
    ]),
  ),
  'remit books sync --no-names': { code: 2, why: 'the books have names', stderr: /forget --all/ },
  'remit check onboarding': NO_ENDPOINT,
  'remit check onboarding --since 1d -o json': NO_ENDPOINT,
  'remit check polling': { code: 0, or: 10, why: 'other examples watch a transaction' },
  'remit batch approve wages-2026-11 --digest 5d1f0c9a-31be77e2-90ab41d6-c8f3be05': {
    code: 1,
    why: 'the digest of another plan',
    stderr: /has another digest/,
  },
  'remit batch approve wages-2026-11 --digest 5d1f0c9a-31be77e2-90ab41d6-c8f3be05 --reject --because "Ada Obi left in May"':
    {
      code: 1,
      why: 'the digest of another plan',
      stderr: /has another digest/,
    },
  'remit batch release wages-2026-11': {
    code: 0,
    or: 1,
    why: 'the short form leaves out the example that holds it',
  },
  'remit batch fix wages-2026-11 E-1007 --set bank_account=0123456700': {
    code: 1,
    why: 'its rows are paid',
    stderr: /for which nothing was paid/,
  },
  'remit batch remaining wages-2026-11 --hand-on rest.csv': NONE_LEFT,
  'remit batch take-back wages-2026-11': NONE_LEFT,
  'remit batch settle wages-2026-11 --rows E-1001 --not-paid --because "ticket 4711"': {
    code: 2,
    why: 'it is known what became of the rows of the stage',
    stderr: /it is known what became of it/,
  },
  'remit batch cancel wages-2026-11': SENT,
  'remit batch cancel wages-2026-11 --rows E-1001,E-1007': SENT,
  'remit batch work --store postgres://remit@localhost/remit --once --in-flight 64': NO_STORE,
  'remit reconcile ledger.csv --against reports --against bank.xml --totals': DIFFERS,
  'remit reconcile ledger.csv --exceptions open.csv': DIFFERS,
  'remit reconcile ledger.csv --decisions decided.csv -o csv': DIFFERS,
  'remit reconcile ledger.csv --against bank.xml --rules rules.yaml': DIFFERS,
  'remit reconcile ledger.csv --against bank.xml --rules rules.yaml --accept 1 --because "the rent of January"':
    DIFFERS,
  'remit sandbox env': NONE_RUNS,
  'remit sandbox env --shell fish | source': NONE_RUNS,
  'remit sandbox env --profile local-2 -o json': NONE_RUNS,
};

/** What must have happened before an example makes sense. */
export const before: Readonly<Record<string, readonly string[]>> = {
  ...Object.fromEntries(
    [
      '--month 2026-10 --currency EUR',
      '--since 2026-10-01 --until 2026-10-15 -o csv > october.csv',
      '--month 2026-10 --totals --zone Europe/Lisbon',
      '--month 2026-10 -o xlsx > october.xlsx',
      '--month 2026-10 --camt053 > october.xml',
      '--month 2026-10 --journal hledger --accounts accounts.yaml > october.journal',
      '--month 2026-10 --currency EUR --columns xero-bank.yaml > october.csv',
    ].map((flags) => [`remit statement ${flags}`, ['remit books sync']]),
  ),
  ...Object.fromEntries(
    [
      '--month 2026-10',
      '--by day --since 2026-10-01 --until 2026-10-15 -o csv',
      '--by reason --month 2026-10 --svg reasons.svg',
    ].map((flags) => [`remit summary ${flags}`, ['remit books sync']]),
  ),
  'remit approver export grace > grace.txt': ['remit approver create grace'],
  'remit sandbox approve customer-17': ['remit sandbox reject customer-17'],
  'remit sandbox ban customer-17 --lift': ['remit sandbox ban customer-17'],
  'remit sandbox review invoice-2024-17 release': [
    'remit sandbox settings review=true',
    'remit tx fund invoice-2024-17',
  ],
  'remit tx fund wages-8 wages-9 --max-input 30': ['wages-8', 'wages-9'].map(
    (name) => `remit tx create --from invoice-2024-17 --external-id ${name}`,
  ),
  'remit sandbox refund order-17': [
    'remit tx create --payin GHS::Mobile --payin-flow ussd_popup --payin-detail phone_number=+233302123400 --payin-detail mobile_provider=mtn --amount 25000 --type NGN::Bank --detail first_name=Ada --detail last_name=Obi --detail bank_code=044 --detail bank_account=0123456719 --sender customer-17 --external-id order-17',
    'remit sandbox payin order-17',
    'remit payin-method cancel order-17',
  ],
};

const fill = (example: string, ids: Ids): string => {
  const id = meant.find(([pattern]) => pattern.test(example))?.[1](ids) ?? ID;
  return example
    .replaceAll(ID, id)
    .replaceAll(ID.slice(0, 8), id.slice(0, 8))
    .replace('1f0d7c0b', ids.journal.slice(0, 8))
    .replace('0198f3c2', ids.delivery)
    .replace('--key K', `--key ${credentials.key}`);
};

/** Ctrl-C once it asked the service a few times: what looks again and again does so without a pause here. */
function interruptOf(bench: Bench): AbortSignal {
  const abort = new AbortController();
  const stop = (): void => abort.abort('SIGINT');
  setImmediate(stop);
  let asked = 0;
  bench.intercept(async (request, next) => {
    if (++asked === 4) stop();
    return next(request);
  });
  return abort.signal;
}

const endOf = (example: string): number | undefined =>
  example in odd
    ? undefined
    : Object.entries(endless).find(([words]) => example.startsWith(`remit ${words}`))?.[1];

/** The port of the example may be in use here. */
const atAnyPort = (argv: readonly string[]): string[] =>
  argv.join(' ').startsWith('sandbox start') && !argv.includes('--port')
    ? [...argv, '--port', '0']
    : [...argv];

export const go = ({ bench, ids }: Stage, example: string): Promise<Run> =>
  runHere(bench, fill(example, ids));

export async function runHere(bench: Bench, example: string): Promise<Run> {
  const run = (argv: string[], options: RunOptions): Promise<Run> =>
    bench.run(atAnyPort(argv), {
      ...options,
      ...(endOf(example) === undefined ? {} : { interrupt: interruptOf(bench) }),
      env: {
        HOME: bench.dir,
        SHELL: '/bin/bash',
        XDG_DATA_HOME: undefined,
        XDG_CONFIG_HOME: undefined,
        PATH: process.env.PATH,
        REMIT_APPROVER_PASSPHRASE_FILE: join(bench.dir, 'passphrase.txt'),
        ...named(argv),
      },
    });
  const last = await runLine(parseLine(example), bench.dir, run);
  if (last === undefined) throw new Error(`${example}: nothing of it is remit's`);
  return last;
}

/** A profile is taken from the settings: those of the environment stand aside. */
const named = (argv: readonly string[]): RunOptions['env'] => (argv.includes('--profile') ? noAccount : {});

export async function open(): Promise<Stage> {
  const stage = await setStage();
  await prepare(stage);
  return stage;
}

/** What examples that ran before may have taken away: profiles, files, the word that opens the sandbox. */
export async function prepare({ bench }: Stage): Promise<void> {
  await signIn(bench);
  rmSync(join(bench.dir, 'approvers'), { recursive: true, force: true });
  writeExampleFiles(bench.dir);
  keepControlToken({ REMIT_CONFIG_DIR: bench.dir }, baseUrl, controlToken);
}

const all = await Promise.all(
  leaves.map(async ({ words, load }) => {
    const { effect, examples = [] } = await load();
    return { words, effect, examples };
  }),
);

export function ends(example: string, run: Run): void {
  const { code: first, or, stderr }: Partial<Odd> = odd[example] ?? { code: endOf(example) ?? 0 };
  const code = run.code === or ? or : first;
  expect(`${example}: ${run.code}${run.code === code ? '' : `\n${run.stdout}${run.stderr}`}`).toBe(
    `${example}: ${code}`,
  );
  expect(run.stdout + run.stderr, example).not.toMatch(/\[object |\bundefined\b|\bNaN\b/);
  if (stderr) expect(run.stderr).toMatch(stderr);
  // A query of the example's own that finds nothing teaches nothing. A list may be empty on the stage.
  expect(run.stdout, `${example} prints nothing that anybody could learn from`).not.toMatch(NOTHING);
}

const NOTHING = /^\s*(?:null|\[\s*\]|\{\s*\}|"")\s*$/;

/** They start the program again as a child, and here that would be the test runner: demo.test.ts runs them as they are built. */
const elsewhere = new Set(['remit demo payroll', 'remit demo console']);

/** They change settings on this machine. */
const settles = ['login', 'sandbox start', 'sandbox snapshot'];
export const examplesOf = (onlyLook: boolean): string[] =>
  all
    .filter(({ words, effect }) => (effect === 'read' && !settles.includes(words)) === onlyLook)
    .flatMap(({ examples }) => examples)
    .filter((example) => !elsewhere.has(example));
