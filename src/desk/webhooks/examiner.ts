/** Why a delivery to a listener did not verify. */

import type { Finding, ReceivedRequest } from '../../contract/signatures/finding.ts';
import type { Credentials } from '../../contract/signed-text.ts';
import type { Desk } from '../desk.ts';

/** Against all secrets that are accepted here, and the keys of the other profiles. */
export async function examinerFor(
  desk: Desk,
  secrets: readonly Credentials[],
  publicUrl: string | undefined,
): Promise<(request: ReceivedRequest) => Finding> {
  const [{ diagnose }, { othersHere }] = await Promise.all([
    import('../../contract/signatures/diagnose.ts'),
    import('./machine-secrets.ts'),
  ]);
  const [credentials, ...accepted] = secrets as [Credentials, ...Credentials[]];
  const others = [
    ...accepted.map((one) => ({ name: 'another secret that is accepted here', ...one })),
    ...(await othersHere(desk, credentials, false)),
  ];
  const registered = publicUrl === undefined ? [] : [publicUrl];
  return (request) => diagnose(request, { credentials, others, registered });
}
