/** The commands of this slice: words, one-line summary, loader. */
import type { Tree } from '../../frame/command-tree.ts';

export const tree: Tree = {
  console: ['Open a page for search, triage and one payout', () => import('./console.ts')],
};
