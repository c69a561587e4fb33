/**
 * A workload as data: what several partners do, one operation after the other, from a seed. An operation says which of the
 * things it knows it means by a number between 0 and 1, so that the same list means the same in every run.
 */
import { type FaultName, faultInfo } from '../../../src/contract/controls/faults.ts';
import { type Random, seededRandom } from '../../../src/core/random.ts';
import type { Fault as NetworkFault } from '../faults.ts';
import { type Partner, type Payee, partners } from './partners.ts';
import { type Arm, callFaults, networkFaults, payoutFaults, webhookFaults } from './weather.ts';

export type Kind = keyof typeof recipes;

export interface Operation {
  kind: Kind;
  /** Which of the partners does it. */
  partner: string;
  /** Which of the things known, from the newest (0) to the oldest (1). */
  pick: number;
  /** A word, a number or a body that the kind wants. */
  payees: Payee[];
  fund: boolean;
  word: string;
  ms: number;
  /** Armed before it, and what of it waits for a request disarmed after it. */
  arm?: Arm;
  /** What the network does to which of its requests. */
  network?: { request: number; fault: NetworkFault };
}

type Recipe = { weight: number; make?: (dice: Dice, partner: Partner) => Partial<Operation> };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Seconds are the most common; a day passes now and then. */
const LEAPS = [
  ...[
    0,
    1_000,
    1_000,
    5_000,
    30_000,
    30_000,
    MINUTE,
    MINUTE,
    2 * MINUTE,
    6 * MINUTE,
    6 * MINUTE,
    11 * MINUTE,
  ],
  ...[20 * MINUTE, 20 * MINUTE, 30 * MINUTE, HOUR + MINUTE, 2 * HOUR + 1, 6 * HOUR, 25 * HOUR, 49 * HOUR],
];
const OUTCOMES = 'paid paid pending error stuck stuck overpaid exception 3 421 511 416 12 331'.split(' ');
const PAYINS = 'paid paid right less more processing error exception 412'.split(' ');
const SENDER_WORDS = 'ban unban unban unban approve approve approve reject edit disable create create'.split(
  ' ',
);
const SETTINGS = 'review review names strict kyc papers papers wtr2'.split(' ');
const READS = 'transactions one recipients failed senders accounts currencies methods logs webhooks'.split(
  ' ',
);

/** Every kind, how often it is done, and what it needs. */
const recipes = {
  create: { weight: 16, make: payment },
  pay: { weight: 26, make: payment },
  collect: { weight: 12, make: collection },
  fund: { weight: 7 },
  fund_many: { weight: 2 },
  fund_again: { weight: 2 },
  fund_and_cancel: { weight: 4 },
  cancel: { weight: 9 },
  cancel_twice: { weight: 3 },
  cancel_against_success: { weight: 4, make: (dice) => ({ word: dice.of(['word', 'forced']) }) },
  edit: { weight: 8, make: (dice) => ({ word: dice.of('00 00 01 08 19 39 71 90'.split(' ')) }) },
  repeat: { weight: 4 },
  repeat_otherwise: { weight: 2 },
  force_payout: { weight: 2 },
  force_payin: { weight: 2 },
  payin_retry: { weight: 3 },
  payin_edit: { weight: 3, make: (dice) => ({ word: dice.of(['123456', '123456', '000000']) }) },
  payin_cancel: { weight: 3 },
  refund_by_hand: { weight: 3 },
  payin_word: { weight: 7, make: (dice) => ({ word: dice.of(PAYINS) }) },
  payout_word: { weight: 7, make: (dice) => ({ word: dice.of(OUTCOMES) }) },
  review: {
    weight: 3,
    make: (dice) => ({ word: dice.of(['hold', 'release', 'release', 'exception', 'resume', 'resume']) }),
  },
  mandate: {
    weight: 2,
    make: (dice) => ({ word: dice.of(['signed', 'signed', 'bypassed', 'failed', 'notified']) }),
  },
  sender: { weight: 4, make: (dice) => ({ word: dice.of(SENDER_WORDS) }) },
  settings: { weight: 3, make: (dice) => ({ word: dice.of(SETTINGS), fund: dice.chance(0.35) }) },
  payout_method: { weight: 1, make: (dice, partner) => ({ payees: [partner.payee(dice)] }) },
  read: { weight: 8, make: (dice) => ({ word: dice.of(READS) }) },
  advance: { weight: 14, make: (dice) => ({ ms: dice.of(LEAPS) }) },
} satisfies Record<string, Recipe>;

