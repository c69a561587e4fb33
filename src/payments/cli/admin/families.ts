/**
 * Every family of figures, declared once. Names end in their base unit. A time is a timestamp, never an age: `time() - x` stays right when the
 * process hangs. No label and no value is an id, a name or an amount (decision 0101).
 */

export interface Family {
  type: 'counter' | 'gauge' | 'histogram';
  help: string;
  labels?: readonly string[];
  /** Upper bounds of a histogram, in the unit of its name. */
  bounds?: readonly number[];
  /** The most series that it has; whatever comes beyond is one more, with `other` in each label. */
  most?: number;
}

const CLASSES = 5;

export const families = {
  remit_deliveries_total: {
    type: 'counter',
    help: 'Deliveries that came whole, by what they were found to be, and why one is invalid. One a second is examined for its cause.',
    labels: ['verdict', 'cause'],
    most: 80,
  },
  remit_delivery_last_verified_timestamp_seconds: {
    type: 'gauge',
    help: 'When this process last received a delivery that verified; absent before the first.',
  },
  remit_public_url_reached: {
    type: 'gauge',
    help: '1 where the public URL led to a listener of this inbox when it was last asked, 0 where it did not; absent where there is none.',
  },
  remit_handover_pending: { type: 'gauge', help: 'Deliveries in the inbox that wait to be handed on.' },
  remit_handover_oldest_timestamp_seconds: {
    type: 'gauge',
    help: 'When the delivery was received that waits longest; absent where none waits.',
  },
  remit_handover_dead: { type: 'gauge', help: 'Deliveries in the inbox that were given up.' },
  remit_gaps_recovered_total: {
    type: 'counter',
    help: 'Deliveries that never came and were fetched from the log of the service.',
  },
  remit_outcomes_unknown: {
    type: 'gauge',
    help: 'Writes in the store whose outcome nobody knows yet, those under way among them.',
  },
  remit_outcomes_unknown_oldest_timestamp_seconds: {
    type: 'gauge',
    help: 'When the oldest of them was begun; absent where there is none. One under way is young.',
  },
  remit_run_rows: {
    type: 'gauge',
    help: 'Rows of approved and paused runs that were planned within 31 days.',
    labels: ['state'],
    most: 16,
  },
  remit_runs_paused: { type: 'gauge', help: 'Runs of the account that are paused.' },
  remit_api_requests_total: {
    type: 'counter',
    help: 'Requests to the service, each attempt once; status_class none is one without an answer.',
    labels: ['operation', 'status_class'],
    most: 49 * CLASSES,
  },
  remit_api_request_duration_seconds: {
    type: 'histogram',
    help: 'Time that an attempt took, with or without an answer.',
    bounds: [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 90],
  },
  remit_ready: {
    type: 'gauge',
    help: '1 where /readyz would say that it is ready, as far as reading shows.',
  },
  remit_build_info: { type: 'gauge', help: 'The version of remit that runs.', labels: ['version'] },
  remit_event_loop_delay_seconds: {
    type: 'histogram',
    help: 'How much later than asked a timer of 100 ms fired.',
    bounds: [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5],
  },
  process_cpu_seconds_total: { type: 'counter', help: 'Time that the processors worked for this process.' },
  process_resident_memory_bytes: { type: 'gauge', help: 'Memory of this process.' },
  process_start_time_seconds: { type: 'gauge', help: 'When this process began.' },
  process_open_fds: { type: 'gauge', help: 'Open files and sockets; on Linux alone.' },
} as const satisfies Record<string, Family>;

export type FamilyName = keyof typeof families;
type OfType<T extends Family['type']> = {
  [Name in FamilyName]: (typeof families)[Name]['type'] extends T ? Name : never;
}[FamilyName];
export type CounterName = OfType<'counter'>;
export type HistogramName = OfType<'histogram'>;
