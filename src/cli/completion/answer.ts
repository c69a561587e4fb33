/**
 * `remit __complete KIND PREFIX PROFILE`, called by the completion scripts: what only this machine knows. A line is a value, a
 * tab, and what it is. Nothing is sent, nothing is written, and whatever goes wrong says nothing: a key was pressed, no more.
 */

import { escapeLine } from '../../desk/words/escape.ts';
import { isPostgres, storePath } from '../../profiles/paths.ts';
import { readSettings } from '../../profiles/profiles.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import type { World } from '../world.ts';
import { accountOf, scopeOf } from './scope.ts';

const AT_MOST = 50;
/** What `history settle` can ask about. */
const UNSETTLED = ['open', 'unknown'];

type Line = readonly [value: string, about: string];

export async function answerCompletion(argv: readonly string[], world: World): Promise<ExitCode> {
  const [kind = '', prefix = '', profile = ''] = argv.map((word) => (word === '-' ? '' : word));
  try {
    const found = await linesOf(kind, { prefix, profile, env: world.env });
    const lines = [...new Map(found)].filter(([value]) => value.startsWith(prefix) && isSafe(value));
    world.streams.out(lines.slice(0, AT_MOST).map(textOf).join(''));
  } catch {
    // The shell shows its prompt again: there is nobody to tell.
  }
  return exitCodes.ok;
}

interface CompletionRequest {
  prefix: string;
  profile: string;
  env: World['env'];
}

async function linesOf(kind: string, asked: CompletionRequest): Promise<Line[]> {
  if (kind === 'profile') return profiles(asked.env);
  const at = { path: storePath(asked.env), prefix: asked.prefix, limit: AT_MOST };
  if (kind === 'run') return runs(asked, at);
  const { readIntentIds, readSeenIds } = await import('../../store/read-ids.ts');
  if (kind === 'intent' || kind === 'unsettled') {
    const found = await readIntentIds({ ...at, states: kind === 'intent' ? [] : UNSETTLED });
    return found.map(({ id, state }) => [id, state]);
  }
  const scope = scopeOf(asked.env, asked.profile || undefined);
  // `transaction-id`: a path takes no external id.
  const idsOnly = kind.endsWith('-id');
  const kinds = kind.replace(/-id$/, '').split(',');
  const found = await readSeenIds({ ...at, scope, kinds });
  return found.flatMap(({ kind: is, id, externalId }): Line[] => {
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

/** Of this machine alone: nobody waits for a PostgreSQL because a key was pressed. */
async function runs(
  { env, profile }: CompletionRequest,
  at: { path: string; prefix: string; limit: number },
): Promise<Line[]> {
  if (env.REMIT_STORE && isPostgres(env.REMIT_STORE)) return [];
  const { readRunNames } = await import('../../store/read-ids.ts');
  const { baseUrl } = accountOf(env, profile || undefined);
  const found = await readRunNames({ ...at, baseUrl });
  return found.map(({ name, state }) => [name, `pay run, ${state}`]);
}

const profiles = (env: World['env']): Line[] =>
  Object.entries(readSettings(env).profiles).map(([name, { environment }]) => [name, environment]);

/** Values go into a command line: what a shell, or its completion, could read as anything but letters is left out. */
const isSafe = (value: string): boolean =>
  /^[\p{L}\p{N}][\p{L}\p{N}._:@+/=-]{0,99}$/u.test(value) && escapeLine(value) === value;

const textOf = ([value, about]: Line): string => `${value}\t${escapeLine(about).slice(0, 60)}\n`;
