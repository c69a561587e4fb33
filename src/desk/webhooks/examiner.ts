/** Why a delivery to a listener did not verify. */

import type { Context } from '../../cli/context.ts';
import type { Credentials } from '../../contract/signing.ts';
import type { Finding, ReceivedRequest } from '../../intake/finding.ts';

/** Against all secrets that are accepted here, and the keys of the other profiles. */
export async function examinerFor(
  context: Context,
  secrets: readonly Credentials[],
  publicUrl: string | undefined,
): Promise<(request: ReceivedRequest) => Finding> {
  const [{ diagnose }, { othersHere }] = await Promise.all([
    import('../../intake/diagnose.ts'),
    import('./machine-secrets.ts'),
  ]);
  const [credentials, ...accepted] = secrets as [Credentials, ...Credentials[]];
  const others = [
    ...accepted.map((one) => ({ name: 'another secret that is accepted here', ...one })),
    ...(await othersHere(context, credentials, false)),
  ];
  const registered = publicUrl === undefined ? [] : [publicUrl];
  return (request) => diagnose(request, { credentials, others, registered });
}
