/** The view of an audit: what was not tried, the verdict, each finding with its requests, and how the program behaves. */

import type { DetailLine, View } from '../../frame/terminal/view.ts';
import { auditShape } from '../../sandbox/cli/shapes.ts';
import { requestLine } from '../report/junit.ts';
import type { AuditReport } from '../report/record.ts';

export const auditView: View<AuditReport> = {
  shape: auditShape,
  columns: [
    { name: 'verdict', get: (row) => row.verdict },
    { name: 'cases', right: true, get: (row) => String(row.cases) },
    { name: 'findings', right: true, get: (row) => String(row.findings.length) },
  ],
  details: (row) => [
    ...labelled('not tried', row.not_tried, 'nothing was left out'),
    '',
    ['verdict', row.verdict, { wrap: true }],
    ['cases', casesOf(row), { wrap: true }],
    ...labelled('wished', row.wished, 'nothing'),
    ...(row.left_out.length === 0 ? [] : labelled('left out', row.left_out, '')),
    ...row.findings.flatMap(findingLines),
    '',
    ...labelled(
      'behaviour',
      row.habits.map(({ says, did, of }) => `${says}: ${did} of ${of}`),
      'nothing was seen',
    ),
    '',
    ['program', sourceOf(row), { wrap: true }],
  ],
};

const labelled = (label: string, lines: readonly string[], none: string): DetailLine[] =>
  (lines.length === 0 ? [none] : lines).map(
    (line, at) => [at === 0 ? label : '', line, { wrap: true }] as const,
  );

const casesOf = ({ cases, as_wished, said_failed, gave_up, not_met, findings }: AuditReport): string =>
  [
    `${cases}: ${as_wished} paid as wished`,
    ...(said_failed > 0 ? [`${said_failed} paid as wished and said that it failed`] : []),
    ...(gave_up > 0 ? [`${gave_up} gave up, and said so`] : []),
    ...(not_met > 0 ? [`${not_met} had no occasion`] : []),
    ...(findings.length > 0 ? [`${cases - as_wished - said_failed - gave_up - not_met} with a finding`] : []),
  ].join(', ');

function findingLines({
  says,
  payment,
  count,
  cases,
  ways,
  requests,
  replay,
}: AuditReport['findings'][number]): DetailLine[] {
  return [
    '',
    ['finding', `${payment}: ${says}, by ${count}`, { wrap: true }],
    ['seen in', `${cases} ${cases === 1 ? 'case' : 'cases'}: ${ways.join(', ')}`, { wrap: true }],
    ...requests.map((one, at): DetailLine => [at === 0 ? 'requests' : '', requestLine(one).trimStart()]),
    ['again', replay, { wrap: true }],
  ];
}

const sourceOf = ({ program: { command, commit, is_dirty, lock_file } }: AuditReport): string =>
  [
    command,
    commit === null ? 'no git' : `commit ${commit.slice(0, 12)}${is_dirty ? ', with changes' : ''}`,
    ...(lock_file === null ? [] : [lock_file]),
  ].join('; ');
