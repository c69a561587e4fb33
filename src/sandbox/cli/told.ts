/** A sandbox as it is told: its clock, its money, its faults, and the story of any id in it. */
import type { Desk } from '../../payments/desk.ts';
import { spoken } from '../../payments/words/questions.ts';
import { control } from './control.ts';

interface State {
  clock: { now: string; mode: 'running' | 'standing' };
  next_due: string | null;
  balances: Record<string, string>;
  ledger: Record<string, Record<string, string>>;
  states: Record<string, Record<string, number>>;
  settings: Record<string, unknown>;
}

export interface SandboxFaults {
  armed: { id: string; fault: string; left: string | number; fired: number; [scope: string]: unknown }[];
  fired: { at: string; fault: string; what?: string | null; [member: string]: unknown }[];
}

/** The life of a record in a sandbox: each change, and the rule that made it. */
export interface RecordStory {
  object: string;
  id: string;
  state: string;
  changes: SandboxChange[];
}
export interface SandboxChange {
  at: string;
  object: string;
  id: string;
  from: string | null;
  to: string;
  basis: string;
  says: string;
  note?: string;
  [member: string]: unknown;
}

export const faultsIn = (desk: Desk): Promise<SandboxFaults> =>
  control<SandboxFaults>(desk, 'sandbox.faults.list');

/** @throws Problem (not_found) */
export const recordStory = (desk: Desk, id: string): Promise<RecordStory> =>
  control<RecordStory>(desk, 'sandbox.explain', { id });

/** The last faults that happened. */
const MOST_FIRED = 50;

export async function toldSandbox(desk: Desk) {
  const { clock, next_due: due, ...state } = await control<State>(desk, 'sandbox.state');
  const { armed, fired } = await faultsIn(desk);
  const spokenIn = (amounts: Readonly<Record<string, string>>): string =>
    Object.entries(amounts)
      .map(([currency, amount]) => spoken(amount, currency))
      .join(', ') || 'none';
  const counts = (each: Readonly<Record<string, number>>): string =>
    Object.entries(each)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none';
  return {
    ...clock,
    due,
    balances: labelled(state.balances, (amount, currency) => spoken(amount, currency)),
    ledger: labelled(state.ledger, spokenIn),
    states: labelled(state.states, counts),
    settings: labelled(state.settings, String),
    armed: armed.map(({ id, fault, left, operation, corridor, event, webhook }) => ({
      id,
      text: `${fault} for ${operation ?? corridor ?? event ?? webhook ?? 'all'}: ${left === 'always' ? 'always' : `${left} more`}`,
    })),
    fired: fired
      .slice(-MOST_FIRED)
      .reverse()
      .map(({ at, fault, what }) => ({ at, by: 'service' as const, text: fault, note: what ?? null })),
  };
}

const labelled = <Value>(
  values: Readonly<Record<string, Value>>,
  textOf: (value: Value, label: string) => string,
): { label: string; text: string }[] =>
  Object.entries(values).map(([label, value]) => ({ label, text: textOf(value, label) }));

/** `recipient: pending → paid`, and the rule that made it so. */
export const changeWords = ({
  object,
  from,
  to,
  basis,
  says,
  note,
}: SandboxChange): { text: string; note: string } => ({
  text: `${object}: ${from === null ? '' : `${from} → `}${to}`,
  note: [`${says} (${basis === 'assumed' ? 'the sandbox assumes this rule' : basis})`, note]
    .filter(Boolean)
    .join(' · '),
});
