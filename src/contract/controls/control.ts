/**
 * The sandbox's own controls (decision 0027): what the operator, the providers and time itself would do. They stand beside the
 * service's paths, under `/_sandbox`, and take the control token, never the partner's key.
 */
import type * as z from 'zod/mini';
import type { Method } from '../operations/operation.ts';

export const CONTROL_PATH = '/_sandbox';
/** The header that carries the control token. */
export const CONTROL_TOKEN_HEADER = 'sandbox-control-token';

export interface ControlOperation<Body = unknown> {
  /** `sandbox.clock.advance`. */
  id: string;
  method: Method;
  /** Below `/_sandbox`, with `{id}` for the one parameter. */
  path: string;
  summary: string;
  /** Strict. Absent where the call has no body. */
  body?: z.ZodMiniType<Body>;
  /** Which side is bytes, not JSON: a snapshot. */
  bytes?: 'in' | 'out';
}
