import { byWord } from '../../core/by-word.ts';
import { notFound } from '../../core/problem.ts';
import { formatInfo } from '../../frame/terminal/format.ts';
import { renderingFor } from '../../frame/terminal/rendering.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { result } from '../../payments/cli/result.ts';
import { type Explanation, type GlossaryKind, glossary } from '../glossary.ts';
import { meaningsOf, wordsNear } from '../look-up.ts';
import { explainedView, glossaryView, meaningView } from './views/explanation.ts';

const KINDS: Readonly<Record<string, readonly GlossaryKind[]>> = byWord({
  state: ['recipient state', 'transaction state', 'payin method state', 'sender state'],
  code: ['reason code'],
  category: ['reason category', 'payin reason category'],
  event: ['event'],
  field: ['payout field', 'member'],
});

/** More than this are listed, a line each. */
const MOST_WHOLE = 3;

/** Formats that have a row for each meaning. */

/** Offline: nothing is asked of the service, and no profile is needed. */
export const command = defineCommand({
  description:
    'Says what a code, a category, a state, an event or a field means, who must act, and what may follow. It works offline and needs no account. Without a word it lists all of them.',
  args: [
    {
      name: 'WORD',
      summary:
        'such as 416, recipient_error, stuck, recipient.error, bank_code; or words, such as account number',
      optional: true,
      many: true,
    },
  ],
  flags: { kind: { value: 'kind', summary: 'only this kind', choices: Object.keys(KINDS) } },
  shows: [glossaryView, explainedView],
  examples: [
    'remit explain 416',
    'remit explain stuck',
    'remit explain recipient.error',
    'remit explain bank_code',
    'remit explain "account number"',
    'remit explain --kind code -o csv',
  ],
  read: (input) => ({
    word: input.args.length === 0 ? undefined : input.args.join(' ').trim(),
    kind: input.flags.kind,
  }),
  async run(context, { word, kind }) {
    const { payoutFields } = await import('./payout-fields.ts');
    const kinds = kind === undefined ? undefined : KINDS[kind];
    const all = [...glossary(), ...(await payoutFields())].filter(
      (one) => kinds === undefined || kinds.includes(one.kind),
    );
    if (word === undefined) return result(glossaryView, all);
    const meanings = meaningsOf(word, all);
    if (meanings.length === 0) throw unknownWord(word, all);
    const { format, query, fields } = renderingFor(context.process, context.globals);
    const { isByLine, isDrawn } = formatInfo(format);
    const isRows = isByLine || (isDrawn && fields !== undefined);
    if (isRows && query === undefined) return result(meaningView, meanings);
    if (isDrawn && meanings.length > MOST_WHOLE)
      return result(glossaryView, meanings, {
        notes: [`remit explain ${meanings[0]?.name} shows one whole`],
      });
    return result(explainedView, { word, meanings });
  },
});

function unknownWord(word: string, all: readonly Explanation[]) {
  const close = wordsNear(word, [...new Set(all.map(({ name }) => name))]);
  return notFound(
    `"${word}" is not a code, category, state, event, field or term of the service`,
    close.length > 0 ? `did you mean ${close.join(', ')}?` : 'remit explain lists all of them',
  );
}
