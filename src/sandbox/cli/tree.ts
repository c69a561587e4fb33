/** The commands of this slice: words, one-line summary, loader. */
import { oneFile, type Tree } from '../../frame/command-tree.ts';

export const groups = {
  sandbox: 'Run the whole service on this machine',
};

export const tree: Tree = {
  demo: ['Run the main job, end to end, on its own sandbox', () => import('./demo.ts')],
  sandbox: {
    start: ['Run a sandbox on this machine until Ctrl-C', () => import('./sandbox/start.ts')],
    exec: ['Run a command with its own sandbox', () => import('./sandbox/exec.ts')],
    env: ['Print the account of a running sandbox, for a shell', () => import('./sandbox/env.ts')],
    scenario: ['Run a table of steps and expectations', () => import('./sandbox/scenario.ts')],
    clock: ['Show, move, run or stop the clock', () => import('./sandbox/clock.ts')],
    payout: ['Decide the payouts of a funded transaction', () => import('./sandbox/payout.ts')],
    payin: ['Decide the payin of a collection', () => import('./sandbox/payin.ts')],
    ...oneFile(() => import('./sandbox/operator.ts'), {
      balance: 'Top up a balance',
      approve: 'Let a sender transact',
      reject: 'Refuse a sender',
      ban: 'Bar a sender, or lift the ban',
      review: 'Set the compliance decision',
      refund: 'Refund a cancelled collection',
      mandate: 'Set the status of a mandate',
    }),
    ...oneFile(() => import('./sandbox/faults.ts'), {
      fail: 'Arm a fault: make calls, deliveries or payouts fail',
      faults: 'List faults that are armed, or that fired',
    }),
    settings: ['Show or change the settings of the account', () => import('./sandbox/settings.ts')],
    state: ['Show counts, ledger, settings and what is due next', () => import('./sandbox/state.ts')],
    explain: [
      'List each change of a transaction or recipient, with its rule',
      () => import('./sandbox/explain.ts'),
    ],
    openapi: ['Print an OpenAPI description of the service', () => import('./sandbox/openapi.ts')],
    assumptions: [
      'List what the sandbox assumes about the service',
      () => import('./sandbox/assumptions.ts'),
    ],
    ...oneFile(() => import('./sandbox/data.ts'), {
      seed: 'Fill the account with samples',
      snapshot: 'Save all data to a file',
      restore: 'Restore a snapshot',
      reset: 'Delete all data',
    }),
  },
};
