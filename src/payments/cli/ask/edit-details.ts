/** A correction of payout details at the terminal: what is to change is asked where it was not given, and again where the service refuses it. */

import { isRecord } from '../../../client/fields.ts';
import type { PartyKind } from '../../../contract/corridors/corridor.ts';
import { payoutMethod } from '../../../contract/resources/payment-method.ts';
import { usage } from '../../../core/problem.ts';
import type { Descriptors } from '../../offered.ts';
import type { Context } from '../context.ts';
import type { AskedDetails } from './details.ts';
import type { Form, Question } from './form.ts';

export interface DetailCorrection {
  type: string;
  kind: PartyKind;
  /** Where the details are in a refusal; empty where they are at its top. */
  prefix: string;
  /** The details that stand. */
  current: Readonly<AskedDetails>;
  /** The details as they are to be; the questions write into it. */
  details: AskedDetails;
  /** The descriptors by which the service described the details with what stands. */
  descriptors: Descriptors | undefined;
  /** The details that the payout failed for: only these are asked, and the others can be changed at the review. */
  first?: readonly string[];
}

/**
 * Where no detail was given, those are asked that the payout failed for; without such, which one is to be changed.
 * @throws Problem (usage) without a user to ask
 */
export function correctionForm(context: Context, correction: DetailCorrection): Form {
  const { type, kind, current, details, prefix, first = [] } = correction;
  const isAsked = Object.keys(details).length === 0;
  if (isAsked && !context.interactive)
    throw usage('no change was given', 'name it: --detail bank_account=0123456789');
  let { descriptors } = correction;
  let chosen: ReadonlySet<string> | undefined;
  return {
    isShownByGate: true,
    async questions() {
      const [{ detailQuestions }, { offeredFields }] = await Promise.all([
        import('./details.ts'),
        import('../../offered.ts'),
      ]);
      if (!isAsked && descriptors === undefined) return [];
      descriptors ??= await offeredFields(context, type, kind);
      if (descriptors === undefined)
        throw usage(`remit does not know the fields of ${type}`, 'name the detail: --detail NAME=VALUE');
      const ordered = firstOf(descriptors, first);
      const named = first.filter((name) => isIn(ordered, name, current));
      const open = chosen ?? new Set(named);
      const isOpen = (name: string): boolean => isAsked && open.has(name);
      const at = { type, kind, prefix, descriptors: ordered, details, current, isOpen };
      const questions = await detailQuestions(context, at);
      if (!isAsked || named.length > 0) return questions;
      const take = (path: string): void => {
        const all = Object.keys(ordered);
        chosen = new Set(path === ALL ? all : all.filter((name) => `${prefix}${name}` === path));
      };
      return [whichOne(context, questions, take), ...questions];
    },
    learn({ resource }) {
      descriptors = describedIn(resource) ?? descriptors;
    },
  };
}

/** It has an answer that may be wrong, or must have one. */
const isIn = (descriptors: Descriptors, name: string, current: Readonly<AskedDetails>): boolean =>
  Object.hasOwn(descriptors, name) &&
  ((current[name] ?? '') !== '' || descriptors[name]?.validations?.presence === true);

const ALL = 'all';

/** Nine questions for one wrong letter are eight too many. */
const whichOne = (
  context: Context,
  questions: readonly Question[],
  take: (path: string) => void,
): Question => ({
  path: '',
  label: 'What is to be changed',
  isOpen: true,
  shown: undefined,
  async ask({ back }) {
    const { askChoice } = await import('../../../frame/terminal/prompt.ts');
    const choices = questions.map(({ path, label, shown }) => ({
      value: path,
      label: shown === undefined ? label : `${label}: ${shown}`,
      bare: true,
    }));
    const all = { value: ALL, label: 'all of them, one after the other', bare: true };
    return askChoice(context, 'What is to be changed?', [...choices, all], { noun: 'fields', back });
  },
  take,
});

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
