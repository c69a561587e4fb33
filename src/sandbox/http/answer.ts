/** An answer as it leaves: what a listener writes, or how the connection breaks. */
export interface RawAnswer {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** A fault: the connection breaks, and there is no answer; `half`: it breaks in the middle of the body. */
  cut?: 'refused' | 'reset' | 'half' | undefined;
}
