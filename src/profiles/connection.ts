/**
 * Tells which service a command talks to. Base URL, key and secret come from one source, a profile or the environment; a mixture
 * is refused, and the secret goes to that source's base URL alone (docs/rules.md 6).
 */

import { accountWith } from '../contract/account-key.ts';
import { checkBaseUrl, checkReportsUrl } from '../contract/base-url.ts';
import { isPathSegment } from '../contract/operations/partner-path.ts';
import type { Credentials } from '../contract/signed-text.ts';
import type { Env } from '../core/env.ts';
import { isLoopback } from '../core/hosts.ts';
import { hint } from '../core/next.ts';
import { configProblem } from '../core/problem.ts';
import { readSettings } from './profiles.ts';
import type { Environment, Profile, ProfileLimits, Settings } from './schema.ts';

export interface Connection {
  /** The profile's name, or `environment` for the three variables. */
  name: string;
  source: 'profile' | 'environment';
  environment: Environment;
  baseUrl: string;
  /** Where the service's own reports are; undefined where it is not set. It belongs to the source of the base URL. */
  reportsUrl?: string | undefined;
  credentials: Credentials;
  scheme: 'signature' | 'secret';
  /** Where the secret is kept. */
  secretIn: 'keychain' | 'file' | 'environment';
  caFile?: string | undefined;
  /** Limits of the profile; an account by the three variables has none. */
  limits: ProfileLimits;
}

const VARIABLES = ['REMIT_BASE_URL', 'REMIT_API_KEY', 'REMIT_API_SECRET'] as const;

const HOW_TO_START = hint`try it without an account: ${'`'}${{ do: 'start_sandbox' }}${'`'} in another terminal; with one: ${'`'}${{ do: 'sign_in' }}${'`'}`;

export interface ConnectionChoice {
  profile?: string | undefined;
  insecure?: boolean | undefined;
}

/** @throws Problem (config) for a key or a secret that fits no header */
function sendable(connection: Connection): Connection {
  const { key, secret } = connection.credentials;
  if (!isHeaderText(key) || (connection.scheme === 'secret' && !isHeaderText(secret))) {
    throw configProblem(
      'bad_key',
      'the API key has characters that cannot be sent',
      'copy it again: it is plain letters, digits and signs',
    );
  }
  return connection;
}

/** A header takes visible ASCII only. */
const isHeaderText = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

export async function resolveConnection(env: Env, choice: ConnectionChoice): Promise<Connection> {
  const given = VARIABLES.filter((name) => env[name] !== undefined && env[name] !== '');
  if (choice.profile !== undefined) return fromProfile(env, choice.profile, choice);
  if (given.length > 0) return fromEnvironment(env, given, choice);
  const settings = readSettings(env);
  const name = nameIn(settings, env);
  if (name === undefined) {
    const several = Object.keys(settings.profiles);
    throw several.length > 1
      ? configProblem(
          'no_profile',
          `several profiles and no default: ${several.join(', ')}`,
          hint`name one with ${{ give: 'profile' }}, or ${'`'}${{ do: 'choose_profile' }}${'`'}`,
        )
      : configProblem('no_profile', 'no profile yet', HOW_TO_START);
  }
  return fromProfile(env, name, choice);
}

/** The profile that a command uses where none is asked for. */
export const nameIn = (settings: Settings, env: Env): string | undefined =>
  env.REMIT_PROFILE || settings.defaultProfile || onlyOne(settings.profiles);

/** The name under which a command's requests are kept in the journal; undefined where no account is chosen. */
export function profileInForce(env: Env, asked: string | undefined): string | undefined {
  if (asked !== undefined) return asked;
  if (VARIABLES.some((name) => env[name] !== undefined && env[name] !== '')) return 'environment';
  return nameIn(readSettings(env), env);
}

/** The profile that a command would use, its secret unread; undefined where the environment has a connection of its own. */
export function chosenProfile(env: Env, asked: string | undefined): Profile | undefined {
  return namedProfile(env, asked)?.profile;
}

export function namedProfile(
  env: Env,
  asked: string | undefined,
): { name: string; profile: Profile } | undefined {
  if (asked === undefined && VARIABLES.some((name) => env[name])) return undefined;
  const settings = readSettings(env);
  const name = asked ?? nameIn(settings, env);
  const profile =
    name !== undefined && Object.hasOwn(settings.profiles, name) ? settings.profiles[name] : undefined;
  return name === undefined || profile === undefined ? undefined : { name, profile };
}

const onlyOne = (profiles: Record<string, Profile>): string | undefined => {
  const names = Object.keys(profiles);
  return names.length === 1 ? names[0] : undefined;
};

