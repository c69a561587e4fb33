import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import { explanationShape, glossaryShape } from '../../../payments/shapes/reference.ts';
import { lookOf } from '../../../payments/words/looks.ts';
import type { Explanation } from '../../glossary.ts';

export interface Explained {
  word: string;
  meanings: readonly Explanation[];
}

export const explainedView: View<Explained> = {
  shape: explanationShape,
  // A word on its own is drawn in blocks, or is a row for each meaning (`meaningView`).
  columns: [
    { name: 'word', get: (row) => row.word },
    { name: 'kinds', get: ({ meanings }) => meanings.map(({ kind }) => kind).join(', ') },
  ],
  details: ({ meanings }) =>
    meanings.flatMap((one, index): DetailLine[] => [...(index > 0 ? ['' as const] : []), ...linesOf(one)]),
};

function linesOf({ kind, name, meaning, who, can, moves, events, tell, notes }: Explanation): DetailLine[] {
  const many = (label: string, texts: readonly string[]): DetailLine[] =>
    texts.map((text, index) => [index === 0 ? label : '', text, { wrap: true }]);
  return [
    [kind, name, { state: kind.endsWith('state') ? lookOf : undefined }],
    ['means', meaning, { wrap: true }],
    ['who must act', who],
    ...many('you can', can),
    ...many(kind === 'event' ? 'sent when' : 'what may follow', moves),
    ...many(kind === 'event' ? 'see also' : events.length > 1 ? 'events' : 'event', events),
    ['tell the customer', tell, { wrap: true }],
    ...many('note', notes),
  ];
}

/** Lists all words at once. */
export const glossaryView: View<Explanation> = {
  shape: glossaryShape,
  columns: [
    { name: 'name', head: 'WORD', get: (row) => row.name },
    { name: 'kind', get: (row) => row.kind },
    { name: 'meaning', wrap: true, get: (row) => row.meaning },
    { name: 'who', priority: 2, get: (row) => row.who },
  ],
};

/** A program gets a row for each meaning of a word. */
export const meaningView: View<Explanation> = {
  shape: glossaryShape,
  columns: [
    ...glossaryView.columns,
    { name: 'can', get: (row) => row.can.join('; ') },
    { name: 'moves', get: (row) => row.moves.join('; ') },
    { name: 'events', get: (row) => row.events.join('; ') },
    { name: 'tell_the_customer', get: (row) => row.tell },
  ],
};
