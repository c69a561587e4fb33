import type { Hint } from '../../core/next.ts';
import { notFound, usage } from '../../core/problem.ts';
import { joinAccounts } from '../../payments/cli/ask/same-account.ts';
import { defineCommand, type OptionsOf } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { type Result, result } from '../../payments/cli/result.ts';
import { guardLoosening } from '../../payments/policy-downgrade.ts';
import { changeSettings, readSettings } from '../profiles.ts';
import type { Profile } from '../schema.ts';
import { keepSecret } from '../secrets.ts';
import { withApprovers } from './accept-approvers.ts';
import { keyFlags, readSecretFrom, readSetting, type Setting, withSettings } from './profile-settings.ts';
import { type SignIn, signIn, tryAccount } from './sign-in.ts';
import { profileView, shownProfile } from './view.ts';

type ProfilesOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description: `remit profiles                          lists them
remit profiles use NAME                 makes one the default
remit profiles set NAME SETTING=VALUE   read_only=true refuses every write; max_amount.EUR=5000 refuses payments above it, and
                                        in currencies that have none; max_per_day.EUR=20000 refuses what goes beyond it in any 24
                                        hours, as this machine let it through; output=json sets the format; partner_path=NAME is the
                                        segment before /balance of the partner balance; reports_url=URL is where the service
                                        keeps its own reports; without a value it is removed
                                        approvers=FILE and approvals_needed=2 take pay runs that so many of the approvers in
                                        the file signed, and no others. Each new key is shown with its fingerprint, which is
                                        typed as the approver told it; without a terminal --fingerprint names it
remit profiles rotate NAME              takes a new key and secret for the same account. What the old key left unknown stays this account's,
                                        its payments are not made again, and its runs go on. Where the journal has a record that the
                                        old key made, the new one must be able to read it. Where it has none, what the old key left
                                        unknown is only looked for with the new one, and never sent

What protects a production profile (read_only, two_person, max_amount, max_per_day, repeat_days, max_rate_tolerance, approvers, approvals_needed, agent) is taken off only with --live=NAME, and the journal keeps who did it.

The limits belong to the profile: there are none where REMIT_BASE_URL, REMIT_API_KEY and REMIT_API_SECRET name the account. The controls of a sandbox, such as its clock, do not count as writes.`,
  args: [
    { name: 'ACTION', summary: 'list (the default), use, set or rotate', optional: true },
    { name: 'NAME', summary: 'the profile', optional: true },
    { name: 'SETTING', summary: 'what to set, such as read_only=true', optional: true, many: true },
  ],
  flags: {
    ...keyFlags,
    fingerprint: {
      value: 'print',
      summary: 'the fingerprint of an approver’s key, as its owner told it; may be repeated',
      many: true,
    },
  },
  shows: [profileView],
  local: 'destructive',
  examples: [
    'remit profiles',
    'remit profiles use live',
    'remit profiles set live max_amount.EUR=5000 max_amount.GBP=4000',
    'remit profiles set live max_per_day.EUR=20000',
    'remit profiles set audit read_only=true',
    'remit profiles set live max_amount.EUR=9000 --live=live',
    'remit profiles set live approvers=approvers.txt approvals_needed=2',
    'remit profiles rotate live --key K --secret-stdin < secret.txt',
  ],
  read(input) {
    const [action = 'list', name = '', ...settings] = input.args;
    if (action !== 'list' && action !== 'use' && action !== 'set' && action !== 'rotate')
      throw usage(`profiles has no action "${action}"`, 'list, use, set or rotate');
    if (action !== 'list' && name === '') throw usage(`remit profiles ${action} needs a name`);
    if (action === 'set' && settings.length === 0)
      throw usage('remit profiles set needs something to set', 'such as read_only=true');
    if (action !== 'set' && settings.length > 0) throw usage(`${settings[0]} goes with remit profiles set`);
    const key = input.flags.key;
    const secretFrom = readSecretFrom(input);
    if (action !== 'rotate' && (key !== undefined || secretFrom.kind !== 'ask'))
      throw usage('a key and a secret go with remit profiles rotate');
    const fingerprints = input.flags.fingerprint;
    const read = settings.map(readSetting);
    if (fingerprints.length > 0 && !read.some((one) => one.name === 'approvers' && one.value !== undefined))
      throw usage('a fingerprint goes with remit profiles set NAME approvers=FILE');
    return { action, name, settings: read, fingerprints, key, secretFrom };
  },
  async run(context, { action, name, settings, fingerprints, ...given }): Promise<Result> {
    if (action === 'rotate') return list(context, name, await rotate(context, name, given));
    if (action !== 'list') await change(context, name, settings, fingerprints);
    return list(context, action === 'set' ? name : undefined);
  },
});

/** The default, or what is set on one. */
async function change(
  context: Context,
  name: string,
  given: readonly Setting[],
  fingerprints: readonly string[],
): Promise<void> {
  const known = readSettings(context.process.env).profiles;
  const kept = Object.hasOwn(known, name) ? known[name] : undefined;
  const settings = kept === undefined ? given : await withApprovers(context, kept, given, fingerprints);
  if (kept !== undefined)
    await guardLoosening(context, {
      name,
      before: kept,
      after: withSettings(kept, settings),
      live: context.globals.live,
    });
  await changeSettings(context.process, (before) => {
    const profile = Object.hasOwn(before.profiles, name) ? before.profiles[name] : undefined;
    if (profile === undefined) throw notFound(`there is no profile "${name}"`, 'remit profiles lists them');
    if (settings.length === 0) return { ...before, defaultProfile: name };
    return { ...before, profiles: { ...before.profiles, [name]: withSettings(profile, settings) } };
  });
}

/** The join is written down first: from then on both keys are one account, whichever the profile has. */
async function rotate(
  context: Context,
  name: string,
  { key, secretFrom }: Pick<ProfilesOptions, 'key' | 'secretFrom'>,
): Promise<Hint[]> {
  const before = profileIn(context, name);
  const { baseUrl, environment, secretIn } = before;
  const given = { baseUrl, environment, key, secretFrom };
  const withKey = (answered: SignIn): Profile => ({ ...before, key: answered.key });
  const answers = await signIn(context, given, async (answered) => {
    await tryAccount(context, 'profiles rotate', name, {
      profile: withKey(answered),
      secret: answered.secret,
    });
  });
  const { secret } = answers;
  const profile = withKey(answers);
  const notes = await joinAccounts(context, { words: 'profiles rotate', name, before, profile, secret });
  const where = await keepSecret(context.process, name, secret, secretIn);
  await changeSettings(context.process, (settings) => ({
    ...settings,
    profiles: { ...settings.profiles, [name]: { ...profile, secretIn: where } },
  }));
  return notes;
}

/** @throws Problem (not found) */
function profileIn(context: Context, name: string): Profile {
  const { profiles: known } = readSettings(context.process.env);
  const profile = Object.hasOwn(known, name) ? known[name] : undefined;
  if (profile === undefined) throw notFound(`there is no profile "${name}"`, 'remit profiles lists them');
  return profile;
}

function list(context: Context, only: string | undefined, notes: readonly Hint[] = []): Result {
  const settings = readSettings(context.process.env);
  const rows = Object.entries(settings.profiles)
    .filter(([name]) => only === undefined || name === only)
    .map(([name, profile]) => shownProfile(name, profile, settings.defaultProfile === name));
  return result(profileView, rows, { notes });
}
