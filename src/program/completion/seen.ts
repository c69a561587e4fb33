/**
 * The choices that only this machine knows: profiles, and ids and names that were seen before. Nothing is
 * sent, nothing is written, and no secret is read.
 */
import { checkBaseUrl } from '../../contract/base-url.ts';
import type { Env } from '../../core/env.ts';
import { escapeLine } from '../../core/escape.ts';
import type { Choice } from '../../frame/completion/completion-index.ts';
import { namedProfile } from '../../profiles/connection.ts';
import { namedPostgres, storePath } from '../../profiles/paths.ts';
import { readSettings } from '../../profiles/profiles.ts';

const AT_MOST = 50;
/** The states of intents that `history settle` can ask about. */
const UNSETTLED = ['open', 'unknown'];

export interface WantedIds {
  /** The kind of what is asked for: `profile`, `mapping`, `run`, `intent`, `unsettled`, or kinds of ids (sources.ts). */
  kind: string;
  /** How the value begins. */
  prefix: string;
  /** The profile that the line names; empty where it names none. */
  profile: string;
  env: Env;
}

/** @returns at most fifty, safe to be put into a command line. @throws where the settings or the store cannot be read */
export async function seenChoices(wanted: WantedIds): Promise<Choice[]> {
  const found = await choicesOf(wanted);
  return [...new Map(found)]
    .filter(([value]) => value.startsWith(wanted.prefix) && isSafe(value))
    .slice(0, AT_MOST)
    .map(([value, about]) => [value, escapeLine(about).slice(0, 60)]);
}

async function choicesOf(wanted: WantedIds): Promise<Choice[]> {
  const { kind, env, prefix, profile } = wanted;
  if (kind === 'profile') return profiles(env);
  if (kind === 'mapping')
    return Object.keys(readSettings(env).mappings ?? {}).map((name) => [name, 'mapping']);
  const at = { path: storePath(env), prefix, limit: AT_MOST };
  if (kind === 'run') return runs(wanted, at);
  const { readIntentIds, readSeenIds } = await import('../../client/store/read-ids.ts');
  if (kind === 'intent' || kind === 'unsettled') {
    const found = await readIntentIds({ ...at, states: kind === 'intent' ? [] : UNSETTLED });
    return found.map(({ id, state }) => [id, state]);
  }
  const { name, baseUrl } = accountOf(env, profile || undefined);
  // The scope under which ids are remembered (context.ts).
  const scope = `${name} ${baseUrl}`;
  // `transaction-id`: a path takes no external id.
  const idsOnly = kind.endsWith('-id');
  const kinds = kind.replace(/-id$/, '').split(',');
  const found = await readSeenIds({ ...at, scope, kinds });
  return found.flatMap(({ kind: is, id, externalId }): Choice[] => {
    if (externalId === null || !isSafe(externalId)) return [[id, is]];
    if (idsOnly && is === 'recipient') return [[id, `recipient of ${externalId}`]];
    // A recipient's external id is its transaction's: of several, a command asks for one, or lists them.
    if (is === 'recipient')
      return [
        [externalId, 'payment'],
        [id, `recipient of ${externalId}`],
      ];
    if (idsOnly) return [[id, `${is} ${externalId}`]];
    return [
      [externalId, is],
      [id, `${is} ${externalId}`],
    ];
  });
}

/** Returns the runs of this machine alone: a key press never waits for a PostgreSQL. */
async function runs(
  { env, profile }: WantedIds,
  at: { path: string; prefix: string; limit: number },
): Promise<Choice[]> {
  if (namedPostgres(env) !== undefined) return [];
  const { readRunNames } = await import('../../client/store/read-ids.ts');
  const { baseUrl } = accountOf(env, profile || undefined);
  const found = await readRunNames({ ...at, baseUrl });
  return found.map(({ name, state }) => [name, `pay run, ${state}`]);
}

const profiles = (env: Env): Choice[] =>
  Object.entries(readSettings(env).profiles).map(([name, { environment }]) => [name, environment]);

/** The account that the command would use. @throws where there is none */
function accountOf(env: Env, asked: string | undefined): { name: string; baseUrl: string } {
  const named = namedProfile(env, asked);
  if (asked !== undefined && named === undefined) throw new Error(`no profile ${asked}`);
  const baseUrl = named?.profile.baseUrl ?? env.REMIT_BASE_URL ?? '';
  return { name: named?.name ?? 'environment', baseUrl: checkBaseUrl(baseUrl, { insecure: true }) };
}

/** Values go into a command line: what a shell, or its completion, could read as anything but letters is left out. */
const isSafe = (value: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}._:@+/=-]{0,99}$/u.test(value) && escapeLine(value) === value;
