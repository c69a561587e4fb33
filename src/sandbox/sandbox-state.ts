/** Everything that one sandbox consists of, handed to its parts as an argument. */
import type { CorridorBook } from '../contract/corridors/corridor.ts';
import type { EventName } from '../contract/events.ts';
import type { Credentials } from '../contract/signed-text.ts';
import { uuid } from '../core/ids.ts';
import type { Decimal } from '../core/money.ts';
import type { ResumableRandom } from '../core/random.ts';
import type { Transport } from '../core/transport.ts';
import type { SandboxClock } from './clock.ts';
import type { Faults } from './faults/faults.ts';
import type { ChangeLock } from './hold.ts';
import type { Ledger } from './ledger/ledger.ts';
import type { Partner } from './ledger/partner.ts';
import type { HeapRoom } from './room.ts';
import type { Schedule } from './schedule.ts';
import type { BreakableRule, SandboxSettings } from './settings.ts';
import type { SandboxStore } from './store/port.ts';
import type { Plain } from './store/records.ts';

export interface SandboxState {
  clock: SandboxClock;
  /** Ids, nonces and references: seeded, so that the same requests give the same bytes. */
  random: ResumableRandom;
  store: SandboxStore;
  ledger: Ledger;
  schedule: Schedule;
  faults: Faults;
  partner: Partner;
  settings: SandboxSettings;
  broken: ReadonlySet<BreakableRule>;
  book: CorridorBook;
  credentials: Credentials;
  /** How webhooks leave; without it they are kept as failed tries. */
  transport: Transport | undefined;
  /** Hosts beside loopback that webhooks may go to. */
  deliverTo: readonly string[];
  /** The token that opens the controls over HTTP; without it they are closed. */
  controlToken: string | undefined;
  /** Waits in the machine's time: for answers that come late. */
  sleep: (ms: number) => Promise<void>;
  /** How many changes of state there were. */
  changes: { count: number };
  /** Scheme, host and port under which files can be read. */
  origin: string;
  /** The seed and the balances that a reset goes back to. */
  beginning: { seed: number | string; balances: Readonly<Record<string, Decimal>> };
  room: HeapRoom;
  /** While a snapshot or a restore is under way, nothing else changes anything. */
  hold: ChangeLock;
  /** The commit that must come before anything of this turn leaves; undefined when nothing waits for one. */
  saved: () => Promise<void> | undefined;
  emit: (event: EventName, subject: Subject) => void;
}

/** The object that an event is about; `render` is called only if someone listens. */
export interface Subject {
  type: string;
  id: string;
  render: () => Plain;
}

export function newId(sandbox: SandboxState): string {
  return uuid(sandbox.random);
}
