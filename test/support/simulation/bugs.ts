/** Deliberate bugs, each in a part that is handed in or wrapped: what the auditor is proved by. */
import type { Transport } from '../../../src/core/ports/transport.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/sandbox.ts';

export interface Bug {
  options?: Partial<SandboxOptions>;
  /** How requests get to the service and answers back. */
  wire?: (send: Transport) => Transport;
  /** Breaks what all sandboxes share, and returns how to mend it. */
  breaks?: () => () => void;
  opened?: (sandbox: Sandbox) => void;
}
