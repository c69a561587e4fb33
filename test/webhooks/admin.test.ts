/** The figures of `--admin`: their bounds, their text, and where it listens. */
import { describe, expect, it } from 'vitest';
import { operationIds } from '../../src/contract/operations/index.ts';
import { causeIds } from '../../src/contract/signatures/cause-table.ts';
import {
  type CounterName,
  type Family,
  type FamilyName,
  families,
} from '../../src/payments/cli/admin/families.ts';
import { type AdminAddress, readAdmin } from '../../src/payments/cli/admin/flag.ts';
import { createMeter, type Readings } from '../../src/payments/cli/admin/meter.ts';
import { expositionFor, writeMetrics } from '../../src/payments/cli/admin/open.ts';
import { ROW_STATES } from '../../src/runs/store/port.ts';
import { complaintsOf, hasPrometheus, readOpenMetrics, seriesOf } from '../support/prometheus.ts';

const names = Object.keys(families) as FamilyName[];
const rowOf = (name: FamilyName): Family => families[name];

/** Everything that one process could ever show, and more than that. */
function everything(): Readings {
  const meter = createMeter();
  for (const verdict of ['verified', 'duplicate', 'not_kept'])
    meter.add('remit_deliveries_total', [verdict, 'none']);
  for (const cause of [...causeIds, 'not_examined']) meter.add('remit_deliveries_total', ['invalid', cause]);
  for (const operation of [...operationIds, 'unheard.of'])
    for (const status of ['2xx', '3xx', '4xx', '5xx', 'none', '9xx'])
      meter.add('remit_api_requests_total', [operation, status]);
  for (const seconds of [0.01, 0.07, 3, 500]) {
    meter.observe('remit_api_request_duration_seconds', seconds);
    meter.observe('remit_event_loop_delay_seconds', seconds);
  }
  const gauges = names
    .filter((name) => rowOf(name).type !== 'histogram' && rowOf(name).labels === undefined)
    .map((name) => [name, [[[], 1_795_744_677.345]]]);
  return {
    ...Object.fromEntries(gauges),
    ...meter.readings(),
    remit_run_rows: ROW_STATES.map((state) => [[state], 1]),
    remit_build_info: [[['0.1.0"\\\n'], 1]],
  };
}

describe('the bounds', () => {
  it('are 25 families and 400 series, whatever happens, and every cause has a series', () => {
    const text = writeMetrics(everything(), 'prometheus');
    expect(text.match(/^# TYPE /gm)).toHaveLength(names.length);
    expect(names.length).toBeLessThanOrEqual(25);
    expect(seriesOf(text).size).toBeLessThanOrEqual(400);
    for (const cause of causeIds) expect(text).toContain(`cause="${cause}"`);
    expect(
      seriesOf(text).get('remit_api_requests_total{operation="other",status_class="other"}'),
    ).toBeGreaterThan(0);
  });

  it('a family at its bound goes on counting what it knows, and counts the rest as other', () => {
    const meter = createMeter();
    const name: CounterName = 'remit_deliveries_total';
    for (let n = 0; n < 200; n++) meter.add(name, ['invalid', `cause-${n}`]);
    meter.add(name, ['invalid', 'cause-0']);
    const series = meter.readings()[name] ?? [];
    expect(series).toHaveLength(80);
    expect([series[0], series.at(-1)]).toEqual([
      [['invalid', 'cause-0'], 2],
      [['other', 'other'], 121],
    ]);
  });

  it('names end in their unit, and a counter in _total', () => {
    for (const name of names) {
      expect(name.endsWith('_total')).toBe(rowOf(name).type === 'counter');
      expect(name).not.toMatch(/_(?:ms|milliseconds|minutes|age)/);
      expect(rowOf(name).help).toMatch(/\.$/);
    }
  });
});

describe('the text', () => {
  it('leaves out what has no value, and adds a distribution up', () => {
    const meter = createMeter();
    meter.add('remit_gaps_recovered_total', [], 0);
    for (const seconds of [0.05, 0.06, 200]) meter.observe('remit_api_request_duration_seconds', seconds);
    const text = writeMetrics({ ...meter.readings(), remit_handover_pending: [] }, 'prometheus');
    const series = seriesOf(text);
    const bucket = (le: string) => series.get(`remit_api_request_duration_seconds_bucket{le="${le}"}`);
    expect([series.get('remit_gaps_recovered_total'), text.includes('pending')]).toEqual([0, false]);
    expect(['0.05', '0.1', '90.0', '+Inf'].map(bucket)).toEqual([1, 2, 2, 3]);
    expect(series.get('remit_api_request_duration_seconds_count')).toBe(3);
  });

  it.runIf(hasPrometheus)('has no complaint of promtool', () => {
    expect(complaintsOf(writeMetrics(everything(), 'prometheus'))).toBe('');
  });

  it.runIf(hasPrometheus)('is read by a parser of OpenMetrics, with each family and its type', () => {
    const read = readOpenMetrics(writeMetrics(everything(), 'openmetrics'));
    const declared = names.map((name) => [name.replace(/_total$/, ''), rowOf(name).type]);
    expect(read).toEqual(Object.fromEntries(declared));
  });

  it.each([
    ['', 'prometheus'],
    ['*/*', 'prometheus'],
    ['text/plain', 'prometheus'],
    ['application/openmetrics-text', 'openmetrics'],
    [
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1',
      'openmetrics',
    ],
    ['text/plain;q=0.9, application/openmetrics-text; q=0.2', 'prometheus'],
    ['application/openmetrics-text;q=0', 'prometheus'],
  ])('for Accept %j is that of %s', (accept, as) => {
    expect(expositionFor(accept)).toBe(as);
  });
});

describe('the address', () => {
  const read = (admin: string | undefined) => readAdmin({ args: [], flags: { admin } });

  it.each<[string, AdminAddress]>([
    ['127.0.0.1:9464', { host: '127.0.0.1', port: 9464 }],
    [':9464', { host: '127.0.0.1', port: 9464 }],
    ['9464', { host: '127.0.0.1', port: 9464 }],
    ['localhost:0', { host: 'localhost', port: 0 }],
    ['[::1]:9464', { host: '::1', port: 9464 }],
    ['0.0.0.0:9464', { host: '0.0.0.0', port: 9464 }],
  ])('%s', (text, address) => expect(read(text)).toEqual(address));

  it.each(['', 'localhost', 'localhost:', '127.0.0.1:99999', '::1:9464', 'http://127.0.0.1:9464'])(
    '%j is none',
    (text) => expect(() => read(text)).toThrow('is not a host and a port'),
  );

  it('is none where nobody asks', () => expect(read(undefined)).toBeUndefined());
});
