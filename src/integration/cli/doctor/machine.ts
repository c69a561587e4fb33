/** Checks of this machine: versions, settings, the secret, the journal, the store. Nothing is sent to the service. */

import { keyLast4 } from '../../../core/account.ts';
import { renderHint } from '../../../frame/output/spell.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { countUnsettled } from '../../../payments/history.ts';
import { policyDowngradesOf, policyDowngradeText } from '../../../payments/policy-downgrade.ts';
import { problemOf } from '../../../payments/problem-of.ts';
import { reachedStore } from '../../../payments/shared-store.ts';
import { type Connection, namedProfile } from '../../../profiles/connection.ts';
import { readSettings, settingsPath } from '../../../profiles/profiles.ts';
import { secretsPath, whereKept } from '../../../profiles/secrets.ts';
import { type Checked, fail, pass, skip, warn } from './finding.ts';

/** The oldest Node that package.json allows. */
const FLOOR = [20, 19] as const;

export function versions({ process }: Context, node: string): Checked {
  const [major = 0, minor = 0] = node.replace(/^v/, '').split('.').map(Number);
  const isOld = major < FLOOR[0] || (major === FLOOR[0] && minor < FLOOR[1]);
  const says = `remit ${process.version}, Node ${node.replace(/^v/, '')}`;
  return isOld
    ? fail('versions', says, `Node ${FLOOR.join('.')} or later is needed`)
    : pass('versions', says);
}

export function settings({ process }: Context): Checked {
  try {
    const { profiles, defaultProfile } = readSettings(process.env);
    const names = Object.keys(profiles);
    if (names.length === 0) return pass('settings', `no profiles yet (${settingsPath(process.env)})`);
    const chosen = defaultProfile === undefined ? 'no default' : `default: ${defaultProfile}`;
    return pass('settings', `${settingsPath(process.env)}: ${names.join(', ')}; ${chosen}`);
  } catch (error) {
    return failed('settings', error);
  }
}

export interface ExaminedProfile {
  findings: Checked[];
  connection?: Connection;
}

/** A secret that is lost or lies open is no fault of the profile. */
export async function profile(context: Context): Promise<ExaminedProfile> {
  try {
    const connection = await context.connection();
    const { name, environment, baseUrl, credentials } = connection;
    const says = `${environment} · ${name} · ${baseUrl} · key …${keyLast4(credentials.key)}`;
    return { findings: [pass('profile', says)], connection };
  } catch (error) {
    const { code, file } = problemOf(error).facts;
    if (settings(context).verdict === 'fail')
      return { findings: [skip('profile', 'the settings cannot be read'), skip('secret', NO_PROFILE)] };
    const isSecret = SECRET_CODES.has(code) || file === secretsPath(context.process.env);
    if (!isSecret) return { findings: [failed('profile', error), skip('secret', NO_PROFILE)] };
    const { name, profile: kept } = namedProfile(context.process.env, context.globals.profile) ?? {};
    return { findings: [pass('profile', `${name} · ${kept?.baseUrl}`), failed('secret', error)] };
  }
}

export const NO_PROFILE = 'there is no profile to look at';
const SECRET_CODES = new Set(['secret_missing', 'secrets_broken']);

export function secret({ process }: Context, { secretIn, credentials }: Connection): Checked {
  const says = whereKept(process.env, secretIn);
  const { secret: text } = credentials;
  if (text !== text.trim() || /\s/.test(text))
    return warn('secret', `kept in ${says}; it has white space in it`, 'copy it again, or remit login');
  return pass('secret', `kept in ${says}`);
}

export async function journal(context: Context): Promise<Checked> {
  try {
    const open = await countUnsettled(context);
    if (open > 0)
      return warn(
        'journal',
        `${open} ${open === 1 ? 'write has' : 'writes have'} an unknown outcome`,
        'remit history settle --all',
      );
    return pass('journal', 'can be written; nothing is unsettled');
  } catch (error) {
    return failed('journal', error);
  }
}

/** The PostgreSQL that machines share, where one is named: no row where there is none. */
export async function store(context: Context): Promise<Checked[]> {
  try {
    const where = await reachedStore(context);
    return where === undefined ? [] : [pass('store', `${where} lets us in`)];
  } catch (error) {
    return [failed('store', error)];
  }
}

/** Checks whether the protection of the profile was loosened of late. */
export async function checkLimits(context: Context, { name, limits: kept }: Connection): Promise<Checked> {
  try {
    const [last] = await policyDowngradesOf(context, name);
    if (last !== undefined)
      return warn('limits', `loosened ${policyDowngradeText(last)}`, `remit history show ${last.id}`);
    const set = Object.keys(kept).filter((limit) => kept[limit as keyof typeof kept] !== undefined);
    return pass('limits', set.length === 0 ? 'the profile has none' : set.join(', '));
  } catch (error) {
    return failed('limits', error);
  }
}

export function failed(check: string, error: unknown): Checked {
  const { message, hint } = problemOf(error).facts;
  return fail(check, message, hint === undefined ? null : renderHint(hint));
}
