/** The command tree as data: words, one-line summary, loader. Help reads this file and loads no command. */
import type { Command } from './command.ts';

export interface Leaf {
  words: string;
  summary: string;
  load: () => Promise<Command<never>>;
}

type Loaded = { command: unknown };
const from = (load: () => Promise<Loaded>) => async (): Promise<Command<never>> =>
  (await load()).command as Command<never>;

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
    'Run it': 'start exec scenario',
    'Time and faults': 'clock fail faults',
    'What others decide': 'payout payin approve reject ban review refund mandate',
    'Look into it': 'state explain assumptions',
    'Data and settings': 'seed settings snapshot restore reset',
  },
};

const leaf = (words: string, summary: string, load: () => Promise<Loaded>): Leaf => ({
  words,
  summary,
  load: from(load),
});

export const leaves: readonly Leaf[] = [
  leaf('demo', 'The main job, end to end, on a sandbox of its own', () => import('./commands/demo.ts')),
  leaf('login', 'Add an account: base URL, environment, key and secret', () => import('./commands/login.ts')),
  leaf('logout', 'Forget a profile and its secret', () => import('./commands/logout.ts')),
  leaf(
    'whoami',
    'Which account, on which environment, and whether it is accepted',
    () => import('./commands/whoami.ts'),
  ),
  leaf('profiles', 'List profiles, or choose the default', () => import('./commands/profiles.ts')),
  leaf(
    'tx create',
    'Create a transaction; with --fund, pay it at once',
    () => import('./commands/tx/create.ts'),
  ),
  leaf('tx fund', 'Fund a transaction from the balance', () => import('./commands/tx/fund.ts')),
  leaf('tx cancel', 'Cancel every recipient of a transaction', () => import('./commands/tx/cancel.ts')),
  leaf('tx show', 'One transaction with its recipients', () => import('./commands/tx/show.ts')),
  leaf('tx list', 'Transactions', () => import('./commands/tx/list.ts')),
  leaf(
    'tx calculate',
    'Amounts and rate, without creating anything',
    () => import('./commands/tx/calculate.ts'),
  ),
  leaf(
    'tx validate',
    'Check a transaction and its payin flows, without creating it',
    () => import('./commands/tx/validate.ts'),
  ),
  leaf('tx watch', 'Each change of a transaction, until it is over', () => import('./commands/tx/watch.ts')),
  leaf('recipient list', 'Recipients of all transactions', () => import('./commands/recipient/list.ts')),
  leaf(
    'recipient show',
    'One recipient: what happened and what can be done',
    () => import('./commands/recipient/show.ts'),
  ),
  leaf(
    'recipient triage',
    'Payouts that need somebody, by who must act',
    () => import('./commands/recipient/triage.ts'),
  ),
  leaf(
    'recipient edit',
    'Correct a recipient; later tries use the new details',
    () => import('./commands/recipient/edit.ts'),
  ),
  leaf(
    'recipient cancel',
    'Cancel the payout to one recipient',
    () => import('./commands/recipient/cancel.ts'),
  ),
  leaf(
    'recipient proofs',
    'Files that prove that a payout arrived',
    () => import('./commands/recipient/proofs.ts'),
  ),
  leaf('sender find', 'Find a sender by external id', () => import('./commands/sender/find.ts')),
  leaf('sender show', 'One sender', () => import('./commands/sender/show.ts')),
  leaf('sender create', 'Create a sender', () => import('./commands/sender/create.ts')),
  leaf('sender list', 'Senders', () => import('./commands/sender/list.ts')),
  leaf('sender edit', 'Change members of a sender', () => import('./commands/sender/edit.ts')),
  leaf('sender disable', 'Switch a sender off', () => import('./commands/sender/disable.ts')),
  leaf('balance', 'Balances, or one; --min as a gate', () => import('./commands/balance.ts')),
  leaf(
    'validate-account',
    'Ask the bank or operator about an account',
    () => import('./commands/validate-account.ts'),
  ),
  leaf('rates', 'What one currency becomes in another', () => import('./commands/rates.ts')),
  leaf('currencies', 'Currencies, and which can become which', () => import('./commands/currencies.ts')),
  leaf('methods', 'Ways to pay in and out, and their fields', () => import('./commands/methods.ts')),
  leaf('payout-method list', 'Stored payout methods', () => import('./commands/payout-method/list.ts')),
  leaf('payout-method show', 'One payout method', () => import('./commands/payout-method/show.ts')),
  leaf('payout-method create', 'Store a payout method', () => import('./commands/payout-method/create.ts')),
  leaf(
    'payout-method edit',
    'Change the details of a stored payout method',
    () => import('./commands/payout-method/edit.ts'),
  ),
  leaf(
    'payout-method disable',
    'Switch a stored payout method off',
    () => import('./commands/payout-method/disable.ts'),
  ),
  leaf(
    'payin-method show',
    'One payin method of a collection',
    () => import('./commands/payin-method/show.ts'),
  ),
  leaf(
    'payin-method edit',
    'Hand in a one-time code, or change a detail',
    () => import('./commands/payin-method/edit.ts'),
  ),
  leaf('payin-method cancel', 'Cancel a collection', () => import('./commands/payin-method/cancel.ts')),
  leaf(
    'payin-method retry',
    'Try a failed collection again',
    () => import('./commands/payin-method/retry.ts'),
  ),
  leaf('document list', 'Documents that were uploaded', () => import('./commands/document/list.ts')),
  leaf('document show', 'One document', () => import('./commands/document/show.ts')),
  leaf('document create', 'Upload a document', () => import('./commands/document/create.ts')),
  leaf('mandate show', 'One mandate of this calendar year', () => import('./commands/mandate/show.ts')),
  leaf('logs api', 'Requests that the service received', () => import('./commands/logs/api.ts')),
  leaf(
    'logs webhooks',
    'Webhook deliveries that the service tried',
    () => import('./commands/logs/webhooks.ts'),
  ),
  leaf('logs show', 'One log record, whole', () => import('./commands/logs/show.ts')),
  leaf('logs tail', 'New log records as they come', () => import('./commands/logs/tail.ts')),
  leaf(
    'webhooks listen',
    'Receive, verify, keep and hand on webhooks',
    () => import('./commands/webhooks/listen.ts'),
  ),
  leaf(
    'webhooks verify',
    'Check the signature of one delivery, and say what is wrong',
    () => import('./commands/webhooks/verify.ts'),
  ),
  leaf('webhooks sign', 'Make a signed delivery by hand', () => import('./commands/webhooks/sign.ts')),
  leaf(
    'webhooks send',
    'Sign a delivery and post it to a handler',
    () => import('./commands/webhooks/send.ts'),
  ),
  leaf(
    'webhooks test-handler',
    'Test your own handler against the service’s rules',
    () => import('./commands/webhooks/test-handler.ts'),
  ),
  leaf('webhooks list', 'Registered endpoints', () => import('./commands/webhooks/list.ts')),
  leaf('webhooks add', 'Register an endpoint', () => import('./commands/webhooks/add.ts')),
  leaf('webhooks remove', 'Remove an endpoint', () => import('./commands/webhooks/remove.ts')),
  leaf(
    'webhooks events',
    'What was received, and what became of it',
    () => import('./commands/webhooks/events.ts'),
  ),
  leaf('webhooks show', 'One delivery that was received, whole', () => import('./commands/webhooks/show.ts')),
  leaf('webhooks replay', 'Hand deliveries on once more', () => import('./commands/webhooks/replay.ts')),
  leaf(
    'webhooks backfill',
    'Fetch what was missed from the log of the service',
    () => import('./commands/webhooks/backfill.ts'),
  ),
  leaf(
    'webhooks prune',
    'Delete old deliveries from the inbox',
    () => import('./commands/webhooks/prune.ts'),
  ),
  leaf(
    'sandbox start',
    'Serve the sandbox on this machine until Ctrl-C',
    () => import('./commands/sandbox/start.ts'),
  ),
  leaf(
    'sandbox exec',
    'Run a command against a sandbox of its own',
    () => import('./commands/sandbox/exec.ts'),
  ),
  leaf(
    'sandbox scenario',
    'Run a table of steps and expectations',
    () => import('./commands/sandbox/scenario.ts'),
  ),
  leaf('sandbox clock', 'Show, move, run or stop the clock', () => import('./commands/sandbox/clock.ts')),
  leaf(
    'sandbox payout',
    'Force the payouts of a funded transaction',
    () => import('./commands/sandbox/payout.ts'),
  ),
  leaf('sandbox payin', 'Force the payin of a collection', () => import('./commands/sandbox/payin.ts')),
  leaf('sandbox approve', 'Let a sender transact', () => import('./commands/sandbox/approve.ts')),
  leaf('sandbox reject', 'Refuse a sender', () => import('./commands/sandbox/reject.ts')),
  leaf('sandbox ban', 'Bar a sender, or lift the ban', () => import('./commands/sandbox/ban.ts')),
  leaf('sandbox review', "Compliance's word on a transaction", () => import('./commands/sandbox/review.ts')),
  leaf(
    'sandbox refund',
    'The refund by hand of a cancelled collection',
    () => import('./commands/sandbox/refund.ts'),
  ),
  leaf('sandbox mandate', 'What became of a mandate', () => import('./commands/sandbox/mandate.ts')),
  leaf('sandbox fail', 'Arm a fault', () => import('./commands/sandbox/fail.ts')),
  leaf('sandbox faults', 'Faults armed and fired', () => import('./commands/sandbox/faults.ts')),
  leaf('sandbox settings', 'Settings of the account', () => import('./commands/sandbox/settings.ts')),
  leaf('sandbox state', 'Everything at a glance', () => import('./commands/sandbox/state.ts')),
  leaf(
    'sandbox explain',
    'Each change of a transaction or recipient, with its rule',
    () => import('./commands/sandbox/explain.ts'),
  ),
  leaf(
    'sandbox assumptions',
    'What the sandbox decides where the description is silent',
    () => import('./commands/sandbox/assumptions.ts'),
  ),
  leaf('sandbox seed', 'Fill the account with samples', () => import('./commands/sandbox/seed.ts')),
  leaf('sandbox snapshot', 'Write everything into a file', () => import('./commands/sandbox/snapshot.ts')),
  leaf(
    'sandbox restore',
    'Put everything back as a snapshot has it',
    () => import('./commands/sandbox/restore.ts'),
  ),
  leaf('sandbox reset', 'Forget everything', () => import('./commands/sandbox/reset.ts')),
  leaf('api', 'A raw, signed call to any operation', () => import('./commands/api.ts')),
  leaf(
    'corridors',
    'Payout types, their fields, and a payment to fill in',
    () => import('./commands/corridors.ts'),
  ),
  leaf(
    'doctor',
    'Is everything in order: settings, secret, service, webhooks',
    () => import('./commands/doctor.ts'),
  ),
  leaf(
    'explain',
    'What a code, a state, an event or a field means, offline',
    () => import('./commands/explain.ts'),
  ),
  leaf('commands', 'Every command and flag, for programs', () => import('./commands/commands.ts')),
  leaf('completion', 'Completion for your shell', () => import('./commands/completion.ts')),
  leaf('help', 'Help on a command, or on a topic', () => import('./commands/help.ts')),
  leaf('history', 'What was sent with money, and what came of it', () => import('./commands/history.ts')),
];
