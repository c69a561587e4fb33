/**
 * A step that may be done next, as data (decision 0002). A use case says it within its sentences; each front end renders it
 * in its own way: the command line as a command to type, a page as a button, a program reads the members.
 */
export type Next =
  | { do: 'show_transaction'; id: string }
  | { do: 'watch_transaction'; id: string }
  | { do: 'list_transactions'; sender?: string }
  | { do: 'create_payment' }
  | { do: 'describe_payment' }
  | { do: 'collect' }
  | { do: 'fund'; id: string }
  | { do: 'cancel_transaction'; id?: string }
  | { do: 'show_recipient'; id: string }
  | { do: 'edit_recipient'; id: string; details?: Readonly<Record<string, string>> }
  | { do: 'cancel_recipients'; ids: readonly string[]; request?: boolean; wait?: boolean }
  | { do: 'list_recipients' }
  | { do: 'list_proofs'; id: string }
  | { do: 'list_senders' }
  | { do: 'create_sender'; externalId: string }
  | { do: 'find_sender'; externalId: string }
  | { do: 'show_sender'; id: string }
  | { do: 'edit_sender'; id: string; lacks: readonly string[] }
  | { do: 'show_payin_method'; id: string }
  | { do: 'retry_payin_method'; id: string }
  | { do: 'edit_payin_method'; id: string; lacks: readonly string[] }
  | { do: 'list_payout_methods'; type: string }
  | { do: 'show_payout_method'; id: string }
  | { do: 'store_payout_method' }
  | { do: 'list_documents' }
  | { do: 'show_intent'; id: string }
  | { do: 'settle'; id: string; as?: 'applied' | 'not_applied'; profile?: string }
  | { do: 'look_at_history' }
  | { do: 'call_raw' }
  | { do: 'start_sandbox' }
  | { do: 'move_clock' }
  | { do: 'run_clock' }
  | { do: 'stop_clock' }
  | { do: 'seed_sandbox' }
  | { do: 'credit_balance' }
  | { do: 'answer_payout' }
  | { do: 'arm_fault' }
  | { do: 'disarm_fault'; id: string }
  | { do: 'explain_state' }
  | { do: 'play_scenario' }
  | { do: 'listen' }
  | { do: 'who_am_i' }
  | { do: 'sign_in'; profile?: string }
  | { do: 'join_keys'; profile?: string }
  | { do: 'examine_set_up' }
  | { do: 'show_corridor'; type: string; option?: string }
  | { do: 'list_methods'; type: string }
  | { do: 'list_webhooks' }
  | { do: 'add_webhook' }
  | { do: 'remove_webhook'; id: string }
  | { do: 'test_handler' }
  | { do: 'list_event_names' }
  | { do: 'list_deliveries' }
  | { do: 'show_delivery'; id: string }
  | { do: 'change_profile'; profile: string; setting: string; value: string }
  | { do: 'choose_profile' }
  | { do: 'sync_books' }
  | { do: 'forget_books' }
  | { do: 'verify_closing'; folder: string }
  | { do: 'show_statement'; month: string; currency?: string }
  | { do: 'show_summary'; month: string }
  | { do: 'show_in_flight'; day: string }
  | { do: 'reconcile_month'; month: string; decided?: true }
  | { do: 'list_reports' }
  | { do: 'check_polling' }
  | { do: 'list_runs' }
  | { do: 'plan_run' }
  | { do: 'show_run'; name: string }
  | { do: 'report_run'; name: string }
  | { do: 'show_rows'; name: string; state?: string }
  | { do: 'show_row'; name: string; key: string }
  | { do: 'approve_run'; name: string; digest?: string; reject?: boolean }
  | { do: 'approve_plan'; handle: string }
  | { do: 'pay_run'; name: string }
  | { do: 'accept_paid_before'; name: string; rows: number }
  | { do: 'settle_run'; name: string; rows?: string }
  | { do: 'hold_run'; name: string }
  | { do: 'release_run'; name: string }
  | { do: 'watch_run'; name: string }
  | { do: 'remaining_of_run'; name: string }
  | { do: 'cancel_run'; name: string }
  | { do: 'forget_run'; name: string }
  | { do: 'check_file'; file: string }
  | { do: 'save_mapping' }
  | { do: 'create_approver' }
  | { do: 'list_approvers' }
  | { do: 'export_approver'; name: string }
  /** Say it with the same request: `new_payment`, or `detail` with a value. */
  | { give: RequestMember; value?: string }
  /** Set for every request, where the program is started. */
  | { set: 'store' | 'reports_url' | 'partner_path' | 'config_dir'; value?: string }
  /** Ask for it to stop. */
  | { interrupt: true };

/** The name of something that a request may be given: a flag, a member, a switch. */
export type RequestMember =
  | 'accept'
  | 'again'
  | 'with_open'
  | 'accept_changed'
  | 'accept_paid_before'
  | 'all'
  | 'account_as_written'
  | 'accounts_as_written'
  | 'allow_duplicates'
  | 'as'
  | 'because'
  | 'columns'
  | 'conflicts'
  | 'currency'
  | 'dates'
  | 'decimal_comma'
  | 'detail'
  | 'exceptions'
  | 'rules'
  | 'external_id'
  | 'file'
  | 'filter'
  | 'fingerprint'
  | 'force'
  | 'format'
  | 'fresh'
  | 'input_currency'
  | 'insecure'
  | 'limit'
  | 'live'
  | 'map'
  | 'max_input'
  | 'month'
  | 'name_as_given'
  | 'new_payment'
  | 'otp'
  | 'pay_now'
  | 'from_first_seen'
  | 'accounts'
  | 'allow'
  | 'unproved'
  | 'payin'
  | 'payin_flow'
  | 'payments'
  | 'profile'
  | 'rate_tolerance'
  | 'repeat'
  | 'sender'
  | 'skip_validation'
  | 'store'
  | 'store_password_file'
  | 'sums'
  | 'tx'
  | 'type'
  | 'yes'
  | 'zone';

/** A sentence with what may be done next within it. */
export interface Sentence {
  readonly parts: readonly (string | Next)[];
}
export type Hint = string | Sentence;

/** `` said`${{ do: 'fund', id }} within the hour` ``: text stays text, and what may be done next stays data. */
export function hint(texts: TemplateStringsArray, ...values: readonly (Hint | Next | number)[]): Sentence {
  const parts: (string | Next)[] = [];
  const add = (part: string | Next): void => {
    const last = parts.at(-1);
    if (typeof part === 'string' && typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== '') parts.push(part);
  };
  texts.forEach((text, index) => {
    add(text);
    const value = values[index];
    if (value === undefined) return;
    if (typeof value !== 'object') add(String(value));
    else if ('parts' in value) value.parts.forEach(add);
    else add(value);
  });
  return { parts };
}

/** Makes text of it; `spell` spells each thing to do next. */
export function renderMessage(words: Hint, spell: (next: Next) => string): string {
  if (typeof words === 'string') return words;
  return words.parts.map((part) => (typeof part === 'string' ? part : spell(part))).join('');
}
