/**
 * Webhook deliveries that were received: each is kept, durably, before it is acknowledged, and handed on at least once, never
 * again after its hand-over was recorded. One inbox serves one account. Two engines stand behind it: an embedded database for
 * one listener, and a PostgreSQL that several listeners share.
 */
export interface ReceivedDelivery {
  /** The webhook definition's id, the event's name and the id of its object, as the body says. */
  webhook: string;
  event: string;
  objectId: string;
  /** The transaction that the object is, or that it belongs to. */
  transactionId: string | null;
  /** 32 hex digits of nonce and body: the same delivery, sent again. Two that share it share `eventPrint` too. */
  deliveryPrint: string;
  /** 32 hex digits of event, object and body: the same event, whatever its nonce. */
  eventPrint: string;
  /** The raw body, byte for byte. */
  body: Uint8Array;
  /** The address that it was sent to, as it was verified. */
  url: string;
  /** The headers as they came, in their order and spelling; with the signature, since the hand-over passes it on. */
  headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds since 1970. */
  receivedAt: number;
  /** Fetched from the service's log: it never came, or was not taken. */
  recovered: boolean;
  /** A later event of the same object was kept before it. */
  late: boolean;
}

/** `kept`: it is not to be handed on. `dead_letter`: given up, kept, and handed on again only on request. */
export type HandOverState = 'kept' | 'waiting' | 'handed_on' | 'dead_letter';

/** Everything about a delivery but its body and headers. */
export interface ListedDelivery extends Omit<ReceivedDelivery, 'body' | 'headers'> {
  /** Stable: the hop carries it. Later ones are greater. */
  id: string;
  state: HandOverState;
  /** The same event was kept before, under another nonce. */
  repeat: boolean;
  attempts: number;
  /** The answer to the last attempt: a status, or why there was none. */
  answer: string | null;
  /** When the state was last changed, in milliseconds since 1970. */
  changedAt: number;
}

export interface KeptDelivery extends ListedDelivery, Pick<ReceivedDelivery, 'body' | 'headers'> {}

/** A delivery that is given to be kept. `handOn` decides between `waiting` and `kept`. */
export interface NewDelivery extends ReceivedDelivery {
  handOn: boolean;
}

export interface StoreResult {
  outcome: 'new' | 'duplicate';
  /** A duplicate has the id of the earlier one. */
  id: string;
  repeat: boolean;
}

/** The outcome of one attempt to hand a delivery on. */
export interface HandOverRecord {
  id: string;
  /** `not_tried` gives it back as it was. */
  outcome: 'handed_on' | 'again' | 'dead_letter' | 'not_tried';
  answer: string | null;
  /** For `again`: how long everything of the same object waits. */
  delayMs?: number;
}

export interface ClaimedBatch {
  /** At most one delivery of each object, the earliest first: that keeps the order of an object. */
  deliveries: KeptDelivery[];
  /** Until the next one is due, in milliseconds; null when none waits; 0 when it is worth asking again at once. */
  nextInMs: number | null;
}

export interface DeliveryFilter {
  event?: string | undefined;
  state?: HandOverState | undefined;
  /** Received at or after, in milliseconds since 1970. */
  since?: number | undefined;
  transactionId?: string | undefined;
}

/** One that was refused: only the latest are kept. */
export interface Refusal {
  id: string;
  receivedAt: number;
  /** The address of the peer. */
  from: string;
  url: string;
  /** Path and query as they came. */
  target: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Cut off after 64 kB. */
  body: Uint8Array;
  bodyBytes: number;
  /** The cause's name and sentence, where it was looked for. */
  cause: string | null;
  message: string | null;
}

/** Receives deliveries. */
export interface DeliveryKeeper {
  /**
   * Durable, all of them or none, when it resolves. They are kept in the order given. A NUL within a text, unlike one in the
   * body, is kept as U+FFFD.
   */
  keep(deliveries: readonly NewDelivery[]): Promise<StoreResult[]>;
  /** Tells which of these events are here. */
  known(eventPrints: readonly string[]): Promise<Set<string>>;
}

