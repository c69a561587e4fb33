import { exitCodes } from '../../frame/exit-codes.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { result } from '../../payments/cli/result.ts';
import { examine } from './doctor/examine.ts';
import { findingView } from './views/finding.ts';

/** Looks, and changes nothing: reads only, and no secret is shown. */
export const command = defineCommand({
  description: `Checks versions, settings, the profile, where the secret is kept, what protects the profile, and the journal, and whether the PostgreSQL of REMIT_STORE lets us in. Then it checks whether the service answers, whether the clocks agree, whether the signature is accepted, and where webhooks go. Ends with 1 if a check fails; a warning is not a failure.
--report writes what to send with a report of a fault to a new file that only you can open: versions, names of variables and settings, the findings, and the last operations of the journal. No secret, key, account, phone number, e-mail address or name is in it, and it is sent to nobody.`,
  flags: { report: { value: 'file', summary: 'write what to send with a report of a fault to a new file' } },
  shows: [findingView],
  effect: 'read',
  examples: [
    'remit doctor',
    'remit doctor --profile live -o json',
    'remit doctor --report for-the-report.txt',
  ],
  read: ({ flags: { report } }) => ({ report }),
  async run(context, { report }) {
    const found = await examine(context);
    const failures = found.filter(({ verdict }) => verdict === 'fail').length;
    const warnings = found.filter(({ verdict }) => verdict === 'warn').length;
    const notes = [`${failures} failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`];
    if (report !== undefined) {
      const { reportText } = await import('./doctor/report.ts');
      const { writePrivateFile } = await import('../../frame/output/private-file.ts');
      await writePrivateFile(context.process, report, await reportText(context, found));
      notes.push(`written to ${report}: read it before you send it`);
    }
    return result(findingView, found, {
      exit: failures > 0 ? exitCodes.failed : exitCodes.ok,
      notes,
    });
  },
});
