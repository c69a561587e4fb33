/** The commands of this slice: words, one-line summary, loader. */
import { oneFile, type Tree } from '../../frame/command-tree.ts';

export const groups = {
  batch: 'Pay a file of payments, exactly once',
  approver: 'Make and show keys that sign approvals of pay runs',
};

export const tree: Tree = {
  batch: {
    template: ['Print a file of payments to fill in', () => import('./batch/template.ts')],
    map: ['Keep how a file of payments is read', () => import('./batch/map.ts')],
    check: ['Check a file of payments', () => import('./batch/check.ts')],
    diff: ['Compare two files or runs', () => import('./batch/diff.ts')],
    plan: ['Keep a file of payments as a run', () => import('./batch/plan.ts')],
    approve: ['Approve a run by its digest', () => import('./batch/approve.ts')],
    run: ['Pay a run; can be killed and run again', () => import('./batch/run.ts')],
    fix: ['Correct whom a row pays', () => import('./batch/fix.ts')],
    hold: ['Stop a run for a while', () => import('./batch/hold.ts')],
    release: ['Let a run on hold go on', () => import('./batch/release.ts')],
    watch: ['Follow a run until its rows are paid out', () => import('./batch/watch.ts')],
    status: ['Show where a run stands', () => import('./batch/status.ts')],
    list: ['List runs', () => import('./batch/list.ts')],
    rows: ['List the rows of a run', () => import('./batch/rows.ts')],
    show: ['Show one row of a run', () => import('./batch/show.ts')],
    settle: ['Find out about rows of unknown outcome', () => import('./batch/settle.ts')],
    cancel: ['Cancel rows that were not sent', () => import('./batch/cancel.ts')],
    report: ['Report what became of every row', () => import('./batch/report.ts')],
    remaining: ['Print the rows that were not paid', () => import('./batch/remaining.ts')],
    'take-back': ['Open rows again that were handed on', () => import('./batch/take-back.ts')],
    forget: ['Remove names and accounts of runs', () => import('./batch/forget.ts')],
    work: ['Take part in approved runs, with other machines', () => import('./batch/work.ts')],
  },
  approver: oneFile(() => import('./approver.ts'), {
    create: 'Make a key that signs approvals',
    list: 'List the keys of this machine',
    export: 'Print the public line of a key',
  }),
};
