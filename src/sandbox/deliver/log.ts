/** One entry of the webhook log for each attempt, with the signature cut short. */

import { uuid } from '../../core/ids.ts';
import type { Random } from '../../core/random.ts';
import type { WireResponse } from '../../core/transport.ts';
import { clip, shortSignature } from '../http/redact.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { DeliveryRecord, WebhookRecord } from '../store/records.ts';

/** The outcome of one try of a delivery. */
export type TryOutcome = { response: WireResponse } | { error: string; timedOut: boolean };

interface Attempt {
  webhook: WebhookRecord;
  delivery: DeliveryRecord;
  headers: Record<string, string>;
  outcome: TryOutcome;
}

export function logAttempt(
  { store, clock }: SandboxState,
  random: Random,
  { webhook, delivery, headers, outcome }: Attempt,
): void {
  const response = 'response' in outcome ? outcome.response : null;
  const status = response ? String(response.status) : '';
  const result = 'error' in outcome ? outcome.error : status;
  store.webhookLogs.insert({
    id: uuid(random),
    createdAt: clock.now(),
    message: `${delivery.instanceType} ${delivery.instanceId} ${delivery.event}: ${result} (try ${delivery.tries})`,
    webhook: { ...webhook },
    event: delivery.event,
    instanceId: delivery.instanceId,
    instanceType: delivery.instanceType,
    attemptId: uuid(random),
    tries: delivery.tries,
    requestHeaders: {
      ...headers,
      'Authorization-Signature': shortSignature(headers['Authorization-Signature'] ?? ''),
    },
    requestBody: delivery.body,
    responseStatus: status,
    responseHeaders: response?.headers ?? {},
    responseBody: clip('error' in outcome ? outcome.error : outcome.response.body),
  });
}
