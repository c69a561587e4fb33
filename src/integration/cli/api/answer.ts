/** The answer of a raw call, printed as it came except control characters and masked data. */

import type { WireResponse } from '../../../client/client.ts';
import { readJson } from '../../../client/json.ts';
import type { Effect } from '../../../core/effect.ts';
import { escapeHostile } from '../../../core/escape.ts';
import { usage } from '../../../core/problem.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../../frame/exit-codes.ts';
import type { GlobalInput } from '../../../frame/flags/globals.ts';
import { formatInfo } from '../../../frame/terminal/format.ts';
import { renderingFor } from '../../../frame/terminal/rendering.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { type Result, result } from '../../../payments/cli/result.ts';
import { rawDryRunView } from '../../../payments/cli/views/dry-run.ts';
import { textToSign } from '../../../payments/dry-run.ts';
import { errorCategory } from '../../../payments/problem-of.ts';
import { maskValue, withoutSignatures } from '../../../payments/words/mask.ts';

export async function printAnswer(context: Context, response: WireResponse, include: boolean): Promise<void> {
  const { streams } = context;
  if (include) {
    context.say(`HTTP ${response.status}`);
    for (const [name, value] of Object.entries(response.headers))
      context.say(escapeHostile(`${name}: ${value}`));
  } else if (response.status > 299) {
    context.say(`remit: the service answered ${response.status}`);
  }
  const plain = await masked(response.body, context);
  const body = response.status > 299 ? plain : await shaped(plain, context);
  const shown = streams.stdoutIsTerminal ? escapeHostile(body) : body;
  context.noteMasked(shown);
  streams.out(shown === '' || shown.endsWith('\n') ? shown : `${shown}\n`);
}

/** Refuses forms that a raw answer cannot have: its columns are unknown. @throws Problem (usage) */
export function refuseShapes({ flags }: GlobalInput): void {
  if (flags.fields !== undefined)
    throw usage('--fields is for records that remit knows', 'here --query chooses: --query object.id');
  const { output } = flags;
  if (output !== undefined && !formatInfo(output).isDocument)
    throw usage(`a raw answer has no columns for -o ${output}`, 'here -o is json or yaml');
}

/** `--query` looks at the whole answer; what is not JSON, or does not suit the expression, stays as it came. */
async function shaped(text: string, context: Context): Promise<string> {
  const { query, output } = context.globals;
  if (query === undefined && formatInfo(output).isYaml !== true) return text;
  try {
    const answer = await readJson(text);
    if (query === undefined) return (await import('../../../frame/terminal/yaml.ts')).yamlText(answer);
    const { queried } = await import('../../../frame/terminal/query.ts');
    return await queried(answer, renderingFor(context.process, context.globals));
  } catch (error) {
    // It was sent, and what came back must not be lost.
    context.say(`remit: the whole answer is shown: ${escapeHostile((error as Error).message)}`);
    return text;
  }
}

/** Returns the answer as it came, unless something in it is masked, or a person reads it. */
async function masked(text: string, context: Context): Promise<string> {
  try {
    const answer = await readJson(text);
    const shown = context.masked(answer);
    const { stdoutIsTerminal } = context.streams;
    return shown === answer && !stdoutIsTerminal
      ? text
      : JSON.stringify(shown, null, stdoutIsTerminal ? 2 : 0);
  } catch {
    return withoutSignatures(text);
  }
}

/** The one table of categories decides: what is known of a write comes before what its answer looks like. */
export function exitFor(
  status: number,
  effect: Effect,
  state?: 'applied' | 'not_applied' | 'unknown',
): ExitCode {
  if (state === 'unknown') return exitCodeOf.unknown;
  if (status < 300 || state === 'applied') return exitCodes.ok;
  if (effect !== 'read' && state === undefined) return exitCodeOf.unknown;
  return exitCodeOf[errorCategory(status)];
}

interface RawRequest {
  method: string;
  path: string;
  body: string | undefined;
}

/**
 * A dry run shows the request that `remit api` would send, and the text that would be signed for it. Shows
 * the request and sends nothing. @throws Problem (config) without an account
 */
export async function rawDryRun(context: Context, { method, path, body }: RawRequest): Promise<Result> {
  const { mask } = context;
  const { baseUrl } = await context.connection();
  const url = baseUrl + shownPath(context, path);
  return result(rawDryRunView, {
    method,
    url,
    body: body === undefined || mask === 'none' ? (body ?? null) : maskValue('body', body, mask),
    string_to_sign: textToSign({ method, url, body }),
  });
}

/** A query may name a person, so it is left out where output is kept. */
export const shownPath = ({ mask }: Context, path: string): string =>
  mask === 'all' ? path.replace(/\?.*$/, '?…') : path;
