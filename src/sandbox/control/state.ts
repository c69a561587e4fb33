/** Everything at a glance: how many of what in which state, what every book holds, what is armed and due. */
import { recipientStates } from '../../contract/states/recipient.ts';
import type { SandboxStore } from '../store/port.ts';
import type { Plain } from '../store/records.ts';
import { wireTime } from '../views/times.ts';
import type { SandboxWorld } from '../world.ts';

export function clockView(clock: SandboxWorld['clock']): Plain {
  return { mode: clock.mode, now: wireTime(clock.now()) };
}

function tally(rows: Iterable<{ state: string }>): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { state } of rows) counts[state] = (counts[state] ?? 0) + 1;
  return counts;
}

/** The store keeps these counts: there may be a million. */
function recipientTally({ recipients }: SandboxStore): Record<string, number> {
  const counts = Object.keys(recipientStates).map(
    (state) => [state, recipients.page({ states: [state] }, { page: 1, per: 1 }).total] as const,
  );
  return Object.fromEntries(counts.filter(([, count]) => count > 0));
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
      senders: tally(store.senders.all()),
      transactions: tally(store.transactions.all()),
      recipients: recipientTally(store),
    },
    next_due: next === undefined ? null : wireTime(next),
    balances: Object.fromEntries(wallets),
    ledger: ledger.totals(),
    settings: { ...settings },
    faults_armed: faults.state().armed.length,
    rules_broken: [...broken],
  };
}
