import { causeIds } from '../../../contract/signatures/cause-table.ts';
import type { Tried } from '../../../contract/signatures/diagnose.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import type { Classified } from '../../intake/judge.ts';
import { verificationShape } from '../../shapes.ts';

export type ShownJudgement = DataOf<typeof verificationShape>;

export function shownJudgement(
  { verdict, delivery, finding, tried }: Classified,
  explain: boolean,
): ShownJudgement {
  return {
    verdict,
    event: delivery?.event ?? null,
    object_id: delivery?.object.id ?? null,
    cause: finding?.cause ?? null,
    message: finding?.message ?? null,
    hint: finding?.hint ?? null,
    ...(explain ? { tried: tried ?? [] } : {}),
  };
}

export const judgementView: View<ShownJudgement> = {
  shape: verificationShape,
  columns: [
    { name: 'verdict', get: (row) => row.verdict },
    { name: 'event', get: (row) => row.event },
    { name: 'object_id', head: 'object', get: (row) => row.object_id },
    { name: 'cause', get: (row) => row.cause },
    { name: 'message', head: 'why', get: (row) => row.message },
    { name: 'hint', head: 'next', get: (row) => row.hint },
  ],
  details: (row) => [
    ['verdict', row.verdict],
    ['event', row.event],
    ['object', row.object_id],
    ['cause', row.cause],
    ['why', row.message, { wrap: true }],
    ['next', row.hint, { wrap: true }],
    ...triedLines(row.tried),
  ],
};

function triedLines(tried: ShownJudgement['tried']): DetailLine[] {
  if (!tried || tried.length === 0) return [];
  const ways = tried.reduce((sum, each) => sum + each.ways, 0);
  const causesThat = (result: Tried['result']): string =>
    tried
      .filter((each) => each.result === result)
      .map(({ cause }) => cause)
      .join(', ');
  return [
    ['tried', `${ways} single changes, of ${causeIds.length} causes`],
    ['fits', causesThat('fits')],
    ['does not fit', causesThat('does not fit'), { wrap: true }],
    ['not tried', causesThat('not tried'), { wrap: true }],
  ];
}
