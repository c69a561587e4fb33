import { nearest } from '../../core/distance.ts';
import { notFound } from '../../core/problem.ts';
import { command, result } from '../command.ts';
import { type Explanation, glossary, type Kind } from '../explain/glossary.ts';
import { flagText } from '../flags/flag.ts';
import { renderingFor } from '../terminal/rendering.ts';
import { explainedView, glossaryView, meaningView } from '../views/explanation.ts';

export { explain as command };

export interface ExplainOptions {
  word: string | undefined;
  kind: string | undefined;
}

const KINDS: Readonly<Record<string, readonly Kind[]>> = {
  state: ['recipient state', 'transaction state', 'payin method state', 'sender state'],
  code: ['reason code'],
  category: ['reason category', 'payin reason category'],
  event: ['event'],
  field: ['payout field', 'member'],
};

/** Formats that have a row for each meaning. */
const ROWS: ReadonlySet<string> = new Set(['text', 'csv', 'ndjson']);

/** Offline: nothing is asked of the service, and no profile is needed. */
const explain = command<ExplainOptions>({
  description:
    'What a code, a category, a state, an event or a field means, who must act, and what may follow. Asks nobody: it needs no account. Without a word, all of them.',
  args: [
    {
      name: 'WORD',
      summary: 'such as 416, recipient_error, stuck, recipient.error, bank_code',
      optional: true,
    },
  ],
  flags: [{ flags: '--kind <kind>', summary: 'only as one of these', choices: Object.keys(KINDS) }],
  shows: [glossaryView, explainedView],
  examples: [
    'remit explain 416',
    'remit explain stuck',
    'remit explain recipient.error',
    'remit explain bank_code',
    'remit explain --kind code -o csv',
  ],
  read: (input) => ({ word: input.args[0]?.trim(), kind: flagText(input, 'kind') }),
  async run(context, { word, kind }) {
    const { payoutFields } = await import('../explain/payout-fields.ts');
    const kinds = kind === undefined ? undefined : KINDS[kind];
    const all = [...glossary(), ...(await payoutFields())].filter(
      (one) => kinds === undefined || kinds.includes(one.kind),
    );
    if (word === undefined) return result(glossaryView, all);
    const meanings = meaningsOf(word, all);
    if (meanings.length === 0) throw unknownWord(word, all);
    const { format, query, fields } = renderingFor(context.world, context.globals);
    const isRows = ROWS.has(format) || (format === 'table' && fields !== undefined);
    if (isRows && query === undefined) return result(meaningView, meanings);
    return result(explainedView, { word, meanings });
  },
});

/** Looks for the word as written; else in any case, and by other names that the service has for it. */
function meaningsOf(word: string, all: readonly Explanation[]): Explanation[] {
  const exact = all.filter(({ name }) => name === word);
  if (exact.length > 0) return exact;
  const plain = word.toLowerCase().replace(/[\s-]+/g, '_');
  return all.filter(
    ({ name, notes }) =>
      name.toLowerCase() === plain || notes.some((note) => aliasesIn(note).includes(plain)),
  );
}

const aliasesIn = (note: string): string[] =>
  note.startsWith('on the wire also: ') ? note.slice('on the wire also: '.length).split(', ') : [];

function unknownWord(word: string, all: readonly Explanation[]) {
  const close = nearest(word, [...new Set(all.map(({ name }) => name))]);
  return notFound(
    `"${word}" is no code, category, state, event or field of the service`,
    close.length > 0 ? `did you mean ${close.join(', ')}?` : 'remit explain lists all of them',
  );
}
