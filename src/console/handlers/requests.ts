import { cancelRecipient, editRecipient } from '../../contract/operations/recipients.ts';
import { getTransaction } from '../../contract/operations/transactions.ts';
import { isoTime } from '../../core/clock.ts';
import { UNSETTLED } from '../../core/ports/intents.ts';
import { storyNow } from '../../desk/cases/story.ts';
import { listIntents, type ShownIntent } from '../../desk/payments/history.ts';
import { awaitsApproval } from '../../desk/payruns/approve.ts';
import { shownDigest } from '../../desk/payruns/digest.ts';
import { openPayStore } from '../../desk/payruns/open-store.ts';
import { whoPlanned, whoRejected } from '../../desk/payruns/persons.ts';
import { USUAL } from '../../desk/places/shared-store.ts';
import { problemOf } from '../../desk/problem-of.ts';
import { counted, span } from '../../desk/words/amount.ts';
import type { Call } from '../call.ts';
import type { AnswerOf, Request } from '../wire.ts';

const MOST = 500;
/** Requests of this age are answered, or a person has asked the operator. */
const LOOKED_BACK_MS = 3 * 24 * 3_600_000;
/** Payments that are read to see whether their requests were answered. */
const MOST_READ = 30;

/** Requests that are not over: outcomes that are not known, cancels that are not answered, corrections that were not tried yet, pay runs that nobody approved. */
export async function requests(call: Call): Promise<AnswerOf<'requests'>> {
  const { desk, account } = call;
  const filter = { since: undefined, until: undefined, command: undefined, profile: account.name };
  const [unsettled, applied] = await Promise.all([
    listIntents(desk, { ...filter, states: UNSETTLED }, MOST),
    listIntents(desk, { ...filter, states: ['applied'] }, MOST),
  ]);
  const since = desk.clock.now() - LOOKED_BACK_MS;
  const asked = applied.entries.filter(
    (one) =>
      [cancelRecipient.id, editRecipient.id].includes(one.operation) && Date.parse(one.created_at) >= since,
  );
  const looked = asked.slice(0, MOST_READ);
  const waiting = (await Promise.all(looked.map((one) => waitingFor(call, one)))).flat();
  const plans = await plansOf(call).then(
    (rows) => ({ rows, notes: [] }),
    // A store that is away hides no outcome that is not known.
    (error: unknown) => ({ rows: [], notes: [`Pay runs cannot be read: ${problemOf(error).message}.`] }),
  );
  return {
    rows: [...unsettled.entries.map((one) => unknownRow(call, one)), ...waiting, ...plans.rows],
    notes: [
      ...plans.notes,
      ...(asked.length > looked.length
        ? [`Only the newest ${MOST_READ} cancels and corrections were looked at.`]
        : []),
    ],
  };
}

/** Pay runs that wait for a person's approval. */
async function plansOf({ desk, spell }: Call): Promise<Request[]> {
  const { payruns } = await openPayStore(desk, USUAL);
  const { baseUrl } = await desk.connection();
  const found = await payruns.list({ baseUrl, limit: MOST });
  return found
    .filter((run) => run.state !== 'cancelled' && awaitsApproval(run))
    .map((run) => ({
      id: run.id,
      at: isoTime(run.createdAt),
      state: { word: 'waits for approval', look: 'waiting' },
      summary: `pay run ${run.name}, ${counted(run.rows, 'row')}`,
      note:
        run.rejection === undefined
          ? null
          : `rejected by ${whoRejected(run.rejection)}: ${run.rejection.because}`,
      who: whoPlanned(run),
      command: spell({ do: 'approve_run', name: run.name, digest: shownDigest(run.digest) }),
      recipient: null,
      run: run.name,
      canSettle: false,
    }));
}

function unknownRow({ spell, desk }: Call, one: ShownIntent): Request {
  return {
    ...shown(one),
    state: {
      word: one.state === 'open' ? 'under way, or cut off' : 'not known',
      look: 'bad',
    },
    note:
      one.note ??
      `asked for ${span(desk.clock.now() - Date.parse(one.created_at))} ago; nobody knows what came of it`,
    command: spell({ do: 'settle', id: one.id }),
    recipient: one.subject,
    run: null,
    canSettle: true,
  };
}

const shown = (one: ShownIntent): Pick<Request, 'id' | 'at' | 'summary' | 'who'> => ({
  id: one.id,
  at: one.created_at,
  summary: one.summary,
  who: one.user,
});

/** Returns nothing where it was answered, or cannot be read just now. */
async function waitingFor({ desk, spell }: Call, one: ShownIntent): Promise<Request[]> {
  const { transaction_id: id, subject } = one;
  if (id === null || subject === null) return [];
  try {
    const client = await desk.client();
    const { object } = await client.call(getTransaction, { path: { transaction_id: id } });
    const recipient = object.recipients?.find((each) => each.id === subject);
    if (recipient === undefined) return [];
    const { standing } = await storyNow(desk, { recipient, transaction: object });
    const what = one.operation === cancelRecipient.id ? 'cancel' : 'edit';
    if (standing.awaiting !== what) return [];
    return [
      {
        ...shown(one),
        state: { word: what === 'cancel' ? 'not answered yet' : 'not tried yet', look: 'waiting' },
        note: standing.because,
        command: spell({ do: 'show_recipient', id: subject }),
        recipient: subject,
        run: null,
        canSettle: false,
      },
    ];
  } catch {
    return [];
  }
}
