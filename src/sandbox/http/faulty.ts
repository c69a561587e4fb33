/** Faults of a request: those that come before it is done, and those that come after. */
import type { OperationId } from '../../contract/operations/index.ts';
import type { Service } from '../service.ts';
import type { SandboxWorld } from '../world.ts';
import type { RawAnswer } from './answer.ts';

const NOTHING = { headers: {}, body: '' };

/** The fault that happens instead of the request; undefined when the request is to be done. */
export function faultBefore({ faults, clock }: SandboxWorld, operation: OperationId): RawAnswer | undefined {
  if (!faults.any) return undefined;
  const at = clock.now();
  if (faults.take('refused', { operation }, at, operation)) return { status: 0, ...NOTHING, cut: 'refused' };
  if (faults.take('reset-before-commit', { operation }, at, operation)) {
    return { status: 0, ...NOTHING, cut: 'reset' };
  }
  const broken = faults.take('5xx', { operation }, at, operation);
  return broken && brokenAnswer(broken.status);
}

const NAMES: Readonly<Record<number, string>> = {
  500: 'Internal Server Error',
  502: 'Bad Gateway',
  503: 'Service Unavailable',
  504: 'Gateway Timeout',
};

function brokenAnswer(status: number): RawAnswer {
  const headers = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify({ status, error: NAMES[status] ?? 'Server Error' }) };
}

/** Returns the answer of a request that was done, with the faults that happen to it. */
export async function faultAfter(
  service: Service,
  operation: OperationId,
  answer: RawAnswer,
): Promise<RawAnswer> {
  const { faults, clock, sleep } = service.world;
  if (!faults.any) return answer;
  const take = (name: 'webhook-first' | 'slow' | 'response-lost') =>
    faults.take(name, { operation }, clock.now(), operation);
  if (take('webhook-first')) await service.drain();
  const slow = take('slow');
  if (slow) await sleep(slow.delayMs);
  return take('response-lost') ? { ...answer, cut: 'reset' } : answer;
}
