/** How far rates may move from the plan of a run before it pauses: the most that a profile allows its planners, in percent. */
import { type Decimal, isDecimal } from '../core/money.ts';

/** Where the profile says none. */
export const RATE_TOLERANCE = '2';
const MOST = 50;

export const isPercent = (text: string): boolean =>
  isDecimal(text) && Number(text) >= 0 && Number(text) <= MOST;

/** Returns a share: `0.5` is `0.005`. */
export const percentOf = (text: string): Decimal => String(Number((Number(text) / 100).toPrecision(12)));
