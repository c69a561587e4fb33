/** An inbox in a file with so many deliveries, and the time that a page of a list over it takes. */

import { seededRandom } from '../src/core/random.ts';
import { storeAccountOf } from '../src/payments/shared-store.ts';
import type { DeliveryFilter } from '../src/webhooks/store/port.ts';
import { serveParent } from './support/children.ts';
import { fillInbox } from './support/fill-inbox.ts';
import { spent } from './support/processor.ts';
import { credentials } from './support/signed.ts';

const PAGE = 20;

interface Argument {
  path: string;
  baseUrl: string;
  deliveries: number;
}

serveParent<Argument, { filter: DeliveryFilter; count: number }>(async ({ path, baseUrl, deliveries }) => {
  const { openSqliteInbox } = await import('../src/webhooks/store/sqlite.ts');
  const inbox = await openSqliteInbox(path, {
    account: storeAccountOf({ baseUrl, credentials }).id,
    clock: { now: () => Date.now() },
    random: seededRandom('received'),
  });
  await fillInbox(inbox, deliveries);
  return async ({ filter, count }) => {
    const { micros } = await spent(async () => {
      for (let i = 0; i < count; i++) {
        const rows = await inbox.list(filter, { limit: PAGE });
        if (rows.length === 0) throw new Error(`nothing fits ${JSON.stringify(filter)}`);
      }
    });
    return { micros: micros / count };
  };
});
