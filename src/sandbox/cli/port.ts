/** A sandbox as payments ask it (`payments/desk.ts`). */
import type { Desk } from '../../payments/desk.ts';
import { control } from './control.ts';

export const clockOf = async (desk: Desk): Promise<number> =>
  Date.parse((await control<{ now?: string }>(desk, 'sandbox.clock.show')).now ?? '');
