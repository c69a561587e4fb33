/** The user's own folder, where there is one: in a container there may be neither HOME nor an entry for the user. */

import { userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import type { Env } from '../core/env.ts';

/** Always a whole path: an empty HOME would otherwise put everything below the current folder. */
export function homeFolder(env: Env): string | undefined {
  if (env.HOME && isAbsolute(env.HOME)) return env.HOME;
  try {
    const { homedir } = userInfo();
    return isAbsolute(homedir) ? homedir : undefined;
  } catch {
    return undefined; // nobody of that name
  }
}
