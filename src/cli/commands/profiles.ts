import { command, result } from '../command.ts';
import { changeSettings, readSettings } from '../config/profiles.ts';
import { notFound, usage } from '../failure.ts';
import { profileView, type ShownProfile } from '../views/profile.ts';

export { profiles as command };

const profiles = command<{ action: 'list' | 'use'; name: string }>({
  description: `remit profiles             lists them
remit profiles use NAME    makes one the default`,
  args: [
    { name: 'ACTION', summary: 'list (the default) or use', optional: true },
    { name: 'NAME', summary: 'the profile', optional: true },
  ],
  examples: ['remit profiles', 'remit profiles use live'],
  read(input) {
    const [action = 'list', name = ''] = input.args;
    if (action !== 'list' && action !== 'use')
      throw usage(`profiles has no action "${action}"`, 'list or use');
    if (action === 'use' && name === '') throw usage('remit profiles use needs a name');
    return { action, name };
  },
  async run(context, { action, name }) {
    const { env } = context.world;
    if (action === 'use') {
      if (!Object.hasOwn(readSettings(env).profiles, name))
        throw notFound(`there is no profile "${name}"`, 'remit profiles lists them');
      await changeSettings(context.world, (settings) => ({ ...settings, defaultProfile: name }));
    }
    const settings = readSettings(env);
    const rows = Object.entries(settings.profiles).map(
      ([each, { sandbox: _, ...profile }]): ShownProfile => ({
        name: each,
        ...profile,
        isDefault: settings.defaultProfile === each,
      }),
    );
    return result(profileView, rows);
  },
});
