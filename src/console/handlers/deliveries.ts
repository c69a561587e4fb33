/** The inbox as it fills: what came since the last one that the page has, and what became of those that it was told. */
import { setTimeout as pause } from 'node:timers/promises';
import { isoTime } from '../../core/clock.ts';
import type { Inbox, ListedDelivery, Refusal } from '../../core/ports/inbox.ts';
import { deliveries as pagesOf } from '../../desk/webhooks/in-inbox.ts';
import { inboxIfAny } from '../../desk/webhooks/open-inbox.ts';
import type { Call, Tell } from '../call.ts';
import { type Delivery, MOST_DELIVERIES } from '../wire/webhooks.ts';

/** The inbox is looked at so often while a page shows it. */
const LOOK_MS = 400;
/** A page that hears nothing for longer than this takes the way to be gone. */
const STILL_MS = 10_000;
/** The newest, of which is told again what changed. */
const WATCHED = 400;

export async function deliveries(
  { desk, spell }: Call,
  { after }: { after: string },
  tell: Tell<'deliveries'>,
): Promise<void> {
  const told = new Map<string, string>();
  let newest = after;
  let inbox: Inbox | undefined;
  let quietSince = Number.NEGATIVE_INFINITY;
  while (!desk.signal.aborted) {
    inbox ??= await inboxIfAny(desk);
    const rows = inbox === undefined ? [] : await changedIn(inbox, newest, told);
    const now = desk.clock.uptime?.() ?? desk.clock.now();
    if (rows.length > 0 || now - quietSince >= STILL_MS) {
      quietSince = now;
      const backlog = (await inbox?.backlog()) ?? { waiting: 0, deadLetters: 0 };
      await tell({ begin: inbox === undefined ? spell({ do: 'listen' }) : null, rows, backlog });
      const latest = rows[0]?.id ?? '';
      if (latest > newest) newest = latest;
    }
    // In the time of whoever looks at the page.
    await pause(LOOK_MS, undefined, { signal: desk.signal }).catch(() => {});
  }
}

/** Newest first. `told` holds how each of the newest was told; all of those are told once where it is empty. */
async function changedIn(inbox: Inbox, newest: string, told: Map<string, string>): Promise<Delivery[]> {
  const found: Delivery[] = [];
  for await (const page of pagesOf(inbox, {}, MOST_DELIVERIES)) {
    found.push(...page.map(deliveryRow));
    if ((page.at(-1)?.id ?? '') <= newest && found.length >= WATCHED) break;
  }
  found.push(...(await inbox.refusals(WATCHED)).map(refusedRow));
  found.sort((a, b) => (a.id < b.id ? 1 : -1));
  const watched = [...told.keys()].sort();
  const oldest = watched[0] ?? '';
  // Of several writers one may keep a delivery a little after another one kept a later one.
  const changed = found.filter(
    (row) => row.id > newest || (row.id >= oldest && told.get(row.id) !== asTold(row)),
  );
  for (const row of changed) told.set(row.id, asTold(row));
  for (const id of watched.slice(0, Math.max(0, told.size - WATCHED))) told.delete(id);
  return changed;
}

const asTold = ({ state, tries }: Delivery): string => `${state.word} ${tries}`;

const LOOKS = { kept: 'good', waiting: 'waiting', handed_on: 'good', dead_letter: 'bad' } as const;
const WORDS = {
  kept: 'verified, kept',
  waiting: 'verified, waits for the handler',
  handed_on: 'verified, handed on',
  dead_letter: 'verified, the handler never took it',
} as const;

export function deliveryRow(one: ListedDelivery): Delivery {
  const marks = [one.repeat && 'again', one.late && 'late', one.recovered && 'from the log'];
  return {
    id: one.id,
    at: isoTime(one.receivedAt),
    event: one.event,
    object: one.objectId,
    state: { word: WORDS[one.state], look: LOOKS[one.state] },
    marks: marks.filter(Boolean).join(', '),
    tries: one.attempts,
    answer: one.answer,
  };
}

/** A list shows nothing that its body claims. */
export const refusedRow = ({ id, receivedAt, cause, message }: Refusal): Delivery => ({
  id,
  at: isoTime(receivedAt),
  event: null,
  object: null,
  state: { word: 'does not verify', look: 'bad' },
  marks: '',
  tries: 0,
  answer: message ?? cause,
});
