/**
 * Edits of one recipient whose outcome is unknown, when a newer edit was answered. The journal orders wishes, not arrivals: an older edit
 * may have stood before the newer one, or may arrive after it and undo it. Nobody can stop that. So the recipient is looked at once more, and the
 * older edit stays open until an hour of the service's time after its loss was seen: until then every look at the recipient compares.
 */
import type { Recipient, RecipientEdit } from '../contract/resources/transaction.ts';
import { HOUR_MS } from '../core/clock.ts';
import type { Client } from './client.ts';
import { overtakenNote, undidNote } from './closing.ts';
import { editDifferences } from './compare.ts';
import { isCallError } from './errors.ts';
import type { Conflict, MayArrive, Outcome } from './outcome.ts';
import { type Intent, type Intents, UNSETTLED } from './store/port.ts';
import { type Asked, type EditAsked, readRecipient } from './writes.ts';

type Older = Intent & { asked: EditAsked };

/**
 * Looks for older edits all of whose members the newer one set again. Where the recipient shows older values, that is a conflict: the newer edit was
 * undone. Where the journal fails an older edit stays open in it: what became of the newer one is known, and no journal changes that.
 */
export async function lookForOlderEdits(
  client: Client,
  intents: Intents,
  { id, ...newer }: EditAsked & { id: string },
): Promise<(Conflict & { value: Recipient }) | { mayArrive: MayArrive } | undefined> {
  const older = await olderThan(intents, id, newer);
  if (older.length === 0) return undefined;
  const found = await look(client, newer);
  const shows = (edit: RecipientEdit): boolean =>
    found !== undefined && editDifferences(edit, found).length === 0;
  const isNewer = shows(newer.recipient);
  const undoing = isNewer ? undefined : older.find(({ asked }) => shows(asked.recipient));
  if (undoing !== undefined) {
    const value = found as Recipient;
    const closing = { state: 'applied', resultId: newer.recipientId, note: undidNote(id) } as const;
    await ifJournal(intents.close(undoing.id, closing));
    const differences = editDifferences(newer.recipient, value);
    return { kind: 'conflict', value, differences, undoneBy: undoing.id };
  }
  const now = client.date();
  const ends: (number | undefined)[] = [];
  for (const one of older) {
    // It asked for the same: whether it arrives changes nothing.
    const isSame = isNewer && shows(one.asked.recipient);
    const emptySince = one.emptySince ?? now;
    const note = overtakenNote(id);
    await ifJournal(
      intents.close(one.id, isSame ? { state: 'conflict', note } : { state: 'unknown', note, emptySince }),
    );
    if (!isSame) ends.push(emptySince === undefined ? undefined : emptySince + HOUR_MS);
  }
  if (ends.length === 0) return undefined;
  const until = ends.every((end) => end !== undefined) ? Math.max(...ends) : undefined;
  return { mayArrive: { until, isLooked: found !== undefined } };
}

/**
 * Judges a look for an edit that a newer one overtook. What the recipient shows of it arrived late, and undid the newer one. Where it does not
 * show it for an hour, nothing of it is on its way any more.
 */
export function judgeOvertaken<T>(
  looked: Outcome<T>,
  { newer, since, date }: { newer: string; since: number | undefined; date: number | undefined },
): Outcome<T> {
  if (looked.kind === 'applied')
    return { kind: 'conflict', value: looked.value, differences: [], undid: newer };
  if (looked.kind === 'unknown' && looked.error !== undefined) return looked;
  // A time that is not known is no number, and nothing is over by it.
  const isOver = looked.kind === 'not_applied' || Number(date) - Number(since) >= HOUR_MS;
  if (isOver) return { kind: 'conflict', value: undefined, differences: [], overtakenBy: newer };
  const overAt = since === undefined ? {} : { overAt: since + HOUR_MS };
  return { kind: 'unknown', error: undefined, overtakenBy: newer, ...overAt };
}

/** Undefined where the journal cannot be read, or written. */
const ifJournal = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined);

/** Reads the recipient as it stands; undefined where it cannot be read, or is not there. */
async function look(client: Client, newer: EditAsked): Promise<Recipient | undefined> {
  try {
    return await readRecipient(client, newer);
  } catch (error) {
    if (!isCallError(error)) throw error;
    return undefined;
  }
}

async function olderThan(intents: Intents, id: string, newer: EditAsked): Promise<Older[]> {
  const { recipientId: subject } = newer;
  const all = { subject, limit: Number.MAX_SAFE_INTEGER };
  const open = await ifJournal(intents.list({ ...all, states: UNSETTLED }));
  const after = await ifJournal(intents.list({ ...all, after: id }));
  if (open === undefined || after === undefined) return [];
  const members = new Set(membersOf(newer.recipient));
  return open.flatMap((intent) => {
    const asked = intent.request === undefined ? undefined : (JSON.parse(intent.request) as Asked);
    const isOlder = intent.id !== id && !after.some((one) => one.id === intent.id);
    if (!isOlder || asked?.plan !== 'edit') return [];
    return membersOf(asked.recipient).every((name) => members.has(name)) ? [{ ...intent, asked }] : [];
  });
}

/** Tells which members of a recipient an edit sets. */
const membersOf = ({ payout_method: method, metadata }: RecipientEdit): string[] =>
  Object.entries({ details: method?.details, of_method: method?.metadata, metadata }).flatMap(([part, map]) =>
    Object.keys(map ?? {}).map((name) => `${part}.${name}`),
  );
