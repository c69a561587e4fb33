/** The commands of this slice: words, one-line summary, loader. */
import type { Tree } from '../../frame/command-tree.ts';

export const tree: Tree = {
  sandbox: {
    audit: ['Show whether your own program pays twice when answers are lost', () => import('./audit.ts')],
  },
};
