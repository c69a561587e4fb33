/** Payout details against their corridor: the type, the fields, and the descriptors that go back after a problem. */
import { balanceCurrency, balanceFields } from '../../contract/corridors/balance.ts';
import { checkDetails, describeFields, fieldsFor } from '../../contract/corridors/check.ts';
import type { Corridor, CorridorBook, PartyKind } from '../../contract/corridors/corridor.ts';
import { currencyRule } from '../../core/currency.ts';
import type { Plain } from '../store/records.ts';
import { toJson, Written } from '../views/json.ts';
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
  /** Whether the details are at fault: then `fields` goes back. */
  aboutDetails: boolean;
}

export function readPayout(book: CorridorBook, sent: Plain, kind: PartyKind): PayoutReading {
  const problems = new Problems();
  const target = readTarget(book, sent.type, problems);
  const metadata = readMap(sent.metadata, 'metadata', problems);
  if (!isBlank(sent.details) && !isPlain(sent.details)) problems.add('details', 'invalid');
  if (!target) return { draft: null, problems, aboutDetails: false };
  const details = isPlain(sent.details) ? sent.details : {};
  const wrong = target.corridor
    ? checkDetails(target.corridor, kind, details, book.options)
    : checkBalance(details);
  for (const [field, words] of Object.entries(wrong)) for (const word of words) problems.add(field, word);
  const draft = { ...target, recipientKind: kind, details, metadata };
  return { draft, problems, aboutDetails: Object.keys(wrong).length > 0 };
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
export function fieldDescriptors(book: CorridorBook, corridor: Corridor, kind: PartyKind): Written {
  const ofBook = written.get(book) ?? new Map<string, Written>();
  written.set(book, ofBook);
  const key = `${corridor.type} ${kind}`;
  const known = ofBook.get(key);
  if (known) return known;
  const made = new Written(toJson(describeFields(corridor, kind, book.options)));
  ofBook.set(key, made);
  return made;
}

const written = new WeakMap<CorridorBook, Map<string, Written>>();
