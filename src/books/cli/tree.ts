/** The commands of this slice: words, one-line summary, loader. */
import { oneFile, type Tree } from '../../frame/command-tree.ts';

export const groups = {
  books: 'Keep a copy of the account’s transactions on this machine',
  reports: "List and download the service's own monthly reports",
};

export const tree: Tree = {
  books: {
    sync: ['Copy what is new, and what was not final', () => import('./books/sync.ts')],
    status: ['Show how far the books are', () => import('./books/status.ts')],
    close: ['Close a month, with its papers in a folder', () => import('./books/close.ts')],
    verify: ['Read the papers of a closed month back', () => import('./books/verify.ts')],
    forget: ['Remove records from the books', () => import('./books/forget.ts')],
  },
  statement: ['Show what moved a balance, and what it was', () => import('./statement.ts')],
  summary: ['Count and add up payouts in groups', () => import('./summary.ts')],
  search: ['Find a payment by what a customer can read out', () => import('./search.ts')],
  reconcile: ['Compare a ledger with the service, or a bank statement', () => import('./reconcile.ts')],
  reports: oneFile(() => import('./reports.ts'), {
    list: "List the service's own monthly reports",
    download: 'Download a report as a CSV file',
  }),
};
