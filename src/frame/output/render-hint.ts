/** The next steps, as commands to type. Here alone the command line's words meet what the desk says. */
import { type Hint, type Next, type RequestMember, renderMessage } from '../../core/next.ts';
import { glued } from '../terminal/wrap.ts';
import { commandLine, pairWords } from './command-line.ts';

/** A sentence of the desk, as the command line says it. */
export const renderHint = (words: Hint): string => renderMessage(words, commandOf);

/** The same for a terminal, where no line is broken within a command. */
export const renderUnbroken = (words: Hint): string => renderMessage(words, (next) => glued(commandOf(next)));

export function commandOf(next: Next): string {
  if ('give' in next) return flagOf(next.give, next.value);
  if ('set' in next)
    return next.value === undefined ? VARIABLES[next.set] : `${VARIABLES[next.set]}=${next.value}`;
  if ('interrupt' in next) return 'Ctrl-C';
  return wordsOf(next);
}

const VARIABLES = {
  store: 'REMIT_STORE',
  reports_url: 'REMIT_REPORTS_URL',
  partner_path: 'REMIT_PARTNER_PATH',
  config_dir: 'REMIT_CONFIG_DIR',
} as const;

function flagOf(name: RequestMember, value: string | undefined): string {
  const flag = `--${name.replaceAll('_', '-')}`;
  if (value === undefined) return flag;
  return name === 'live' ? `${flag}=${value}` : `${flag} ${value}`;
}

type Doing = Extract<Next, { do: string }>;

/** Long ids of intents are shortened: the journal takes the first eight characters. */
const short = (id: string): string => id.slice(0, 8);

function wordsOf(next: Doing): string {
  const words = WORDS[next.do] as string | ((next: Doing) => string);
  return typeof words === 'string' ? words : words(next);
}

function cancelWords({ ids, request, wait }: Extract<Next, { do: 'cancel_recipients' }>): string {
  const flags = [...(request ? ['--request'] : []), ...(wait ? ['--wait'] : [])];
  return ['remit recipient cancel', ...ids, ...flags].join(' ');
}

function settleWords({ id, as, profile }: Extract<Next, { do: 'settle' }>): string {
  const flags = [
    ...(as ? [`--as ${as.replace('_', '-')} --because TEXT`] : []),
    ...(profile ? [`--profile ${profile}`] : []),
  ];
  return ['remit history settle', as ? id : short(id), ...flags].join(' ');
}

const lackedFlag = (name: string): string => (name === 'otp' ? '--otp CODE' : `--detail ${name}=VALUE`);

