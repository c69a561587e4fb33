/** A sandbox as other slices ask it (`payments/desk.ts`). */
import type { Desk, SandboxPort } from '../../payments/desk.ts';
import { control } from './control.ts';

export const sampleOf: SandboxPort['sampleOf'] = async (event, now) =>
  (await import('../sample-events.ts')).sampleJson(event, now);

export const clockOf = async (desk: Desk): Promise<number> =>
  Date.parse((await control<{ now?: string }>(desk, 'sandbox.clock.show')).now ?? '');
