/**
 * The time of the service (decision 0035): a sandbox on this machine has a clock of its own, everybody else
 * has ours.
 */

import { readControlToken } from '../profiles/control-token.ts';
import type { Desk } from './desk.ts';

/**
 * The same where a decision about money hangs on it: by the `Date` of an answer, and never by the clock of this machine. Undefined where
 * the service does not say. @throws CallError
 */
export async function serviceDate(desk: Desk): Promise<number | undefined> {
  const client = await desk.client();
  await client.raw({ method: 'GET', path: '/accounts', effect: 'read' });
  return client.date();
}

/** Milliseconds since 1970. Ages and deadlines are reckoned by it; a sandbox that does not say falls back to our clock. */
export async function serviceNow(desk: Desk): Promise<number> {
  const ours = desk.clock.now();
  const { baseUrl } = await desk.connection();
  if (readControlToken(desk.machine.env, baseUrl) === undefined) return ours;
  try {
    const theirs = (await (await desk.ports.sandbox?.())?.clockOf(desk)) ?? Number.NaN;
    return Number.isNaN(theirs) ? ours : theirs;
  } catch {
    return ours;
  }
}
