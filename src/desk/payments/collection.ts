/** The payin method of a collection: its flow, and the details that the flow knows. */

import { accountFaults } from '../../contract/corridors/accounts.ts';
import { type PayinFlow, payinType, payinTypes } from '../../contract/corridors/payins.ts';
import { said } from '../../core/next.ts';
import { Problem, usage } from '../../core/problem.ts';
import { refuseFaults } from './wrong-accounts.ts';

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
        said`name its flow too: ${{ give: 'payin_flow', value: 'NAME' }}`,
      )
    : usage(
        `${type} has several payin flows`,
        said`choose one: ${{ give: 'payin_flow', value: names.join(' | ') }}`,
      );
}

interface Named {
  type?: string | null | undefined;
  ux_flow?: string | null | undefined;
}

/** The flow of a payin method; undefined where remit does not know it. */
export function knownFlow({ type, ux_flow: flow }: Named): PayinFlow | undefined {
  const flows = payinType(type ?? '')?.flows as Record<string, PayinFlow> | undefined;
  return flows?.[flow ?? ''];
}

/** Checks the details named in `only`, or all where it is left out. @throws Problem (usage) */
export function refuseWrongPayinAccounts(
  payin: Named,
  details: Record<string, unknown>,
  only?: readonly string[],
): void {
  const faults = accountFaults(knownFlow(payin)?.inDetails ?? [], details, only);
  refuseFaults(faults, { what: `${payin.type} by ${payin.ux_flow}`, path: 'in_details' });
}

/** A misspelt detail would leave the collection without it. @throws Problem (usage) */
export function refuseUnknownPayinDetails(
  { type, ux_flow: flow }: Named,
  details: Record<string, unknown>,
): void {
  const known = knownFlow({ type, ux_flow: flow })?.inDetails.map(({ name }) => name);
  if (known === undefined) return;
  // The service repeats the flow's name among the details.
  const unknown = Object.keys(details).filter((name) => !known.includes(name) && name !== 'ux_flow');
  if (unknown.length === 0) return;
  throw new Problem({
    category: 'usage',
    code: 'unknown_detail',
    message: `${type} by ${flow} has no detail called ${unknown.join(', ')}`,
    hint: known.length === 0 ? 'it takes none' : `it knows ${known.join(', ')}`,
    fields: unknown.map((name) => ({ path: name, words: ['is not a detail of this flow'] })),
    outcome: 'not applied',
    outcomeNote: 'nothing was sent',
  });
}
