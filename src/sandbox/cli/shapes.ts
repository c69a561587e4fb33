/** Answers of the controls of a sandbox. */
import * as z from 'zod/mini';
import {
  amount,
  amountOrNull,
  number,
  numberOrNull,
  own,
  shape,
  text,
  textOrNull,
  texts,
  time,
  yesNo,
} from '../../frame/shape.ts';

const loose = z.looseObject;
const counts = z.nullish(z.record(text, z.unknown()));

export const clockShape = shape('clock', loose({ now: text, mode: text }));
/** The record that a decision changed. */
export const decisionShape = shape(
  'sandbox_decision',
  loose({ id: z.nullish(text), state: z.nullish(text), transaction_state: z.nullish(text) }),
);
export const sampleShape = shape('sandbox_sample', loose({ external_id: text, state: text, id: text }));
export const settingsShape = shape(
  'sandbox_settings',
  loose({
    kyc: z.unknown(),
    wtr2: z.unknown(),
    account_validation: z.unknown(),
    review: z.unknown(),
    strict_names: z.unknown(),
    holder_name: z.unknown(),
    nonce_memory: z.unknown(),
    strict_senders: z.unknown(),
    partner_path: z.unknown(),
  }),
);
export const stateShape = shape(
  'sandbox_state',
  loose({
    clock: loose({ now: text, mode: text }),
    counts,
    states: counts,
    ledger: counts,
    settings: counts,
    faults_armed: z.nullish(number),
    next_due: z.nullish(text),
  }),
);
export const faultArmedShape = shape('sandbox_fault', loose({ id: text, fault: text }));
export const faultFiredShape = shape(
  'sandbox_fault_fired',
  loose({ at: text, id: text, fault: text, what: z.nullish(text) }),
);
export const sandboxChangeShape = shape(
  'sandbox_change',
  loose({ at: text, object: text, rule: z.nullish(text), basis: z.nullish(text) }),
);
export const snapshotShape = shape('sandbox_snapshot', own({ file: text, bytes: number }));
export const stepShape = shape(
  'scenario_step',
  loose({ line: z.nullish(number), step: textOrNull, result: textOrNull }),
);
export const scenarioShape = shape('scenario', own({ name: text, title: text }));
/** A rule that the description leaves open, with why it is assumed. */
export const assumptionShape = shape(
  'assumption',
  own({ id: text, area: text, rule: text, why: text, where: text }),
);

/** An audit of a partner's program. `case` is the text that replays it. */
export const auditShape = shape(
  'sandbox_audit',
  own({
    verdict: text,
    not_tried: texts,
    cases: number,
    as_wished: number,
    said_failed: number,
    gave_up: number,
    not_met: number,
    wished: texts,
    left_out: texts,
    findings: z.array(
      own({
        kind: text,
        says: text,
        payment: text,
        count: number,
        cases: number,
        ways: texts,
        case: text,
        replay: text,
        requests: z.array(
          own({
            ms: number,
            start: number,
            request: text,
            way: textOrNull,
            done: numberOrNull,
            told: text,
          }),
        ),
      }),
    ),
    habits: z.array(own({ name: text, says: text, did: number, of: number })),
    program: own({
      command: text,
      commit: textOrNull,
      is_dirty: z.nullable(yesNo),
      lock_file: textOrNull,
      lock_sha256: textOrNull,
    }),
    seed: text,
    remit: text,
    at: time,
    took_ms: number,
    program_ms: number,
    signature: z.nullable(own({ approver: text, key: text, signature: text })),
  }),
);

/** A row of the demo's pay run, with the person that it pays. */
export const demoRowShape = shape(
  'demo_row',
  own({
    key: text,
    name: text,
    type: text,
    amount,
    currency: text,
    cost: amountOrNull,
    state: text,
    why: textOrNull,
  }),
);
