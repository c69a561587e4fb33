/** When the tries of a delivery came, against the waits of the double. Two deliveries may have one body: the tries of all of them are looked at together. */
import { createHash } from 'node:crypto';
import type { WebhookLog } from '../../contract/resources/log.ts';
import { OVERTAKEN_AT_LAST_MS, RETRY_DELAYS_MS } from '../../contract/timing.ts';
import type { Finding } from './differences.ts';

interface Try {
  at: number;
  number: number;
  accepted: boolean;
  event: string;
}

/** An endpoint gets one delivery at a time, and each may take ten seconds. */
const LATE_MS = 10 * 60_000;
const EARLY_MS = 5_000;
const MINUTE_MS = 60_000;

const minutes = (ms: number): string => `${Math.round(ms / MINUTE_MS)} min`;
const WAITS = RETRY_DELAYS_MS.map((ms) => ms / MINUTE_MS).join(', ');

export class Tries {
  readonly #deliveries = new Map<string, Try[]>();

  note({ metadata }: WebhookLog, tried: Omit<Try, 'number' | 'accepted'>): void {
    const number = metadata?.tries;
    if (typeof number !== 'number') return;
    const accepted = /^2\d\d/.test(metadata?.response?.status ?? '');
    const about = [metadata?.params?.id, metadata?.event, metadata?.instance_id, metadata?.request?.body];
    const key = createHash('sha256').update(JSON.stringify(about)).digest('base64');
    const tries = this.#deliveries.get(key) ?? [];
    this.#deliveries.set(key, tries);
    tries.push({ ...tried, number, accepted });
  }

  *found(): Generator<Finding & { at: number }> {
    for (const tries of this.#deliveries.values())
      for (const one of tries) {
        const fact = factOf(one, tries);
        if (fact !== undefined)
          yield { difference: 'delay', where: 'delivery.tries', within: one.event, at: one.at, ...fact };
      }
  }
}

function factOf({ number, at }: Try, tries: readonly Try[]): Pick<Finding, 'seen' | 'ours'> | undefined {
  if (number > RETRY_DELAYS_MS.length + 1)
    return { seen: `try ${number}`, ours: `${RETRY_DELAYS_MS.length + 1} tries, then none` };
  const wait = RETRY_DELAYS_MS[number - 2];
  const before = tries.filter((one) => one.number === number - 1 && one.at <= at);
  // The first tries may lie before the day from which the log was read.
  if (wait === undefined || before.length === 0) return undefined;
  const open = before.filter(({ accepted }) => !accepted);
  if (open.length === 0)
    return { seen: `try ${number} after one that was accepted`, ours: 'none after one that was accepted' };
  const waits = open.map((one) => at - one.at);
  if (waits.some((one) => one >= wait - EARLY_MS && one <= wait + LATE_MS)) return undefined;
  // A delivery that was to be overtaken is sent once more so long after its event, whatever became of it.
  const first = Math.min(...tries.map((one) => one.at));
  if (at - first <= OVERTAKEN_AT_LAST_MS) return undefined;
  const nearest = waits.sort((a, b) => Math.abs(a - wait) - Math.abs(b - wait))[0] ?? 0;
  return {
    seen: `try ${number} after ${minutes(nearest)}`,
    ours: `try ${number} after ${minutes(wait)} (${WAITS} min)`,
  };
}
