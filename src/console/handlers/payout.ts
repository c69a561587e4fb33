import type { Recipient } from '../../contract/resources/transaction.ts';
import { isCalledOff, isPaidOut } from '../../contract/states/money.ts';
import { recipientStateInfo } from '../../contract/states/recipient.ts';
import { isoTime } from '../../core/clock.ts';
import { type Case, caseNow } from '../../desk/cases/facts.ts';
import type { Possible } from '../../desk/cases/standing.ts';
import { whoMustAct } from '../../desk/cases/standing.ts';
import { timelineOf } from '../../desk/cases/timeline.ts';
import { factLines, handOverText, happenedLines, refundText } from '../../desk/cases/told.ts';
import { type FoundRecipient, findRecipient, findRecipientOf } from '../../desk/lookup/recipient.ts';
import { fieldsNamedBy, kindOf } from '../../desk/payments/edit-recipient.ts';
import { listIntents } from '../../desk/payments/history.ts';
import { maskData } from '../../desk/words/mask.ts';
import type { Call } from '../call.ts';
import { alikeRow, rowOf } from '../rows.ts';
import type { Moment } from '../wire/parts.ts';
import type { AnswerOf, Payout } from '../wire.ts';

/** All that a caller asks about one payout, as it stands at the service now. */
export async function payout(call: Call, { id }: { id: string }): Promise<Payout> {
  const { desk, showing, spell } = call;
  const found = await foundBy(call, id);
  const { recipient, transaction } = found;
  const now = await caseNow(desk, found);
  const told = maskData(now, showing.mask);
  const { sender } = transaction;
  const named = (one: Recipient) => ({ ...one, sender, transaction_external_id: transaction.external_id });
  const recipientId = recipient.id ?? id;
  return {
    row: rowOf({ ...named(recipient), transaction_id: transaction.id }, showing),
    tell: told.standing.tell_the_customer,
    who: whoMustAct(now, now.standing),
    because: told.standing.because,
    refund: refundText(now),
    refundAt: refundAt(now),
    lines: [...factLines(told), ...happenedLines(told)].flatMap(([label, text]) =>
      text && !SHOWN_APART.has(label) ? [{ label, text }] : [],
    ),
    pickup: told.pickup,
    can: now.standing.can.map((act) => ({ act, command: spell(stepOf(act, recipientId)) })),
    // A refund that is on its way comes by itself, and is looked for as an answer is.
    isAwaiting: now.standing.awaiting === 'cancel' || (isCalledOff(now.state) && now.standing.act !== null),
    details: await detailsOf(recipient, call),
    others: (transaction.recipients ?? [])
      .filter((one) => one.id !== recipient.id)
      .map((one) => rowOf({ ...named(one), transaction_id: transaction.id }, showing)),
    alike: told.look_alikes?.map(alikeRow) ?? null,
    handOver: handOverText(told),
    proofs: isPaidOut(now.state) ? spell({ do: 'list_proofs', id: recipientId }) : null,
    command: spell({ do: 'show_recipient', id: recipientId }),
  };
}

/** An id of a recipient; or of a payment, where it has one recipient. */
async function foundBy({ desk }: Call, id: string): Promise<FoundRecipient> {
  try {
    return await findRecipient(desk, id, { use: 'read' });
  } catch (error) {
    try {
      return await findRecipientOf(desk, id);
    } catch {
      throw error;
    }
  }
}

/** The page shows these in places of their own. */
const SHOWN_APART: ReadonlySet<string> = new Set([
  'pick-up code',
  'picked up',
  'what happened',
  'same account',
]);

/** At the earliest, by the clock. */
function refundAt({ created_at: created, standing }: Case): string | null {
  const { refund_in_seconds: left, age_seconds: age } = standing;
  if (left === null || age === null || !created) return null;
  return isoTime(Date.parse(created) + (age + left.earliest) * 1000);
}

const stepOf = (act: Possible, id: string) =>
  act === 'edit'
    ? ({ do: 'edit_recipient', id } as const)
    : ({ do: 'cancel_recipients', ids: [id], request: act === 'request_cancel', wait: true } as const);

/** The details that a correction may change: what the failure is about is marked. */
async function detailsOf(recipient: Recipient, { showing }: Call): Promise<Payout['details']> {
  const method = recipient.payout_method;
  const { loadCorridor, loadOptionsOf } = await import('../../contract/corridors/index.ts');
  const corridor = await loadCorridor(method?.type ?? '');
  const fields = corridor?.recipientKinds[kindOf(recipient)] ?? [];
  const optionsOf = corridor && (await loadOptionsOf(corridor));
  const shown = maskData(method?.details ?? {}, showing.mask, 'details') as Record<string, unknown>;
  const named = fieldsNamedBy(recipient);
  const names = [...new Set([...fields.map(({ name }) => String(name)), ...Object.keys(shown)])];
  return names.map((name) => {
    const field = fields.find((one) => one.name === name);
    const given = field?.options;
    const options = Object.entries((typeof given === 'string' ? optionsOf?.(given) : given) ?? {});
    return {
      name,
      label: field?.label ?? name.replaceAll('_', ' '),
      shown: String(shown[name] ?? ''),
      isNamed: named.includes(name) && (field !== undefined || shown[name] !== undefined),
      options: options.length === 0 ? null : options.map(([code, label]) => ({ code, label: String(label) })),
    };
  });
}

/** Entries of the journal that are looked through for those of one payment. */
const MOST_ENTRIES = 1_000;

/** The life of a payout: what the service did, what was asked of it, and who asked. */
export async function timeline(call: Call, { id }: { id: string }): Promise<AnswerOf<'timeline'>> {
  const { desk } = call;
  const found = await findRecipient(desk, id, { use: 'read' });
  const [{ moments, looked, whole }, asked] = await Promise.all([
    timelineOf(desk, found),
    askedFor(call, found),
  ]);
  const shown = moments.map((one): Moment => {
    const word = recipientStateInfo(one.name)?.words;
    return {
      at: one.at,
      by: one.by,
      text: one.what === 'state' && word !== undefined ? word : one.name,
      note:
        [one.reason, one.code && `(${one.code})`, one.event, one.status && `answered ${one.status}`]
          .filter(Boolean)
          .join(' ') || null,
    };
  });
  return {
    moments: inOrder(shown, asked),
    notes: whole ? [] : [`Made from the newest ${looked} records of the logs: there may be older ones.`],
  };
}

/** Entries of this machine's journal about it: who asked, with what, and what came of it. */
async function askedFor(
  { desk, account }: Call,
  { recipient, transaction }: FoundRecipient,
): Promise<Moment[]> {
  const { entries } = await listIntents(
    desk,
    { states: [], since: undefined, until: undefined, command: undefined, profile: account.name },
    MOST_ENTRIES,
  );
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
function inOrder(moments: readonly Moment[], asked: readonly Moment[]): Moment[] {
  const left = [...asked].sort((a, b) => a.at.localeCompare(b.at));
  const last = moments.at(-1)?.at === '' ? moments.slice(-1) : [];
  const all: Moment[] = [];
  for (const one of moments.slice(0, moments.length - last.length)) {
    while (one.at !== '' && left[0] !== undefined && left[0].at < one.at) all.push(...left.splice(0, 1));
    all.push(one);
  }
  return [...all, ...left, ...last];
}
