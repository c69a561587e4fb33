import { uuid } from '../core/ids.ts';
import type { Intent, IntentClosing, IntentStanding, IntentState, NewIntent } from '../core/ports/intents.ts';
import type { StoreDependencies } from './dependencies.ts';

/** Intents as they are written within a transaction, of the journal or of a pay run. */
export interface IntentWrites {
  /** Open, with an id and a time; not written yet. */
  draw(intent: NewIntent): Intent;
  insert(intent: Intent): void;
  stateOf(id: string): IntentState;
  /** As `Intents.close`. */
  close(id: string, closing: IntentClosing): IntentStanding;
  /** As `Intents.told`. */
  told(id: string): void;
}

export const drawIntent = ({ clock, random }: StoreDependencies, intent: NewIntent): Intent => {
  const now = clock.now();
  return { ...intent, id: uuid(random), state: 'open', createdAt: now, updatedAt: now };
};
