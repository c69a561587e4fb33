/**
 * PostgreSQL's own password file: PGPASSFILE, else ~/.pgpass. https://www.postgresql.org/docs/current/libpq-pgpass.html
 * Read here, because node-postgres is about to stop reading it, and says so on stderr.
 */

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../../core/env.ts';
import { homeFolder } from '../../profiles/paths.ts';

/** Undefined when there is no such file, none for this server, or others may read it. */
export function filedPassword(env: Env, url: URL): string | undefined {
  const lines = readLines(passwordFile(env));
  const wanted = [
    url.hostname || 'localhost',
    url.port || '5432',
    decodeURIComponent(url.pathname.slice(1)) || decodeURIComponent(url.username),
    decodeURIComponent(url.username),
  ];
  for (const line of lines) {
    const [password, ...rest] = fieldsOf(line).reverse();
    const fields = rest.reverse();
    if (fields.length !== wanted.length) continue;
    if (fields.every((field, i) => field === '*' || field === wanted[i])) return password;
  }
  return undefined;
}

function passwordFile(env: Env): string | undefined {
  if (env.PGPASSFILE) return env.PGPASSFILE;
  if (process.platform === 'win32') return join(env.APPDATA ?? '.', 'postgresql', 'pgpass.conf');
  const home = homeFolder(env);
  return home === undefined ? undefined : join(home, '.pgpass');
}

function readLines(path: string | undefined): string[] {
  if (path === undefined) return [];
  try {
    if (process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0) return [];
    return readFileSync(path, 'utf8').split(/\r?\n/);
  } catch {
    return [];
  }
}

/** host:port:database:user:password; a backslash keeps a colon or a backslash. */
function fieldsOf(line: string): string[] {
  if (line.startsWith('#')) return [];
  const fields = [''];
  for (const [token] of line.matchAll(/\\.|[^\\]/gs)) {
    if (token === ':') fields.push('');
    else fields[fields.length - 1] += token.slice(-1);
  }
  return fields.slice(0, 5);
}
