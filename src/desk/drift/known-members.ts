/** The contract's schemas as plain trees, and a walk through a body beside one: which members it has that the contract does not. */
import type * as z from 'zod/mini';
import { account, debit, partnerBalance } from '../../contract/resources/account.ts';
import { mandate, proofOfPayment } from '../../contract/resources/document.ts';
import {
  currency,
  currencyExchange,
  currencyOpposite,
  paymentMethod,
} from '../../contract/resources/info.ts';
import { apiLog, webhookLog } from '../../contract/resources/log.ts';
import { recordsOfEvents } from '../../contract/resources/of-events.ts';
import { sender, senderWrite } from '../../contract/resources/sender.ts';
import { accountValidationResult } from '../../contract/resources/validation.ts';
import { delivery, webhookDefinition } from '../../contract/resources/webhook.ts';

type Form = 'record' | 'list' | 'text' | 'number' | 'yes or no';

export type Known =
  | { kind: 'record'; name: RecordName | undefined; members: ReadonlyMap<string, Known> }
  /** Names that are a partner's or a corridor's own, and a value of one kind under each. */
  | { kind: 'map'; of: Known }
  | { kind: 'list'; of: Known }
  | { kind: 'value'; forms: readonly Form[] }
  | { kind: 'either'; options: readonly Known[] }
  | { kind: 'anything' };

/** Records that a body may hold at any depth, by the schema that the contract has for each. */
const RECORDS = {
  ...recordsOfEvents,
  mandate,
  proof_of_payment: proofOfPayment,
  account,
  debit,
  partner_balance: partnerBalance,
  currency,
  currency_exchange: currencyExchange,
  currency_opposite: currencyOpposite,
  payment_method: paymentMethod,
  account_validation: accountValidationResult,
  webhook: webhookDefinition,
  delivery,
  api_log: apiLog,
  webhook_log: webhookLog,
} as const;

export type RecordName = keyof typeof RECORDS;

const names = new Map<z.core.$ZodType, RecordName>(
  (Object.entries(RECORDS) as [RecordName, z.core.$ZodType][]).map(([name, schema]) => [schema, name]),
);

const trees = new Map<z.core.$ZodType, Known>();

/** A schema of the contract as a tree; made once. */
export function knownOf(schema: z.core.$ZodType): Known {
  const made = trees.get(schema);
  if (made !== undefined) return made;
  const tree = treeOf(schema);
  trees.set(schema, tree);
  return tree;
}

export const knownRecord = (name: RecordName): Known => knownOf(RECORDS[name]);

const value = (...forms: Form[]): Known => ({ kind: 'value', forms });

function writtenSender(): z.core.$ZodShape {
  const { def } = (senderWrite as unknown as z.core.$ZodTypes)._zod;
  return def.type === 'object' ? def.shape : {};
}

function treeOf(schema: z.core.$ZodType): Known {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case 'object': {
      // A sender is told back with all that was written of it.
      const shape = schema === sender ? { ...writtenSender(), ...def.shape } : def.shape;
      const members = new Map(Object.entries(shape).map(([name, inner]) => [name, knownOf(inner)]));
      // A record of which the contract has no member may hold anything.
      return members.size === 0 ? { kind: 'anything' } : { kind: 'record', name: names.get(schema), members };
    }
    case 'optional':
    case 'nullable':
      return knownOf(def.innerType);
    case 'pipe':
      return knownOf(def.in);
    case 'array':
      return { kind: 'list', of: knownOf(def.element) };
    case 'record':
      return { kind: 'map', of: knownOf(def.valueType) };
    case 'union':
      return { kind: 'either', options: def.options.map(knownOf) };
    case 'string':
      return value('text');
    case 'number':
      return value('number');
    case 'boolean':
      return value('yes or no');
    default:
      return { kind: 'anything' };
  }
}

type Plain = Readonly<Record<string, unknown>>;

/** Hears of a walk through a body. `place` ends with a member's name: `recipient.state`. */
export interface Walker {
  record(name: RecordName, record: Plain): void;
  /** The member has no place in the contract. */
  unknown(place: string, name: string, value: unknown): void;
  /** The contract has another form of value there. */
  unfit(place: string, value: unknown, forms: readonly string[]): void;
}

export function walk(known: Known, given: unknown, place: string, walker: Walker): void {
  if (given === null || given === undefined) return;
  switch (known.kind) {
    case 'anything':
      return;
    case 'value':
      if (!(known.forms as readonly string[]).includes(formIn(given)))
        walker.unfit(place, given, known.forms);
      return;
    case 'either': {
      const option = known.options.find((one) => fits(one, given));
      if (option !== undefined) walk(option, given, place, walker);
      else walker.unfit(place, given, known.options.flatMap(formsOf));
      return;
    }
    case 'list':
      if (!Array.isArray(given)) walker.unfit(place, given, ['list']);
      else for (const item of given) walk(known.of, item, place, walker);
      return;
    default:
      if (!isPlain(given)) walker.unfit(place, given, ['record']);
      else if (known.kind === 'map')
        for (const item of Object.values(given)) walk(known.of, item, `${place}.*`, walker);
      else walkRecord(known, given, place, walker);
  }
}

function walkRecord(
  { name, members }: Extract<Known, { kind: 'record' }>,
  given: Plain,
  place: string,
  walker: Walker,
): void {
  const here = name ?? place;
  if (name !== undefined) walker.record(name, given);
  for (const [member, item] of Object.entries(given)) {
    const inner = members.get(member);
    if (inner === undefined) walker.unknown(here, member, item);
    else walk(inner, item, `${here}.${member}`, walker);
  }
}

const formsOf = (known: Known): readonly string[] => {
  if (known.kind === 'value') return known.forms;
  return known.kind === 'list' ? ['list'] : ['record'];
};

const fits = (known: Known, given: unknown): boolean =>
  known.kind === 'anything' || formsOf(known).includes(formIn(given));

function formIn(given: unknown): string {
  if (Array.isArray(given)) return 'list';
  return { string: 'text', number: 'number', boolean: 'yes or no' }[typeof given as string] ?? 'record';
}

export const isPlain = (given: unknown): given is Plain =>
  typeof given === 'object' && given !== null && !Array.isArray(given);
