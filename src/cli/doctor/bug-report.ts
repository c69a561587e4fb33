/**
 * A report for whoever mends remit. It is made of members that are named here one by one, so that a text of the service, of a file or of a
 * person comes into it nowhere; what is left of sentences is scrubbed besides (decision 0100).
 */
import { keyLast4 } from '../../core/account.ts';
import { isoTime } from '../../core/clock.ts';
import type { Env } from '../../core/env.ts';
import { glossary } from '../../desk/glossary/glossary.ts';
import { listIntents } from '../../desk/payments/history.ts';
import { problemOf } from '../../desk/problem-of.ts';
import type { bugReportShape } from '../../desk/shapes/machine.ts';
import type { DataOf } from '../../desk/shapes/shape.ts';
import { initial, MASK } from '../../desk/words/mask.ts';
import { readSettings } from '../../profiles/profiles.ts';
import { limits, type Profile, type Settings } from '../../profiles/schema.ts';
import type { Context } from '../context.ts';
import { examine } from './examine.ts';
import type { Checked } from './finding.ts';

/** Sentences without anything that is a secret, an account or a person. It is the second net: what may be of that kind is left out before. */
const HIDDEN = MASK.repeat(3);

/** Whatever looks like an address, a number of somebody, or a key; ids of the service are taken along. */
const KINDS: readonly (readonly [RegExp, string])[] = [
  [/(?<![a-z0-9+.-])[a-z0-9+.-]+:\/\/\S*/gi, HIDDEN],
  [/(?<!\S)\S*@\S*/g, HIDDEN],
  [/[A-Za-z0-9_+=-]{20,}/g, HIDDEN],
  [/\+?\d[\d ().-]{4,}\d/g, HIDDEN],
];

/** Shorter values are words such as `1` or `csv`: they would be taken out of the middle of others. */
const SHORTEST = 4;

/** The values that no report may have: of remit's variables, and of those that name this user and this machine. */
const ENVIRONMENT = /^(?:REMIT_.*|.*PROXY|HOME|USERPROFILE|USER|LOGNAME|USERNAME|HOSTNAME|XDG_.*|PG.*)$/i;

type Scrub = (text: string) => string;

/** @param known whole texts that must not stand in it: keys, secrets, names of profiles */
export function scrubber(env: Env, known: readonly string[]): Scrub {
  const values = Object.entries(env).flatMap(([name, value]) =>
    ENVIRONMENT.test(name) && value ? [value] : [],
  );
  const hidden = [...new Set([...values, ...known])]
    .filter((value) => value.length >= SHORTEST)
    .sort((one, other) => other.length - one.length);
  return (text) => {
    const without = hidden.reduce((left, value) => left.replaceAll(value, HIDDEN), text);
    return KINDS.reduce((left, [kind, instead]) => left.replace(kind, instead), without);
  };
}

/** The host alone: a path can be a password too, and so can a user. */
function hostOf(url: string): string {
  try {
    const { protocol, host } = new URL(url);
    return `${protocol}//${host}`;
  } catch {
    return HIDDEN;
  }
}

export type BugReport = DataOf<typeof bugReportShape>;

/** @param node the version of Node, and what it runs on */
export async function bugReport(
  context: Context,
  { node, platform }: { node: string; platform: string },
): Promise<BugReport> {
  const { world } = context;
  const unreadable: string[] = [];
  const orNote = async <T>(read: () => T | Promise<T>, instead: T): Promise<T> => {
    try {
      return await read();
    } catch (error) {
      unreadable.push(problemOf(error).facts.code);
      return instead;
    }
  };
  const settings = await orNote<Settings>(() => readSettings(world.env), { profiles: {} });
  const scrub = scrubber(world.env, await knownTo(context, settings));
  return {
    made_at: isoTime(world.clock.now()),
    versions: {
      remit: world.version,
      node: node.replace(/^v/, ''),
      platform,
      from: world.installation.from,
    },
    environment: namesIn(world.env),
    profiles: Object.entries(settings.profiles).map(([name, one]) =>
      profileOf(name, one, name === settings.defaultProfile),
    ),
    checks: (await examine(context)).map((check) => checkOf(check, scrub)),
    last_error: await orNote(() => lastErrorOf(context), null),
    unreadable,
  };
}

/** Keys, the secret in force, and what somebody named: a profile can be called after a person. */
async function knownTo(context: Context, { profiles }: Settings): Promise<string[]> {
  const named = Object.entries(profiles).flatMap(([name, { key }]) => [name, key]);
  try {
    const { name, credentials } = await context.connection();
    return [...named, name, credentials.key, credentials.secret];
  } catch {
    // There is no profile, or it cannot be used: `doctor` says so in its part.
    return named;
  }
}

/** Variables that remit, Node or npm read. A name of another program's is nobody's business. */
const READ =
  /^(?:REMIT|NODE|NPM_CONFIG|XDG|LC)_[A-Z_]{1,60}$|^(?:HTTPS?_PROXY|NO_PROXY|NO_COLOR|FORCE_COLOR|CLICOLOR(?:_FORCE)?|CI|TZ|LANG|TERM|COLORTERM)$/i;

const namesIn = (env: Env): string[] =>
  Object.entries(env)
    .filter(([name, value]) => value !== undefined && value !== '' && READ.test(name))
    .map(([name]) => name)
    .sort();

function profileOf(name: string, profile: Profile, isDefault: boolean): BugReport['profiles'][number] {
  const others = ['caFile', 'reports_url', 'insecure', 'output', 'sandbox'];
  return {
    name: initial(name),
    is_default: isDefault,
    environment: profile.environment,
    base_url: hostOf(profile.baseUrl),
    key: `…${keyLast4(profile.key)}`,
    secret_in: profile.secretIn,
    scheme: profile.scheme ?? 'signature',
    sets: [...Object.keys(limits), ...others].filter(
      (member) => (profile as Record<string, unknown>)[member] !== undefined,
    ),
  };
}

/** The sentences of these are remit's own, and versions stand apart; others have names of profiles, hosts, folders and reasons that somebody typed. */
const OWN_WORDS = new Set(['secret', 'journal', 'reachable', 'clock', 'signature']);

const checkOf = ({ check, verdict, says }: Checked, scrub: Scrub): BugReport['checks'][number] => ({
  check,
  verdict,
  says: OWN_WORDS.has(check) ? scrub(says) : null,
});

async function lastErrorOf(context: Context): Promise<BugReport['last_error']> {
  const states = ['unknown', 'not_applied', 'conflict', 'open'] as const;
  const all = { states, since: undefined, until: undefined, command: undefined, profile: undefined };
  const [last] = (await listIntents(context, all, 1)).entries;
  if (last === undefined) return null;
  const commands = (await context.world.tree?.describe()) ?? [];
  const known = commands
    .map(({ words }) => words)
    .filter((words) => `${last.command} `.startsWith(`${words} `));
  return {
    at: last.updated_at,
    command: known.at(-1) ?? 'another',
    operation: /^[\w.]{1,60}$/.test(last.operation) ? last.operation : 'another',
    outcome: last.state,
    environment: last.environment === 'sandbox' ? 'sandbox' : 'production',
    names: await namesOf(last.note ?? ''),
  };
}

/** A reason is the service's own text, in which anybody can be named: only words of the contract are taken out of it. */
async function namesOf(note: string): Promise<string[]> {
  const { payoutFields } = await import('../help/payout-fields.ts');
  const known = new Set([...glossary(), ...(await payoutFields())].map(({ name }) => name));
  return [...new Set(note.split(/[^A-Za-z0-9_]+/))].filter((word) => known.has(word));
}
