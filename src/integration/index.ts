/**
 * Integration: what a partner's developers need before they go live.
 *
 * `onboarding.ts` and `polling.ts` judge from the service's logs whether the demands before production are met; `evidence.ts` takes ids and
 * times out of a log. `cli/api.ts` calls any operation, raw and signed; `cli/sign.ts` shows how a request is signed; `cli/logs` lists what the
 * service received and sent; `glossary.ts` explains every code, state, event and field offline; `cli/doctor.ts` checks this machine.
 *
 * The files that other slices may import are listed here; the head of each says what it has.
 */
export * from './cli/payout-fields.ts';
export * from './glossary.ts';
export * from './look-up.ts';
