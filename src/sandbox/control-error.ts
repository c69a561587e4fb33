/** A control of a sandbox was not carried out: nothing changed. */
export class ControlError extends Error {
  override readonly name = 'ControlError';
  constructor(
    /** `not_found`: there is nothing with this id. */
    readonly code: 'refused' | 'not_found',
    message: string,
  ) {
    super(message);
  }
}
