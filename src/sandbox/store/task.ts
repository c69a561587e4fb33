/** Tasks that are due later, as plain data, so that a durable store can keep them. */
export type TaskBody =
  | { kind: 'expire'; transactionId: string }
  | { kind: 'auto_refund'; transactionId: string }
  | { kind: 'payin_start'; transactionId: string }
  /** `changes` tells whether the payin moved on since: how many it had then. */
  | { kind: 'payin_retry'; transactionId: string; payinId: string; changes: number }
  | { kind: 'review_end'; transactionId: string }
  | { kind: 'sender_check'; senderId: string; step: 'lists' | 'papers' }
  /** `turn` tells a task that was overtaken by an edit or a cancel from the one that counts. */
  | { kind: 'payout_try'; recipientId: string; turn: number }
  | { kind: 'payout_answer'; recipientId: string; turn: number; code: string }
  | { kind: 'payout_round'; recipientId: string; turn: number }
  | { kind: 'payout_unanswered'; recipientId: string; turn: number }
  | { kind: 'refund'; recipientId: string }
  | { kind: 'deliver'; deliveryId: string };

export interface Task {
  due: number;
  sequence: number;
  body: TaskBody;
}
