/**
 * Manual pages: one for each command, as the build wrote them, and as mandoc reads them. Where mandoc is missing its tests are skipped
 * and printed so; with REMIT_REQUIRE_MANDOC=1, as in CI, they fail.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { describeCommands } from '../../src/program/help/describe.ts';
import { argumentsOf, manPagesOf, prose, tagged, verbatim } from '../../src/program/help/man.ts';
import { groups } from '../../src/program/tree.ts';
import { some } from '../support/long.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const folder = resolve(import.meta.dirname, '../../dist/man/man1');
const names = readdirSync(folder);
const pageAt = (name: string): string => readFileSync(join(folder, name), 'utf8');
const commands = await describeCommands();

const isThere = spawnSync('mandoc', ['-h']).error === undefined;
const withMandoc = describe.skipIf(process.env.REMIT_REQUIRE_MANDOC !== '1' && !isThere);
/** As a terminal shows it, without bold and underlined letters. */
const rendered = (path: string, width = 80): string =>
  execFileSync('mandoc', ['-T', 'utf8', '-O', `width=${width}`, path], { encoding: 'utf8' }).replace(
    /.\u0008/gu,
    '',
  );

it('every command and every group has its page, and no other is there', () => {
  const all = ['', ...Object.keys(groups), ...commands.map(({ words }) => words)];
  const wanted = all.map((words) => `${['remit', ...words.split(' ')].filter(Boolean).join('-')}.1`);
  expect(names).toEqual([...new Set(wanted)].sort());
});

it('each is made from the commands as they are now, on the day of its build', async () => {
  const made = await manPagesOf('today');
  const undated = (page: string): string => page.replace(/^\.Dd .*/, '.Dd today');
  expect(Object.fromEntries(names.map((name) => [name, undated(pageAt(name))]))).toEqual(made);
  expect(pageAt('remit.1')).toMatch(/^\.Dd [A-Z][a-z]+ \d+, 20\d\d\n/);
});

it.each(commands.map((one) => [one.words, one] as const))('remit %s has what its help has', (words, one) => {
  const page = pageAt(`remit-${words.replace(' ', '-')}.1`);
  const heads = [...page.matchAll(/^\.Sh (.*)$/gm)].map(([, head]) => head);
  const fields = one.json_fields.length > 0 ? ['JSON FIELDS'] : [];
  const rest = ['EXIT STATUS', ...(one.examples.length > 0 ? ['EXAMPLES'] : []), 'SEE ALSO'];
  expect(heads).toEqual(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', ...fields, ...rest]);
});

withMandoc('mandoc', () => {
  it('has no complaint about any of them', () => {
    const { stdout, stderr } = spawnSync('mandoc', ['-T', 'lint', ...some(names, 16)], {
      cwd: folder,
      encoding: 'utf8',
    });
    expect(`${stdout}${stderr}`.split('\n').slice(0, 5)).toEqual(['']);
  });

  it.each(['tx create', 'batch run', 'webhooks listen'])('shows flags and examples of %s', (words) => {
    const text = rendered(join(folder, `remit-${words.replace(' ', '-')}.1`));
    const one = commands.find((command) => command.words === words);
    expect(one?.flags.length).toBeGreaterThan(3);
    for (const { long, short } of one?.flags ?? [])
      expect(text).toMatch(new RegExp(`^ +${short === null ? '' : `${short}, `}${long}\\b`, 'm'));
    for (const example of one?.examples ?? []) expect(text).toContain(` ${example}\n`);
    for (const code of one?.exit_codes ?? []) expect(text).toMatch(new RegExp(`^ +${code} `, 'm'));
  });

  it('shows any text as it is, and finds no macro in it', () => {
    const odd = [
      '.Sh NAME is a line that begins with a dot',
      "'br is one that begins with a quote",
      'a \\fB backslash \\n(ab, --a-flag, "double", it\'s, `tick`, ~/x^2, 50 % and 100 ¢',
      'Zoë pays 1.5 € — “today” • 日本',
    ];
    const lines = [
      ...[
        '.Dd January 1, 2026',
        '.Dt ODD 1',
        '.Os',
        '.Sh NAME',
        '.Nm odd',
        `.Nd ${argumentsOf('No Op . is Fl here')}`,
      ],
      ...['.Sh DESCRIPTION', ...odd.flatMap((text) => [...prose(text), '.Pp']).slice(0, -1)],
      ...['.Sh OPTIONS', ...tagged([[`Ar ${argumentsOf('El -x "y"')}`, prose('Bl. It.')]])],
      ...['.Sh EXAMPLES', ...verbatim(odd)],
    ];
    const path = join(temporaryFolder(), 'odd.1');
    writeFileSync(path, `${lines.join('\n')}\n`);
    const text = rendered(path, 200);
    for (const line of odd) expect(text.split(line)).toHaveLength(3);
    expect(text).toContain('odd – No Op . is Fl here');
    expect(text).toContain('El -x "y"');
    expect(text).toMatch(/Bl\. +It\./);
  });
});
