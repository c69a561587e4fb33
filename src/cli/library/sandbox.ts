/** `remit-cli/sandbox`: the whole service inside a Node test suite, in memory or on a port. */
import type * as Public from './sandbox-types.ts';
import { startWired } from './wired.ts';

export const startSandbox: typeof Public.startSandbox = (options = {}) =>
  startWired(options, { now: () => Date.now() });
