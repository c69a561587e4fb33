/** The life of a payout in words: what the service did, what was asked of it, and who asked at this machine. */
import { recipientStateInfo } from '../../contract/states/recipient.ts';
import type { Desk } from '../desk.ts';
import { listIntents } from '../history.ts';
import type { FoundRecipient } from '../lookup/recipient.ts';
import type { Moment as Happened } from '../shapes/pieces.ts';
import { atMs, type TimelineMoment, timelineOf } from './timeline.ts';

/** Entries of the journal that are looked through for those of one payment. */
const MOST_ENTRIES = 1_000;

export async function lifeOf(
  desk: Desk,
  found: FoundRecipient,
): Promise<{ moments: Happened[]; notes: string[] }> {
  const [{ moments, looked, whole }, asked] = await Promise.all([
    timelineOf(desk, found),
    askedFor(desk, found),
  ]);
  return {
    moments: inOrder(moments.map(happened), asked),
    notes: whole ? [] : [`Made from the newest ${looked} records of the logs: there may be older ones.`],
  };
}

function happened({ at, by, what, name, reason, code, event, status }: TimelineMoment): Happened {
  const words = what === 'state' ? recipientStateInfo(name)?.words : undefined;
  const note = [reason, code && `(${code})`, event, status && `answered ${status}`];
  return { at, by, text: words ?? name, note: note.filter(Boolean).join(' ') || null };
}

/** Entries of this machine's journal about it: who asked, with what, and what came of it. */
async function askedFor(desk: Desk, { recipient, transaction }: FoundRecipient): Promise<Happened[]> {
  const { name: profile } = await desk.connection();
  const filter = { states: [], since: undefined, until: undefined, command: undefined, profile };
  const { entries } = await listIntents(desk, filter, MOST_ENTRIES);
  return entries
    .filter(
      (one) =>
        one.transaction_id === transaction.id ||
        one.subject === recipient.id ||
        one.result_id === transaction.id,
    )
    .map((one) => ({
      at: one.created_at,
      by: 'you',
      text: `${one.user ?? 'somebody'}: ${one.summary}`,
      note: `${one.command}, ${one.state.replace('_', ' ')}${one.note ? `: ${one.note}` : ''}`,
    }));
}

/** The state of now has no time and stays last; what else has none stays behind what came before it. */
export function inOrder(moments: readonly Happened[], asked: readonly Happened[]): Happened[] {
  const left = [...asked].sort((a, b) => atMs(a) - atMs(b));
  const last = moments.at(-1)?.at === '' ? moments.slice(-1) : [];
  const all: Happened[] = [];
  for (const one of moments.slice(0, moments.length - last.length)) {
    while (one.at !== '' && left[0] !== undefined && atMs(left[0]) < atMs(one))
      all.push(...left.splice(0, 1));
    all.push(one);
  }
  return [...all, ...left, ...last];
}
