/** What the operator of the real service would do: decide on senders and payouts, change the account's settings. */
import { codeInfo } from '../../contract/codes.ts';
import { senderMoves } from '../../contract/states/sender.ts';
import { findMove } from '../../contract/states/state.ts';
import type { Service } from '../service.ts';
import { badSettings, type Settings } from '../settings.ts';
import type { Plain } from '../store/records.ts';
import { wireTime } from '../views/times.ts';
import { moveSender, moveTransaction } from '../walk/moves.ts';
import { answer } from '../walk/payout.ts';
import type { World } from '../world.ts';

export interface Control {
  /** Everything at a glance: clock, counts, balances, settings, rules broken on purpose. */
  state(): Plain;
  /** Changes settings; the names of those that are unknown or cannot have that value, and then nothing changes. */
  set(change: Partial<Settings>): string[];
  /** The provider's word on a payout: at once if it is pending, else at the next try. False when it has ended. */
  answerPayout(recipientId: string, code: string): boolean;
  /** Approves or rejects a sender; transactions that wait for it can then be funded. False when it cannot be. */
  decideSender(senderId: string, decision: 'approve' | 'reject'): boolean;
}

export function controlOf(service: Service): Control {
  const { world } = service;
  return {
    state: () => stateOf(world),
    set(change) {
      const bad = badSettings(change);
      if (bad.length === 0) Object.assign(world.settings, change);
      return bad;
    },
    answerPayout: (recipientId, code) => answerPayout(world, recipientId, code),
    decideSender: (senderId, decision) => decideSender(world, senderId, decision),
  };
}

function stateOf({ clock, store, schedule, ledger, settings, broken }: World): Plain {
  const wallets = ledger.walletCurrencies().map((currency) => [currency, ledger.balance('wallet', currency)]);
  return {
    clock: clockView(clock),
    counts: {
      senders: store.senders.size,
      transactions: store.transactions.size,
      recipients: store.recipients.size,
      debits: store.debits.size,
      webhooks: store.webhooks.size,
      webhook_logs: store.webhookLogs.size,
      api_logs: store.apiLogs.size,
      scheduled: schedule.size,
    },
    balances: Object.fromEntries(wallets),
    settings: { ...settings },
    rules_broken: [...broken],
  };
}

export function clockView(clock: World['clock']): Plain {
  return { mode: clock.mode, now: wireTime(clock.now()) };
}

function answerPayout(world: World, recipientId: string, code: string): boolean {
  const recipient = world.store.recipients.get(recipientId);
  if (!recipient || !codeInfo(code)) return false;
  if (recipient.state === 'pending') answer(world, recipient, code);
  else if (['initial', 'error', 'manual'].includes(recipient.state)) {
    world.store.recipients.update(recipient, { nextAnswer: code });
  } else return false;
  return true;
}

function decideSender(world: World, senderId: string, decision: 'approve' | 'reject'): boolean {
  const sender = world.store.senders.get(senderId);
  if (!sender || !findMove(senderMoves, sender.state, decision)) return false;
  moveSender(world, sender, decision);
  if (decision === 'reject') return true;
  for (const transaction of world.store.transactions.waitingFor(senderId)) {
    moveTransaction(world, transaction, 'sender_approved');
    if (transaction.payins.length > 0) {
      world.schedule.add(world.clock.now(), { kind: 'payin_start', transactionId: transaction.id });
    }
  }
  return true;
}
