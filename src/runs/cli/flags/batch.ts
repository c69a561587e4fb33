/** Flags of pay runs: how fast, how far a rate may move, and the most that a run may cost. */

import { parseDuration } from '../../../core/clock.ts';
import type { Decimal } from '../../../core/money.ts';
import { usage } from '../../../core/problem.ts';
import { readMaxAmounts } from '../../../frame/flags/currency.ts';
import { flags, type Input, type TextFlag } from '../../../frame/flags/flag.ts';
import { readWhen } from '../../../payments/cli/flags/when.ts';
import type { PeriodEnd } from '../../../payments/lists/period.ts';
import { isPercent, percentOf } from '../../../profiles/rate-tolerance.ts';

export const payFlags = flags({
  inFlight: { value: 'n', summary: 'payments on their way at once, 16 unless told' },
  perSecond: { value: 'n', summary: 'payments begun in a second at most' },
});

export const leaseFlag = flags({
  lease: {
    value: 'duration',
    summary: 'how long others wait for a worker that does not answer, 30s unless told',
  },
});

/** Milliseconds. */
export function readLease(input: Input<typeof leaseFlag>): number | undefined {
  const given = input.flags.lease;
  if (given === undefined) return undefined;
  const ms = parseDuration(given);
  if (ms === null || ms < 1_000 || ms > 50_000)
    throw usage(`--lease is a time from 1s to 50s, not "${given}"`);
  return ms;
}

export const toleranceFlag = flags({
  rateTolerance: {
    value: 'percent',
    summary: 'how far a rate may move from the plan before the run pauses, 0.5 unless told',
  },
});

export const readInFlight = ({ flags }: Input<typeof payFlags>): number =>
  wholeNumber(flags.inFlight, '--in-flight', 1000) ?? 16;
export const readPerSecond = ({ flags }: Input<typeof payFlags>): number | undefined =>
  wholeNumber(flags.perSecond, '--per-second', 100_000);

function wholeNumber(given: string | undefined, flag: string, most: number): number | undefined {
  if (given === undefined) return undefined;
  const value = Number(given);
  if (!/^\d+$/.test(given) || value < 1 || value > most)
    throw usage(`${flag} is a number from 1 to ${most}, not "${given}"`);
  return value;
}

/** Returns the tolerance as a share: `0.5` and `0.5%` are `0.005`. */
export function readTolerance(input: Input<typeof toleranceFlag>): Decimal | undefined {
  const given = input.flags.rateTolerance;
  if (given === undefined) return undefined;
  const text = given.trim().replace(/(?<!\s)\s*%$/, '');
  if (!isPercent(text)) throw usage(`--rate-tolerance is a percentage from 0 to 50, not "${given}"`);
  return percentOf(text);
}

export const maxInputFlag = flags({
  maxInput: {
    value: 'amount',
    summary: 'the most that the run may cost, such as EUR=12000; several currencies with a comma',
    many: true,
  },
});

export const notBeforeFlag = flags({
  notBefore: {
    value: 'time',
    summary: 'send nothing before then, such as 2026-11-28T08:00 in your zone, by the clock of the service',
  },
});

/** Undefined where none is given. @throws Problem (usage) */
export function readNotBefore(input: Input<typeof notBeforeFlag>): PeriodEnd | undefined {
  const given = input.flags.notBefore;
  if (given === undefined) return undefined;
  const when = readWhen(given, 'not-before');
  if ('day' in when || 'wall' in when || 'at' in when) return when;
  throw usage(`--not-before ${given} is no day and no time`, 'such as 2026-11-28, or 2026-11-28T08:00');
}

export const repeatFlag = flags({
  repeat: {
    value: 'run',
    summary: 'pay rows of this run again, though it was planned a few days ago',
    many: true,
  },
});

export const acceptPaidBeforeFlag = flags({
  acceptPaidBefore: {
    value: 'rows',
    summary: 'go on without rows that were paid before this run: exactly so many',
  },
});

export const readAcceptPaidBefore = ({ flags }: Input<typeof acceptPaidBeforeFlag>): number | undefined =>
  wholeNumber(flags.acceptPaidBefore, '--accept-paid-before', 10_000_000);

export const acceptChangedFlag = flags({
  acceptChanged: {
    value: 'rows',
    summary: 'so many payees are not as before, and you asked each: exactly this number',
  },
});

export const readAcceptChanged = ({ flags }: Input<typeof acceptChangedFlag>): number | undefined =>
  wholeNumber(flags.acceptChanged, '--accept-changed', 10_000_000);

export const accountsAsWrittenFlag = flags({
  accountsAsWritten: { value: 'rows', summary: 'take rows whose account looks wrong: exactly so many' },
});

export const readAccountsAsWritten = ({ flags }: Input<typeof accountsAsWrittenFlag>): number | undefined =>
  wholeNumber(flags.accountsAsWritten, '--accounts-as-written', 10_000_000);

export const readMaxInput = (input: Input<typeof maxInputFlag>): Record<string, Decimal> => {
  const given = input.flags.maxInput;
  return given.length === 0 ? {} : readMaxAmounts(given.join(','));
};

/** Rows of a pay run by their keys, with commas between. */
export const rowsFlag = (summary: string) => flags({ rows: { value: 'keys', summary } });

/** Undefined where the flag is not there. @throws Problem (usage) where it names none */
export function readRowKeys(input: Input<{ rows: TextFlag }>): string[] | undefined {
  const keys = input.flags.rows
    ?.split(',')
    .map((key) => key.trim())
    .filter((key) => key !== '');
  if (keys?.length === 0) throw usage('--rows names no row');
  return keys;
}
