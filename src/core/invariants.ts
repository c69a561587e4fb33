/** A broken invariant is a defect of ours, never a user's mistake: it stops the work rather than go on with wrong money. */
export class InvariantError extends Error {
  override readonly name = 'InvariantError';
}

export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantError(message);
}

/** For the end of an exhaustive switch: the compiler proves it is never reached. */
export function unreachable(value: never): never {
  throw new InvariantError(`unexpected value ${JSON.stringify(value)}`);
}
