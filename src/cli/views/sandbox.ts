/** Views of what the controls of a sandbox answer. */
import { type DetailLine, text, type View } from '../view.ts';

type Plain = Record<string, unknown>;

export const clockView: View<Plain> = {
  kind: 'clock',
  columns: [
    { name: 'now', get: (row) => text(row.now) },
    { name: 'mode', get: (row) => text(row.mode) },
  ],
};

/** What a decision changed: an id and its state. */
export const decidedView: View<Plain> = {
  kind: 'sandbox_decision',
  empty: 'nothing changed',
  columns: [
    { name: 'id', get: (row) => text(row.id) },
    { name: 'state', state: true, get: (row) => text(row.state ?? row.status) },
    { name: 'transaction_state', state: true, priority: 1, get: (row) => text(row.transaction_state) },
  ],
};

export const seededView: View<Plain> = {
  kind: 'sandbox_sample',
  columns: [
    { name: 'external_id', get: (row) => text(row.external_id) },
    { name: 'state', state: true, get: (row) => text(row.state) },
    { name: 'id', priority: 1, get: (row) => text(row.id) },
  ],
};

export const settingsView: View<Plain> = {
  kind: 'sandbox_settings',
  columns: ['kyc', 'wtr2', 'account_validation', 'review', 'strict_names', 'holder_name', 'nonce_memory'].map(
    (name) => ({ name, get: (row: Plain) => text(row[name]) }),
  ),
};

const members = (value: unknown): [string, unknown][] => Object.entries((value ?? {}) as Plain);
const line = (value: unknown): string =>
  members(value)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ') || 'none';

export const stateView: View<Plain> = {
  kind: 'sandbox_state',
  columns: [
    { name: 'now', get: (row) => text((row.clock as Plain | undefined)?.now) },
    { name: 'counts', get: (row) => line(row.counts) },
  ],
  details: (row) => {
    const clock = (row.clock ?? {}) as Plain;
    const lines: DetailLine[] = [
      ['clock', `${clock.now} (${clock.mode})`],
      ['next due', text(row.next_due) ?? 'nothing'],
      '',
    ];
    for (const [name, counts] of members(row.states)) lines.push([name, line(counts)]);
    lines.push(['others', line(row.counts)], '');
    for (const [book, totals] of members(row.ledger)) lines.push([`ledger ${book}`, line(totals)]);
    lines.push('', ['settings', line(row.settings)], ['faults armed', text(row.faults_armed)]);
    return lines;
  },
};

export const armedView: View<Plain> = {
  kind: 'sandbox_fault',
  empty: 'no fault is armed',
  columns: [
    { name: 'id', get: (row) => text(row.id) },
    { name: 'fault', get: (row) => text(row.fault) },
    { name: 'left', get: (row) => text(row.left) },
    { name: 'fired', right: true, get: (row) => text(row.fired) },
    {
      name: 'only',
      priority: 1,
      get: (row) => text(row.operation ?? row.corridor ?? row.event ?? row.webhook) ?? 'all',
    },
  ],
};

export const firedView: View<Plain> = {
  kind: 'sandbox_fault_fired',
  empty: 'no fault has fired',
  columns: [
    { name: 'at', get: (row) => text(row.at) },
    { name: 'id', get: (row) => text(row.id) },
    { name: 'fault', get: (row) => text(row.fault) },
    { name: 'what', get: (row) => text(row.what) },
  ],
};

export const changeView: View<Plain> = {
  kind: 'sandbox_change',
  empty: 'nothing has changed yet',
  columns: [
    { name: 'at', get: (row) => text(row.at) },
    { name: 'object', get: (row) => text(row.object) },
    { name: 'from', state: true, get: (row) => text(row.from) ?? '-' },
    { name: 'to', state: true, get: (row) => text(row.to) },
    { name: 'basis', get: (row) => text(row.basis) },
    { name: 'rule', priority: 2, get: (row) => text(row.rule) },
    { name: 'times', priority: 3, right: true, get: (row) => text(row.times) },
    { name: 'why', priority: 1, get: (row) => [text(row.says), text(row.note)].filter(Boolean).join(' · ') },
  ],
};

export const snapshotView: View<{ file: string; bytes: number }> = {
  kind: 'sandbox_snapshot',
  columns: [
    { name: 'file', get: (row) => row.file },
    { name: 'bytes', right: true, get: (row) => text(row.bytes) },
  ],
};

export const stepView: View<Plain> = {
  kind: 'scenario_step',
  columns: [
    { name: 'line', right: true, get: (row) => text(row.line) },
    { name: 'step', get: (row) => text(row.step) },
    { name: 'result', get: (row) => text(row.result) },
  ],
};

export const scenarioView: View<{ name: string; title: string }> = {
  kind: 'scenario',
  columns: [
    { name: 'name', get: (row) => row.name },
    { name: 'title', get: (row) => row.title },
  ],
};

export const assumptionView: View<{ id: string; area: string; rule: string; why: string; where: string }> = {
  kind: 'assumption',
  columns: [
    { name: 'area', get: (row) => row.area },
    { name: 'rule', get: (row) => row.rule },
    { name: 'why', priority: 2, get: (row) => row.why },
    { name: 'where', priority: 3, get: (row) => row.where },
    { name: 'id', priority: 1, get: (row) => row.id },
  ],
};
