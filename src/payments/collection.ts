/** The payin method of a collection: its flow, and the details that the flow knows. */

import { type PayinFlow, payinType, payinTypes } from '../contract/corridors/payins.ts';
import { type PayinNamed, wrongPayinDetails } from '../contract/corridors/wrong-details.ts';
import { hint } from '../core/next.ts';
import { usage } from '../core/problem.ts';
import { refuseUnknown } from './wrong-accounts.ts';

export interface PayinFlags {
  type: string | undefined;
  flow: string | undefined;
  details: Record<string, string>;
}

/** The flows of a type that are offered, by name; undefined for a type that remit does not know. */
export function flowsOf(type: string): Readonly<Record<string, PayinFlow>> | undefined {
  const found = payinType(type);
  if (!found) return undefined;
  const all = Object.entries(found.flows as Record<string, PayinFlow>);
  return Object.fromEntries(all.filter(([, flow]) => !flow.retired));
}

/** The only flow where there is one. @throws Problem (usage) */
export function chosenFlow(type: string, flow: string | undefined): string {
  if (flow !== undefined) return flow;
  const names = Object.keys(flowsOf(type) ?? {});
  const [only] = names;
  if (only !== undefined && names.length === 1) return only;
  throw names.length === 0
    ? usage(
        `${type} is not a payin type that remit knows (${payinTypes.map((one) => one.type).join(', ')})`,
        hint`name its flow too: ${{ give: 'payin_flow', value: 'NAME' }}`,
      )
    : usage(
        `${type} has several payin flows`,
        hint`choose one: ${{ give: 'payin_flow', value: names.join(' | ') }}`,
      );
}

/** A misspelt detail would leave the collection without it. Accounts are not judged here. @throws Problem (usage) */
export function refuseUnknownPayinDetails(method: PayinNamed, details: Record<string, unknown>): void {
  refuseUnknown(wrongPayinDetails(method, { details, only: [], at: '' }));
}
