/** `--watch [interval] --count --timeout`: how often to look, and when it is over. */

import { parseDuration } from '../../../core/clock.ts';
import { decimalsOf } from '../../../core/currency.ts';
import { type Decimal, parseAmount } from '../../../core/money.ts';
import { usage } from '../../../core/problem.ts';
import { flags, type Input } from '../../../frame/flags/flag.ts';
import type { Floors } from '../../balance-floors.ts';

export const watchFlags = flags({
  watch: {
    value: 'interval',
    isOptional: true,
    summary: 'look at intervals until Ctrl-C: a terminal is redrawn, elsewhere each change is printed',
  },
  count: { value: 'n', summary: 'with --watch: end after this many looks' },
  timeout: { value: 'duration', summary: 'with --watch: end after this time' },
});

export interface Watch {
  everyMs: number | undefined;
  /** Looks, after which it ends with 0. */
  count: number;
  timeoutMs: number;
}

/** @throws Problem (usage) */
export function readWatch({ flags }: Input<typeof watchFlags>): Watch | undefined {
  const { watch, count, timeout } = flags;
  if (watch === undefined) {
    for (const name of ['count', 'timeout'] as const)
      if (flags[name] !== undefined) throw usage(`--${name} goes with --watch`);
    return undefined;
  }
  if (count !== undefined && !/^[1-9]\d{0,5}$/.test(String(count)))
    throw usage(`--count ${count} is not a number of looks`);
  return {
    everyMs: watch === true ? undefined : durationIn('--watch', String(watch)),
    count: count === undefined ? Number.POSITIVE_INFINITY : Number(count),
    timeoutMs: timeout === undefined ? Number.POSITIVE_INFINITY : durationIn('--timeout', String(timeout)),
  };
}

/** Milliseconds. @throws Problem (usage) */
export function durationIn(flag: string, text: string): number {
  const ms = parseDuration(text);
  if (ms === null || ms <= 0) throw usage(`${flag} ${text} is not a duration`, 'such as 5m or 1h');
  return ms;
}

const CODE = /^[A-Z]{3}(?:::.+)?$/;

/**
 * `--min GHS=50000,NGN=1000000`.
 * @throws Problem (usage) naming the entry that is wrong
 */
export function readFloors(text: string): Floors {
  const floors = new Map<string, Decimal>();
  for (const entry of text.split(',')) {
    const [code = '', amount, ...rest] = entry.split('=').map((part) => part.trim());
    const currency = code.toUpperCase();
    if (!CODE.test(currency) || !amount || rest.length > 0)
      throw usage(
        `--min: "${entry.trim()}" is not a currency with an amount`,
        'such as --min GHS=50000,NGN=1000000',
      );
    if (floors.has(currency)) throw usage(`--min has ${currency} twice`);
    floors.set(currency, parseAmount(amount, decimalsOf(currency), currency));
  }
  return floors;
}
