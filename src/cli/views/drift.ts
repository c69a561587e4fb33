import type { Difference } from '../../desk/drift/differences.ts';
import { differenceOfDoubleShape } from '../../desk/shapes/service.ts';
import { text, type View } from '../terminal/view.ts';

export const driftView: View<Difference> = {
  shape: differenceOfDoubleShape,
  empty: 'no difference: the double would have made all that was read',
  columns: [
    { name: 'difference', get: (row) => row.difference },
    { name: 'where', wrap: true, least: 16, get: (row) => row.where },
    { name: 'seen', wrap: true, least: 16, get: (row) => row.seen },
    { name: 'ours', head: 'OUR DOUBLE', wrap: true, least: 16, get: (row) => row.ours },
    { name: 'within', wrap: true, least: 12, priority: 2, get: (row) => row.within },
    { name: 'times', right: true, get: (row) => text(row.times) },
    { name: 'first', priority: 2, get: (row) => row.first },
    { name: 'last', priority: 1, get: (row) => row.last },
  ],
};
