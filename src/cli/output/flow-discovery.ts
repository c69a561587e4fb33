/** Which payin flows are open: what is asked, and how an answer is read. */
import { collectFields } from '../../client/fields.ts';
import type { PayinMethod, PayinMethodWrite } from '../../contract/resources/payment-method.ts';
import type { FlowDiscovery, Transaction } from '../../contract/resources/transaction.ts';
import { usage } from '../../core/problem.ts';
import { chosenFlow, flowsOf, refuseUnknownPayinDetails } from '../../desk/payments/collection.ts';
import type { FlowAnswer } from '../../desk/shapes/payments.ts';
import type { PaymentFlags } from '../flags/payment.ts';
import { fieldLine } from './report.ts';

/** A payin type and nothing of a payment: the flows alone are asked for. */
export function isDiscovery({ file, from, body }: PaymentFlags): boolean {
  const { payin, inputCurrency, externalId, details, senderFields, ...payment } = body;
  const named = [file, from, ...Object.values(payment)].some((value) => value !== undefined);
  const detailed = Object.keys({ ...details, ...senderFields }).length > 0;
  return payin?.type !== undefined && !named && !detailed;
}

/** @throws Problem (usage) where a detail or a type is not known */
export function discoveryOf({ body: { payin, inputCurrency, externalId } }: PaymentFlags): FlowDiscovery {
  const { type = '', flow, details = {} } = payin ?? {};
  return {
    payin_methods:
      flow === undefined && flowsOf(type) ? everyFlow(type, details) : [oneFlow(type, flow, details)],
    ...(inputCurrency === undefined ? {} : { input_currency: inputCurrency }),
    ...(externalId === undefined ? {} : { external_id: externalId }),
  };
}

function oneFlow(type: string, flow: string | undefined, details: Record<string, string>): PayinMethodWrite {
  const ux_flow = chosenFlow(type, flow);
  refuseUnknownPayinDetails({ type, ux_flow }, details);
  return { type, ux_flow, in_details: details };
}

/** Every flow of a type, each with those details that it knows. @throws Problem (usage) */
export function everyFlow(type: string, details: Record<string, string>): PayinMethodWrite[] {
  const flows = Object.entries(flowsOf(type) ?? {});
  const known: string[] = flows.flatMap(([, { inDetails }]) => inDetails.map(({ name }) => name));
  const unknown = Object.keys(details).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw usage(
      `${type} has no detail called ${unknown.join(', ')}`,
      `it knows ${[...new Set(known)].join(', ')}`,
    );
  }
  return flows.map(([flow, { inDetails }]) => {
    const names: string[] = inDetails.map(({ name }) => name);
    const own = Object.entries(details).filter(([name]) => names.includes(name));
    return { type, ux_flow: flow, in_details: Object.fromEntries(own) };
  });
}

/** Answers come in the order in which flows were asked for. A flow of which nothing is said is not open. */
export function answersFor(asked: readonly PayinMethodWrite[], answer: Transaction): FlowAnswer[] {
  const answers = answer.payin_methods ?? [];
  return asked.map((one, index) => {
    const fits = (each: PayinMethod | undefined) =>
      (each?.type ?? one.type) === one.type && (each?.ux_flow ?? one.ux_flow) === one.ux_flow;
    const at = answers[index];
    const said = at && fits(at) ? at : answers.find((each) => each.type === one.type && fits(each));
    const problems = collectFields(said).map((problem) => fieldLine(problem));
    const open = said !== undefined && problems.length === 0;
    return { type: one.type ?? '', ux_flow: one.ux_flow ?? '', open, problems };
  });
}
