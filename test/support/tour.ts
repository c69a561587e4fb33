/** One stop for each command of the tree: a call that works on the stage, and one that is wrong. */
import { resolve } from 'node:path';
import { credentials, paymentFlags, senderFlags } from './cli.ts';
import { type Ids, pairs } from './stage.ts';

export interface Stop {
  /** What follows the command's words. */
  good(ids: Ids): string[];
  /** Wrong in whatever way people are; undefined where nothing can be. */
  wrong: string[];
  /** Prints something else than versioned JSON with -o json. */
  raw?: true;
  /** Never reaches the service and its sandbox. */
  local?: true;
  stdin?: string;
  /** Goes on until Ctrl-C, which comes at once. */
  endless?: true;
  /** The exit code where it works. */
  code?: number;
}

const NOBODY = '00000000-0000-4000-8000-000000000000';
const is = (good: string[] | ((ids: Ids) => string[]), wrong: string[], rest: Partial<Stop> = {}): Stop => ({
  good: typeof good === 'function' ? good : () => good,
  wrong,
  ...rest,
});
const NO_SUCH_FLAG = ['--agument'];
const detailsOf = (account: string): string[] =>
  pairs('--detail', 'first_name=Ada', 'last_name=Obi', 'bank_code=044', `bank_account=${account}`);
const payment = (externalId: string): string[] => [
  ...paymentFlags('customer-17', '0123457700'),
  '--external-id',
  externalId,
];

