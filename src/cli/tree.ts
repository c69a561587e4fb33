/** The command tree as data: words, one-line summary, loader. Until a command runs, nothing of it is loaded. */
import type { Command } from './command.ts';

export interface Leaf {
  words: string;
  summary: string;
  load: () => Promise<Command<never>>;
}

type Entry = readonly [summary: string, load: () => Promise<{ command: unknown }>];
type Group = Readonly<Record<string, Entry>>;

export const groups: Readonly<Record<string, string>> = {
  tx: 'Create, fund, cancel and look up transactions',
  recipient: 'Find, correct and cancel payouts to recipients',
  sender: 'Find, create and change senders',
  'payout-method': 'Stored payout methods',
  'payin-method': 'How a collection is paid: look, hand in a code, retry, cancel',
  document: 'Documents of senders',
  mandate: 'Mandates of recipients',
  logs: 'What the service received from you and sent to you',
  webhooks: 'Receive, verify and register webhooks',
  sandbox: 'The whole service on this machine',
};

const tree: Readonly<Record<string, Entry | Group>> = {
  demo: ['The main job, end to end, on a sandbox of its own', () => import('./commands/demo.ts')],
  login: ['Add an account: base URL, environment, key and secret', () => import('./commands/login.ts')],
  logout: ['Forget a profile and its secret', () => import('./commands/logout.ts')],
  whoami: [
    'Which account, on which environment, and whether it is accepted',
    () => import('./commands/whoami.ts'),
  ],
  profiles: ['List profiles, or choose the default', () => import('./commands/profiles.ts')],
  tx: {
    create: ['Create a transaction; with --fund, pay it at once', () => import('./commands/tx/create.ts')],
    fund: ['Fund a transaction from the balance', () => import('./commands/tx/fund.ts')],
    cancel: ['Cancel every recipient of a transaction', () => import('./commands/tx/cancel.ts')],
    show: ['One transaction with its recipients', () => import('./commands/tx/show.ts')],
    list: ['Transactions', () => import('./commands/tx/list.ts')],
    calculate: ['Amounts and rate, without creating anything', () => import('./commands/tx/calculate.ts')],
    validate: [
      'Check a transaction and its payin flows, without creating it',
      () => import('./commands/tx/validate.ts'),
    ],
    watch: ['Each change of a transaction, until it is over', () => import('./commands/tx/watch.ts')],
  },
  recipient: {
    list: ['Recipients of all transactions', () => import('./commands/recipient/list.ts')],
    show: ['One recipient: what happened and what can be done', () => import('./commands/recipient/show.ts')],
    triage: ['Payouts that need somebody, by who must act', () => import('./commands/recipient/triage.ts')],
    edit: [
      'Correct a recipient; later tries use the new details',
      () => import('./commands/recipient/edit.ts'),
    ],
    cancel: ['Cancel the payout to one recipient', () => import('./commands/recipient/cancel.ts')],
    proofs: ['Files that prove that a payout arrived', () => import('./commands/recipient/proofs.ts')],
  },
  sender: {
    find: ['Find a sender by external id', () => import('./commands/sender/find.ts')],
    show: ['One sender', () => import('./commands/sender/show.ts')],
    create: ['Create a sender', () => import('./commands/sender/create.ts')],
    list: ['Senders', () => import('./commands/sender/list.ts')],
    edit: ['Change members of a sender', () => import('./commands/sender/edit.ts')],
    disable: ['Switch a sender off', () => import('./commands/sender/disable.ts')],
  },
  balance: ['Balances, or one; --min as a gate', () => import('./commands/balance.ts')],
  'validate-account': [
    'Ask the bank or operator about an account',
    () => import('./commands/validate-account.ts'),
  ],
  rates: ['What one currency becomes in another', () => import('./commands/rates.ts')],
  currencies: ['Currencies, and which can become which', () => import('./commands/currencies.ts')],
  methods: ['Ways to pay in and out, and their fields', () => import('./commands/methods.ts')],
  'payout-method': {
    list: ['Stored payout methods', () => import('./commands/payout-method/list.ts')],
    show: ['One payout method', () => import('./commands/payout-method/show.ts')],
    create: ['Store a payout method', () => import('./commands/payout-method/create.ts')],
    edit: ['Change the details of a stored payout method', () => import('./commands/payout-method/edit.ts')],
    disable: ['Switch a stored payout method off', () => import('./commands/payout-method/disable.ts')],
  },
  'payin-method': {
    show: ['One payin method of a collection', () => import('./commands/payin-method/show.ts')],
    edit: ['Hand in a one-time code, or change a detail', () => import('./commands/payin-method/edit.ts')],
    cancel: ['Cancel a collection', () => import('./commands/payin-method/cancel.ts')],
    retry: ['Try a failed collection again', () => import('./commands/payin-method/retry.ts')],
  },
  document: {
    list: ['Documents that were uploaded', () => import('./commands/document/list.ts')],
    show: ['One document', () => import('./commands/document/show.ts')],
    create: ['Upload a document', () => import('./commands/document/create.ts')],
  },
  mandate: {
    show: ['One mandate of this calendar year', () => import('./commands/mandate/show.ts')],
  },
  logs: {
    api: ['Requests that the service received', () => import('./commands/logs/api.ts')],
    webhooks: ['Webhook deliveries that the service tried', () => import('./commands/logs/webhooks.ts')],
    show: ['One log record, whole', () => import('./commands/logs/show.ts')],
    tail: ['New log records as they come', () => import('./commands/logs/tail.ts')],
  },
  webhooks: {
    listen: ['Receive, verify, keep and hand on webhooks', () => import('./commands/webhooks/listen.ts')],
    verify: [
      'Check the signature of one delivery, and say what is wrong',
      () => import('./commands/webhooks/verify.ts'),
    ],
    sign: ['Make a signed delivery by hand', () => import('./commands/webhooks/sign.ts')],
    send: ['Sign a delivery and post it to a handler', () => import('./commands/webhooks/send.ts')],
    'test-handler': [
      'Test your own handler against the service’s rules',
      () => import('./commands/webhooks/test-handler.ts'),
    ],
    list: ['Registered endpoints', () => import('./commands/webhooks/list.ts')],
    add: ['Register an endpoint', () => import('./commands/webhooks/add.ts')],
    remove: ['Remove an endpoint', () => import('./commands/webhooks/remove.ts')],
    events: ['What was received, and what became of it', () => import('./commands/webhooks/events.ts')],
    show: ['One delivery that was received, whole', () => import('./commands/webhooks/show.ts')],
    replay: ['Hand deliveries on once more', () => import('./commands/webhooks/replay.ts')],
    backfill: [
      'Fetch what was missed from the log of the service',
      () => import('./commands/webhooks/backfill.ts'),
    ],
    prune: ['Delete old deliveries from the inbox', () => import('./commands/webhooks/prune.ts')],
  },
  sandbox: {
    start: ['Serve the sandbox on this machine until Ctrl-C', () => import('./commands/sandbox/start.ts')],
    exec: ['Run a command against a sandbox of its own', () => import('./commands/sandbox/exec.ts')],
    env: ['The account of a running sandbox, for eval in a shell', () => import('./commands/sandbox/env.ts')],
    scenario: ['Run a table of steps and expectations', () => import('./commands/sandbox/scenario.ts')],
    clock: ['Show, move, run or stop the clock', () => import('./commands/sandbox/clock.ts')],
    payout: ['Force the payouts of a funded transaction', () => import('./commands/sandbox/payout.ts')],
    payin: ['Force the payin of a collection', () => import('./commands/sandbox/payin.ts')],
    approve: ['Let a sender transact', () => import('./commands/sandbox/approve.ts')],
    reject: ['Refuse a sender', () => import('./commands/sandbox/reject.ts')],
    ban: ['Bar a sender, or lift the ban', () => import('./commands/sandbox/ban.ts')],
    review: ["Compliance's word on a transaction", () => import('./commands/sandbox/review.ts')],
    refund: ['The refund by hand of a cancelled collection', () => import('./commands/sandbox/refund.ts')],
    mandate: ['What became of a mandate', () => import('./commands/sandbox/mandate.ts')],
    fail: ['Arm a fault', () => import('./commands/sandbox/fail.ts')],
    faults: ['Faults armed and fired', () => import('./commands/sandbox/faults.ts')],
    settings: ['Settings of the account', () => import('./commands/sandbox/settings.ts')],
    state: ['Everything at a glance', () => import('./commands/sandbox/state.ts')],
    explain: [
      'Each change of a transaction or recipient, with its rule',
      () => import('./commands/sandbox/explain.ts'),
    ],
    assumptions: [
      'What the sandbox decides where the description is silent',
      () => import('./commands/sandbox/assumptions.ts'),
    ],
    seed: ['Fill the account with samples', () => import('./commands/sandbox/seed.ts')],
    snapshot: ['Write everything into a file', () => import('./commands/sandbox/snapshot.ts')],
    restore: ['Put everything back as a snapshot has it', () => import('./commands/sandbox/restore.ts')],
    reset: ['Forget everything', () => import('./commands/sandbox/reset.ts')],
  },
  api: ['A raw, signed call to any operation', () => import('./commands/api.ts')],
  corridors: [
    'Payout types, their fields, and a payment to fill in',
    () => import('./commands/corridors.ts'),
  ],
  doctor: [
    'Is everything in order: settings, secret, service, webhooks',
    () => import('./commands/doctor.ts'),
  ],
  explain: [
    'What a code, a state, an event or a field means, offline',
    () => import('./commands/explain.ts'),
  ],
  commands: ['Every command and flag, for programs', () => import('./commands/commands.ts')],
  completion: ['Completion for your shell', () => import('./commands/completion.ts')],
  help: ['Help on a command, or on a topic', () => import('./commands/help.ts')],
  history: ['What was sent with money, and what came of it', () => import('./commands/history.ts')],
};

/** Which commands stand together in a listing, by job: for the whole program (''), and for groups with many. */
export const headings: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '': {
    Money: 'tx balance rates validate-account history',
    'People and accounts': 'recipient sender payout-method payin-method document mandate',
    'Look up': 'explain corridors methods currencies logs',
    Webhooks: 'webhooks',
    Sandbox: 'demo sandbox',
    'Account and connection': 'login logout whoami profiles doctor',
    'This tool': 'api commands completion help',
  },
  tx: {
    Pay: 'calculate validate create fund',
    'Look into it': 'show list watch',
    'Call it off': 'cancel',
  },
  sandbox: {
    'Run it': 'start exec env scenario',
    'Time and faults': 'clock fail faults',
    'What others decide': 'payout payin approve reject ban review refund mandate',
    'Look into it': 'state explain assumptions',
    'Data and settings': 'seed settings snapshot restore reset',
  },
};

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
