/**
 * All that a sandbox is, beside its tables (decision 0031): what is kept at every commit, read at every start, and in every
 * snapshot.
 */
import type { ResumableRandom } from '../core/random.ts';
import { seededRandom } from '../core/random.ts';
import type { Deliveries } from './deliver/deliveries.ts';
import { open } from './ledger/partner.ts';
import type { SandboxState } from './sandbox-state.ts';
import { defaultSettings, type SandboxSettings } from './settings.ts';
import { inOneGo, type Steps } from './slices.ts';
import { tableNames } from './store/memory.ts';
import type { Piece, TableName } from './store/port.ts';
import type { Whole } from './store/table-contract.ts';

/** Stays in this sandbox: a snapshot is handed around. */
const SECRET: readonly string[] = ['credentials'];
/** Pieces that a reset leaves as they are. Time does not run backwards, and a used nonce stays used. */
const KEPT_AT_RESET: readonly string[] = [
  'clock',
  'credentials',
  'settings',
  'beginning',
  'random',
  'delivery_random',
];

export class SavedState {
  readonly pieces: readonly Piece[];
  readonly #sandbox: SandboxState;
  readonly #deliveries: Deliveries;
  readonly #deliveryRandom: ResumableRandom;
  readonly #fresh: ReadonlyMap<string, string>;

  constructor(sandbox: SandboxState, deliveries: Deliveries, deliveryRandom: ResumableRandom) {
    this.#sandbox = sandbox;
    this.#deliveries = deliveries;
    this.#deliveryRandom = deliveryRandom;
    this.pieces = piecesOf(sandbox, deliveries, deliveryRandom);
    this.#fresh = new Map(this.pieces.map((piece) => [piece.name, JSON.stringify(piece.read())]));
  }

  table(name: TableName): Whole<unknown> {
    return this.#sandbox.store[name] as Whole<unknown>;
  }

  /** The pieces that a snapshot holds beside the tables. */
  get shared(): readonly Piece[] {
    return this.pieces.filter(({ name }) => !SECRET.includes(name));
  }

  /** From the tables and pieces of the last commit. A delivery that was on its way is on its way again. */
  load(): void {
    const { durable } = this.#sandbox.store;
    for (const piece of this.pieces) {
      const value = durable?.piece(piece.name);
      if (value !== undefined) piece.write(value);
    }
    this.resume();
  }

  /** After tables and pieces were replaced. */
  resume(): void {
    inOneGo(this.resuming());
  }

  *resuming(): Steps {
    this.#deliveries.forget();
    yield* this.#sandbox.schedule.loading();
    this.#deliveries.resume();
  }

  /** Where every sandbox begins: the balances that it opens with. */
  begin(): void {
    const { ledger, beginning, clock } = this.#sandbox;
    open(ledger, beginning.balances, clock.now());
  }

  /** A fresh sandbox with the same credentials and settings: the same requests give the same ids again. */
  reset(): void {
    const { random, beginning } = this.#sandbox;
    for (const name of tableNames) if (name !== 'nonces') this.table(name).clear();
    for (const piece of this.pieces) {
      const fresh = this.#fresh.get(piece.name);
      if (fresh !== undefined && !KEPT_AT_RESET.includes(piece.name)) piece.write(JSON.parse(fresh));
    }
    random.resume(seededRandom(beginning.seed).state());
    this.#deliveryRandom.resume(deliveryRandom(beginning.seed).state());
    this.resume();
    this.begin();
  }
}

/** Deliveries have a source of their own: when an answer comes in must not change the ids of anything else. */
export const deliveryRandom = (seed: number | string): ResumableRandom => seededRandom(`deliveries ${seed}`);

function piecesOf(sandbox: SandboxState, deliveries: Deliveries, forDeliveries: ResumableRandom): Piece[] {
  const { settings, credentials, beginning, partner, faults } = sandbox;
  return [
    sandbox.clock.piece,
    sandbox.ledger.piece,
    deliveries.piece,
    randomPiece('random', sandbox.random),
    randomPiece('delivery_random', forDeliveries),
    settingsPiece(settings),
    objectPiece('credentials', credentials),
    objectPiece('beginning', beginning),
    objectPiece('changes', sandbox.changes),
    { name: 'partner', read: () => partner.state(), write: (value) => partner.resume(value as never) },
    { name: 'faults', read: () => faults.state(), write: (value) => faults.resume(value as never) },
  ];
}

function randomPiece(name: string, random: ResumableRandom): Piece {
  return { name, read: () => random.state(), write: (value) => random.resume(value as number[]) };
}

/** A setting that a snapshot or a file does not know yet has its default. */
function settingsPiece(settings: SandboxSettings): Piece {
  return { name: 'settings', read: () => settings, write: (value) => takeOver(settings, value) };
}

function takeOver(settings: SandboxSettings, value: unknown): void {
  Object.assign(settings, defaultSettings, value);
}

function objectPiece(name: string, object: object): Piece {
  return { name, read: () => object, write: (value) => void Object.assign(object, value) };
}
