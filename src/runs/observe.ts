/**
 * Rows are observed after they were created: from the list of recipients, page by page, and from the webhooks
 * that this machine's listener kept. Never by a call a row (docs/rules.md 11).
 */
import { pages } from '../client/pages.ts';
import { editRecipient, listRecipients } from '../contract/operations/recipients.ts';
import type { Recipient } from '../contract/resources/transaction.ts';
import { isoTime } from '../core/clock.ts';
import type { Desk } from '../payments/desk.ts';
import { eachDelivery } from '../webhooks/in-inbox.ts';
import { inboxIfAny } from '../webhooks/open-inbox.ts';
import type { Inbox } from '../webhooks/store/port.ts';
import { whoseIs } from './paid-before.ts';
import { mayBecome, newsOfRecipient } from './states.ts';
import type { PayRun, PayRuns } from './store/port.ts';

/**
 * Keeps what was heard. Where a payee is another one than was known, the journal of this machine says whether an edit of ours did that.
 * How many rows changed.
 */
async function keepHeard(desk: Desk, payruns: PayRuns, run: PayRun, seen: readonly Seen[]): Promise<number> {
  const unexplained = new Set<string>();
  const changed = await payruns.observe(run.id, seen, mayBecome, (id) => unexplained.add(id));
  if (unexplained.size === 0) return changed;
  const { intents } = await desk.store();
  const explained: Seen[] = [];
  for (const { externalId, news } of seen) {
    const { recipientId: subject, shown } = news;
    if (!unexplained.has(externalId) || shown === undefined || subject === undefined) continue;
    const wishes = await intents.list({ subject, states: ['applied', 'open', 'unknown'] });
    const edit = wishes.find(({ operation }) => operation === editRecipient.id)?.id;
    const by = { edit, at: shown.at ?? desk.clock.now() };
    explained.push({ externalId, news: { recipientId: subject, shown: { ...shown, by } } });
  }
  return changed + (await payruns.observe(run.id, explained, mayBecome));
}

const PER = 100;
/** The service's clock and ours differ a little. */
const EARLIER_MS = 24 * 3_600_000;

type Seen = Parameters<PayRuns['observe']>[1][number];

/** How many rows read otherwise than before. @throws what keeps the list from being read */
export async function observeByList(desk: Desk, payruns: PayRuns, run: PayRun): Promise<number> {
  const client = await desk.client();
  const query = { per: PER, ...(await since(desk, run)) };
  let changed = 0;
  for await (const page of pages(client, listRecipients, { query }))
    changed += await keepHeard(desk, payruns, run, page.flatMap(seenIn(run, client.date())));
  return changed;
}

/** A sandbox has a clock of its own, so its list is read whole. */
async function since(desk: Desk, run: PayRun): Promise<{ created_at_from?: string }> {
  const { environment } = await desk.connection();
  if (environment === 'sandbox') return {};
  return { created_at_from: isoTime(run.createdAt - EARLIER_MS).slice(0, 10) };
}

const seenIn =
  (run: PayRun, at?: number) =>
  (recipient: Recipient): Seen[] => {
    const externalId = recipient.transaction_external_id;
    if (!externalId) return [];
    const { shown, ...news } = newsOfRecipient(recipient);
    const found = whoseIs(run.name, { externalId });
    return [{ externalId, news: { ...news, found, shown: shown && { ...shown, at } } }];
  };

export interface InboxFeed {
  /** Rows that changed by what was received since the last time. */
  read(): Promise<number>;
}

/** Undefined where no listener ever kept anything for this account. */
export async function inboxFeed(desk: Desk, payruns: PayRuns, run: PayRun): Promise<InboxFeed | undefined> {
  const inbox = await inboxIfAny(desk);
  if (inbox === undefined) return undefined;
  const read = new Set<string>();
  return {
    async read() {
      let changed = 0;
      for await (const page of eachDelivery(
        inbox,
        { since: run.createdAt - 60_000 },
        Number.MAX_SAFE_INTEGER,
      )) {
        const fresh = page.filter(({ id }) => !read.has(id));
        if (fresh.length === 0) break;
        const seen = await Promise.all(fresh.map(({ id }) => deliveredIn(inbox, id, seenIn(run))));
        changed += await keepHeard(desk, payruns, run, seen.flat().reverse());
        for (const { id } of fresh) read.add(id);
      }
      return changed;
    },
  };
}

async function deliveredIn(
  inbox: Inbox,
  id: string,
  seenOf: (recipient: Recipient) => Seen[],
): Promise<Seen[]> {
  const kept = await inbox.get(id);
  if (kept === undefined || !kept.event.startsWith('recipient.')) return [];
  const { recipient } = await import('../contract/resources/transaction.ts');
  const { readJson } = await import('../client/json.ts');
  try {
    const body = (await readJson(Buffer.from(kept.body).toString('utf8'))) as { object?: unknown };
    const read = recipient.safeParse(body.object);
    return read.success ? seenOf(read.data) : [];
  } catch {
    // A delivery that cannot be read says nothing of a row; the list will.
    return [];
  }
}