/** In an order in which none takes away what a later one needs. */
export const tour: Readonly<Record<string, Stop>> = {
  whoami: is([], NO_SUCH_FLAG),
  doctor: is([], NO_SUCH_FLAG),
  profiles: is([], ['frob'], { local: true }),
  // It asks for a passphrase, which test/runs/approver.test.ts gives: here it gets no further than the name.
  'approver create': is(['gr ace'], ['gr/ace'], { local: true, code: 2 }),
  'approver list': is([], NO_SUCH_FLAG, { local: true }),
  'approver export': is([], ['nobody'], { local: true, code: 6 }),
  login: is(
    [
      ...['--profile', 'mine', '--base-url', 'http://127.0.0.1:4010/v1', '--key', credentials.key],
      ...['--secret-stdin', '--no-keychain'],
    ],
    ['--base-url', 'nowhere'],
    { stdin: credentials.secret },
  ),
  logout: is(['--profile', 'mine'], ['--profile', 'nobody'], { local: true }),
  'tx calculate': is(payment('new-1'), ['--amount', 'many']),
  'tx validate': is(payment('new-1'), ['--amount', '12,50']),
  'tx create': is(payment('new-1'), ['--input-currency', 'EUR']),
  'tx fund': is(['invoice-2024-17'], ['nobody-7']),
  'tx show': is(['wages-1'], ['nobody-7']),
  'tx list': is(['--limit', '3'], ['--limit', 'many']),
  'tx watch': is(({ paid }) => [paid], ['nobody-7'], {}),
  'recipient list': is(['--state', 'error'], ['--state', 'lost']),
  'recipient show': is(['wages-1'], [NOBODY]),
  'recipient triage': is(['-o', 'table'], ['--limit', '0']),
  'recipient proofs': is(['paid-1'], ['nobody-7']),
  'recipient edit': is(['wages-2', '--detail', 'bank_account=0123456708', '--name-as-given'], ['wages-2']),
  'recipient cancel': is(['wages-3', '--wait', '--timeout', '1s'], [NOBODY]),
  'tx cancel': is(['wages-2', '--wait', '--timeout', '1s'], ['nobody-7']),
  'books sync': is([], ['--per-minute', 'many']),
  'books status': is([], NO_SUCH_FLAG, { local: true }),
  search: is(['4471'], ['xy'], { local: true }),
  summary: is(['--month', '2026-01'], ['--by', 'week'], { local: true }),
  statement: is(['--month', '2026-01', '--from-first-seen'], ['--month', '2026-13'], { local: true }),
  'books close': is(
    ['2025-12', '--ledger', 'ledger.csv', '--with-open'],
    ['2025-13', '--ledger', 'ledger.csv'],
    { local: true },
  ),
  'books verify': is(['books-2025-12'], ['nowhere'], { local: true }),
  'books forget': is(['--before', '2y'], [], { local: true }),
  'reports list': is(['--type', 'account'], ['--type', 'weekly']),
  'reports download': is(
    ['--month', '2026-01', '--type', 'account', '--to', 'reports/', '--force'],
    ['--month', '2026-1'],
  ),
  'batch template': is(['NGN::Bank'], ['NGN::Bnak'], { local: true, raw: true }),
  'batch map': is(['save', 'tour', '--map', 'bank_account=Account'], ['save'], { local: true }),
  'batch check': is(['wages.csv'], ['nowhere.csv']),
  'batch diff': is(['wages-2026-11', 'wages.csv'], ['nowhere.csv', 'wages.csv']),
  'batch plan': is(
    ['wages.csv', '--name', 'wages-2026-12', '--max-input', 'EUR=12000', '--repeat', 'wages-2026-11'],
    ['wages.csv', '--name', 'no/name', '--max-input', 'EUR=12000'],
  ),
  'batch approve': is(
    ['wages-2026-12', '--digest', '0'.repeat(32)],
    ['nobody-7', '--digest', '0'.repeat(32)],
    {
      code: 1,
    },
  ),
  'batch fix': is(
    ['wages-2026-12', 'E-1001', '--set', 'last_name=Obi-Nwosu'],
    ['wages-2026-12', 'E-1001', '--set', 'amount=1'],
  ),
  'batch run': is(['wages-2026-12', '--in-flight', '1'], ['nobody-7']),
  'batch status': is(['wages-2026-11'], ['nobody-7']),
  'batch list': is([], NO_SUCH_FLAG),
  'batch rows': is(['wages-2026-11'], ['wages-2026-11', '--state', 'lost']),
  'batch show': is(['wages-2026-11', 'E-1001'], ['wages-2026-11', 'E-9']),
  'batch hold': is(['wages-2026-12', '--because', 'a question'], ['wages-2026-12']),
  'batch release': is(['wages-2026-11'], ['nobody-7'], { code: 1 }),
  'batch watch': is(['wages-2026-11', '--timeout', '5s'], ['nobody-7']),
  'batch settle': is(['wages-2026-11'], ['nobody-7']),
  'batch report': is(['wages-2026-11'], ['nobody-7']),
  'batch remaining': is(['wages-2026-11'], ['nobody-7'], { raw: true }),
  'batch take-back': is(['wages-2026-11'], ['nobody-7'], { code: 1 }),
  'batch cancel': is(['wages-2026-11'], ['nobody-7'], { code: 1 }),
  'batch forget': is(['wages-2026-11', '--dry-run'], ['nobody-7']),
  // Several of them work in test/simulation/payrun-workers.long.test.ts.
  'batch work': is(
    ['--store', 'postgres://remit@127.0.0.1:9/remit', '--store-password-file', 'password.txt', '--once'],
    ['--in-flight', 'many'],
    { local: true, code: 75 },
  ),
  reconcile: is(['ledger.csv'], ['nowhere.csv'], { code: 10 }),
  'sender find': is(['customer-17'], ['nobody-7']),
  'sender show': is(['customer-17'], [NOBODY]),
  'sender list': is([], ['--since', 'tomorrow']),
  'sender create': is(senderFlags('customer-99'), ['--type', 'robot']),
  'sender edit': is(['customer-17', '--set', 'city=Porto'], ['customer-17']),
  'sender disable': is(['customer-1'], ['nobody-7']),
  balance: is(['EUR', '--min', '1'], ['EURO']),
  rates: is(['EUR', 'NGN'], ['EUR', 'QQQ']),
  currencies: is(['--in'], NO_SUCH_FLAG),
  methods: is(['NGN::Bank'], ['NGN::Bnak']),
  corridors: is(['NGN::Bank'], ['NGN::Bnak'], { local: true }),
  'validate-account': is(
    ['--type', 'NGN::Bank', '--bank-code', '044', '--bank-account', '0123456700'],
    ['--type', 'EUR::Bank'],
  ),
  'payout-method list': is([], ['--limit', 'x']),
  'payout-method show': is(({ payoutMethod }) => [payoutMethod], [NOBODY]),
  'payout-method create': is(
    ['--type', 'NGN::Bank', ...detailsOf('0123456777')],
    ['--type', 'NGN::Bnak', ...detailsOf('0123456777')],
  ),
  'payout-method edit': is(
    ({ payoutMethod }) => [payoutMethod, '--detail', 'bank_account=0123456711'],
    [NOBODY, '--detail', 'bank_account=1'],
  ),
  'payout-method disable': is(({ payoutMethod }) => [payoutMethod], [NOBODY]),
  'payin-method show': is(({ payinCode }) => [payinCode], [NOBODY]),
  'payin-method edit': is(({ payinCode }) => [payinCode, '--otp', '123456'], [NOBODY, '--otp', '1']),
  'payin-method cancel': is(({ payinCode }) => [payinCode], [NOBODY]),
  'payin-method retry': is(({ payinFailed }) => [payinFailed], [NOBODY]),
  'document create': is(['--file', 'passport.jpg', '--side', 'back'], ['--file', 'nowhere.jpg']),
  'document list': is([], ['--limit', 'x']),
  'document show': is(({ document }) => [document], [NOBODY]),
  'mandate show': is(({ mandate }) => [mandate], [NOBODY]),
  'logs api': is(['--limit', '2'], ['--status', 'good']),
  'logs webhooks': is(['--limit', '2'], ['--since', 'tomorrow']),
  'logs show': is(({ apiLog }) => [apiLog], [NOBODY]),
  'logs tail': is(['--since', '2026-01-01', '--count', '1'], ['--count', '0']),
  'check onboarding': is([], ['--since', 'tomorrow'], { code: 10 }),
  'check polling': is(['--since', '30d'], ['--since', 'tomorrow'], { code: 10 }),
  'webhooks list': is([], NO_SUCH_FLAG),
  'webhooks add': is(['http://127.0.0.1:9/other'], ['nowhere']),
  'webhooks remove': is(({ webhook }) => [webhook], [NOBODY]),
  'webhooks events': is([], ['--state', 'lost'], { local: true }),
  'webhooks show': is(({ delivery }) => [delivery], [NOBODY], { local: true }),
  'webhooks replay': is(({ delivery }) => [delivery], [], { local: true }),
  'webhooks backfill': is(['--public-url', 'http://127.0.0.1:9/hooks'], ['--since', 'tomorrow']),
  'webhooks prune': is(['--older-than', '90d'], ['--older-than', 'long'], { local: true }),
  'webhooks listen': is(['--port', '0', '--no-register'], ['--forward-to', 'nowhere'], {
    endless: true,
  }),
  'webhooks verify': is(
    ['--url', 'http://127.0.0.1:9/hooks', '--body', '-', '--header', 'Authorization-Key: x'],
    [],
    { stdin: '{}', code: 7 },
  ),
  'webhooks sign': is(
    ['--event', 'recipient.error', '--url', 'http://127.0.0.1:3000/hooks', '--save', 'signed.json'],
    ['--event', 'recipient.eror', '--url', 'http://127.0.0.1:3000/hooks'],
  ),
  'webhooks send': is(['--to', 'http://127.0.0.1:9/', '--event', 'recipient.error'], ['--to', 'nowhere'], {
    local: true,
    code: 75,
  }),
  'webhooks test-handler': is(['--list'], ['--to', 'nowhere'], { local: true }),
  api: is(['accounts.list'], ['accounts.lst'], { raw: true }),
  history: is([], ['frob']),
  explain: is(['416'], ['41666'], { local: true }),
  commands: is([], NO_SUCH_FLAG, { local: true }),
  schema: is(['payment'], ['payments'], { local: true, raw: true }),
  sign: is(['GET', '/accounts'], ['FETCH', '/accounts'], { local: true }),
  completion: is(['bash'], ['tcsh'], { local: true, raw: true }),
  help: is(['exit-codes'], ['exit-code-words'], { local: true }),
  demo: is([], ['--break-rule', 'all']),
  'sandbox state': is([], NO_SUCH_FLAG),
  'sandbox clock': is(['advance', '1m'], ['advance', 'soon']),
  'sandbox payout': is(['slow-1'], ['nobody-7']),
  'sandbox payin': is(['collection-17'], ['nobody-7']),
  'sandbox approve': is(['customer-new'], ['nobody-7']),
  'sandbox review': is(['wages-1', 'hold'], ['wages-1', 'frob'], {}),
  'sandbox balance': is(['EUR', '+500'], ['EUR', '500']),
  'sandbox refund': is(['collection-19'], ['nobody-7']),
  'sandbox mandate': is(({ mandate }) => [mandate, 'signed'], ['wages-1', 'signed']),
  'sandbox fail': is(['provider-outage', '--next', '1'], ['earthquake']),
  'sandbox faults': is(['--clear'], NO_SUCH_FLAG),
  'sandbox settings': is([], ['kyc']),
  'sandbox explain': is(['wages-1'], ['nobody-7']),
  'sandbox openapi': is([], NO_SUCH_FLAG, { local: true, raw: true }),
  'sandbox assumptions': is([], NO_SUCH_FLAG, { local: true }),
  'sandbox seed': is(['--rounds', '1'], ['--rounds', 'x']),
  'sandbox ban': is(['customer-new', '--reason', 'test'], ['nobody-7']),
  'sandbox reject': is(['customer-bad'], ['nobody-7']),
  'sandbox snapshot': is(['again.snap'], []),
  'sandbox restore': is(['before-wages.snap'], ['nowhere.snap']),
  'sandbox reset': is([], NO_SUCH_FLAG),
  'sandbox scenario': is(['answer-lost'], ['nowhere.txt']),
  'sandbox exec': is(['--', process.execPath, '-e', '0'], [], { raw: true }),
  'sandbox audit': is(
    ['--cases', '1', '--', process.execPath, resolve('test/fixtures/audit/same-id.mjs')],
    ['--case', 'a55ae8:frob', '--', 'true'],
    { local: true },
  ),
  // None runs here; sandbox-live.test.ts has one that does.
  'sandbox env': is([], ['--shell', 'tcsh'], { local: true, raw: true, code: 6 }),
  'sandbox start': is(['--port', '0'], ['--port', 'x'], { endless: true, raw: true }),
  approve: is([], ['k7fq2m9x4t'], { local: true }),
  mcp: is(['config', 'zed'], ['frob'], { local: true, raw: true }),
  console: is(['--no-browser'], ['--port', 'x'], { endless: true, raw: true }),
};
