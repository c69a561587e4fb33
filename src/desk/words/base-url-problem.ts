/** A base URL that cannot be, as it is told. Who gave it may allow plain HTTP; every other fault is to be mended. */
import type { BaseUrlError } from '../../contract/base-url.ts';
import { said } from '../../core/next.ts';
import { Problem } from '../../core/problem.ts';

export function baseUrlProblem(error: Error): Problem {
  const isAllowable = (error as BaseUrlError).kind === 'plain_http';
  return new Problem(
    {
      category: 'config',
      code: 'base_url',
      message: error.message,
      hint: isAllowable ? said`${{ give: 'insecure' }}, if you must` : undefined,
      outcome: 'not applied',
      outcomeNote: 'nothing was sent',
    },
    { cause: error },
  );
}
