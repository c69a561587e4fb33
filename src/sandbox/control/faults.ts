/** Arming a fault: what it is for must exist, and must be something that it can happen to. */
import { type FaultName, faultInfo, isFaultName } from '../../contract/controls/faults.ts';
import { isEventName } from '../../contract/events.ts';
import { catalogue } from '../../contract/operations/index.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { Plain } from '../store/records.ts';
import { wireTime } from '../views/json.ts';
import { type ControlAnswer, succeeded, wrong } from './said.ts';

interface Arming {
  fault?: string;
  times?: number;
  operation?: string;
  corridor?: string;
  event?: string;
  webhook?: string;
  delay_ms?: number;
  status?: number;
}

/** The body was checked against its schema. */
export function armFault(sandbox: SandboxState, body: Plain): ControlAnswer {
  const { fault = '', times, operation, corridor, event, webhook, delay_ms, status } = body as Arming;
  if (!isFaultName(fault)) return wrong('fault', `there is no fault ${fault}`);
  const refusal = misfit(sandbox, fault, { operation, corridor, event, webhook });
  if (refusal) return refusal;
  const armed = sandbox.faults.arm(
    {
      fault,
      left: times ?? null,
      operation: operation ?? null,
      corridor: corridor ?? null,
      event: event ?? null,
      webhook: webhook ?? null,
      ...(delay_ms === undefined ? {} : { delayMs: delay_ms }),
      ...(status === undefined ? {} : { status }),
    },
    sandbox.clock.now(),
  );
  return succeeded({ id: armed.id, ...faultsView(sandbox) });
}

/** Tells which of the choices means something for which kind of fault. */
const CHOICES = { call: ['operation'], webhook: ['event', 'webhook'], payout: ['corridor'] } as const;

type Choices = Partial<Record<'operation' | 'corridor' | 'event' | 'webhook', string | undefined>>;

function misfit({ book, store }: SandboxState, fault: FaultName, choices: Choices): ControlAnswer | null {
  const allowed: readonly string[] = CHOICES[faultInfo(fault).place];
  for (const [name, value] of Object.entries(choices)) {
    if (value !== undefined && !allowed.includes(name)) {
      return wrong(name, `${fault} is narrowed down by ${allowed.join(' or ')}, not by ${name}`);
    }
  }
  const { operation, corridor, event, webhook } = choices;
  if (operation !== undefined && !Object.hasOwn(catalogue, operation)) {
    return wrong('operation', `there is no operation ${operation}`);
  }
  if (corridor !== undefined && !book.corridor(corridor))
    return wrong('corridor', `there is no corridor ${corridor}`);
  if (event !== undefined && !isEventName(event)) return wrong('event', `there is no event ${event}`);
  if (webhook !== undefined && !store.webhooks.get(webhook))
    return wrong('webhook', `there is no webhook ${webhook}`);
  return null;
}

export function faultsView({ faults }: SandboxState): Plain {
  const { armed, fired } = faults.state();
  return {
    armed: armed.map(({ delayMs, armedAt, left, ...rest }) => ({
      ...rest,
      left: left ?? 'always',
      delay_ms: delayMs,
      armed_at: wireTime(armedAt),
    })),
    fired: fired.map(({ at, ...rest }) => ({ at: wireTime(at), ...rest })),
  };
}
