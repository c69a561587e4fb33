/** A correction of payout details at the terminal: what is to change is asked where it was not given, and again where the service refuses it. */

import { isRecord } from '../../client/fields.ts';
import type { PartyKind } from '../../contract/corridors/corridor.ts';
import { payoutMethod } from '../../contract/resources/payment-method.ts';
import { usage } from '../../core/problem.ts';
import type { Descriptors } from '../../desk/payments/offered.ts';
import type { Context } from '../context.ts';
import type { Details } from './details.ts';
import type { Form } from './form.ts';

export interface Correction {
  type: string;
  kind: PartyKind;
  /** Where the details are in a refusal; empty where they are at its top. */
  prefix: string;
  /** What stands. */
  current: Readonly<Details>;
  /** The details as they are to be; the questions write into it. */
  details: Details;
  /** As the service described them with what stands. */
  descriptors: Descriptors | undefined;
  /** Fields that are asked first: what the payout failed for. */
  first?: readonly string[];
}

/** All details are asked where none was given. @throws Problem (usage) where nobody is there to ask */
export function correctionForm(context: Context, correction: Correction): Form {
  const { type, kind, current, details, prefix, first = [] } = correction;
  const isAsked = Object.keys(details).length === 0;
  if (isAsked && !context.interactive)
    throw usage('no change was given', 'name it: --detail bank_account=0123456789');
  let { descriptors } = correction;
  return {
    isShownByGate: true,
    async questions() {
      const [{ detailQuestions }, { offeredFields }] = await Promise.all([
        import('./details.ts'),
        import('../../desk/payments/offered.ts'),
      ]);
      if (!isAsked && descriptors === undefined) return [];
      descriptors ??= await offeredFields(context, type, kind);
      if (descriptors === undefined)
        throw usage(`remit does not know the fields of ${type}`, 'name the detail: --detail NAME=VALUE');
      const ordered = firstOf(descriptors, first);
      const at = { type, kind, prefix, descriptors: ordered, details, current, isOpen: () => isAsked };
      return detailQuestions(context, at);
    },
    learn({ resource }) {
      descriptors = describedIn(resource) ?? descriptors;
    },
  };
}

/** The named ones first, in their order; the others as the service has them. */
function firstOf(descriptors: Descriptors, first: readonly string[]): Descriptors {
  const named = first.filter((name) => Object.hasOwn(descriptors, name));
  const names = [...new Set([...named, ...Object.keys(descriptors)])];
  return Object.fromEntries(names.map((name) => [name, descriptors[name] ?? {}]));
}

/** A refused recipient has its payout method within, a refused payout method is one. */
export function describedIn(resource: unknown): Descriptors | undefined {
  if (!isRecord(resource)) return undefined;
  const read = payoutMethod.safeParse(isRecord(resource.payout_method) ? resource.payout_method : resource);
  return read.success ? ((read.data.fields as Descriptors | null | undefined) ?? undefined) : undefined;
}
