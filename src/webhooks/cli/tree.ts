/** The commands of this slice: words, one-line summary, loader. */
import type { Tree } from '../../frame/command-tree.ts';

export const groups = {
  webhooks: 'Receive, verify and register webhooks',
};

export const tree: Tree = {
  webhooks: {
    listen: ['Receive, verify, store and hand on webhooks', () => import('./webhooks/listen.ts')],
    verify: [
      'Check the signature of a delivery; name the cause if it fails',
      () => import('./webhooks/verify.ts'),
    ],
    sign: ['Make a signed delivery', () => import('./webhooks/sign.ts')],
    send: ['Sign a delivery and post it to a handler', () => import('./webhooks/send.ts')],
    'test-handler': [
      'Test your own handler against the rules of the service',
      () => import('./webhooks/test-handler.ts'),
    ],
    list: ['List registered endpoints', () => import('./webhooks/list.ts')],
    add: ['Register an endpoint', () => import('./webhooks/add.ts')],
    remove: ['Remove an endpoint', () => import('./webhooks/remove.ts')],
    events: ['List deliveries that were received', () => import('./webhooks/events.ts')],
    show: ['Show a received delivery', () => import('./webhooks/show.ts')],
    replay: ['Hand deliveries on again', () => import('./webhooks/replay.ts')],
    backfill: ['Fetch missed deliveries from the log of the service', () => import('./webhooks/backfill.ts')],
    prune: ['Delete old deliveries from the inbox', () => import('./webhooks/prune.ts')],
  },
};