/** Those that move money, redirect it or call it back. */
const MONEY: readonly Kind[] = [
  'create',
  'pay',
  'collect',
  'fund',
  'fund_many',
  'fund_again',
  'fund_and_cancel',
  'cancel',
  'cancel_twice',
  'cancel_against_success',
  'edit',
  'repeat',
  'repeat_otherwise',
  'force_payout',
  'force_payin',
  'payin_retry',
  'payin_edit',
  'payin_cancel',
];

export const isMoney = ({ kind }: Operation): boolean => MONEY.includes(kind);

function payment(dice: Dice, partner: Partner): Partial<Operation> {
  const count = dice.chance(0.2) ? 3 : dice.chance(0.2) ? 2 : 1;
  return {
    payees: Array.from({ length: count }, () => partner.payee(dice)),
    fund: dice.chance(0.5),
    word: dice.of(['', '', '', 'keep', 'check']),
  };
}

function collection(dice: Dice): Partial<Operation> {
  return {
    payees: [],
    fund: dice.chance(0.7),
    word: dice.of([
      'GHS::Mobile',
      'GHS::Mobile otp',
      'XOF::Mobile 0',
      'XOF::Mobile 9',
      'EUR::Bank',
      'NGN::Bank',
    ]),
  };
}

export class Dice {
  constructor(readonly random: Random) {}

  chance(share: number): boolean {
    return this.random.next() < share;
  }

  of<T>(choices: readonly T[]): T {
    return choices[Math.floor(this.random.next() * choices.length)] as T;
  }

  /** An amount of money with two decimals. */
  amount(most: number): string {
    return (1 + this.random.next() * most).toFixed(2);
  }
}

export function operations(seed: number | string, count: number): Operation[] {
  const dice = new Dice(seededRandom(seed));
  return Array.from({ length: count }, () => operation(dice));
}

function operation(dice: Dice): Operation {
  const partner = dice.of(partners);
  const kind = kindFor(dice, partner);
  const { make }: Recipe = recipes[kind];
  const pick = dice.random.next() ** 2;
  const plain = { kind, partner: partner.name, pick, payees: [], fund: false, word: '', ms: 0 };
  return { ...plain, ...make?.(dice, partner), ...weather(dice, kind) };
}

function kindFor(dice: Dice, partner: Partner): Kind {
  const entries = Object.entries(recipes).map(
    ([kind, { weight }]) => [kind as Kind, weight * (partner.habits[kind as Kind] ?? 1)] as const,
  );
  let at = dice.random.next() * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [kind, weight] of entries) {
    at -= weight;
    if (at < 0) return kind;
  }
  return 'advance';
}

/** One operation in four meets a fault of the service, one in twenty another one of the network. */
function weather(dice: Dice, kind: Kind): Pick<Operation, 'arm' | 'network'> {
  if (kind === 'advance') return {};
  if (dice.chance(0.05)) return { network: { request: dice.of([1, 1, 2]), fault: dice.of(networkFaults) } };
  if (kind.startsWith('cancel') && dice.chance(0.3))
    return { arm: { fault: 'paid-while-cancelling', times: 1 } };
  if (dice.chance(0.22)) return { arm: arm(dice, dice.of(callFaults)) };
  if (dice.chance(0.09)) return { arm: arm(dice, dice.of(webhookFaults)) };
  return dice.chance(0.09) ? { arm: arm(dice, dice.of(payoutFaults)) } : {};
}

function arm(dice: Dice, fault: FaultName): Arm {
  const few = faultInfo(fault).place === 'call' || fault === 'corridor-inactive';
  const most = few ? [1, 1, 1, 2] : [1, 2, 3, 4];
  return { fault, times: dice.of(most) };
}
