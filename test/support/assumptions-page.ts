/** `docs/assumptions.md`, made from the rows in the code and from the state tables. `npm run docs` writes it. */
import { stateRules } from '../../src/contract/states/rules.ts';
import { assumptions } from '../../src/sandbox/assumptions/index.ts';

const HEAD = `# What the sandbox assumes

The service's description leaves much open. Where it does, the sandbox decides, and each decision is one row here. Code that
embodies a row names it; every change of state names its rule, which \`remit sandbox explain ID\` shows with its basis. This page
is made from the code by \`npm run docs\`.
`;

export function assumptionsPage(): string {
  return [HEAD, rulesTable(), movesTable()].join('\n');
}

function rulesTable(): string {
  const rows = assumptions.map(
    ({ id, area, rule, why, where }) => `| ${area} | ${rule} | ${why} | ${where} | \`${id}\` |`,
  );
  return `## Rules

| area | the sandbox | why | where in the description | id |
|---|---|---|---|---|
${rows.join('\n')}
`;
}

/** The description shows a few moves of each resource and leaves out the others. */
function movesTable(): string {
  const assumed = [...stateRules.values()].filter(({ basis }) => basis === 'assumed');
  const rows = assumed.map(({ rule, says, moves }) => `| ${moves.join('<br>')} | ${says} | \`${rule}\` |`);
  return `## Moves between states

The description shows some moves of each resource ("States and transitions") and leaves the others open. These are assumed,
because the states on both sides exist and something must lead from one to the other.

| move | the rule | id |
|---|---|---|
${rows.join('\n')}
`;
}
