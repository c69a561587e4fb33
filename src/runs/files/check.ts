/**
 * Checks the rows of a file by the contract's own data, which the sandbox refuses by too, and against each other. What only the
 * service can know (rates, balances, the standing of a sender) is left to it. A row without a fault becomes a payment.
 */

import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { type Batches, type Fault, type FileRow, faultAt, isFault } from '../../tables/row.ts';
import { METADATA, OWN_COLUMNS, SENDER } from './columns.ts';
import {
  type AccountRule,
  detailFaults,
  type KnownCorridor,
  knownCorridor,
  nearTypes,
  unknownDetailFaults,
} from './corridors.ts';
import { moneyOf } from './money.ts';
import { type FilePayment, filePayment } from './payment.ts';
import { Prints } from './prints.ts';
import { senderOf } from './sender-of.ts';
import { type CellKind, kindOfCell, spoilt } from './spreadsheet.ts';

export interface CheckedRows {
  payments: FilePayment[];
  faults: Fault[];
  /** Accounts that look wrong, of rows that are payments all the same. */
  doubts: Fault[];
}

export interface CheckOptions {
  /** Several payments of one amount to one account are meant. */
  allowDuplicates: boolean;
  /** The rule for accounts that look wrong, and that the service may take. */
  accounts: AccountRule;
}

/** At this many, the rest of the file is left unread. */
export const MOST_FAULTS = 10_000;

/** Each batch of the file, checked by itself and against what came before it. */
export async function* checkRows(batches: Batches, options: CheckOptions): AsyncGenerator<CheckedRows> {
  const checker = new Checker(options);
  let found = 0;
  for await (const batch of batches) {
    const checked: CheckedRows = { payments: [], faults: [], doubts: [] };
    for (const one of batch) {
      if (isFault(one)) checked.faults.push(one);
      else await checker.check(one, checked);
      if (found + checked.faults.length < MOST_FAULTS) continue;
      yield {
        payments: checked.payments,
        faults: [...checked.faults.slice(0, MOST_FAULTS - found), tooMany(one)],
        doubts: checked.doubts,
      };
      return;
    }
    found += checked.faults.length;
    yield checked;
  }
}

const tooMany = (last: FileRow | Fault): Fault => ({
  row: undefined,
  at: undefined,
  column: undefined,
  code: 'too_many_faults',
  words: `there are ${MOST_FAULTS} faults up to ${last.at}: the rest of the file was not read`,
});

/** The use of a column, found once for each name. */
interface Part {
  part: 'own' | 'sender' | 'metadata' | 'detail';
  name: string;
  kind: CellKind;
}

/** A row on its way: what is known of it so far. */
interface Draft {
  row: FileRow;
  faults: Fault[];
  doubts: Fault[];
  details: Record<string, string>;
  sender: Record<string, string>;
  metadata: Record<string, string>;
}

class Checker {
  readonly #allowDuplicates: boolean;
  readonly #accountRule: AccountRule;
  readonly #corridors = new Map<string, KnownCorridor | null>();
  readonly #parts = new Map<string, Part>();
  readonly #keys = new Prints();
  readonly #externalIds = new Prints();
  readonly #accounts = new Prints();

  constructor({ allowDuplicates, accounts }: CheckOptions) {
    this.#allowDuplicates = allowDuplicates;
    this.#accountRule = accounts;
  }

  async check(row: FileRow, into: CheckedRows): Promise<void> {
    const draft = this.#sorted(row);
    const { faults } = draft;
    const names = this.#names(draft);
    const known = this.#known(row.cells.type) ?? (await this.#learn(row.cells.type));
    if (known === null) faults.push(typeFault(row));
    const kind = kindOf(row);
    if (kind === undefined)
      faults.push(
        faultAt(row, 'recipient_type', 'recipient_type', 'is not a kind of recipient', 'person or business'),
      );
    const details = known && kind ? this.#details(draft, known, kind) : undefined;
    const money = moneyOf(row, known?.corridor, faults);
    const sender = await senderOf(
      row,
      draft.sender,
      known && kind && details ? { known, kind, details } : undefined,
      faults,
    );
    if (!known || !kind || !details || !money || !sender || !names || faults.length > 0) {
      into.faults.push(...faults);
      return;
    }
    const payment = filePayment(row, draft.metadata, { names, money, known, kind, details, sender });
    const before = this.#allowDuplicates ? undefined : this.#accounts.claim(payment.account, row.n);
    if (before === undefined) {
      into.payments.push(payment);
      into.doubts.push(...draft.doubts);
    } else into.faults.push(repeated(row, before));
  }

  #part(column: string): Part {
    const known = this.#parts.get(column);
    if (known !== undefined) return known;
    const kind = kindOfCell(column);
    const part: Part = column.startsWith(SENDER)
      ? { part: 'sender', name: column.slice(SENDER.length), kind }
      : column.startsWith(METADATA)
        ? { part: 'metadata', name: column.slice(METADATA.length), kind: 'free' }
        : { part: OWN.has(column) ? 'own' : 'detail', name: column, kind };
    if (this.#parts.size < 10_000) this.#parts.set(column, part);
    return part;
  }

