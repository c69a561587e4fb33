/** Calls to a sandbox's own controls, beside the service's paths: signed like every call, on a loopback sandbox only. */

import { readJson } from '../client/json.ts';
import { isLoopback } from '../core/hosts.ts';
import type { Context } from './context.ts';
import { Failure, usage } from './failure.ts';

export async function control(
  context: Context,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Record<string, unknown>> {
  const { baseUrl, name } = await context.connection();
  if (!isLoopback(new URL(baseUrl).hostname)) {
    throw usage(
      `profile ${name} is not a sandbox on this machine: only that one has a clock to move`,
      'remit sandbox start',
    );
  }
  const client = await context.clientAt(`${new URL(baseUrl).origin}/sandbox`);
  const response = await client.raw({
    method,
    path,
    effect: method === 'GET' ? 'read' : 'write',
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const answer = (await readJson(response.body).catch(() => ({}))) as { object?: Record<string, unknown> };
  if (response.status < 300 && answer.object) return answer.object;
  const errors = answer.object?.errors as { base?: { error?: string }[] } | undefined;
  throw new Failure({
    category: response.status === 401 ? 'auth' : response.status === 404 ? 'not_found' : 'validation',
    code: `http_${response.status}`,
    message: errors?.base?.[0]?.error ?? `the sandbox answered ${response.status}`,
    status: response.status,
  });
}
