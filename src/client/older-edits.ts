/**
 * Edits of one recipient whose outcome is unknown, when a newer edit was answered. The journal orders wishes, not arrivals: an older edit
 * may have stood before the newer one, or may arrive after it and undo it. So the recipient is looked at once more.
 */
import type { Recipient, RecipientEdit } from '../contract/resources/transaction.ts';
import type { Client } from './client.ts';
import { editDifferences } from './compare.ts';
import { isCallError } from './errors.ts';
import type { Conflict } from './outcome.ts';
import { type Intent, type Intents, UNSETTLED } from './store/port.ts';
import { type AskedWrite, type EditAsked, readRecipient } from './writes.ts';

type Older = Intent & { asked: EditAsked };

/**
 * Closes older edits all of whose members the newer one set again, where the recipient shows the newer values. Where it shows older
 * ones, that is a conflict: the newer edit was undone. What cannot be read stays as it is, and where the journal fails an older edit stays open
 * in it: what became of the newer one is known, and no journal changes that.
 */
export async function closeOlderEdits(
  client: Client,
  intents: Intents,
  { id, ...newer }: EditAsked & { id: string },
): Promise<(Conflict & { value: Recipient }) | undefined> {
  const older = await olderThan(intents, id, newer);
  if (older.length === 0) return undefined;
  const found = await look(client, newer);
  if (found === undefined) return undefined;
  const differences = editDifferences(newer.recipient, found);
  if (differences.length === 0) {
    for (const { id: overtaken } of older)
      await ifJournal(
        intents.close(overtaken, {
          state: 'conflict',
          note: `overtaken by ${id}; it may have stood before`,
        }),
      );
    return undefined;
  }
  const undoing = older.find(({ asked }) => editDifferences(asked.recipient, found).length === 0);
  if (undoing === undefined) return undefined;
  await ifJournal(
    intents.close(undoing.id, {
      state: 'applied',
      resultId: newer.recipientId,
      note: `found; it undid ${id}`,
    }),
  );
  return { kind: 'conflict', value: found, differences, undoneBy: undoing.id };
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
    const asked = intent.request === undefined ? undefined : (JSON.parse(intent.request) as AskedWrite);
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
