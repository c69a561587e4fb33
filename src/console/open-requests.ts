/** Requests of this machine that are not over: unknown outcomes, cancels without an answer, corrections not tried yet, pay runs not approved. */
import type * as z from 'zod/mini';
import { UNSETTLED } from '../client/store/port.ts';
import { cancelRecipient, editRecipient } from '../contract/operations/recipients.ts';
import { getTransaction } from '../contract/operations/transactions.ts';
import { span } from '../core/amount-words.ts';
import type { Hint, Next } from '../core/next.ts';
import { storyNow } from '../payments/cases/story.ts';
import type { Desk } from '../payments/desk.ts';
import { listIntents, type ShownIntent } from '../payments/history.ts';
import { problemOf } from '../payments/problem-of.ts';
import type { openRequest } from '../payments/shapes/told.ts';

export interface OpenRequest extends z.output<typeof openRequest> {
  next: Next;
}

const MOST = 500;
/** Requests of this age are answered, or a person has asked the operator. */
const LOOKED_BACK_MS = 3 * 24 * 3_600_000;
/** Payments that are read to see whether their requests were answered. */
const MOST_READ = 30;

export async function openRequests(desk: Desk): Promise<{ rows: OpenRequest[]; notes: Hint[] }> {
  const { name: profile } = await desk.connection();
  const filter = { since: undefined, until: undefined, command: undefined, profile };
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
  const waiting = (await Promise.all(looked.map((one) => waitingFor(desk, one)))).flat();
  const plans = await plansOf(desk).then(
    (rows) => ({ rows, notes: [] }),
    // A store that is away hides no outcome that is not known.
    (error: unknown) => ({ rows: [], notes: [`Pay runs cannot be read: ${problemOf(error).message}.`] }),
  );
  const prepared = await preparedOf(desk);
  const cut = `Only the newest ${MOST_READ} cancels and corrections were looked at.`;
  return {
    rows: [...unsettled.entries.map((one) => unknown(desk, one)), ...waiting, ...plans.rows, ...prepared],
    notes: [...plans.notes, ...(asked.length > looked.length ? [cut] : [])],
  };
}

async function preparedOf(desk: Desk): Promise<OpenRequest[]> {
  const plans = (await (await desk.ports.agents?.())?.waitingPlans(desk, MOST_READ)) ?? [];
  return plans.map(({ handle, created_at, summary, by }) => ({
    ...{ id: handle, at: created_at, summary, note: null, who: by },
    state: { word: 'prepared by an agent', look: 'waiting' },
    next: { do: 'approve_plan', handle },
    ...{ recipient: null, run: null, canSettle: false },
  }));
}

/** Pay runs that wait for a person's approval. */
async function plansOf(desk: Desk): Promise<OpenRequest[]> {
  const found = (await (await desk.ports.runs?.())?.waitingRuns(desk, MOST)) ?? [];
  return found.map((one) => ({
    ...one,
    state: { word: 'waits for approval', look: 'waiting' },
    recipient: null,
    canSettle: false,
  }));
}

const shown = ({ id, created_at: at, summary, user: who, subject: recipient }: ShownIntent) => ({
  ...{ id, at, summary, who, recipient },
  run: null,
});

const unknown = ({ clock }: Desk, one: ShownIntent): OpenRequest => ({
  ...shown(one),
  state: { word: one.state === 'open' ? 'under way, or cut off' : 'not known', look: 'bad' },
  note:
    one.note ??
    `asked for ${span(clock.now() - Date.parse(one.created_at))} ago; nobody knows what came of it`,
  next: { do: 'settle', id: one.id },
  canSettle: true,
});

/** Empty where it was answered, or cannot be read just now. */
async function waitingFor(desk: Desk, one: ShownIntent): Promise<OpenRequest[]> {
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
        next: { do: 'show_recipient', id: subject },
        canSettle: false,
      },
    ];
  } catch {
    return [];
  }
}
