/** Tells which operation a path means. Every parameter of the service is the second part of its path. */
import { catalogue, type OperationId, operationIds } from '../../contract/operations/index.ts';
import type { Operation } from '../../contract/operations/operation.ts';
import { invariant } from '../../core/invariants.ts';

export interface Route {
  id: OperationId;
  /** True where the operation reads a body. */
  hasBody: boolean;
  /** True where the operation keeps something that was not there before. */
  adds: boolean;
}

export interface Match {
  route: Route;
  /** The path parameter, decoded; an empty text where there is none. */
  parameter: string;
}

export class Router {
  readonly #routes = new Map<string, Route>();

  constructor() {
    for (const id of operationIds) {
      const { method, path, body, effect } = catalogue[id] as unknown as Operation;
      const key = `${method} ${path.replace(/\{\w+\}/g, '*')}`;
      invariant(/^\/[^*]+(?:\/\*(?:\/[^*]+)?)?$/.test(key.slice(method.length + 1)), `${key} can be routed`);
      this.#routes.set(key, {
        id,
        hasBody: body !== undefined,
        adds: method === 'POST' && (effect === 'write' || effect === 'money'),
      });
    }
  }

  /** `path` is below the version segment, without query. */
  find(method: string, path: string): Match | null {
    const fixed = this.#routes.get(`${method} ${path}`);
    if (fixed) return { route: fixed, parameter: '' };
    const [, first = '', second = '', ...rest] = path.split('/');
    const pattern = [first, '*', ...rest].join('/');
    const route = second === '' ? undefined : this.#routes.get(`${method} /${pattern}`);
    const parameter = decoded(second);
    return route && parameter !== null ? { route, parameter } : null;
  }
}

/** Null for a bad escape. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
