import { notFound, usage } from '../../core/problem.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { result } from '../../payments/cli/result.ts';
import { nameIn } from '../connection.ts';
import { changeSettings, readSettings } from '../profiles.ts';
import { forgetSecret } from '../secrets.ts';
import { profileView, shownProfile } from './view.ts';

export const command = defineCommand({
  description:
    'Removes a profile and its secret from this machine: NAME (or --profile NAME), or else the default or the only one.',
  args: [
    { name: 'NAME', summary: 'the profile; the default or the only one if you do not say', optional: true },
  ],
  shows: [profileView],
  local: 'destructive',
  examples: ['remit logout live', 'remit logout'],
  read(input) {
    const [name, flag] = [input.args[0], input.flags.profile];
    if (name !== undefined && flag !== undefined && name !== flag)
      throw usage(`two profiles are named: ${name} and ${flag}`, 'name one of them');
    return { name: name ?? flag };
  },
  async run(context, { name }) {
    const { env } = context.process;
    const settings = readSettings(env);
    const chosen = name ?? nameIn(settings, env);
    if (chosen === undefined)
      throw usage('which profile?', `remit logout ${Object.keys(settings.profiles)[0] ?? 'NAME'}`);
    const profile = settings.profiles[chosen];
    if (profile === undefined) throw notFound(`there is no profile "${chosen}"`, 'remit profiles lists them');
    await forgetSecret(context.process, chosen, profile.secretIn);
    await changeSettings(context.process, ({ defaultProfile, profiles, ...kept }) => {
      const { [chosen]: _, ...rest } = profiles;
      return {
        ...kept,
        ...(defaultProfile === undefined || defaultProfile === chosen ? {} : { defaultProfile }),
        profiles: rest,
      };
    });
    return result(profileView, shownProfile(chosen, profile, false), {
      notes: [`removed: ${chosen} and its secret`],
    });
  },
});
