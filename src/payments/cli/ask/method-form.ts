/** The questions of a payout method that is stored: its type, and the details of that type. */
import { partyOf } from '../../../contract/corridors/wrong-details.ts';
import type { Descriptors } from '../../offered.ts';
import type { Context } from '../context.ts';
import {
  type AskedDetails,
  askType,
  detailQuestions,
  dropForeign,
  openBeside,
  openDescriptors,
} from './details.ts';
import { describedIn } from './edit-details.ts';
import type { Form, Question } from './form.ts';

interface Draft {
  type?: string | undefined;
  details: AskedDetails;
}

/** `asks`: what is missing is asked; else only what is refused. */
export function methodForm(context: Context, draft: Draft, asks: boolean): Form {
  const asksType = asks && draft.type === undefined;
  const kind = partyOf(draft.details);
  const open = openBeside(Object.keys(draft.details));
  const isOpen = (name: string, required: boolean): boolean => asks && open(name, required);
  let before = draft.type;
  let learnt: Descriptors | undefined;
  return {
    async questions() {
      const { type } = draft;
      const typeQuestion: Question = {
        path: 'type',
        label: 'Paid out by',
        isOpen: asksType,
        shown: type,
        ask: ({ back }) => askType(context, type, back),
        take(chosen) {
          draft.type = chosen;
        },
      };
      if (type === undefined) return [typeQuestion];
      const isOther = before !== undefined && before !== type;
      before = type;
      if (isOther) learnt = undefined;
      const at = { type, kind, isOpen };
      const descriptors = learnt ?? (await openDescriptors(context, at));
      if (isOther) dropForeign(draft.details, descriptors);
      return [
        typeQuestion,
        ...(await detailQuestions(context, { ...at, prefix: '', descriptors, details: draft.details })),
      ];
    },
    learn({ resource }) {
      learnt = describedIn(resource) ?? learnt;
    },
  };
}