function fromEnvironment(env: Env, given: readonly string[], choice: ConnectionChoice): Connection {
  const missing = VARIABLES.filter((name) => !given.includes(name));
  if (missing.length > 0) {
    throw configProblem(
      'mixed_sources',
      `${given.join(' and ')} ${given.length > 1 ? 'are' : 'is'} set but ${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} not`,
      'base URL, key and secret come from one source: set all three, or none and use a profile',
    );
  }
  if (env.REMIT_PROFILE) {
    throw configProblem(
      'mixed_sources',
      `REMIT_PROFILE is set and so are ${VARIABLES.join(', ')}`,
      'keep one source: unset REMIT_PROFILE or the three',
    );
  }
  const baseUrl = checkBaseUrl(env.REMIT_BASE_URL ?? '', { insecure: choice.insecure ?? false });
  return sendable({
    name: 'environment',
    source: 'environment',
    environment: environmentOf(baseUrl, undefined),
    baseUrl,
    reportsUrl: reportsUrlOf(baseUrl, env.REMIT_REPORTS_URL),
    credentials: { key: env.REMIT_API_KEY ?? '', secret: env.REMIT_API_SECRET ?? '' },
    scheme: 'signature',
    secretIn: 'environment',
    limits: partnerPathOf(env.REMIT_PARTNER_PATH),
  });
}

/** @throws Problem (config) */
function partnerPathOf(given: string | undefined): Pick<ProfileLimits, 'partner_path'> {
  if (!given) return {};
  if (isPathSegment(given)) return { partner_path: given };
  throw configProblem(
    'settings',
    `REMIT_PARTNER_PATH is one segment of a path, not "${given}"`,
    'such as partner',
  );
}

async function fromProfile(env: Env, name: string, choice: ConnectionChoice): Promise<Connection> {
  const { profiles } = readSettings(env);
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile === undefined) {
    const names = Object.keys(profiles);
    throw configProblem(
      'no_such_profile',
      `there is no profile "${name}"`,
      names.length > 0 ? `there are: ${names.join(', ')}` : HOW_TO_START,
    );
  }
  const { readSecret } = await import('./secrets.ts');
  const secret = await readSecret(env, name, profile.secretIn);
  return connectionOf(name, profile, { secret, insecure: choice.insecure });
}

/** Makes the connection that a profile describes, kept or about to be kept. @throws Problem (config) */
export function connectionOf(
  name: string,
  profile: Profile,
  { secret, insecure = false }: { secret: string; insecure?: boolean | undefined },
): Connection {
  const baseUrl = checkBaseUrl(profile.baseUrl, { insecure: insecure || profile.insecure || false });
  return sendable({
    name,
    source: 'profile',
    environment: environmentOf(baseUrl, profile.environment),
    baseUrl,
    reportsUrl: reportsUrlOf(baseUrl, profile.reports_url),
    credentials: { key: profile.key, secret },
    scheme: profile.scheme ?? 'signature',
    secretIn: profile.secretIn,
    caFile: profile.caFile,
    limits: {
      ...(profile.max_amount ? { max_amount: profile.max_amount } : {}),
      ...(profile.max_per_day ? { max_per_day: profile.max_per_day } : {}),
      ...(profile.read_only ? { read_only: true } : {}),
      ...(profile.two_person ? { two_person: true } : {}),
      ...(profile.repeat_days === undefined ? {} : { repeat_days: profile.repeat_days }),
      ...(profile.max_rate_tolerance === undefined ? {} : { max_rate_tolerance: profile.max_rate_tolerance }),
      ...(profile.approvers === undefined ? {} : { approvers: profile.approvers }),
      ...(profile.approvals_needed === undefined ? {} : { approvals_needed: profile.approvals_needed }),
      ...(profile.accepted_approvers ? { accepted_approvers: profile.accepted_approvers } : {}),
      ...(profile.agent ? { agent: profile.agent } : {}),
      ...(profile.partner_path ? { partner_path: profile.partner_path } : {}),
    },
  });
}

/**
 * A sandbox has its reports on its own port, and its key goes to no other machine. Where those of the service are is documented
 * nowhere: it must be given.
 */
function reportsUrlOf(baseUrl: string, given: string | undefined): string | undefined {
  const { hostname, origin } = new URL(baseUrl);
  const isLocal = isLoopback(hostname);
  if (!given) return isLocal ? origin : undefined;
  const url = checkReportsUrl(given);
  if (!isLocal || isLoopback(new URL(url).hostname)) return url;
  throw configProblem(
    'mixed_sources',
    `the base URL is on this machine, and the reports URL is not: ${url}`,
    'unset the reports URL: a sandbox has its reports on its own port',
  );
}

/**
 * Returns the environment that was declared. Without one, loopback is a sandbox, and everything else counts as
 * production. A tunnel to production is on loopback too.
 */
export function environmentOf(baseUrl: string, declared: Environment | undefined): Environment {
  return declared ?? (isLoopback(new URL(baseUrl).hostname) ? 'sandbox' : 'production');
}

export const accountOf = ({ baseUrl, credentials }: Pick<Connection, 'baseUrl' | 'credentials'>) =>
  accountWith(baseUrl, credentials.key);
