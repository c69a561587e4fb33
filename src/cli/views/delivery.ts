import { isoTime } from '../../core/clock.ts';
import type { DeliveryRecord } from '../../intake/take-in.ts';
import { escapeLine } from '../terminal/escape.ts';
import { type MaskLevel, maskData } from '../terminal/mask.ts';
import { paintFor, paintState } from '../terminal/paint.ts';

/** One line: verdict, event, object, state, and what the handler answered. */
export function deliveryLine(record: DeliveryRecord, colour: boolean): string {
  const paint = paintFor(colour);
  if (record.verdict === 'refused') {
    return `${paint.red('refused')}  ${escapeLine(record.finding?.message ?? '')}; ${escapeLine(record.finding?.hint ?? '')}`;
  }
  const { delivery, forward } = record;
  const object = (delivery?.object ?? {}) as { id?: string | null; state?: unknown };
  const state = typeof object.state === 'string' ? paintState(paint, escapeLine(object.state)) : '';
  const verdict = record.verdict === 'new' ? paint.green('verified') : paint.dim('duplicate');
  const passed = forward === undefined ? '' : `-> ${forwardText(forward)}`;
  return [verdict, escapeLine(delivery?.event ?? ''), escapeLine(object.id ?? ''), state, passed]
    .filter(Boolean)
    .join('  ');
}

function forwardText(forward: NonNullable<DeliveryRecord['forward']>): string {
  return 'status' in forward && forward.status !== undefined ? String(forward.status) : 'not reached';
}

export function shownDelivery(record: DeliveryRecord, mask: MaskLevel): Record<string, unknown> {
  return {
    received_at: isoTime(record.receivedAt),
    ms: record.ms,
    verdict: record.verdict,
    status: record.status,
    id: record.id ?? null,
    event: record.delivery?.event ?? null,
    webhook: record.delivery?.webhook ?? null,
    object: maskData(record.delivery?.object ?? null, mask),
    finding: record.finding ?? null,
    forward: record.forward ?? null,
  };
}