  /** Each cell in its place; what a spreadsheet destroyed is a fault. */
  #sorted(row: FileRow): Draft {
    const draft: Draft = { row, faults: [], doubts: [], details: {}, sender: {}, metadata: {} };
    const { cells } = row;
    for (const column in cells) {
      const text = cells[column] ?? '';
      if (text === '') continue;
      const { part, name, kind } = this.#part(column);
      if (part === 'detail') draft.details[name] = text;
      else if (part === 'sender') draft.sender[name] = text;
      else if (part === 'metadata') draft.metadata[name] = text;
      if (part === 'metadata' || column === 'amount') continue;
      const wrong = spoilt(text, kind);
      if (wrong) draft.faults.push(faultAt(row, column, wrong.code, wrong.words, wrong.right));
    }
    draft.faults.push(...longNames(row));
    return draft;
  }

  /**
   * Returns the key that tells the row from the others, and its external id; a repetition is named with the
   * row that had it first.
   */
  #names({ row, faults }: Draft): { key: string; externalId: string | undefined } | undefined {
    const externalId = row.cells.external_id?.trim();
    const key = row.cells.key?.trim() ?? externalId;
    if (key === undefined || key === '') {
      faults.push(
        faultAt(
          row,
          'key',
          'missing',
          'is missing',
          'what tells the rows apart, such as the number of an employee or an invoice',
        ),
      );
      return undefined;
    }
    if (row.cells.key !== undefined) {
      const before = this.#keys.claim(key, row.n);
      if (before !== undefined)
        faults.push(faultAt(row, 'key', 'duplicate_key', `is that of row ${before} too`, KEY_RIGHT));
    }
    if (externalId !== undefined) {
      const before = this.#externalIds.claim(externalId, row.n);
      if (before !== undefined)
        faults.push(
          faultAt(row, 'external_id', 'duplicate_external_id', `is that of row ${before} too`, KEY_RIGHT),
        );
    }
    return { key, externalId };
  }

  /** Undefined where it was not looked for yet, null where there is none. */
  #known(type: string | undefined): KnownCorridor | null | undefined {
    return type === undefined ? null : this.#corridors.get(type);
  }

  async #learn(type: string | undefined): Promise<KnownCorridor | null> {
    const found = type === undefined ? null : ((await knownCorridor(type.trim())) ?? null);
    if (type !== undefined && this.#corridors.size < 1_000) this.#corridors.set(type, found);
    return found;
  }

  /** Follows the order of the corridor; undefined where they are not right. */
  #details(
    { row, faults, doubts, details: given }: Draft,
    known: KnownCorridor,
    kind: PartyKind,
  ): Record<string, string> | undefined {
    if (known.fields[kind].length === 0) {
      faults.push(
        faultAt(
          row,
          'recipient_type',
          'recipient_type',
          `${known.corridor.type} pays no ${kind}`,
          kind === 'business' ? 'person' : 'business',
        ),
      );
      return undefined;
    }
    const details: Record<string, string> = {};
    for (const name of known.names) {
      const text = given[name];
      if (text !== undefined) details[name] = text;
    }
    const unknown = Object.keys(given).filter((name) => !known.allowed[kind].has(name));
    const judged = detailFaults(row, known, kind, details, this.#accountRule);
    doubts.push(...judged.doubts);
    const wrong = [
      ...(unknown.length === 0 ? [] : unknownDetailFaults(row, known, kind, unknown)),
      ...judged.faults,
    ].filter(({ column }) => !faults.some((one) => one.column === column));
    faults.push(...wrong);
    return details;
  }
}

const OWN: ReadonlySet<string> = new Set(OWN_COLUMNS);
const KEY_RIGHT = 'one row for each payment';

function kindOf({ cells }: FileRow): PartyKind | undefined {
  const given = cells.recipient_type?.trim().toLowerCase() ?? 'person';
  return given === 'person' || given === 'business' ? given : undefined;
}

function typeFault(row: FileRow): Fault {
  const { type } = row.cells;
  if (type === undefined)
    return faultAt(row, 'type', 'missing', 'is missing', 'a payout type such as NGN::Bank');
  return faultAt(row, 'type', 'type', 'is not a known payout type', nearTypes(type));
}

const repeated = (row: FileRow, before: number): Fault =>
  faultAt(
    row,
    undefined,
    'duplicate_payment',
    `has the account and the amount of row ${before}`,
    'delete one of them, or say that both are meant',
  );

/** Max140Text, which ISO 20022 has for the name of a party: banks cut the rest, and then it is another name. */
const MOST = 140;

/** Columns that are one name together, of each that a row may name. */
const NAMES = ['', 'sender.', 'contact_'].map((who) =>
  ['first_name', 'middle_name', 'last_name', 'name'].map((column) => who + column),
);

/** How long a name may be. */
function longNames(row: FileRow): Fault[] {
  const faults: Fault[] = [];
  for (const columns of NAMES) {
    const there = columns.filter((column) => row.cells[column] !== undefined);
    const length = lengthOf(there.map((column) => row.cells[column]).join(' '));
    if (length <= MOST) continue;
    const [column = ''] = there.filter((one) => lengthOf(row.cells[one] ?? '') > MOST).concat(there);
    const together = lengthOf(row.cells[column] ?? '') === length ? '' : ', with the rest of the name';
    faults.push(faultAt(row, column, 'long_name', `has ${length} characters${together}`, `at most ${MOST}`));
  }
  return faults;
}

/** Characters, as the standard counts them: one outside of the common plane is one too. */
const lengthOf = (text: string): number => (text.length <= MOST ? text.length : [...text].length);
