import type { Fault } from '../../desk/payruns/files/row.ts';
import { faultShape } from '../../desk/shapes/payruns.ts';
import { text, type View } from '../terminal/view.ts';

export const faultView: View<Fault> = {
  shape: faultShape,
  empty: 'nothing is wrong',
  columns: [
    { name: 'row', right: true, get: (one) => text(one.row) },
    { name: 'at', priority: 1, get: (one) => one.at },
    { name: 'column', get: (one) => one.column },
    { name: 'code', priority: 3, get: (one) => one.code },
    { name: 'words', head: 'WHAT IS WRONG', wrap: true, get: (one) => one.words },
    { name: 'right', head: 'WHAT IS RIGHT', priority: 2, wrap: true, get: (one) => one.right },
  ],
};
