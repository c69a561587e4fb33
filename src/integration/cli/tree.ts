/** The commands of this slice: words, one-line summary, loader. */
import { oneFile, type Tree } from '../../frame/command-tree.ts';

export const groups = {
  logs: 'Show what the service received from you and sent to you',
  check: 'Check an integration before it goes live',
};

export const tree: Tree = {
  doctor: ['Check settings, secret, service and webhooks', () => import('./doctor.ts')],
  logs: {
    api: ['List requests that the service received', () => import('./logs/api.ts')],
    webhooks: ['List webhook deliveries that the service tried', () => import('./logs/webhooks.ts')],
    show: ['Show a whole log record', () => import('./logs/show.ts')],
    tail: ['Print new log records as they come', () => import('./logs/tail.ts')],
  },
  check: oneFile(() => import('./check.ts'), {
    onboarding: 'Judge from the logs what the service demands before production',
    polling: 'Count reads a day against the limits of the service',
  }),
  api: ['Call any operation, raw and signed', () => import('./api.ts')],
  explain: ['Explain a code, a state, an event or a field, offline', () => import('./explain.ts')],
  schema: ['Print JSON Schemas, for editors and other languages', () => import('./schema.ts')],
  sign: ['Show how a request of your own is signed', () => import('./sign.ts')],
};
