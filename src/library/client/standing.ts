/**
 * Reads the members that an edit is about to change: sending it again must not undo a correction that came after it.
 */
import { RequestError } from '../../client/errors.ts';

/** The members that the changes name, as they read now. */
export function standing(found: object, changes: object): Record<string, unknown> {
  const members = found as Record<string, unknown>;
  return Object.fromEntries(Object.keys(changes).map((name) => [name, members[name]]));
}

/** @throws RequestError; nothing was sent */
export function refuseEmptyEdit(operation: string, changes: object | null | undefined): void {
  if (Object.keys(changes ?? {}).length > 0) return;
  throw new RequestError(operation, [{ path: '', message: 'changes nothing' }]);
}
