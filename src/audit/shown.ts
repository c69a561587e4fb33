/** The part of a case that a report shows: the requests of the program, and between them the webhooks that it got. Bodies are not kept. */

import { wayInfo } from './loss-modes.ts';
import type { RelayedRequest } from './relay.ts';
import type { CaseRun } from './run-case.ts';

export interface ShownRequest extends Pick<RelayedRequest, 'at' | 'start' | 'way' | 'done' | 'told'> {
  /** Method and path; `webhook` and the event where it came from the service. */
  request: string;
}

/** Keeps their order. Webhooks are shown where the case is about them. */
export function shownOf({ case: faults, exchanges, deliveries }: CaseRun): ShownRequest[] {
  const asked = exchanges.map(({ at, start, method, path, way, done, told }) => ({
    ...{ at, start, request: `${method} ${path}`, told },
    ...(way === undefined ? {} : { way }),
    ...(done === undefined ? {} : { done }),
  }));
  const way = faults.map((fault) => fault.way).find((one) => wayInfo(one).place === 'webhook');
  if (way === undefined) return asked;
  const heard = deliveries.map(({ at, start, event, status }) => ({
    ...{ at, start, way, request: `webhook ${event}` },
    told: status === undefined ? 'nothing' : String(status),
  }));
  return [...asked, ...heard].sort((one, other) => one.at - other.at);
}
