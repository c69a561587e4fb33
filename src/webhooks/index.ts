/**
 * Webhooks: deliveries of the service are received, verified, kept and handed on.
 *
 * `intake/receiver.ts` reads a request, `intake/receive.ts` verifies it and keeps it in one commit before 200 is answered,
 * `intake/hand-over.ts` hands it on to a program or a URL. `intake/judge.ts` names the one cause why a signature does not verify. `catch-up.ts`
 * fetches from the log of the service what never came. `in-inbox.ts` finds what is kept; `store` has the port of the inbox and its two engines.
 * `conformance` tries a handler of a partner against the rules of the service, and the library's handlers for frameworks use the same
 * intake. Read `cli/webhooks/listen.ts`, then `listener.ts`.
 *
 * The files that other slices may import are listed here; the head of each says what it has.
 */
export * from './catch-up.ts';
export * from './changes.ts';
export * from './cli/flags/check-with.ts';
export * from './cli/flags/deliveries.ts';
export * from './delivery-output.ts';
export * from './in-inbox.ts';
export * from './intake/accept.ts';
export * from './intake/body-collector.ts';
export * from './intake/body-memory.ts';
export * from './intake/nonces.ts';
export * from './intake/read-body.ts';
export * from './intake/verify.ts';
export * from './listener.ts';
export * from './open-inbox.ts';
export * from './replay.ts';
export * from './sample-event.ts';
export * from './shapes.ts';
export * from './store/nonces-port.ts';
export * from './store/port.ts';
export * from './store/postgres-nonces.ts';
export * from './store/sqlite.ts';
export * from './store/sqlite-nonces.ts';
