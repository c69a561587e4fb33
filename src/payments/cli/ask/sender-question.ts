/** The sender, looked up as it is asked: the user learns at once, not after the last question, that it does not exist. */
import { isUuid } from '../../../core/ids.ts';
import { hint } from '../../../core/next.ts';
import { renderHint } from '../../../frame/output/spell.ts';
import { askText } from '../../../frame/terminal/prompt.ts';
import type { BodyDraft } from '../../body.ts';
import { findSender } from '../../lookup/sender.ts';
import { problemOf } from '../../problem-of.ts';
import { fullName } from '../../words/person.ts';
import type { Context } from '../context.ts';
import type { Question } from './form.ts';

export function senderQuestion(
  context: Context,
  draft: BodyDraft,
  { isOpen }: { isOpen: boolean },
): Question {
  /** Names by what was typed. */
  const found = new Map<string, string>();
  const look = async (given: string): Promise<true | string> => {
    try {
      const sender = await findSender(context, given, 'read');
      found.set(given, [fullName(sender), sender.state].filter(Boolean).join(', '));
      return true;
    } catch (error) {
      const { category } = problemOf(error).facts;
      // If unknown, the service decides when it gets the payment.
      if (category !== 'not_found') return true;
      const next = renderHint(hint`${{ do: 'create_sender', externalId: given }}`);
      return `No sender has this ID or reference. Correct it, or create the sender first:\n${next}`;
    }
  };
  return {
    path: 'sender',
    label: 'Sender',
    isOpen,
    get shown() {
      const given = givenIn(draft);
      if (given === undefined)
        return draft.sender === undefined ? undefined : fullName(draft.sender as object);
      const name = found.get(given);
      return name === undefined ? given : `${given} (${name})`;
    },
    async ask({ back }) {
      const given = await askText(context, 'Sender (ID, or your reference)', {
        default: givenIn(draft),
        required: true,
        validate: look,
        back,
      });
      const name = found.get(given);
      if (name !== undefined) context.note(`  ${name}`);
      return given;
    },
    take(given) {
      draft.sender = isUuid(given) ? { id: given } : { external_id: given };
    },
  };
}

function givenIn({ sender }: BodyDraft): string | undefined {
  const { id, external_id: externalId } = (sender ?? {}) as { id?: unknown; external_id?: unknown };
  const given = id ?? externalId;
  return typeof given === 'string' ? given : undefined;
}
