/** Faults that are armed, and a record of those that fired. Plain data, so that they survive with everything else. */
import { type FaultName, faultInfo } from '../../contract/controls/faults.ts';

export interface ArmedFault {
  /** `f1`, `f2`, …: arming a fault must not change the ids of anything else. */
  id: string;
  fault: FaultName;
  /** How often it will still fire; null is always. */
  left: number | null;
  operation: string | null;
  corridor: string | null;
  event: string | null;
  webhook: string | null;
  delayMs: number;
  status: number;
  armedAt: number;
  fired: number;
}

export interface FiredFault {
  at: number;
  id: string;
  fault: FaultName;
  /** The thing that the fault happened to: an operation, an event with its object, a recipient. */
  what: string;
}

/** The occasion that a fault is asked about. */
interface Occasion {
  operation?: string;
  corridor?: string;
  event?: string;
  webhook?: string;
}

export interface FaultState {
  count: number;
  armed: ArmedFault[];
  fired: FiredFault[];
}

type Arming = Pick<ArmedFault, 'fault'> &
  Partial<Pick<ArmedFault, 'left' | 'operation' | 'corridor' | 'event' | 'webhook' | 'delayMs' | 'status'>>;

const FIRED_KEPT = 1_000;

export class Faults {
  #state: FaultState = { count: 0, armed: [], fired: [] };

  arm(arming: Arming, at: number): ArmedFault {
    const { delayMs = 0, status = 500 } = faultInfo(arming.fault);
    this.#state.count += 1;
    const armed: ArmedFault = {
      id: `f${this.#state.count}`,
      left: null,
      operation: null,
      corridor: null,
      event: null,
      webhook: null,
      delayMs,
      status,
      armedAt: at,
      fired: 0,
      ...arming,
    };
    this.#state.armed.push(armed);
    return armed;
  }

  /** The first fault of this name that is armed for the occasion; it has fired then. */
  take(fault: FaultName, occasion: Occasion, at: number, what: string): ArmedFault | undefined {
    if (this.#state.armed.length === 0) return undefined;
    const found = this.#find(fault, occasion);
    if (!found) return undefined;
    found.fired += 1;
    if (found.left !== null) found.left -= 1;
    if (found.left === 0) this.disarm(found.id);
    this.#state.fired.push({ at, id: found.id, fault, what });
    if (this.#state.fired.length > FIRED_KEPT) this.#state.fired.shift();
    return found;
  }

  #find(fault: FaultName, occasion: Occasion): ArmedFault | undefined {
    const fits = (wanted: string | null, given: string | undefined) => wanted === null || wanted === given;
    return this.#state.armed.find(
      (each) =>
        each.fault === fault &&
        fits(each.operation, occasion.operation) &&
        fits(each.corridor, occasion.corridor) &&
        fits(each.event, occasion.event) &&
        fits(each.webhook, occasion.webhook),
    );
  }

  /** False when there is none of that id. */
  disarm(id: string): boolean {
    const before = this.#state.armed.length;
    this.#state.armed = this.#state.armed.filter((each) => each.id !== id);
    return this.#state.armed.length < before;
  }

  clear(): void {
    this.#state.armed = [];
  }

  get any(): boolean {
    return this.#state.armed.length > 0;
  }

  state(): Readonly<FaultState> {
    return this.#state;
  }

  /** Takes the place of what was armed and what fired before. */
  resume(state: FaultState): void {
    this.#state = state;
  }
}
