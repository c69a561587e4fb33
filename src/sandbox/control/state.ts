/** Everything at a glance: how many of what in which state, what every book holds, what is armed and due. */
import { recipientStates } from '../../contract/states/recipient.ts';
import { senderStates } from '../../contract/states/sender.ts';
import { transactionStates } from '../../contract/states/transaction.ts';
import type { Plain } from '../store/records.ts';
import { wireTime } from '../views/json.ts';
import type { SandboxWorld } from '../world.ts';

export function clockView(clock: SandboxWorld['clock']): Plain {
  return { mode: clock.mode, now: wireTime(clock.now()) };
}

/** In the order in which the description names the states, whichever came first here. */
function inOrder(counts: Readonly<Record<string, number>>, states: object): Record<string, number> {
  const known = Object.keys(states).filter((state) => counts[state] !== undefined);
  return Object.fromEntries(known.map((state) => [state, counts[state] ?? 0]));
}

export function stateOf(world: SandboxWorld): Plain {
  const { clock, store, schedule, ledger, settings, broken, faults } = world;
  const wallets = ledger.walletCurrencies().map((currency) => [currency, ledger.balance('wallet', currency)]);
  const next = schedule.nextDue();
  return {
    clock: clockView(clock),
    counts: {
      senders: store.senders.size,
      transactions: store.transactions.size,
      recipients: store.recipients.size,
      payout_methods: store.payoutMethods.size,
      documents: store.documents.size,
      mandates: store.mandates.size,
      debits: store.debits.size,
      webhooks: store.webhooks.size,
      webhook_logs: store.webhookLogs.size,
      api_logs: store.apiLogs.size,
      scheduled: schedule.size,
    },
    states: {
      senders: inOrder(store.senders.states(), senderStates),
      transactions: inOrder(store.transactions.states(), transactionStates),
      recipients: inOrder(store.recipients.states(), recipientStates),
    },
    next_due: next === undefined ? null : wireTime(next),
    balances: Object.fromEntries(wallets),
    ledger: ledger.totals(),
    settings: { ...settings },
    faults_armed: faults.state().armed.length,
    rules_broken: [...broken],
  };
}
