/** What a control answers: done, refused with a sentence, or that there is no such thing. */
export type Said =
  | { kind: 'done'; object: unknown }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'wrong'; field: string; sentence: string }
  | { kind: 'unknown' };

export const said = (object: unknown): Said => ({ kind: 'done', object });
export const wrong = (field: string, sentence: string): Said => ({ kind: 'wrong', field, sentence });
export const unknown: Said = { kind: 'unknown' };
