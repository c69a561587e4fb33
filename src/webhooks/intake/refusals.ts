/**
 * Deals with deliveries that do not verify: all are counted, some shown, fewer kept, and one a second is examined. A
 * flood of forgeries costs neither the disk nor the time that genuine deliveries need.
 */

import type { Finding, ReceivedRequest } from '../../contract/signatures/finding.ts';
import type { Clock } from '../../core/clock.ts';
import { groupCommit } from '../../core/group-commit.ts';
import { uuid } from '../../core/ids.ts';
import type { Random } from '../../core/random.ts';
import type { Refusal, RefusalLog } from '../store/port.ts';
import type { IncomingRequest } from './receive.ts';

const SHOWN_A_SECOND = 20;
const KEPT_A_SECOND = 5;
const EXAMINE_EVERY_MS = 1_000;
const EXAMINED_BYTES = 64 * 1024;
const KEPT_BYTES = 64 * 1024;

export interface Refused {
  refusal: Refusal;
  finding: Finding | null;
  request: IncomingRequest;
  /** The number of refusals before it that were only counted. */
  unshown: number;
}

export interface RefusalsOptions {
  inbox: Pick<RefusalLog, 'refuse'>;
  clock: Clock;
  random: Random;
  /** Costly: tries many hypotheses. */
  examine: (request: ReceivedRequest) => Finding;
  onRefused: (refused: Refused) => void;
  onError: (error: unknown) => void;
}

export interface Refusals {
  /** Answers what is known of its fault: most are not examined. */
  add(request: IncomingRequest, receivedAt: number, known?: Finding): Finding | null;
  readonly count: number;
}

export function createRefusals(options: RefusalsOptions): Refusals {
  const { inbox, clock, random } = options;
  const keep = groupCommit<Refusal, void>(async (refusals) => {
    await inbox.refuse(refusals);
    return refusals.map(() => undefined);
  });
  let count = 0;
  let unshown = 0;
  let examinedAt = Number.NEGATIVE_INFINITY;
  let second = { from: Number.NEGATIVE_INFINITY, shown: 0, kept: 0 };

  const examined = (request: IncomingRequest): Finding | null => {
    const now = clock.now();
    if (now - examinedAt < EXAMINE_EVERY_MS || request.rawBody.length > EXAMINED_BYTES) return null;
    examinedAt = now;
    return options.examine(request);
  };

  return {
    get count() {
      return count;
    },
    add(request, receivedAt, known) {
      count += 1;
      if (receivedAt - second.from >= 1_000) second = { from: receivedAt, shown: 0, kept: 0 };
      if (++second.shown > SHOWN_A_SECOND) {
        unshown += 1;
        return known ?? null;
      }
      const finding = known ?? examined(request);
      const refusal = describe(request, { id: uuid(random), receivedAt, finding });
      if (++second.kept <= KEPT_A_SECOND) keep(refusal).catch(options.onError);
      options.onRefused({ refusal, finding, request, unshown });
      unshown = 0;
      return finding;
    },
  };
}

function describe(
  { rawBody, url, target, from, rawHeaders }: IncomingRequest,
  { id, receivedAt, finding }: Pick<Refusal, 'id' | 'receivedAt'> & { finding: Finding | null },
): Refusal {
  return {
    id,
    receivedAt,
    from,
    url,
    target,
    headers: rawHeaders(),
    body: rawBody.slice(0, KEPT_BYTES),
    bodyBytes: rawBody.length,
    cause: finding?.cause ?? null,
    message: finding?.message ?? null,
  };
}
