/** Adds an account. The secret comes by prompt, standard input, environment or file, never in argv, where others see it. */

import { resolve } from 'node:path';
import { isSameUrl } from '../../core/account.ts';
import type { Hint } from '../../core/next.ts';
import { usage } from '../../core/problem.ts';
import { readMaxAmounts } from '../../frame/flags/currency.ts';
import type { Input, SwitchFlag, TextFlag } from '../../frame/flags/flag.ts';
import { askSameAccount, joinAccounts } from '../../payments/cli/ask/same-account.ts';
import { defineCommand, type OptionsOf } from '../../payments/cli/command.ts';
import type { Context } from '../../payments/cli/context.ts';
import { type Result, result } from '../../payments/cli/result.ts';
import { guardLoosening } from '../../payments/policy-downgrade.ts';
import { changeSettings, readSettings } from '../profiles.ts';
import type { Environment, Profile, ProfileLimits, Settings } from '../schema.ts';
import { keepSecret, whereKept } from '../secrets.ts';
import { keyFlags, readSecretFrom } from './profile-settings.ts';
import { type SignIn, signIn, tryAccount } from './sign-in.ts';
import { profileView, shownProfile } from './view.ts';

type LoginOptions = OptionsOf<typeof command>;

export const command = defineCommand({
  description:
    'Asks for what is not given. The profile’s name is --profile (“default” if you give none). One request checks that the account is accepted before anything is kept.',
  flags: {
    baseUrl: { value: 'url', summary: 'where the service is; ends in /v1' },
    environment: {
      value: 'name',
      summary:
        'sandbox or production; without it this machine is a sandbox, and everything else is production',
      choices: ['sandbox', 'production'],
    },
    ...keyFlags,
    sendSecret: { summary: 'use the scheme that sends the secret itself: TLS or this machine only' },
    caFile: { value: 'path', summary: 'trust these certificate authorities (PEM)' },
    noKeychain: { summary: 'keep the secret in a file that only you can read' },
    noCheck: { summary: 'keep it without asking the service' },
    sameAccount: { summary: 'the new key takes the place of the one that the profile has' },
    anotherAccount: { summary: 'the new key is of another account than the one that the profile has' },
    default: { summary: 'make it the default profile' },
    readOnly: { summary: 'refuse every write with this profile' },
    maxAmount: {
      value: 'amounts',
      summary: 'refuse payments above these, and in other currencies: EUR=5000,GBP=4000',
    },
    maxPerDay: {
      value: 'amounts',
      summary: 'refuse what goes beyond these in 24 hours, and other currencies: EUR=20000',
    },
  },
  shows: [profileView],
  effect: 'read',
  local: 'write',
  examples: [
    'remit login',
    'remit login --profile live --base-url https://api.example.com/v1 --environment production --key K --secret-stdin < secret.txt',
  ],
  read(input) {
    return {
      name: input.flags.profile,
      baseUrl: input.flags.baseUrl,
      environment: input.flags.environment as Environment | undefined,
      key: input.flags.key,
      secretFrom: readSecretFrom(input),
      secretScheme: input.flags.sendSecret,
      caFile: input.flags.caFile,
      inFile: input.flags.noKeychain,
      check: !input.flags.noCheck,
      makeDefault: input.flags.default,
      limits: limitsIn(input),
      isSameAccount: readSameAccount(input),
    };
  },
  async run(context, options): Promise<Result> {
    const { env } = context.process;
    const name = options.name ?? 'default';
    if (!/^[A-Za-z0-9][A-Za-z0-9._-]{0,40}$/.test(name))
      throw usage(`"${name}" cannot be a profile's name`, 'letters, digits, points and dashes');
    const before = readSettings(env);
    await guardLoosening(context, {
      name,
      before: profileIn(before.profiles, name),
      after: { ...limitsBefore(before, name), ...options.limits },
      live: context.globals.live,
    });
    const answers = await signIn(context, options, async (given) => {
      if (options.check)
        await tryAccount(context, 'login', name, {
          profile: profileOf(context, given, options),
          secret: given.secret,
        });
    });
    const profile = profileOf(context, answers, options);
    const { secret } = answers;
    const joined = await joinIfSame(
      context,
      { name, profile, secret, before: profileIn(before.profiles, name) },
      options,
    );
    const where = await keepSecret(context.process, name, secret, options.inFile ? 'file' : 'keychain');
    let kept: Profile = { ...profile, secretIn: where };
    let isDefault = false;
    await changeSettings(context.process, (settings) => {
      kept = { ...limitsBefore(settings, name), ...kept, ...options.limits };
      isDefault = options.makeDefault || [undefined, name].includes(settings.defaultProfile);
      return {
        ...settings,
        ...(isDefault ? { defaultProfile: name } : {}),
        profiles: { ...settings.profiles, [name]: kept },
      };
    });
    return result(profileView, shownProfile(name, kept, isDefault), {
      notes: [...joined, `the secret is kept in ${whereKept(env, where)}`, ...useNotes(name, isDefault)],
    });
  },
});

