/** A collection: the payin starts, ends by itself where its number says so, or when the sandbox is told. */
import { payinCode } from '../outcomes/payouts.ts';
import type { PayinRecord, TransactionRecord } from '../store/records.ts';
import type { World } from '../world.ts';
import { fundFromPayin } from './funding.ts';
import { movePayin } from './moves.ts';

const AWAITED = '14';

export function startPayins(world: World, transaction: TransactionRecord): void {
  for (const { id } of transaction.payins) {
    const payin = payinById(transaction, id);
    if (payin.state !== 'initial' || transaction.fundedAt !== null) continue;
    movePayin(world, transaction, payin, 'payin_start', AWAITED);
    endByNumber(world, transaction, payinById(transaction, id));
  }
}

function endByNumber(world: World, transaction: TransactionRecord, payin: PayinRecord): void {
  const code = payinCode(payin.type, payin.inDetails);
  if (code === null) return;
  if (code === '0') collect(world, transaction, payin, 'payin_paid');
  else movePayin(world, transaction, payin, 'payin_failed', code);
}

export function collect(
  world: World,
  transaction: TransactionRecord,
  payin: PayinRecord,
  on: 'payin_paid' | 'force_payin',
): void {
  movePayin(world, transaction, payin, on, '0');
  fundFromPayin(world, transaction, `payin:${payin.id}`);
}

function payinById(transaction: TransactionRecord, id: string): PayinRecord {
  return transaction.payins.find((payin) => payin.id === id) as PayinRecord;
}
