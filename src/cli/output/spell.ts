/** What may be done next, as a command to type. Here alone the command line's words meet what the desk says. */
import { type Given, type Next, type Said, textOf } from '../../core/next.ts';

/** A sentence of the desk, as the command line says it. */
export const spelt = (words: Said): string => textOf(words, commandOf);

export function commandOf(next: Next): string {
  if ('give' in next) return flagOf(next.give, next.value);
  if ('set' in next) return next.value === undefined ? 'REMIT_STORE' : `REMIT_STORE=${next.value}`;
  if ('interrupt' in next) return 'Ctrl-C';
  return wordsOf(next);
}

function flagOf(name: Given, value: string | undefined): string {
  const flag = `--${name.replaceAll('_', '-')}`;
  if (value === undefined) return flag;
  return name === 'live' ? `${flag}=${value}` : `${flag} ${value}`;
}

type Doing = Extract<Next, { do: string }>;

/** Long ids of intents are shortened: the journal takes the first eight characters. */
const short = (id: string): string => id.slice(0, 8);

function wordsOf(next: Doing): string {
  switch (next.do) {
    case 'show_transaction':
      return `remit tx show ${next.id}`;
    case 'watch_transaction':
      return `remit tx watch ${next.id}`;
    case 'list_transactions':
      return next.sender === undefined ? 'remit tx list' : `remit tx list --sender ${next.sender}`;
    case 'create_payment':
      return 'remit tx create';
    case 'describe_payment':
      return 'remit tx create --help';
    case 'collect':
      return 'remit tx create --payin TYPE';
    case 'fund':
      return `remit tx fund ${next.id}`;
    case 'cancel_transaction':
      return 'remit tx cancel';
    case 'edit_recipient':
      return `remit recipient edit ${next.id}`;
    case 'cancel_recipients':
      return cancelWords(next);
    case 'list_recipients':
      return 'remit recipient list';
    case 'list_senders':
      return 'remit sender list';
    case 'create_sender':
      return `remit sender create --external-id ${next.externalId}`;
    case 'show_payin_method':
      return `remit payin-method show ${next.id}`;
    case 'edit_payin_method':
      return `remit payin-method edit ${next.id} ${next.lacks.map(lackedFlag).join(' ')}`;
    case 'show_intent':
      return `remit history show ${short(next.id)}`;
    case 'settle':
      return settleWords(next);
    case 'look_at_history':
      return 'remit history';
    case 'call_raw':
      return 'remit api';
    case 'start_sandbox':
      return 'remit sandbox start';
    case 'who_am_i':
      return 'remit whoami';
    case 'sign_in':
      return next.profile === undefined ? 'remit login' : `remit login --profile ${next.profile}`;
    case 'examine_set_up':
      return 'remit doctor';
    case 'show_corridor':
      return `remit corridors ${next.type}${next.option === undefined ? '' : ` --options ${next.option}`}`;
    case 'list_methods':
      return `remit methods ${next.type} -o json`;
    case 'list_webhooks':
      return 'remit webhooks list';
    case 'remove_webhook':
      return `remit webhooks remove ${next.id}`;
    case 'list_event_names':
      return 'remit webhooks events --names';
    case 'list_deliveries':
      return 'remit webhooks events';
    case 'choose_profile':
      return 'remit profiles use NAME';
    case 'change_profile':
      return `remit profiles set ${next.profile} ${next.setting}=${next.value}`;
  }
}

function cancelWords({ ids, request, wait }: Extract<Next, { do: 'cancel_recipients' }>): string {
  const flags = [...(request ? ['--request'] : []), ...(wait ? ['--wait'] : [])];
  return ['remit recipient cancel', ...ids, ...flags].join(' ');
}

function settleWords({ id, as, profile }: Extract<Next, { do: 'settle' }>): string {
  const flags = [...(as ? [`--as ${as}`] : []), ...(profile ? [`--profile ${profile}`] : [])];
  return ['remit history settle', short(id), ...flags].join(' ');
}

const lackedFlag = (name: string): string => (name === 'otp' ? '--otp CODE' : `--detail ${name}=VALUE`);
