/** The slices, as others ask them. A program without one of them has no line for it here. */
import type { Ports } from '../payments/desk.ts';

export const PORTS: Ports = {
  runs: () => import('../runs/port.ts'),
  books: () => import('../books/port.ts'),
  inbox: () => import('../webhooks/port.ts'),
  agents: () => import('../agents/port.ts'),
  sandbox: () => import('../sandbox/cli/port.ts'),
};
