/** The command tree as data: words, one-line summary, loader. Until a command runs, nothing of it is loaded. */
import { byWord } from '../core/by-word.ts';
import type { Command } from './command.ts';

export interface Leaf {
  words: string;
  summary: string;
  load: () => Promise<Command<never>>;
}

type Entry = readonly [summary: string, load: () => Promise<{ command: unknown }>];
type Group = Readonly<Record<string, Entry>>;

export const groups: Readonly<Record<string, string>> = byWord({
  tx: 'Create, fund, cancel and look up transactions',
  batch: 'Pay a file of payments, exactly once',
  approver: 'Make and show keys that sign approvals of pay runs',
  books: 'Keep a copy of the account’s transactions on this machine',
  recipient: 'Find, correct and cancel payouts to recipients',
  sender: 'Find, create and change senders',
  'payout-method': 'Store and change payout methods',
  'payin-method': 'Show, complete, retry and cancel collections',
  document: 'List and upload documents of senders',
  mandate: 'Show mandates of recipients',
  reports: "List and download the service's own monthly reports",
  logs: 'Show what the service received from you and sent to you',
  webhooks: 'Receive, verify and register webhooks',
  check: 'Check an integration before it goes live',
  sandbox: 'Run the whole service on this machine',
});

/** Short commands of one kind: they stand in one file, each under its word. */
const oneFile = <Words extends string>(
  load: () => Promise<{ commands: Readonly<Record<NoInfer<Words>, unknown>> }>,
  summaries: Readonly<Record<Words, string>>,
): Group =>
  byWord(
    Object.fromEntries(
      Object.entries<string>(summaries).map(([word, summary]): [string, Entry] => [
        word,
        [summary, async () => ({ command: (await load()).commands[word as Words] })],
      ]),
    ),
  );

