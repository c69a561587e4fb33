/** What was received, and what is wrong with it. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface ReceivedRequest {
  rawBody: Uint8Array;
  /** The URL that was registered, and that the service signed. */
  url: string;
  headers: Headers;
  /** POST unless said otherwise. */
  method?: string | undefined;
  /** Path and query as they came over the wire, to find out how the URL differs. */
  target?: string | undefined;
}

export type Cause =
  | 'missing_header'
  | 'other_scheme'
  | 'other_key'
  | 'signature_shape'
  | 'url'
  | 'body'
  | 'url_and_body'
  | 'verb'
  | 'secret_form'
  | 'secret'
  | 'not_a_delivery';

export interface Finding {
  cause: Cause;
  /** What is wrong, in one sentence. */
  message: string;
  /** What to do about it. */
  hint: string;
}

/** One of the four parts, changed, and what was changed about it. */
export interface Variant<T> {
  value: T;
  /** Empty for the part as it is. */
  change: string;
}
