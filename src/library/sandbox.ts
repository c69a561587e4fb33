/** `remit-cli/sandbox`: the whole service inside a Node test suite, in memory or on a port. */

import type * as Public from '../desk/sandbox/public.ts';
import { startWired } from '../desk/sandbox/wired.ts';

export { OptionError } from '../core/check-options.ts';
export { ControlError } from '../desk/sandbox/control-error.ts';

export const startSandbox: typeof Public.startSandbox = (options = {}) =>
  startWired(options, { now: () => Date.now() });
