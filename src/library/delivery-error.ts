/** `read_before` and `parsed_before`: the app took the body before it could be verified, and its bytes cannot be made again. */
export type DeliveryErrorCode = 'not_a_delivery' | 'read_before' | 'parsed_before';

const WORDS: Readonly<Record<DeliveryErrorCode, string>> = {
  not_a_delivery: 'the body is not a delivery: {"webhook", "event", "object"} is expected',
  read_before: 'the body was read before it could be verified: give this handler the request first',
  parsed_before:
    'the body was parsed before it could be verified: mount this handler before express.json(), or behind express.raw({type: () => true})',
};

/** A body that no event can be made of. */
export class DeliveryError extends TypeError {
  override readonly name = 'DeliveryError';
  constructor(readonly code: DeliveryErrorCode) {
    super(WORDS[code]);
  }
}
