/** The moves in `docs/assumptions.md`, made from the state tables: `npm run docs` writes them below the rules, which people write. */
import { stateRules } from '../../src/contract/states/rules.ts';

const HEADING = '## Moves between states\n';

/** The page with the moves as they are now. */
export const withMoves = (page: string): string => `${page.slice(0, page.indexOf(HEADING))}${movesTable()}`;

/** The description shows a few moves of each resource and leaves out the others. */
function movesTable(): string {
  const assumed = [...stateRules.values()].filter(({ basis }) => basis === 'assumed');
  const rows = assumed.map(({ rule, says, moves }) => `| ${moves.join('<br>')} | ${says} | \`${rule}\` |`);
  return `${HEADING}
The description shows some moves of each resource ("States and transitions") and leaves the others open. These are assumed,
because the states on both sides exist and something must lead from one to the other.

| move | the rule | id |
|---|---|---|
${rows.join('\n')}
`;
}
