/** Everything that somebody who mends remit asks for first, in one file, and nothing that is anybody's. */
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { interrupted, usage } from '../../core/problem.ts';
import { bugReportFileShape, bugReportShape } from '../../desk/shapes/machine.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { defineCommand, result } from '../command.ts';
import type { Context } from '../context.ts';
import { type BugReport, bugReport as makeReport } from '../doctor/bug-report.ts';
import { exitCodes } from '../exit-codes.ts';
import type { DetailLine, View } from '../terminal/view.ts';

const view: View<BugReport> = {
  shape: bugReportShape,
  columns: [
    { name: 'made_at', time: true, get: (row) => row.made_at },
    { name: 'versions', get: versionsLine },
    { name: 'environment', get: (row) => row.environment.join(', ') },
    { name: 'profiles', get: (row) => row.profiles.map(profileLine).join('; ') },
    { name: 'checks', get: (row) => row.checks.map(checkLine).join('; ') },
    { name: 'last_error', get: lastLine },
    { name: 'unreadable', get: (row) => row.unreadable.join(', ') },
  ],
  details: (report) => [
    ['made', report.made_at],
    ['versions', versionsLine(report), { wrap: true }],
    ['variables set', report.environment.join(', '), { wrap: true }],
    ...below('profiles', report.profiles.map(profileLine)),
    ...below('checks', report.checks.map(checkLine)),
    ['last error', lastLine(report), { wrap: true }],
    ['could not be read', report.unreadable.join(', ')],
  ],
};

const fileView: View<DataOf<typeof bugReportFileShape>> = {
  shape: bugReportFileShape,
  columns: [
    { name: 'file', get: (row) => row.file },
    { name: 'written', get: (row) => (row.written ? 'yes' : 'no') },
  ],
};

const below = (label: string, lines: readonly string[]): DetailLine[] =>
  lines.map((line, index) => [index === 0 ? label : '', line, { wrap: true }]);

function versionsLine({ versions: { remit, node, platform, from } }: BugReport): string {
  return `remit ${remit}, Node ${node}, ${platform}, from ${from === 'npm' ? 'npm' : 'a clone'}`;
}

const profileLine = (one: BugReport['profiles'][number]): string =>
  [
    `${one.name}${one.is_default ? ' (default)' : ''}`,
    one.environment,
    one.base_url,
    `key ${one.key}`,
    `secret in ${one.secret_in}`,
    one.scheme,
    ...one.sets,
  ].join(' · ');

const checkLine = ({ check, verdict, says }: BugReport['checks'][number]): string =>
  `${check}: ${verdict}${says === null ? '' : `, ${says}`}`;

function lastLine({ last_error: last }: BugReport): string | null {
  if (last === null) return null;
  return [last.at, last.command, last.operation, last.outcome, last.environment, ...last.names].join(' · ');
}

export const command = defineCommand({
  description: `It has versions, the names of variables that are set, profiles, the result of remit doctor, and the last write that was not applied. It has no secret, key, account, phone number, e-mail address or name: names of profiles and keys are cut, hosts stand without a path, and of what the service said only its own codes are taken.
It is printed. With --out it goes to a file that only you can open: on a terminal you see it first and are asked. It is sent to nobody.`,
  flags: {
    out: { value: 'file', summary: 'write it to this file, as JSON' },
    force: { summary: 'with --out: write over a file that is there' },
  },
  shows: [view, fileView],
  effect: 'read',
  examples: ['remit bug-report', 'remit bug-report --out report.json --yes'],
  read({ flags: { out, force } }) {
    if (force && out === undefined) throw usage('--force goes with --out', 'add --out FILE, or leave it out');
    return { out, force };
  },
  async run(context, { out, force }) {
    if (out !== undefined && !force && existsSync(resolve(context.world.cwd, out))) throw isThere(out);
    const report = await makeReport(context, {
      node: process.version,
      platform: `${process.platform} ${process.arch}`,
    });
    if (out === undefined) return result(view, report);
    const text = `${JSON.stringify(report, null, 2)}\n`;
    if (context.globals.yes) {
      await write(context, out, { text, force });
      return result(view, report, { notes: [`It is in ${out} too.`] });
    }
    if (!context.interactive)
      return result(view, report, {
        exit: exitCodes.usage,
        notes: [`It was not written to ${out}: without a terminal that needs --yes.`],
      });
    context.say(text.trimEnd());
    const { askConfirm } = await import('../terminal/prompt.ts');
    if (!(await askConfirm(context, `Write this to ${out}?`))) throw interrupted();
    await write(context, out, { text, force });
    return result(fileView, { file: out, written: true });
  },
});

async function write(
  { world }: Context,
  out: string,
  { text, force }: { text: string; force: boolean },
): Promise<void> {
  try {
    await writeFile(resolve(world.cwd, out), text, { mode: 0o600, flag: force ? 'w' : 'wx' });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'EEXIST') throw isThere(out);
    throw usage(`${out} cannot be written: ${message}`, 'name another file with --out');
  }
}

const isThere = (out: string) => usage(`${out} is there already`, 'name another file, or add --force');
