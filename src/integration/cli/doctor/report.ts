/**
 * Makes one text of what a maintainer of remit asks for first. Reasons are free text in which anybody can be named, so only words of the
 * contract are taken from them; what is left of sentences is scrubbed (decision 0100).
 */
import { isoTime } from '../../../core/clock.ts';
import type { Env } from '../../../core/env.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { listIntents, type ShownIntent } from '../../../payments/history.ts';
import { problemOf } from '../../../payments/problem-of.ts';
import { initial, MASK } from '../../../payments/words/mask.ts';
import { readSettings } from '../../../profiles/profiles.ts';
import { limits, type Profile } from '../../../profiles/schema.ts';
import { glossary } from '../../glossary.ts';
import type { Checked } from './finding.ts';

const HIDDEN = MASK.repeat(3);
/** These look like an address, a path, a key, or a private number; ids of the service are taken along. */
const PRIVATE = /(?<!\S)\S*[@/\\]\S*|[A-Za-z0-9_+=-]{20,}|\+?\d[\d ().-]{4,}\d/g;
/** Only these sentences hold nothing but words of remit, figures, and what the line above takes out. */
const OWN_WORDS = new Set(['journal', 'reachable', 'clock', 'signature']);
/** These variables are read by remit, Node or npm. Names of others' variables are private. */
const READ =
  /^(?:(?:REMIT|NODE|NPM_CONFIG|XDG|LC)_[A-Z_]{1,60}|HTTPS?_PROXY|NO_PROXY|(?:NO|FORCE)_COLOR|CI|TZ|LANG|TERM)$/i;
const SETTINGS = [...Object.keys(limits), 'scheme', 'caFile', 'reports_url', 'insecure', 'output', 'sandbox'];
const LAST = 10;

export const scrub = (text: string): string => text.replace(PRIVATE, HIDDEN);

/** @param findings what `examine` found */
export async function reportText(context: Context, findings: readonly Checked[]): Promise<string> {
  const { env, clock, version, installation } = context.process;
  const { node, platform, arch } = { ...process.versions, ...process };
  const parts = [
    [`remit ${version} (${installation.from}), Node ${node}, ${platform} ${arch}, ${isoTime(clock.now())}`],
    ['Variables that are set:', ...namesIn(env)],
    ['Profiles:', ...(await orCode(() => Object.entries(readSettings(env).profiles).map(profileLine)))],
    ['Findings:', ...findings.map(findingLine)],
    ['Last operations:', ...(await orCode(() => lastLines(context)))],
  ];
  return `${parts.map((lines) => lines.join('\n  ')).join('\n\n')}\n`;
}

/** A report is wanted most where something cannot be read. */
async function orCode(read: () => string[] | Promise<string[]>): Promise<string[]> {
  try {
    return await read();
  } catch (error) {
    return [`cannot be read: ${problemOf(error).facts.code}`];
  }
}

const namesIn = (env: Env): string[] =>
  Object.keys(env)
    .filter((name) => env[name] && READ.test(name))
    .sort();

/** A profile can be called after a person, and a host or a folder can be a password. */
function profileLine([name, profile]: [string, Profile]): string {
  const names = SETTINGS.filter((member) => (profile as Record<string, unknown>)[member] !== undefined);
  return [initial(name), profile.environment, `secret in ${profile.secretIn}`, ...names].join(' · ');
}

const findingLine = ({ check, verdict, says }: Checked): string =>
  `${verdict} ${check}${OWN_WORDS.has(check) ? `: ${scrub(says)}` : ''}`;

async function lastLines(context: Context): Promise<string[]> {
  const { payoutFields } = await import('../payout-fields.ts');
  const known = new Set([...glossary(), ...(await payoutFields())].map(({ name }) => name));
  const all = { states: [], since: undefined, until: undefined, command: undefined, profile: undefined };
  const { entries } = await listIntents(context, all, LAST);
  return entries.map(({ updated_at, operation, state, environment, note }: ShownIntent) => {
    const named = new Set((note ?? '').split(/[^A-Za-z0-9_]+/).filter((word) => known.has(word)));
    return [updated_at, operation, state, environment, ...named].join(' · ');
  });
}
