/**
 * The session of this process at a PostgreSQL server. The server ends it within milliseconds when the process is killed, and keeps it
 * while the process is only stopped: so processes of other machines learn at once that this one is gone.
 */

import { newClient } from './postgres-commit.ts';
import type { PostgresClient, PostgresPool } from './postgres-queries.ts';

export interface PostgresSession {
  /**
   * Names the session, and opens it again where it broke. Undefined where it cannot be had now, or where a proxy such as PgBouncer stands
   * between: a session of the proxy says nothing of this process.
   */
  name(): Promise<string | undefined>;
  end(): void;
}

/** Process ids are given again; with the start a name is of one session alone. The start of another role's session is hidden, and then null. */
const NAME = "s.pid || '.' || (extract(epoch FROM s.backend_start) * 1000000)::bigint";
const OWN = `SELECT s.pid, ${NAME} AS name FROM pg_stat_activity s WHERE s.pid = pg_backend_pid()`;

/** Returns SQL that is true where the session with this name is gone; false too for what is no name, or where it cannot be seen. */
export const sessionIsGone = (name: string): string => `${name} ~ '^[0-9]+[.]' AND NOT EXISTS (
  SELECT 1 FROM pg_stat_activity s WHERE s.pid::text = split_part(${name}, '.', 1) AND COALESCE(${NAME} = ${name}, true))`;

export function sessionAt(pool: PostgresPool): PostgresSession {
  let client: PostgresClient | undefined;
  let isBehindProxy = false;
  let asking: Promise<string | undefined> | undefined;
  const end = (): void => {
    client?.end().catch(() => {});
    client = undefined;
  };
  const ask = async (): Promise<string | undefined> => {
    if (isBehindProxy) return undefined;
    try {
      client ??= await opened(pool);
      const own = (await client?.query(OWN))?.rows[0];
      isBehindProxy = own === undefined || Number(own.pid) !== client?.processID;
      if (isBehindProxy) end();
      return isBehindProxy ? undefined : String(own?.name);
    } catch {
      const wasOpen = client !== undefined;
      end();
      return wasOpen ? ask() : undefined;
    }
  };
  return {
    name() {
      asking ??= ask().finally(() => {
        asking = undefined;
      });
      return asking;
    },
    end,
  };
}

async function opened(pool: PostgresPool): Promise<PostgresClient | undefined> {
  const client = newClient(pool);
  await client?.connect();
  return client;
}