/** The part of the inbox that handing deliveries on needs. */
export interface HandOverQueue {
  /**
   * Claims deliveries that wait and are due, at most one of each object and never two of one object at once, in the
   * order they were received. They are the owner's until recorded, or until the lease is over and another owner
   * claims them: an owner that dies takes nothing with it. With `bytes` it claims no more once their bodies have come
   * to so many; one in any case.
   */
  claim(options: { owner: string; limit: number; leaseMs: number; bytes?: number }): Promise<ClaimedBatch>;
  /** Records the outcomes of claimed deliveries. One that this owner does not hold any more is left as it is. */
  record(owner: string, records: readonly HandOverRecord[]): Promise<void>;
  /**
   * Lets them wait once more, whatever their state, due at once and with attempts that begin anew; answers how many there were.
   * What is claimed stays its owner's. One that is then handed on after a later one of its object is marked `late`.
   */
  requeue(ids: readonly string[]): Promise<number>;
}

/** Shows deliveries. */
export interface DeliveryReader {
  get(id: string): Promise<KeptDelivery | undefined>;
  /** Ids that begin like this, at most `limit`. */
  startingWith(prefix: string, limit: number): Promise<string[]>;
  /** Ids that end in these eight hex digits, at most `limit`: the beginnings of ids are their times, and those of one minute are alike. */
  endingWith(eight: string, limit: number): Promise<string[]>;
  /** Newest first; `after` is the last row of the page before. */
  list(
    filter: DeliveryFilter,
    page: { limit: number; after?: Pick<ListedDelivery, 'id' | 'receivedAt'> | undefined },
  ): Promise<ListedDelivery[]>;
  /** How many `list` would give, page after page. */
  count(filter: DeliveryFilter): Promise<number>;
  /** The definitions that something came from. */
  webhooks(): Promise<string[]>;
  /** How many wait, and how many were given up. */
  backlog(): Promise<{ waiting: number; deadLetters: number }>;
  /** When the one was received that waits longest, in milliseconds since 1970; null where none waits. */
  waitsSince(): Promise<number | null>;
}

/** The deliveries that were refused, for people to look at. */
export interface RefusalLog {
  /** Keeps the latest 200. */
  refuse(refusals: readonly Refusal[]): Promise<void>;
  /** Newest first. */
  refusals(limit: number): Promise<Refusal[]>;
}

/** Small texts of the listener's own, such as how far the log was compared. */
export interface InboxNotes {
  note(name: string): Promise<string | undefined>;
  setNote(name: string, value: string): Promise<void>;
  /** Sets it where there is none. Answers the one that stands: the same for all who share the inbox. */
  firstNote(name: string, value: string): Promise<string>;
}

/** The part of the inbox that running it needs: pruning, giving space back, holding it alone, closing it. */
export interface InboxUpkeep {
  /**
   * Deletes what was received before and waits for nothing, a part at a time; answers how many are gone. Dead letters only when
   * asked for. That they were here is remembered, so that a copy of one is still a duplicate, unless that is forgotten too. An
   * event is known as long as a delivery of it is here.
   */
  prune(options: { before: number; deadLetters: boolean; forget: boolean }): Promise<number>;
  /**
   * The space of what was pruned, so that no byte of it stays either. `in_use`: not while a listener or another process uses the
   * inbox; `no_room`: that takes as much room again for a moment; `by_server`: a database server does it on its own.
   */
  giveBack(): Promise<'given_back' | 'in_use' | 'no_room' | 'by_server'>;
  /** Says that a listener uses it. An embedded inbox has one; `by` describes the other. The hold ends with the process. */
  hold(by: string): Promise<{ held: true } | { held: false; by: string }>;
  close(): Promise<void>;
}

/** The whole inbox, for the code that opens one; all other code takes only the part it needs. */
export interface Inbox
  extends DeliveryKeeper,
    HandOverQueue,
    DeliveryReader,
    RefusalLog,
    InboxNotes,
    InboxUpkeep {}