const tree: Readonly<Record<string, Entry | Group>> = byWord({
  demo: ['Run the main job, end to end, on its own sandbox', () => import('./commands/demo.ts')],
  login: ['Add an account: base URL, environment, key and secret', () => import('./commands/login.ts')],
  logout: ['Remove a profile and its secret', () => import('./commands/logout.ts')],
  whoami: [
    'Show the account, its environment, and whether the service accepts it',
    () => import('./commands/whoami.ts'),
  ],
  profiles: ['List profiles, or choose the default', () => import('./commands/profiles.ts')],
  tx: {
    create: ['Create a transaction; with --fund, pay it at once', () => import('./commands/tx/create.ts')],
    fund: ['Fund a transaction from the balance', () => import('./commands/tx/fund.ts')],
    cancel: ['Cancel every recipient of a transaction', () => import('./commands/tx/cancel.ts')],
    show: ['Show a transaction with its recipients', () => import('./commands/tx/show.ts')],
    list: ['List transactions', () => import('./commands/tx/list.ts')],
    calculate: [
      'Show amounts and rate, without creating anything',
      () => import('./commands/tx/calculate.ts'),
    ],
    validate: [
      'Check a transaction and its payin flows, without creating it',
      () => import('./commands/tx/validate.ts'),
    ],
    watch: ['Follow a transaction until it is over', () => import('./commands/tx/watch.ts')],
  },
  recipient: {
    list: ['List recipients of all transactions', () => import('./commands/recipient/list.ts')],
    show: [
      'Show a recipient: what happened, and what can be done',
      () => import('./commands/recipient/show.ts'),
    ],
    triage: [
      'List payouts that need someone, by who must act',
      () => import('./commands/recipient/triage.ts'),
    ],
    edit: [
      'Correct a recipient; the next try uses the new details',
      () => import('./commands/recipient/edit.ts'),
    ],
    cancel: ['Cancel payouts to recipients', () => import('./commands/recipient/cancel.ts')],
    proofs: [
      'List or download the files that prove a payout',
      () => import('./commands/recipient/proofs.ts'),
    ],
  },
  batch: {
    template: ['Print a file of payments to fill in', () => import('./commands/batch/template.ts')],
    map: ['Keep how a file of payments is read', () => import('./commands/batch/map.ts')],
    check: ['Check a file of payments', () => import('./commands/batch/check.ts')],
    diff: ['Compare two files or runs', () => import('./commands/batch/diff.ts')],
    plan: ['Keep a file of payments as a run', () => import('./commands/batch/plan.ts')],
    approve: ['Approve a run by its digest', () => import('./commands/batch/approve.ts')],
    run: ['Pay a run; can be killed and run again', () => import('./commands/batch/run.ts')],
    fix: ['Correct whom a row pays', () => import('./commands/batch/fix.ts')],
    hold: ['Stop a run for a while', () => import('./commands/batch/hold.ts')],
    release: ['Let a run on hold go on', () => import('./commands/batch/release.ts')],
    watch: ['Follow a run until its rows are paid out', () => import('./commands/batch/watch.ts')],
    status: ['Show where a run stands', () => import('./commands/batch/status.ts')],
    list: ['List runs', () => import('./commands/batch/list.ts')],
    rows: ['List the rows of a run', () => import('./commands/batch/rows.ts')],
    show: ['Show one row of a run', () => import('./commands/batch/show.ts')],
    settle: ['Find out about rows of unknown outcome', () => import('./commands/batch/settle.ts')],
    cancel: ['Cancel rows that were not sent', () => import('./commands/batch/cancel.ts')],
    report: ['Report what became of every row', () => import('./commands/batch/report.ts')],
    remaining: ['Print the rows that were not paid', () => import('./commands/batch/remaining.ts')],
    'take-back': ['Open rows again that were handed on', () => import('./commands/batch/take-back.ts')],
    forget: ['Remove names and accounts of runs', () => import('./commands/batch/forget.ts')],
    work: ['Take part in approved runs, with other machines', () => import('./commands/batch/work.ts')],
  },
  approver: oneFile(() => import('./commands/approver.ts'), {
    create: 'Make a key that signs approvals',
    list: 'List the keys of this machine',
    export: 'Print the public line of a key',
  }),
  books: {
    sync: ['Copy what is new, and what was not final', () => import('./commands/books/sync.ts')],
    status: ['Show how far the books are', () => import('./commands/books/status.ts')],
    close: ['Close a month, with its papers in a folder', () => import('./commands/books/close.ts')],
    verify: ['Read the papers of a closed month back', () => import('./commands/books/verify.ts')],
    forget: ['Remove records from the books', () => import('./commands/books/forget.ts')],
  },
  statement: ['Show what moved a balance, and what it was', () => import('./commands/statement.ts')],
  summary: ['Count and add up payouts in groups', () => import('./commands/summary.ts')],
  search: ['Find a payment by what a customer can read out', () => import('./commands/search.ts')],
  sender: oneFile(() => import('./commands/sender.ts'), {
    find: 'Find a sender by external id',
    show: 'Show a sender',
    create: 'Create a sender',
    list: 'List senders',
    edit: 'Change a sender',
    disable: 'Disable a sender',
  }),
  reconcile: [
    'Compare a ledger with the service, or a bank statement',
    () => import('./commands/reconcile.ts'),
  ],
  balance: ['Show balances; --min checks that there is enough', () => import('./commands/balance.ts')],
  'validate-account': ['Ask the provider about an account', () => import('./commands/validate-account.ts')],
  rates: ['Show the rate between two currencies', () => import('./commands/rates.ts')],
  currencies: [
    'List currencies, and which can be changed into which',
    () => import('./commands/currencies.ts'),
  ],
  methods: ['List ways to pay in and out, and their fields', () => import('./commands/methods.ts')],
  'payout-method': oneFile(() => import('./commands/payout-method.ts'), {
    list: 'List stored payout methods',
    show: 'Show a stored payout method',
    create: 'Store a payout method',
    edit: 'Change the details of a stored payout method',
    disable: 'Disable a stored payout method',
  }),
  'payin-method': oneFile(() => import('./commands/payin-method.ts'), {
    show: 'Show how a collection is paid',
    edit: 'Give a one-time code, or change a detail',
    cancel: 'Cancel a collection',
    retry: 'Try a failed collection again',
  }),
  document: oneFile(() => import('./commands/document.ts'), {
    list: 'List uploaded documents',
    show: 'Show a document',
    create: 'Upload a document',
  }),
  mandate: oneFile(() => import('./commands/mandate.ts'), { show: 'Show a mandate of this calendar year' }),
  reports: oneFile(() => import('./commands/reports.ts'), {
    list: "List the service's own monthly reports",
    download: 'Download a report as a CSV file',
  }),
  logs: {
    api: ['List requests that the service received', () => import('./commands/logs/api.ts')],
    webhooks: ['List webhook deliveries that the service tried', () => import('./commands/logs/webhooks.ts')],
    show: ['Show a whole log record', () => import('./commands/logs/show.ts')],
    tail: ['Print new log records as they come', () => import('./commands/logs/tail.ts')],
  },
  webhooks: {
    listen: ['Receive, verify, store and hand on webhooks', () => import('./commands/webhooks/listen.ts')],
    verify: [
      'Check the signature of a delivery; name the cause if it fails',
      () => import('./commands/webhooks/verify.ts'),
    ],
    sign: ['Make a signed delivery', () => import('./commands/webhooks/sign.ts')],
    send: ['Sign a delivery and post it to a handler', () => import('./commands/webhooks/send.ts')],
    'test-handler': [
      'Test your own handler against the rules of the service',
      () => import('./commands/webhooks/test-handler.ts'),
    ],
    list: ['List registered endpoints', () => import('./commands/webhooks/list.ts')],
    add: ['Register an endpoint', () => import('./commands/webhooks/add.ts')],
    remove: ['Remove an endpoint', () => import('./commands/webhooks/remove.ts')],
    events: ['List deliveries that were received', () => import('./commands/webhooks/events.ts')],
    show: ['Show a received delivery', () => import('./commands/webhooks/show.ts')],
    replay: ['Hand deliveries on again', () => import('./commands/webhooks/replay.ts')],
    backfill: [
      'Fetch missed deliveries from the log of the service',
      () => import('./commands/webhooks/backfill.ts'),
    ],
    prune: ['Delete old deliveries from the inbox', () => import('./commands/webhooks/prune.ts')],
  },
  check: oneFile(() => import('./commands/check.ts'), {
    onboarding: 'Judge from the logs what the service demands before production',
    polling: 'Count reads a day against the limits of the service',
  }),
  sandbox: {
    start: ['Run a sandbox on this machine until Ctrl-C', () => import('./commands/sandbox/start.ts')],
    exec: ['Run a command with its own sandbox', () => import('./commands/sandbox/exec.ts')],
    audit: [
      'Show whether your own program pays twice when answers are lost',
      () => import('./commands/sandbox/audit.ts'),
    ],
    env: ['Print the account of a running sandbox, for a shell', () => import('./commands/sandbox/env.ts')],
    scenario: ['Run a table of steps and expectations', () => import('./commands/sandbox/scenario.ts')],
    clock: ['Show, move, run or stop the clock', () => import('./commands/sandbox/clock.ts')],
    payout: ['Decide the payouts of a funded transaction', () => import('./commands/sandbox/payout.ts')],
    payin: ['Decide the payin of a collection', () => import('./commands/sandbox/payin.ts')],
    ...oneFile(() => import('./commands/sandbox/operator.ts'), {
      balance: 'Top up a balance',
      approve: 'Let a sender transact',
      reject: 'Refuse a sender',
      ban: 'Bar a sender, or lift the ban',
      review: 'Set the compliance decision',
      refund: 'Refund a cancelled collection',
      mandate: 'Set the status of a mandate',
    }),
    ...oneFile(() => import('./commands/sandbox/faults.ts'), {
      fail: 'Arm a fault: make calls, deliveries or payouts fail',
      faults: 'List faults that are armed, or that fired',
    }),
    settings: ['Show or change the settings of the account', () => import('./commands/sandbox/settings.ts')],
    state: [
      'Show counts, ledger, settings and what is due next',
      () => import('./commands/sandbox/state.ts'),
    ],
    explain: [
      'List each change of a transaction or recipient, with its rule',
      () => import('./commands/sandbox/explain.ts'),
    ],
    openapi: ['Print an OpenAPI description of the service', () => import('./commands/sandbox/openapi.ts')],
    assumptions: [
      'List what the sandbox assumes about the service',
      () => import('./commands/sandbox/assumptions.ts'),
    ],
    ...oneFile(() => import('./commands/sandbox/data.ts'), {
      seed: 'Fill the account with samples',
      snapshot: 'Save all data to a file',
      restore: 'Restore a snapshot',
      reset: 'Delete all data',
    }),
  },
  api: ['Call any operation, raw and signed', () => import('./commands/api.ts')],
  corridors: [
    'List payout types, their fields, and a payment to fill in',
    () => import('./commands/corridors.ts'),
  ],
  mcp: ['Serve the desk to agents, over a pipe', () => import('./commands/mcp.ts')],
  approve: ['Approve what an agent prepared', () => import('./commands/approve.ts')],
  console: ['Open a page for search, triage and one payout', () => import('./commands/console.ts')],
  doctor: ['Check settings, secret, service and webhooks', () => import('./commands/doctor.ts')],
  explain: ['Explain a code, a state, an event or a field, offline', () => import('./commands/explain.ts')],
  commands: ['List every command and flag, for programs', () => import('./commands/commands.ts')],
  schema: ['Print JSON Schemas, for editors and other languages', () => import('./commands/schema.ts')],
  sign: ['Show how a request of your own is signed', () => import('./commands/sign.ts')],
  completion: ['Print or install completion for your shell', () => import('./commands/completion.ts')],
  help: ['Show help on a command or a topic', () => import('./commands/help.ts')],
  history: ['List payments and changes that this machine sent', () => import('./commands/history.ts')],
});

const isLeaf = (one: Entry | Group): one is Entry => Array.isArray(one);

const leaf = (words: string, [summary, load]: Entry): Leaf => ({
  words,
  summary,
  load: async () => (await load()).command as Command<never>,
});

export const leaves: readonly Leaf[] = Object.entries(tree).flatMap(([first, one]) =>
  isLeaf(one)
    ? leaf(first, one)
    : Object.entries(one).map(([name, entry]) => leaf(`${first} ${name}`, entry)),
);

/** The words that may come next, with what they are; those of the root for ''. */
export const children = (group: string): [name: string, summary: string][] =>
  Object.entries(tree[group] ?? tree).map(([name, one]) => [
    name,
    isLeaf(one) ? one[0] : (groups[name] ?? ''),
  ]);
