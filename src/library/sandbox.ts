/** `remit-cli/sandbox`: the whole service inside a Node test suite, in memory or on a port. */

import { startWired } from '../desk/sandbox/wired.ts';
import type * as Public from './sandbox-types.ts';

export const startSandbox: typeof Public.startSandbox = (options = {}) =>
  startWired(options, { now: () => Date.now() });
