/** The examples that the help of each command ends with, for whoever knows what to do and not which command does it. */
import { fold } from '../../core/fold.ts';
import { groupedBy } from '../../core/grouped-by.ts';
import { exampleShape } from '../../desk/shapes/machine.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { command, result, wholeList } from '../command.ts';
import type { DescribedCommand } from '../help/described.ts';
import { formatInfo } from '../terminal/format.ts';
import { renderingFor } from '../terminal/rendering.ts';
import type { DetailLine, View } from '../terminal/view.ts';
import { glued } from '../terminal/wrap.ts';

export { examples as command };

type Example = DataOf<typeof exampleShape>;

const view: View<Example> = {
  shape: exampleShape,
  columns: [
    { name: 'example', wrap: true, get: (row) => row.example },
    { name: 'command', priority: 2, get: (row) => row.command },
    { name: 'summary', priority: 1, wrap: true, get: (row) => row.summary },
  ],
  empty: 'No example has these words. remit commands lists what there is.',
};

/** On a terminal, each command with its own: a line that is to be copied is not cut by a column. */
const groupedView: View<{ found: readonly Example[] }> = {
  shape: exampleShape,
  columns: [],
  details: ({ found }) =>
    [...groupedBy(found, ({ command }) => command)].flatMap(([words, those], index): DetailLine[] => [
      ...(index === 0 ? [] : ['' as const]),
      [words, those[0]?.summary],
      ...those.map(({ example }): DetailLine => ['', glued(example)]),
    ]),
};

const examples = command({
  description:
    'Each command has examples at the end of its help; here they stand together. With words, those of which the command, what it does or the example itself has every word, in capitals or not.',
  args: [{ name: 'WORD', summary: 'such as fund, csv, max-input or NGN::Bank', optional: true, many: true }],
  shows: [view],
  isTabular: true,
  examples: ['remit examples', 'remit examples fund', 'remit examples pay run', 'remit examples csv -o json'],
  read: (input): { words: string[] } => ({ words: input.args.map(fold) }),
  async run({ world, globals }, { words }) {
    const all = ((await world.tree?.describe()) ?? []).flatMap(examplesOf);
    const found = all.filter(({ command: of, summary, example }) => {
      const said = fold(`${of} ${summary} ${example}`);
      return words.every((word) => said.includes(word));
    });
    const { format, fields, query } = renderingFor(world, globals);
    const isGrouped = formatInfo(format).isDrawn && fields === undefined && query === undefined;
    return isGrouped && found.length > 0 ? result(groupedView, { found }) : wholeList(view, found);
  },
});

const examplesOf = ({ words, summary, examples: those }: DescribedCommand): Example[] =>
  those.map((example) => ({ command: words, summary, example }));
