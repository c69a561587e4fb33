/** Flags that every command takes, and the environment's word for each. Flag over environment over default. */

import { parseDuration } from '../../core/clock.ts';
import type { Env } from '../../core/env.ts';
import { usage } from '../../core/problem.ts';
import { isZone } from '../../core/zone.ts';
import { colourChoices } from '../terminal/colour.ts';
import { formatInfo, type OutputFormat, outputFormats } from '../terminal/format.ts';
import type { Flag, Input } from './flag.ts';

/** A flag that every command takes; `env` is the variable that says the same. */
export interface GlobalFlag extends Flag {
  env?: string;
}

export const globalFlags = {
  output: {
    short: '-o',
    value: 'format',
    summary: `how to print the result: ${outputFormats.join(', ')}`,
    env: 'REMIT_OUTPUT',
  },
  fields: { value: 'names', summary: 'only these members, separated by commas', env: 'REMIT_FIELDS' },
  query: { value: 'expression', summary: 'a JMESPath expression over the result', env: 'REMIT_QUERY' },
  spreadsheet: {
    summary: 'with -o csv: a file that a spreadsheet opens without losing zeros or digits',
    env: 'REMIT_SPREADSHEET',
  },
  profile: { value: 'name', summary: 'which profile to use', env: 'REMIT_PROFILE' },
  yes: { summary: 'answer yes to every question', env: 'REMIT_YES' },
  live: { value: 'what', summary: 'in production without a terminal: profile name, or key:LAST4' },
  zone: {
    value: 'name',
    summary:
      'the time zone of days, and of times on a terminal, such as Europe/Lisbon; that of this machine if you do not say',
    env: 'REMIT_ZONE',
  },
  noInput: { summary: 'never prompt, as without a terminal', env: 'REMIT_NO_INPUT' },
  reveal: { summary: 'show accounts, phones and names in full', env: 'REMIT_REVEAL' },
  color: { value: 'when', summary: 'auto, always or never', choices: colourChoices, env: 'REMIT_COLOR' },
  noColor: { summary: 'the same as --color never' },
  quiet: { summary: 'no notes and no progress: results, what is sent, and errors', env: 'REMIT_QUIET' },
  fresh: {
    summary: 'ask again: do not use balances and rates that are kept for five minutes',
    env: 'REMIT_FRESH',
  },
  requestTimeout: {
    value: 'duration',
    summary: 'give one request up after so long, such as 30s; a write may have been applied then',
    env: 'REMIT_REQUEST_TIMEOUT',
  },
  insecure: { summary: 'allow plain HTTP to a host that is not this machine', env: 'REMIT_INSECURE' },
  debug: {
    summary: 'print each request on stderr, without secrets; REMIT_DEBUG=api with its bodies, masked',
    env: 'REMIT_DEBUG',
  },
} as const satisfies Readonly<Record<string, GlobalFlag>>;

export type GlobalInput = Input<typeof globalFlags>;

export interface Globals {
  output: OutputFormat | undefined;
  fields: string[] | undefined;
  query: string | undefined;
  spreadsheet: boolean;
  profile: string | undefined;
  yes: boolean;
  live: string | undefined;
  /** A time zone by its name; undefined for that of the machine. */
  zone: string | undefined;
  input: boolean;
  reveal: boolean;
  quiet: boolean;
  fresh: boolean;
  insecure: boolean;
  /** The longest that one request takes; undefined for what the client has. */
  requestTimeoutMs: number | undefined;
  debug: 'off' | 'lines' | 'api';
}

const ON = ['1', 'true', 'yes', 'on'];
const OFF = ['0', 'false', 'no', 'off', ''];

/** @throws Problem (usage) for a word that is neither: an unreadable switch must not look as if it were set */
function on(env: Env, name: string, others: readonly string[] = []): boolean {
  const value = (env[name] ?? '').trim().toLowerCase();
  if (OFF.includes(value)) return false;
  if (ON.includes(value) || others.includes(value)) return true;
  throw usage(`${name} is "${env[name]}"`, `write ${['1', '0', ...others].join(' or ')}`);
}

/** The settings that a profile may give where neither flag nor environment does. */
export interface ProfileDefaults {
  output?: string | undefined;
}

/** Flag over environment over profile over default. @throws Problem (usage) */
export function readGlobals({ flags }: GlobalInput, env: Env, profile: ProfileDefaults = {}): Globals {
  type Switch = 'spreadsheet' | 'yes' | 'reveal' | 'quiet' | 'fresh' | 'insecure';
  const isOn = (name: Switch): boolean => flags[name] || on(env, globalFlags[name].env);
  const output = flags.output ?? env.REMIT_OUTPUT ?? profile.output;
  if (output !== undefined && !outputFormats.includes(output as OutputFormat)) {
    throw usage(`there is no output format "${output}"`, `choose one of ${outputFormats.join(', ')}`);
  }
  const { hasCells, isFile } = formatInfo(output);
  if (flags.spreadsheet && (!hasCells || isFile))
    throw usage('--spreadsheet goes with -o csv', 'add -o csv, or leave it out');
  const colour = env.REMIT_COLOR ?? 'auto';
  if (!colourChoices.some((choice) => choice === colour))
    throw usage(`REMIT_COLOR is "${colour}"`, `choose one of ${colourChoices.join(', ')}`);
  return {
    output: output as OutputFormat | undefined,
    fields: (flags.fields ?? env.REMIT_FIELDS)
      ?.split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    query: flags.query ?? env.REMIT_QUERY,
    spreadsheet: isOn('spreadsheet'),
    profile: flags.profile,
    yes: isOn('yes'),
    // Never from the environment: for production the flag is given each time.
    live: flags.live,
    zone: readZone(flags.zone ?? env.REMIT_ZONE),
    input: !flags.noInput && !on(env, 'REMIT_NO_INPUT'),
    reveal: isOn('reveal'),
    quiet: isOn('quiet'),
    fresh: isOn('fresh'),
    insecure: isOn('insecure'),
    requestTimeoutMs: requestTimeout(flags.requestTimeout ?? env.REMIT_REQUEST_TIMEOUT),
    debug: debugOf(flags.debug, env),
  };
}

function readZone(zone: string | undefined): string | undefined {
  if (zone === undefined || isZone(zone)) return zone;
  throw usage(`there is no time zone "${zone}"`, 'a name such as Europe/Lisbon, Africa/Lagos or UTC');
}

/** The longest time that a timer of Node takes is some 24 days: longer ones would end at once. */
const LONGEST_TIMEOUT_MS = 86_400_000;

function requestTimeout(given: string | undefined): number | undefined {
  if (given === undefined) return undefined;
  const ms = parseDuration(given);
  if (ms !== null && ms > 0 && ms <= LONGEST_TIMEOUT_MS) return ms;
  throw usage(`"${given}" is no time for one request`, 'such as 30s or 2m, at most a day');
}

function debugOf(isFlag: boolean, env: Env): Globals['debug'] {
  const isOn = on(env, 'REMIT_DEBUG', ['api']);
  if (env.REMIT_DEBUG?.trim().toLowerCase() === 'api') return 'api';
  return isFlag || isOn ? 'lines' : 'off';
}
