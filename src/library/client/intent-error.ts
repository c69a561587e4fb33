/** An intent that this client cannot settle: nothing was sent. */
export class IntentError extends RangeError {
  override readonly name = 'IntentError';
  constructor(
    readonly code: 'not_found' | 'other_account',
    readonly id: string,
    message: string,
  ) {
    super(message);
  }
}
