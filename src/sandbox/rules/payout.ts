/** Payout details against their corridor: the type, the fields, and the descriptors that go back after a problem. */
import { balanceCurrency, balanceFields } from '../../contract/corridors/balance.ts';
import { checkDetails, describeFields, fieldsFor } from '../../contract/corridors/check.ts';
import type { Corridor, CorridorBook, PartyKind } from '../../contract/corridors/corridor.ts';
import { currencyRule } from '../../core/currency.ts';
import type { SandboxState } from '../sandbox-state.ts';
import type { PayoutMethodRecord, Plain } from '../store/records.ts';
import { RawJson, toJson } from '../views/json.ts';
import { Problems } from './problems.ts';
import { isBlank, isPlain, readMap } from './reading.ts';

export interface PayoutDraft {
  type: string;
  currency: string;
  corridor: Corridor | undefined;
  recipientKind: PartyKind;
  details: Plain;
  metadata: Plain;
}

export interface PayoutReading {
  draft: PayoutDraft | null;
  problems: Problems;
  /** True where the details are at fault: then `fields` goes back. */
  aboutDetails: boolean;
}

/** `id` may name a method that was stored before: what is sent beside it comes on top. @assumes stored-method-by-id */
export function readPayout({ book, store }: SandboxState, asSent: Plain, kind: PartyKind): PayoutReading {
  const problems = new Problems();
  const stored = typeof asSent.id === 'string' ? store.payoutMethods.get(asSent.id) : undefined;
  if (!stored && !isBlank(asSent.id) && isBlank(asSent.type)) problems.add('id', 'invalid');
  if (stored?.state === 'disabled') problems.add('id', 'invalid').say('the payout method is disabled');
  const sent = stored ? onTopOf(stored, asSent) : asSent;
  const target = readTarget(book, sent.type, problems);
  const metadata = readMap(sent.metadata, 'metadata', problems);
  if (!isBlank(sent.details) && !isPlain(sent.details)) problems.add('details', 'invalid');
  if (!target) return { draft: null, problems, aboutDetails: false };
  const details = isPlain(sent.details) ? sent.details : {};
  /* @assumes account-shapes @assumes ngn-optional */
  const wrong = target.corridor
    ? checkDetails(target.corridor, kind, details, book.options)
    : checkBalance(details);
  const faults = Object.entries(wrong);
  for (const [field, words] of faults) for (const word of words) problems.add(field, word);
  const { type, currency, corridor } = target;
  const draft = { type, currency, corridor, recipientKind: kind, details, metadata };
  return { draft, problems, aboutDetails: faults.length > 0 };
}

function onTopOf({ type, details, metadata }: PayoutMethodRecord, sent: Plain): Plain {
  const own = isBlank(sent.details) ? {} : sent.details;
  return { metadata, ...sent, type: sent.type ?? type, details: isPlain(own) ? { ...details, ...own } : own };
}

/** A method with its problems, and where its details are at fault the fields with all that they can be. */
export function refusedMethod(
  { book }: SandboxState,
  sent: Plain,
  kind: PartyKind,
  reading: PayoutReading,
): Plain {
  const corridor = reading.aboutDetails ? reading.draft?.corridor : undefined;
  const fields = corridor && fieldDescriptors(book, corridor, kind);
  return { ...sent, errors: reading.problems.wire, ...(fields ? { fields } : {}) };
}

export function servesKind(corridor: Corridor | undefined, kind: PartyKind): boolean {
  return !corridor || fieldsFor(corridor, kind).length > 0;
}

function readTarget(book: CorridorBook, type: unknown, problems: Problems) {
  if (isBlank(type)) problems.add('type', 'blank');
  if (typeof type === 'string') {
    const corridor = book.corridor(type);
    if (corridor) return { type, currency: corridor.currency, corridor };
    const currency = balanceCurrency(type);
    if (currency !== null && currencyRule(currency)) return { type, currency, corridor: undefined };
  }
  if (!isBlank(type)) problems.add('type', 'invalid');
  return null;
}

function checkBalance(details: Plain): Record<string, string[]> {
  const wrong = balanceFields.filter(
    ({ name }) => !isBlank(details[name]) && typeof details[name] !== 'string',
  );
  return Object.fromEntries(wrong.map(({ name }) => [name, ['invalid']]));
}

/** Written once for each corridor and kind: bank lists are long. */
export function fieldDescriptors(book: CorridorBook, corridor: Corridor, kind: PartyKind): RawJson {
  const ofBook = written.get(book) ?? new Map<string, RawJson>();
  written.set(book, ofBook);
  const key = `${corridor.type} ${kind}`;
  const known = ofBook.get(key);
  if (known) return known;
  const made = new RawJson(toJson(describeFields(corridor, kind, book.options)));
  ofBook.set(key, made);
  return made;
}

const written = new WeakMap<CorridorBook, Map<string, RawJson>>();
