/**
 * Profiles: the accounts of this machine.
 *
 * A profile is an account at the service: a base URL, an environment, a key, limits. `profiles.ts` reads and changes the settings,
 * `secrets.ts` keeps the secret in the keychain of the system or in a sealed file, `connection.ts` makes of both what a client
 * needs. `approver-key.ts` and `approver-store.ts` have the keys that sign approvals of pay runs. `paths.ts` says where every file of
 * this machine lies, and `lock.ts` and `worker.ts` keep two processes apart. Nothing here calls the service. The commands under
 * `cli` do (`login` tries the account before it keeps it), so they stand higher: `cli/sign-in.ts` is where to begin.
 *
 * The files that other slices may import are listed here; the head of each says what it has.
 */
export * from './approver-key.ts';
export * from './approver-store.ts';
export * from './cli/signer.ts';
export * from './connection.ts';
export * from './control-token.ts';
export * from './digest.ts';
export * from './paths.ts';
export * from './policy-downgrade.ts';
export * from './profiles.ts';
export * from './rate-tolerance.ts';
export * from './schema.ts';
export * from './secrets.ts';
export * from './trust.ts';
export * from './worker.ts';
