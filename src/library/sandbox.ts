/** `remit-cli/sandbox`: the whole service inside a Node test suite, in memory or on a port. */

import type * as Public from '../sandbox/public.ts';
import { startWired } from '../sandbox/wired.ts';

export { OptionError } from '../core/check-options.ts';
export { ControlError } from '../sandbox/control-error.ts';

export const startSandbox: typeof Public.startSandbox = (options = {}) =>
  startWired(options, { now: () => Date.now() }, async () =>
    (await import('../client/network-transport.ts')).createNetworkTransport(),
  );
