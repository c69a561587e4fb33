/** Answers of the controls of a sandbox. */
import * as z from 'zod/mini';
import { number, own, shape, text, textOrNull } from './shape.ts';

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