const WORDS: { [Do in Doing['do']]: string | ((next: Extract<Doing, { do: Do }>) => string) } = {
  show_transaction: ({ id }) => `remit tx show ${id}`,
  watch_transaction: ({ id }) => `remit tx watch ${id}`,
  list_transactions: ({ sender }) =>
    sender === undefined ? 'remit tx list' : `remit tx list --sender ${sender}`,
  create_payment: 'remit tx create',
  describe_payment: 'remit tx create --help',
  collect: 'remit tx create --payin TYPE',
  fund: ({ id }) => `remit tx fund ${id}`,
  cancel_transaction: ({ id }) => (id === undefined ? 'remit tx cancel' : `remit tx cancel ${id}`),
  show_recipient: ({ id }) => `remit recipient show ${id}`,
  edit_recipient: ({ id, details = {} }) =>
    commandLine(['recipient', 'edit', id, ...pairWords('detail', details)]),
  cancel_recipients: cancelWords,
  list_recipients: 'remit recipient list',
  list_proofs: ({ id }) => `remit recipient proofs ${id}`,
  list_senders: 'remit sender list',
  create_sender: ({ externalId }) => `remit sender create --external-id ${externalId}`,
  find_sender: ({ externalId }) => `remit sender find ${externalId}`,
  show_sender: ({ id }) => `remit sender show ${id}`,
  edit_sender: ({ id, lacks }) =>
    `remit sender edit ${id} ${lacks.map((name) => `--set ${name}=…`).join(' ')}`,
  retry_payin_method: ({ id }) => `remit payin-method retry ${id}`,
  list_payout_methods: ({ type }) => `remit payout-method list --type ${type}`,
  show_payout_method: ({ id }) => `remit payout-method show ${id}`,
  store_payout_method: 'remit payout-method create',
  list_documents: 'remit document list',
  show_payin_method: ({ id }) => `remit payin-method show ${id}`,
  edit_payin_method: ({ id, lacks }) => `remit payin-method edit ${id} ${lacks.map(lackedFlag).join(' ')}`,
  show_intent: ({ id }) => `remit history show ${short(id)}`,
  settle: settleWords,
  look_at_history: 'remit history',
  call_raw: 'remit api',
  start_sandbox: 'remit sandbox start',
  move_clock: 'remit sandbox clock advance BY',
  run_clock: 'remit sandbox clock run',
  stop_clock: 'remit sandbox clock stop',
  seed_sandbox: 'remit sandbox seed',
  credit_balance: 'remit sandbox balance CURRENCY +AMOUNT',
  answer_payout: 'remit sandbox payout PAYMENT --outcome OUTCOME',
  arm_fault: 'remit sandbox fail FAULT --next TIMES',
  disarm_fault: ({ id }) => `remit sandbox faults --disarm ${id}`,
  explain_state: 'remit sandbox explain ID',
  play_scenario: 'remit sandbox scenario NAME',
  listen: 'remit webhooks listen',
  who_am_i: 'remit whoami',
  sign_in: ({ profile }) => (profile === undefined ? 'remit login' : `remit login --profile ${profile}`),
  join_keys: ({ profile }) => `remit profiles rotate ${profile ?? 'NAME'}`,
  examine_set_up: 'remit doctor',
  show_corridor: ({ option, type }) =>
    `remit corridors ${type}${option === undefined ? '' : ` --options ${option}`}`,
  list_methods: ({ type }) => `remit methods ${type} -o json`,
  list_webhooks: 'remit webhooks list',
  add_webhook: 'remit webhooks add URL',
  remove_webhook: ({ id }) => `remit webhooks remove ${id}`,
  test_handler: 'remit webhooks test-handler --to URL',
  list_event_names: 'remit webhooks events --names',
  list_deliveries: 'remit webhooks events',
  show_delivery: ({ id }) => `remit webhooks show ${id}`,
  sync_books: 'remit books sync',
  forget_books: 'remit books forget --all',
  verify_closing: ({ folder }) => `remit books verify ${folder}`,
  show_statement: ({ month, currency }) =>
    `remit statement --month ${month}${currency === undefined ? '' : ` --currency ${currency}`}`,
  show_summary: ({ month }) => `remit summary --month ${month}`,
  show_in_flight: ({ day }) => `remit summary --as-of ${day}`,
  reconcile_month: ({ month, decided }) =>
    `remit reconcile LEDGER --month ${month}${decided ? ' --against books --decisions FILE' : ''}`,
  list_reports: 'remit reports list',
  check_polling: 'remit check polling',
  list_runs: 'remit batch list',
  plan_run: 'remit batch plan FILE --name NAME',
  show_run: ({ name }) => `remit batch status ${name}`,
  report_run: ({ name }) => `remit batch report ${name} -o csv`,
  show_rows: ({ name, state }) => `remit batch rows ${name}${state === undefined ? '' : ` --state ${state}`}`,
  show_row: ({ name, key }) => `remit batch show ${name} ${key}`,
  approve_run: ({ name, digest, reject }) =>
    `remit batch approve ${name} --digest ${digest ?? 'DIGEST'}${reject === true ? ' --reject --because TEXT' : ''}`,
  approve_plan: ({ handle }) => `remit approve ${handle}`,
  pay_run: ({ name }) => `remit batch run ${name}`,
  accept_paid_before: ({ name, rows }) => `remit batch run ${name} --accept-paid-before ${rows}`,
  settle_run: ({ name, rows }) =>
    rows === undefined
      ? `remit batch settle ${name}`
      : `remit batch settle ${name} --rows ${rows} --not-paid --because TEXT`,
  hold_run: ({ name }) => `remit batch hold ${name} --because TEXT`,
  release_run: ({ name }) => `remit batch release ${name}`,
  watch_run: ({ name }) => `remit batch watch ${name}`,
  remaining_of_run: ({ name }) => `remit batch remaining ${name}`,
  cancel_run: ({ name }) => `remit batch cancel ${name}`,
  forget_run: ({ name }) => `remit batch forget ${name}`,
  save_mapping: 'remit batch map save NAME --map COLUMN=HEADER',
  check_file: ({ file }) => `remit batch check ${file}`,
  list_approvers: 'remit approver list',
  create_approver: 'remit approver create NAME',
  export_approver: ({ name }) => `remit approver export ${name}`,
  choose_profile: 'remit profiles use NAME',
  change_profile: ({ profile, setting, value }) => `remit profiles set ${profile} ${setting}=${value}`,
};
