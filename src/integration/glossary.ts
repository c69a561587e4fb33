/** Every word of the contract with what it means, for a look-up: offline, made from the contract's own tables. */

import { type CategoryInfo, payinCategories, recipientCategories } from '../contract/categories.ts';
import type { CodeInfo } from '../contract/codes/row.ts';
import { codeInfo, payinCategoryOf, recipientCodes } from '../contract/codes.ts';
import { eventInfo, eventNames } from '../contract/events.ts';
import { memberMeanings } from '../contract/members.ts';
import { payinMethodMoves, payinMethodStates } from '../contract/states/payin-method.ts';
import { recipientStateInfo, recipientStates } from '../contract/states/recipient.ts';
import { recipientMoves } from '../contract/states/recipient-moves.ts';
import { senderMoves, senderStates } from '../contract/states/sender.ts';
import type { Move, StateInfo } from '../contract/states/state.ts';
import { transactionStates } from '../contract/states/transaction.ts';
import { transactionMoves } from '../contract/states/transaction-moves.ts';
import { byWord } from '../core/by-word.ts';
import type { DataOf } from '../frame/shape.ts';
import type { glossaryShape } from '../payments/shapes/reference.ts';

import { askOperator, waysOf, whoActs } from '../payments/words/reason.ts';

export type GlossaryKind =
  | 'recipient state'
  | 'transaction state'
  | 'sender state'
  | 'payin method state'
  | 'reason code'
  | 'reason category'
  | 'payin reason category'
  | 'event'
  | 'payout field'
  | 'member'
  | 'term';

export type Explanation = DataOf<typeof glossaryShape> & { kind: GlossaryKind };

const blank = { who: null, tell: null, can: [], moves: [], events: [], notes: [] } as const;

type States = Readonly<Record<string, StateInfo>>;
type Moves = readonly Move<string, string>[];

/** Leaves out the moves of a sandbox: the service has none. */
const real = (moves: Moves): Moves => moves.filter(({ on }) => !on.startsWith('force_'));

const machines: readonly (readonly [GlossaryKind, States, Moves])[] = [
  ['recipient state', recipientStates, real(recipientMoves)],
  ['transaction state', transactionStates, real(transactionMoves)],
  ['payin method state', payinMethodStates, real(payinMethodMoves)],
  ['sender state', senderStates, real(senderMoves)],
];

const CAN: Readonly<Record<StateInfo['can'][number], string>> = {
  fund: waysOf(['fund']),
  edit: waysOf(['edit']),
  cancel: waysOf(['cancel']),
  request_cancel: waysOf(['request_cancel']),
  retry: waysOf(['retry']),
  wait: 'wait',
  contact_operator: 'ask the operator',
  nothing: 'nothing',
};

/** Tells who must act in a state: what stands first in its `can` is what has to happen. */
function whoIn({ can }: StateInfo): string {
  const ways = waysOf(can);
  switch (can[0]) {
    case 'wait':
      return `the service: wait${ways === '' ? '' : `; or you: ${ways}`}`;
    case 'contact_operator':
      return askOperator(can);
    case 'nothing':
    case undefined:
      return 'nobody';
    default:
      return `you: ${ways}${can.includes('contact_operator') ? ', or ask the operator' : ''}`;
  }
}

/** Words of the service that stand in no answer of it. */
const TERMS: Readonly<Record<string, string>> = byWord({
  WTR2: 'the simplified mode of sender identification: one of three is enough (identification number and type; street, city and postal code; or date of birth). The operator switches it on for accounts that identify their customers in full. MAD::Cash and XOF::Cash cannot be paid with it.',
});

/** Everything but payout fields, which are loaded by name (`payout-fields.ts`). */
export function glossary(): Explanation[] {
  return [
    ...machines.flatMap(([kind, states, moves]) =>
      Object.entries(states).map(([name, info]) => stateEntry(kind, name, info, moves)),
    ),
    ...recipientCodes.map(({ code }) => codeEntry(code)),
    ...Object.entries(recipientCategories).map(([name, info]) =>
      categoryEntry('reason category', name, info),
    ),
    ...Object.entries(payinCategories).map(([name, info]) =>
      categoryEntry('payin reason category', name, info),
    ),
    ...eventNames.map(eventEntry),
    ...Object.entries(memberMeanings).map(
      ([name, meaning]): Explanation => ({ ...blank, kind: 'member', name, meaning }),
    ),
    ...Object.entries(TERMS).map(
      ([name, meaning]): Explanation => ({ ...blank, kind: 'term', name, meaning }),
    ),
  ];
}

