import { notFound, usage } from '../../core/problem.ts';
import { changeSettings, readSettings } from '../../profiles/profiles.ts';
import { forgetSecret } from '../../profiles/secrets.ts';
import { command, result } from '../command.ts';
import { profileView, shownProfile } from '../views/profile.ts';

export { logout as command };

const logout = command<{ name: string | undefined }>({
  description: 'Forgets the profile named with --profile, or the default one, and its secret.',
  shows: [profileView],
  examples: ['remit logout --profile live'],
  read: (input) => ({ name: typeof input.flags.profile === 'string' ? input.flags.profile : undefined }),
  async run(context, { name }) {
    const { env } = context.world;
    const settings = readSettings(env);
    const chosen = name ?? env.REMIT_PROFILE ?? settings.defaultProfile;
    if (chosen === undefined)
      throw usage('which profile?', `--profile ${Object.keys(settings.profiles)[0] ?? 'NAME'}`);
    const profile = settings.profiles[chosen];
    if (profile === undefined) throw notFound(`there is no profile "${chosen}"`, 'remit profiles lists them');
    await forgetSecret(context.world, chosen, profile.secretIn);
    await changeSettings(context.world, ({ defaultProfile, profiles }) => {
      const { [chosen]: _, ...rest } = profiles;
      return {
        ...(defaultProfile === undefined || defaultProfile === chosen ? {} : { defaultProfile }),
        profiles: rest,
      };
    });
    return result(profileView, shownProfile(chosen, profile, false), {
      notes: [`forgotten: ${chosen} and its secret`],
    });
  },
});
