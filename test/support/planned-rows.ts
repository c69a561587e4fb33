/** Rows as a plan keeps them: each says what its prints say. */

import { contentOf, externalIdOf } from '../../src/runs/plan-text.ts';
import type { PayRow } from '../../src/runs/store/port.ts';

export const plannedRows = (run: string, keys: readonly string[], over: Partial<PayRow> = {}): PayRow[] =>
  keys.map((key, index) => {
    const externalId = externalIdOf(run, key);
    const body = JSON.stringify({ input_currency: 'EUR', metadata: { row: key } });
    return {
      n: index + 1,
      window: 0,
      key,
      externalId,
      type: 'NGN::Bank',
      amount: '10000',
      currency: 'NGN',
      inputCurrency: 'EUR',
      estimate: '10',
      content: contentOf(externalId, body),
      body,
      state: 'planned',
      intentId: undefined,
      tries: 0,
      transactionId: undefined,
      recipientId: undefined,
      cost: undefined,
      arrives: undefined,
      code: undefined,
      why: undefined,
      handed: undefined,
      found: undefined,
      stands: undefined,
      updatedAt: 0,
      ...over,
    };
  });
