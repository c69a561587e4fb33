/** The faults of a run: which there are, and how often each has fired. */
import { type FaultName, faultInfo, faultNames } from '../../../src/contract/controls/faults.ts';
import type { OperationId } from '../../../src/contract/operations/index.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';
import type { Fault as NetworkFault } from '../faults.ts';

export interface Arm {
  fault: FaultName;
  times: number;
  /** Only where this operation is called; any, where none is named. */
  operation?: OperationId;
  delayMs?: number;
  status?: number;
}

/** What it is counted under. */
export const nameOf = ({ fault, operation }: Arm): string =>
  operation === undefined ? fault : `${fault} ${operation}`;

const at = (place: string): FaultName[] => faultNames.filter((name) => faultInfo(name).place === place);

export const callFaults = at('call');
export const webhookFaults = at('webhook');
/** What happens to a cancel is armed at cancels. */
export const payoutFaults = at('payout').filter((name) => name !== 'paid-while-cancelling');

/** What a network does that the service does not: late arrivals, gateways, spoilt answers. */
export const networkFaults: readonly NetworkFault[] = [
  'cut on the way',
  'answer cut',
  'late, after the next',
  'late, after the run',
  'a gateway gives up with 504 and the service does it',
  'the service does it and says 500',
  'slow down, says 429',
  'a success without a body',
  'a success cut to half a body',
];

interface Armed {
  id: string;
  fault: FaultName;
  fired: number;
  left: number | string;
}

export class Weather {
  readonly #sandbox: Sandbox;
  readonly #fired = new Map<string, number>(faultNames.map((name) => [name, 0]));
  /** Armed and not gone yet: how often each was told to fire. */
  readonly #armed = new Map<string, Arm>();

  constructor(sandbox: Sandbox) {
    this.#sandbox = sandbox;
  }

  async arm(arm: Arm): Promise<void> {
    const { delayMs: delay_ms, ...body } = arm;
    const said = await this.#sandbox.control.ask('sandbox.faults.arm', { body: { ...body, delay_ms } });
    if (said.kind !== 'done') throw new Error(`${nameOf(arm)} cannot be armed`);
    this.#armed.set((said.object as { id: string }).id, arm);
  }

  /** What has not fired as often as it was told to. */
  async waiting(): Promise<ReadonlySet<string>> {
    const left = new Set((await this.#list()).map(({ id }) => id));
    return new Set([...this.#armed].flatMap(([id, arm]) => (left.has(id) ? nameOf(arm) : [])));
  }

  /** What waits for a request waits no longer. */
  clearCalls(): Promise<void> {
    return this.#disarm(({ fault }) => callFaults.includes(fault));
  }

  clear(): Promise<void> {
    return this.#disarm(() => true);
  }

  /** One that is gone by itself fired as often as it was told to. */
  async #disarm(which: (arm: Arm) => boolean): Promise<void> {
    const meant = [...this.#armed].filter(([, arm]) => which(arm));
    const left = meant.length > 0 ? await this.#list() : [];
    for (const [id, arm] of meant) {
      const found = left.find((each) => each.id === id);
      const name = nameOf(arm);
      this.#fired.set(name, (this.#fired.get(name) ?? 0) + (found?.fired ?? arm.times));
      this.#armed.delete(id);
      if (found) await this.#sandbox.control.ask('sandbox.faults.disarm', { id });
    }
  }

  async #list(): Promise<Armed[]> {
    const said = await this.#sandbox.control.ask('sandbox.faults.list');
    return said.kind === 'done' ? (said.object as { armed: Armed[] }).armed : [];
  }

  fired(): Record<string, number> {
    return Object.fromEntries(this.#fired);
  }
}
