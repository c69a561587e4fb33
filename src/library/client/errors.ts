/** The refusal of a check that stands before money (decision 0074): this call sent nothing. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
  readonly kind = 'check';
  constructor(
    readonly code:
      | 'wrong_account'
      | 'unknown_detail'
      | 'above_max_input'
      | 'insufficient_balance'
      | 'sender_not_approved',
    readonly operation: string,
    message: string,
    readonly problems: { path: string; message: string }[] = [],
  ) {
    super(message);
  }
}

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
