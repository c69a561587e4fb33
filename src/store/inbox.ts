/** The inbox of webhooks on disk: a delivery is kept before it is acknowledged. */
import { uuid } from '../core/ids.ts';
import type { Inbox, KeptDelivery, ReceivedDelivery } from '../core/ports/inbox.ts';
import type { Database, Row } from './driver.ts';
import type { StoreDependencies } from './open.ts';

export function createInbox(database: Database, { clock, random }: StoreDependencies): Inbox {
  return {
    keep(delivery) {
      const id = uuid(random);
      const added = insert(database, { ...delivery, id, receivedAt: clock.now() });
      return added ? { outcome: 'new', id } : { outcome: 'duplicate', id: earlierId(database, delivery) };
    },
    get: (id) => read(database.get('SELECT * FROM inbox WHERE id = ?', id)),
    list({ event, limit = 100 } = {}) {
      const rows = event
        ? database.all('SELECT * FROM inbox WHERE event = ? ORDER BY seq DESC LIMIT ?', event, limit)
        : database.all('SELECT * FROM inbox ORDER BY seq DESC LIMIT ?', limit);
      return rows.map(read).filter((delivery) => delivery !== undefined);
    },
  };
}

function insert(database: Database, delivery: KeptDelivery): boolean {
  const { id, webhook, event, objectId, bodyDigest, receivedAt, url, body } = delivery;
  const changes = database.run(
    `INSERT INTO inbox (id, webhook, event, object_id, body_digest, received_at, url, body)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (webhook, event, object_id, body_digest) DO NOTHING`,
    id,
    webhook,
    event,
    objectId,
    bodyDigest,
    receivedAt,
    url,
    body,
  );
  return changes === 1;
}

function earlierId(database: Database, { webhook, event, objectId, bodyDigest }: ReceivedDelivery): string {
  const row = database.get(
    'SELECT id FROM inbox WHERE webhook = ? AND event = ? AND object_id = ? AND body_digest = ?',
    webhook,
    event,
    objectId,
    bodyDigest,
  );
  return String(row?.id);
}

function read(row: Row | undefined): KeptDelivery | undefined {
  if (!row) return undefined;
  return {
    id: String(row.id),
    webhook: String(row.webhook),
    event: String(row.event),
    objectId: String(row.object_id),
    bodyDigest: String(row.body_digest),
    receivedAt: Number(row.received_at),
    url: String(row.url),
    body: row.body as Uint8Array,
  };
}