/** Without amounts, which a word alone does not have. */
function tellOfState(name: string): string | null {
  const tell = recipientStateInfo(name)?.tell;
  return tell === undefined ? null : tell.replace('{amount}', 'the amount').replace(/^the/, 'The');
}

function stateEntry(kind: GlossaryKind, name: string, info: StateInfo, moves: Moves): Explanation {
  const leaving = moves.filter(({ from }) => from === name);
  const events = moves.filter(({ to }) => to === name).flatMap((move) => move.events);
  return {
    ...blank,
    kind,
    name,
    meaning: info.meaning,
    who: whoIn(info),
    tell: kind === 'recipient state' ? tellOfState(name) : null,
    can: info.can.map((word) => CAN[word]),
    moves: leaving.map(({ to, says }) => (to === name ? `stays: ${says}` : `-> ${to}: ${says}`)),
    events: [...new Set(events)].filter((event) => event.startsWith(kindOfEvent(kind))),
    notes: info.terminal
      ? ['final: nothing moves it any more']
      : info.finalWhen
        ? [`the end where ${info.finalWhen}`]
        : [],
  };
}

/** `payin method state` -> `payin_method.` */
const kindOfEvent = (kind: GlossaryKind): string => `${kind.replace(/ state$/, '').replaceAll(' ', '_')}.`;

function categoryEntry(kind: GlossaryKind, name: string, info: CategoryInfo): Explanation {
  return {
    ...blank,
    kind,
    name,
    meaning: info.meaning,
    who: whoActs(info),
    can: [`edit: ${info.edit}`, `retry: ${info.retry}`, `cancel: ${info.cancel}`],
    notes: [
      `usual state: ${info.state}`,
      ...(info.aliases.length > 0 ? [`on the wire also: ${info.aliases.join(', ')}`] : []),
    ],
  };
}

function codeEntry(code: string): Explanation {
  const info = codeInfo(code);
  if (info === undefined) throw new Error(`no code ${code}`);
  const category = recipientCategories[info.category];
  const collected = payinCategoryOf(code);
  return {
    ...blank,
    kind: 'reason code',
    name: code,
    meaning: info.description,
    who: whoActs(category),
    can: [...editAndRetry(info, category), `cancel: ${category.cancel}`],
    events: eventsOf(category.state),
    tell: info.tell?.says ?? null,
    notes: [
      `category: ${info.category}${collected !== undefined && collected !== info.category ? `; in a collection: ${collected}` : ''}`,
      `the service says: ${info.messages.filter((text, index, all) => all.indexOf(text) === index).join(' / ')}`,
      `usual state: ${category.state}`,
    ],
  };
}

/** Details are not what is wrong with an account that is full, or over a limit: only another account helps. */
const editAndRetry = ({ category, tell }: CodeInfo, { edit, retry }: CategoryInfo): string[] =>
  category === 'recipient_error' && tell?.group === 'again'
    ? ['edit: possible; it helps where another account is given', 'retry: the service tries again']
    : [`edit: ${edit}`, `retry: ${retry}`];

/** A reason comes with the event of the state that it explains. */
function eventsOf(states: string): string[] {
  const table: Readonly<Record<string, string>> = {
    success: 'recipient.paid_out',
    pending: 'recipient.pending',
    error: 'recipient.error',
  };
  return Object.entries(table).flatMap(([state, event]) => (states.includes(state) ? [event] : []));
}

function eventEntry(name: (typeof eventNames)[number]): Explanation {
  const { object, meaning, collectionsOnly, sandbox } = eventInfo(name);
  const sentBy = machines.flatMap(([kind, , moves]) =>
    moves
      .filter(({ events }) => events.includes(name))
      .map(({ from, to, says }) => `${kind.replace(/ state$/, '')} ${from} -> ${to}: ${says}`),
  );
  return {
    ...blank,
    kind: 'event',
    name,
    meaning,
    moves: sentBy,
    notes: [
      `its object: ${object}`,
      ...(collectionsOnly ? ['sent for collections only'] : []),
      ...(sandbox ? [] : ['the sandbox never sends it']),
    ],
  };
}
