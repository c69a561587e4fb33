/** A case: where which way is met. Its text is what a report prints and what replays it: `3f2a91:cut+9bc012#2:late+webhook-twice`. */
import { isWay, type Way, wayInfo } from './loss-modes.ts';

export interface CaseFault {
  way: Way;
  /** The write by its content (`writes.ts`); absent where the whole case is met. */
  write?: string;
  /** The first request of this content, or a later one. */
  nth: number;
}

export type AuditCase = readonly CaseFault[];

export const caseText = (given: AuditCase): string =>
  given
    .map(({ way, write, nth }) =>
      write === undefined ? way : `${write}${nth === 1 ? '' : `#${nth}`}:${way}`,
    )
    .join('+');

/** Undefined where it is no case. */
export function readCase(text: string): AuditCase | undefined {
  const faults = text.split('+').map(readFault);
  return faults.every((one) => one !== undefined) ? faults : undefined;
}

function readFault(text: string): CaseFault | undefined {
  const [, write, nth = '1', way = ''] =
    /^(?:([0-9a-f]{6,})(?:#([1-9]\d*))?:)?([a-z0-9-]+)$/.exec(text) ?? [];
  if (!isWay(way) || (write === undefined) !== (wayInfo(way).place === 'webhook')) return undefined;
  return { way, nth: Number(nth), ...(write === undefined ? {} : { write }) };
}
