/** A received request, and the fault that was found in it. */
import type { Cause } from './cause-table.ts';

export type { Cause } from './cause-table.ts';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReceivedRequest {
  rawBody: Uint8Array;
  /** The URL that was registered, and that the service signed. */
  url: string;
  headers: Headers;
  /** POST by default. */
  method?: string | undefined;
  /** Path and query as they came over the wire, to find out how the URL differs. */
  target?: string | undefined;
}

export interface Finding {
  cause: Cause;
  /** The fault, in one sentence. */
  message: string;
  /** The step that mends it. */
  hint: string;
}

/** A signed part as it may have been, with the cause that would have changed it. */
export interface Variant<T> {
  cause: Cause;
  value: T;
  change: string;
}
