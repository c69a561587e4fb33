import { defineCommand, result } from '../command.ts';
import { examine } from '../doctor/examine.ts';
import { exitCodes } from '../exit-codes.ts';
import { findingView } from '../views/finding.ts';

/** Looks, and changes nothing: reads only, and no secret is shown. */
export const command = defineCommand({
  description:
    'Checks versions, settings, the profile, where the secret is kept, what protects the profile, and the journal, and whether the PostgreSQL of REMIT_STORE lets us in. Then it checks whether the service answers, whether the clocks agree, whether the signature is accepted, and where webhooks go. Ends with 1 if a check fails; a warning is not a failure.',
  shows: [findingView],
  effect: 'read',
  examples: ['remit doctor', 'remit doctor --profile live -o json'],
  read: () => null,
  async run(context) {
    const found = await examine(context);
    const failures = found.filter(({ verdict }) => verdict === 'fail').length;
    const warnings = found.filter(({ verdict }) => verdict === 'warn').length;
    return result(findingView, found, {
      exit: failures > 0 ? exitCodes.failed : exitCodes.ok,
      notes: [`${failures} failed, ${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`],
    });
  },
});
