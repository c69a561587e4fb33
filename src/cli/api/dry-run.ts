/** A dry run shows the request that `remit api` would send, and the text that would be signed for it. */
import { textToSign } from '../../desk/payments/dry-run.ts';
import { maskValue } from '../../desk/words/mask.ts';
import { type Result, result } from '../command.ts';
import type { Context } from '../context.ts';
import { rawDryRunView } from '../views/dry-run.ts';

interface RawRequest {
  method: string;
  path: string;
  body: string | undefined;
}

/** Shows the request and sends nothing. @throws Problem (config) without an account */
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
