import { notFound, usage } from '../../core/problem.ts';
import { guardLoosening } from '../../desk/loosening.ts';
import { changeSettings, readSettings } from '../../profiles/profiles.ts';
import { command, type Result, result } from '../command.ts';
import type { Context } from '../context.ts';
import { readSetting, type Setting, withSettings } from '../flags/profile-settings.ts';
import { profileView, shownProfile } from '../views/profile.ts';

export interface ProfilesOptions {
  action: 'list' | 'use' | 'set';
  name: string;
  settings: Setting[];
}

export { profiles as command };

const profiles = command<ProfilesOptions>({
  description: `remit profiles                          lists them
remit profiles use NAME                 makes one the default
remit profiles set NAME SETTING=VALUE   read_only=true refuses every write; max_amount.EUR=5000 refuses payments above it, and
                                        in currencies that have none; output=json sets the format; partner_path=NAME is the
                                        segment before /balance of the partner balance; reports_url=URL is where the service
                                        keeps its own reports; without a value it is removed

What protects a production profile (read_only, two_person, max_amount, repeat_days) is taken off only with --live=NAME, and the journal keeps who did it.

The limits belong to the profile: there are none where REMIT_BASE_URL, REMIT_API_KEY and REMIT_API_SECRET name the account. The controls of a sandbox, such as its clock, do not count as writes.`,
  args: [
    { name: 'ACTION', summary: 'list (the default), use or set', optional: true },
    { name: 'NAME', summary: 'the profile', optional: true },
    { name: 'SETTING', summary: 'what to set, such as read_only=true', optional: true, many: true },
  ],
  shows: [profileView],
  examples: [
    'remit profiles',
    'remit profiles use live',
    'remit profiles set live max_amount.EUR=5000 max_amount.GBP=4000',
    'remit profiles set audit read_only=true',
    'remit profiles set live max_amount.EUR=9000 --live=live',
  ],
  read(input) {
    const [action = 'list', name = '', ...settings] = input.args;
    if (action !== 'list' && action !== 'use' && action !== 'set')
      throw usage(`profiles has no action "${action}"`, 'list, use or set');
    if (action !== 'list' && name === '') throw usage(`remit profiles ${action} needs a name`);
    if (action === 'set' && settings.length === 0)
      throw usage('remit profiles set needs something to set', 'such as read_only=true');
    if (action !== 'set' && settings.length > 0) throw usage(`${settings[0]} goes with remit profiles set`);
    return { action, name, settings: settings.map(readSetting) };
  },
  async run(context, { action, name, settings }) {
    if (action !== 'list') await change(context, name, settings);
    return list(context, action === 'set' ? name : undefined);
  },
});

/** The default, or what is set on one. */
async function change(context: Context, name: string, settings: readonly Setting[]): Promise<void> {
  const known = readSettings(context.world.env).profiles;
  const kept = Object.hasOwn(known, name) ? known[name] : undefined;
  if (kept !== undefined)
    await guardLoosening(context, {
      name,
      before: kept,
      after: withSettings(kept, settings),
      live: context.globals.live,
    });
  await changeSettings(context.world, (before) => {
    const profile = Object.hasOwn(before.profiles, name) ? before.profiles[name] : undefined;
    if (profile === undefined) throw notFound(`there is no profile "${name}"`, 'remit profiles lists them');
    if (settings.length === 0) return { ...before, defaultProfile: name };
    return { ...before, profiles: { ...before.profiles, [name]: withSettings(profile, settings) } };
  });
}

function list(context: Context, only: string | undefined): Result {
  const settings = readSettings(context.world.env);
  const rows = Object.entries(settings.profiles)
    .filter(([name]) => only === undefined || name === only)
    .map(([name, profile]) => shownProfile(name, profile, settings.defaultProfile === name));
  return result(profileView, rows);
}
