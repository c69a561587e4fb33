/** The commands of this slice: words, one-line summary, loader. */
import type { Tree } from '../../frame/command-tree.ts';

export const tree: Tree = {
  login: ['Add an account: base URL, environment, key and secret', () => import('./login.ts')],
  logout: ['Remove a profile and its secret', () => import('./logout.ts')],
  whoami: [
    'Show the account, its environment, and whether the service accepts it',
    () => import('./whoami.ts'),
  ],
  profiles: ['List profiles, or choose the default', () => import('./profiles.ts')],
};
