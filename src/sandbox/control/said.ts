/** The answer of a control: done, refused with a sentence, or that there is no such thing. */
export type ControlAnswer =
  | { kind: 'done'; object: unknown }
  | { kind: 'bytes'; bytes: Uint8Array }
  | { kind: 'wrong'; field: string; sentence: string }
  | { kind: 'unknown' };

export const succeeded = (object: unknown): ControlAnswer => ({ kind: 'done', object });
export const wrong = (field: string, sentence: string): ControlAnswer => ({ kind: 'wrong', field, sentence });
export const unknownThing: ControlAnswer = { kind: 'unknown' };