/** @throws Problem (usage) where it is both */
function readSameAccount(
  input: Input<{ sameAccount: SwitchFlag; anotherAccount: SwitchFlag }>,
): boolean | undefined {
  const [same, another] = [input.flags.sameAccount, input.flags.anotherAccount];
  if (same && another) throw usage('the new key is of the same account, or of another: say one of the two');
  return same || another ? same : undefined;
}

/** Before the new key is kept: what the old one left unknown is to stay this account's. @throws Problem without an answer */
async function joinIfSame(
  context: Context,
  { name, profile, secret, before }: NewKey,
  { isSameAccount }: LoginOptions,
): Promise<Hint[]> {
  if (before === undefined || before.key === profile.key || !isSameUrl(before, profile)) return [];
  const says = isSameAccount ?? (await askSameAccount(context, before));
  return says ? joinAccounts(context, { words: 'login', name, before, profile, secret }) : [];
}

interface NewKey {
  name: string;
  profile: Profile;
  secret: string;
  before: Profile | undefined;
}

function limitsIn(
  input: Input<{ maxAmount: TextFlag; maxPerDay: TextFlag; readOnly: SwitchFlag }>,
): ProfileLimits {
  const { maxAmount: most, maxPerDay: daily } = input.flags;
  return {
    ...(input.flags.readOnly ? { read_only: true } : {}),
    ...(most === undefined ? {} : { max_amount: readMaxAmounts(most) }),
    ...(daily === undefined ? {} : { max_per_day: readMaxAmounts(daily) }),
  };
}

const profileIn = (profiles: Settings['profiles'], name: string): Profile | undefined =>
  Object.hasOwn(profiles, name) ? profiles[name] : undefined;

/** Signing in again changes a key, not what the profile may do. */
function limitsBefore({ profiles }: Settings, name: string): ProfileLimits {
  const before: ProfileLimits = profileIn(profiles, name) ?? {};
  const { max_amount, max_per_day, read_only, two_person, repeat_days, agent } = before;
  const { max_rate_tolerance } = before;
  const { approvers, approvals_needed, accepted_approvers } = before;
  return {
    ...(max_amount ? { max_amount } : {}),
    ...(max_per_day ? { max_per_day } : {}),
    ...(read_only ? { read_only } : {}),
    ...(two_person ? { two_person } : {}),
    ...(repeat_days === undefined ? {} : { repeat_days }),
    ...(max_rate_tolerance === undefined ? {} : { max_rate_tolerance }),
    ...(agent === undefined ? {} : { agent }),
    ...(approvers === undefined ? {} : { approvers }),
    ...(approvals_needed === undefined ? {} : { approvals_needed }),
    ...(accepted_approvers ? { accepted_approvers } : {}),
  };
}

function profileOf(
  context: Context,
  { baseUrl, environment, key }: SignIn,
  { secretScheme, caFile }: LoginOptions,
): Profile {
  return {
    baseUrl,
    environment,
    key,
    secretIn: 'file',
    ...(secretScheme ? { scheme: 'secret' as const } : {}),
    ...(caFile === undefined ? {} : { caFile: resolve(context.process.cwd, caFile) }),
    ...(context.globals.insecure ? { insecure: true } : {}),
  };
}

/** How to use what was kept, and how to choose it. */
const useNotes = (name: string, isDefault: boolean): string[] =>
  isDefault
    ? ['use it: remit balance     (it is the default profile)']
    : [`use it: remit balance --profile ${name}`, `make it the default: remit profiles use ${name}`];
