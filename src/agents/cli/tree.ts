/** The commands of this slice: words, one-line summary, loader. */
import type { Tree } from '../../frame/command-tree.ts';

export const tree: Tree = {
  mcp: ['Serve the desk to agents, over a pipe', () => import('./mcp.ts')],
  approve: ['Approve what an agent prepared', () => import('./approve.ts')],
};
