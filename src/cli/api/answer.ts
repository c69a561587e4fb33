/** The answer of a raw call, printed as it came but for what no terminal should obey and nobody should see. */
import { readJson } from '../../client/json.ts';
import type { Effect } from '../../contract/operations/operation.ts';
import type { WireResponse } from '../../core/ports/transport.ts';
import type { Context } from '../context.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { escapeHostile } from '../terminal/escape.ts';
import { maskData, withoutSignatures } from '../terminal/mask.ts';

export async function printAnswer(context: Context, response: WireResponse, include: boolean): Promise<void> {
  const { streams, mask } = context;
  if (include) {
    context.say(`HTTP ${response.status}`);
    for (const [name, value] of Object.entries(response.headers))
      context.say(escapeHostile(`${name}: ${value}`));
  } else if (response.status > 299) {
    context.say(`remit: the service answered ${response.status}`);
  }
  const body = mask === 'none' ? withoutSignatures(response.body) : await masked(response.body, context);
  const shown = streams.stdoutIsTerminal ? escapeHostile(body) : body;
  streams.out(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
}

async function masked(text: string, { mask }: Context): Promise<string> {
  try {
    return JSON.stringify(maskData(await readJson(text), mask), null, 2);
  } catch {
    return text;
  }
}

export function exitFor(status: number, effect: Effect): ExitCode {
  if (status < 300) return exitCodes.ok;
  if (status === 400) return exitCodes.usage;
  if (status === 401) return exitCodes.auth;
  if (status === 404) return exitCodes.notFound;
  if (status === 422) return exitCodes.validation;
  // Anything else on a write proves nothing.
  if (effect !== 'read') return exitCodes.unknown;
  return status === 429 || status >= 500 ? exitCodes.temporary : exitCodes.failed;
}
