/** How far long work is, as a front end shows it. */
export interface Progress {
  /** Says how many are done, and of how many where that is known. */
  tell(done: number, total?: number): void;
  /** Says other words from now on. */
  say(words: string): void;
  /** Takes it away, for good. */
  stop(): void;
}
