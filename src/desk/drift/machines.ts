/**
 * The state machines of the double as a graph: which state may come after which, at once or later. A log misses states, and brings
 * deliveries twice and in another order, so only what no order of the double explains counts as a difference.
 */
import type { EventName } from '../../contract/events.ts';
import {
  payinMethodMoves,
  payinMethodStarts,
  payinMethodStates,
} from '../../contract/states/payin-method.ts';
import { recipientStates } from '../../contract/states/recipient.ts';
import { recipientMoves, recipientStarts } from '../../contract/states/recipient-moves.ts';
import { senderMoves, senderStarts, senderStates } from '../../contract/states/sender.ts';
import { transactionStates } from '../../contract/states/transaction.ts';
import { transactionMoves, transactionStarts } from '../../contract/states/transaction-moves.ts';

export interface Machine {
  states: readonly string[];
  starts: readonly string[];
  /** The states that one move leads to. */
  next(state: string): readonly string[];
  /** True where a state can come after another, with any states between. */
  leads(from: string, to: string): boolean;
  /** The states in which a record is when this event is sent; empty where no move sends it. */
  withEvent(event: EventName): readonly string[];
}

interface Row {
  from?: string;
  to: string;
  events: readonly EventName[];
}

export type MachineName = 'transaction' | 'recipient' | 'sender' | 'payin_method';

const machineOf = (states: object, starts: readonly Row[], moves: readonly Row[]): Machine => {
  const next = (state: string) => [
    ...new Set(moves.filter(({ from }) => from === state).map(({ to }) => to)),
  ];
  const reached = new Map(Object.keys(states).map((state) => [state, reachedFrom(state, next)]));
  return {
    states: Object.keys(states),
    starts: [...new Set(starts.map(({ to }) => to))],
    next,
    leads: (from, to) => from === to || (reached.get(from)?.has(to) ?? false),
    withEvent: (event) => [
      ...new Set([...starts, ...moves].filter(({ events }) => events.includes(event)).map(({ to }) => to)),
    ],
  };
};

function reachedFrom(state: string, next: (state: string) => readonly string[]): ReadonlySet<string> {
  const reached = new Set<string>();
  const open = [state];
  for (let from = open.pop(); from !== undefined; from = open.pop()) {
    for (const to of next(from)) {
      if (reached.has(to)) continue;
      reached.add(to);
      open.push(to);
    }
  }
  return reached;
}

export const machines: Readonly<Record<MachineName, Machine>> = {
  transaction: machineOf(transactionStates, transactionStarts, transactionMoves),
  recipient: machineOf(recipientStates, recipientStarts, recipientMoves),
  sender: machineOf(senderStates, senderStarts, senderMoves),
  payin_method: machineOf(payinMethodStates, payinMethodStarts, payinMethodMoves),
};

export const hasMachine = (name: string): name is MachineName => Object.hasOwn(machines, name);
