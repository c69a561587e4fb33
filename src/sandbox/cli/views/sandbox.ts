/** Views of what the controls of a sandbox answer. */

import { type DetailLine, toCell, type View } from '../../../frame/terminal/view.ts';
import { lookOf } from '../../../payments/words/looks.ts';
import {
  assumptionShape,
  clockShape,
  decisionShape,
  faultArmedShape,
  faultFiredShape,
  sampleShape,
  sandboxChangeShape,
  scenarioShape,
  settingsShape,
  snapshotShape,
  stateShape,
  stepShape,
} from '../shapes.ts';

type Plain = Record<string, unknown>;

export const clockView: View<Plain> = {
  shape: clockShape,
  columns: [
    { name: 'now', get: (row) => toCell(row.now) },
    { name: 'mode', get: (row) => toCell(row.mode) },
  ],
};

/** The change that a decision made: an id and its state. */
export const decidedView: View<Plain> = {
  shape: decisionShape,
  empty: 'nothing changed',
  columns: [
    { name: 'id', get: (row) => toCell(row.id) },
    { name: 'state', state: lookOf, get: (row) => toCell(row.state ?? row.status) },
    { name: 'transaction_state', state: lookOf, priority: 1, get: (row) => toCell(row.transaction_state) },
  ],
};

export const seededView: View<Plain> = {
  shape: sampleShape,
  columns: [
    { name: 'external_id', get: (row) => toCell(row.external_id) },
    { name: 'state', state: lookOf, get: (row) => toCell(row.state) },
    { name: 'id', priority: 1, get: (row) => toCell(row.id) },
  ],
};

export const settingsView: View<Plain> = {
  shape: settingsShape,
  columns: [
    'kyc',
    'wtr2',
    'account_validation',
    'review',
    'strict_names',
    'holder_name',
    'nonce_memory',
    'strict_senders',
    'partner_path',
  ].map((name) => ({ name, get: (row: Plain) => toCell(row[name]) })),
};

const members = (value: unknown): [string, unknown][] => Object.entries((value ?? {}) as Plain);
const line = (value: unknown): string =>
  members(value)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

/** A few to a line, so that none is cut at the edge of a narrow terminal. */
function lines(label: string, value: unknown, perLine: number): DetailLine[] {
  const all = members(value);
  if (all.length === 0) return [[label, 'none']];
  const starts = all.map((_, index) => index).filter((index) => index % perLine === 0);
  return starts.map((start) => [
    start === 0 ? label : '',
    line(Object.fromEntries(all.slice(start, start + perLine))) + (start + perLine < all.length ? ',' : ''),
  ]);
}

/** Returns the counts that `states` does not tell already. */
function otherCounts({ counts, states }: Plain): Plain {
  const told = Object.keys((states ?? {}) as Plain);
  return Object.fromEntries(
    members(counts)
      .filter(([name]) => !told.includes(name))
      .map(([name, count]) => [name.replaceAll('_', ' '), count]),
  );
}

export const stateView: View<Plain> = {
  shape: stateShape,
  columns: [
    { name: 'now', get: (row) => toCell((row.clock as Plain | undefined)?.now) },
    { name: 'counts', get: (row) => line(row.counts) },
  ],
  details: (row) => {
    const clock = (row.clock ?? {}) as Plain;
    return [
      ['clock', `${clock.now} (${clock.mode})`],
      ['next due', toCell(row.next_due) ?? 'nothing'],
      '',
      ...members(row.states).flatMap(([name, counts]) => lines(name, counts, 4)),
      ...lines('others', otherCounts(row), 4),
      '',
      ...members(row.ledger).flatMap(([book, totals]) => lines(`ledger ${book}`, totals, 3)),
      '',
      ...lines('settings', row.settings, 2),
      ['faults armed', toCell(row.faults_armed)],
    ];
  },
};

export const armedView: View<Plain> = {
  shape: faultArmedShape,
  empty: 'no fault is armed',
  columns: [
    { name: 'id', get: (row) => toCell(row.id) },
    { name: 'fault', get: (row) => toCell(row.fault) },
    { name: 'left', get: (row) => toCell(row.left) },
    { name: 'fired', right: true, get: (row) => toCell(row.fired) },
    {
      name: 'only',
      priority: 1,
      get: (row) => toCell(row.operation ?? row.corridor ?? row.event ?? row.webhook) ?? 'all',
    },
  ],
};

export const firedView: View<Plain> = {
  shape: faultFiredShape,
  empty: 'no fault has fired',
  columns: [
    { name: 'at', get: (row) => toCell(row.at) },
    { name: 'id', get: (row) => toCell(row.id) },
    { name: 'fault', get: (row) => toCell(row.fault) },
    { name: 'what', get: (row) => toCell(row.what) },
  ],
};

/** `time` writes an instant as short as the reader can do with; whole everywhere but in a table. */
export const sandboxChangeView = (time = (at: string) => at): View<Plain> => ({
  shape: sandboxChangeShape,
  empty: 'nothing has changed yet',
  columns: [
    { name: 'at', get: (row) => time(String(row.at)) },
    { name: 'object', get: (row) => [toCell(row.object), toCell(row.number)].filter(Boolean).join(' ') },
    { name: 'from', state: lookOf, get: (row) => toCell(row.from) },
    { name: 'to', state: lookOf, get: (row) => toCell(row.to) },
    { name: 'basis', get: (row) => toCell(row.basis) },
    {
      name: 'why',
      wrap: true,
      priority: 1,
      get: (row) =>
        [toCell(row.says), toCell(row.note), row.times && `${row.times} times`].filter(Boolean).join(' · '),
    },
    { name: 'rule', priority: 2, get: (row) => toCell(row.rule) },
  ],
});

export const snapshotView: View<{ file: string; bytes: number }> = {
  shape: snapshotShape,
  columns: [
    { name: 'file', get: (row) => row.file },
    { name: 'bytes', right: true, get: (row) => toCell(row.bytes) },
  ],
};

export const stepView: View<Plain> = {
  shape: stepShape,
  columns: [
    { name: 'line', right: true, get: (row) => toCell(row.line) },
    { name: 'step', wrap: true, get: (row) => toCell(row.step) },
    { name: 'result', get: (row) => toCell(row.result) },
  ],
};

export const scenarioView: View<{ name: string; title: string }> = {
  shape: scenarioShape,
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'title', wrap: true, get: (row) => row.title },
  ],
};

export const assumptionView: View<{ id: string; area: string; rule: string; why: string; where: string }> = {
  shape: assumptionShape,
  columns: [
    { name: 'area', get: (row) => row.area },
    { name: 'rule', wrap: true, get: (row) => row.rule },
    { name: 'why', wrap: true, priority: 2, get: (row) => row.why },
    { name: 'where', priority: 3, get: (row) => row.where },
    { name: 'id', priority: 1, get: (row) => row.id },
  ],
};
