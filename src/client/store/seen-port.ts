/**
 * The local index of ids seen: the service has no call that reads one recipient (docs/rules.md 12), so every answer that
 * names a recipient teaches us its transaction.
 */
export type SeenKind =
  | 'transaction'
  | 'recipient'
  | 'sender'
  | 'payout_method'
  | 'payin_method'
  | 'document'
  | 'webhook'
  | 'log';

export interface SeenRecord {
  kind: SeenKind;
  id: string;
  transactionId?: string | undefined;
  externalId?: string | undefined;
}

export interface SeenIndex {
  remember(scope: string, seen: SeenRecord[]): void;
  find(scope: string, id: string): SeenRecord | undefined;
  /** Ids that start with a prefix, for short ids in reads. */
  startingWith(scope: string, prefix: string, limit: number): SeenRecord[];
}
