/** Every check of this machine and of the service, in their order: reads only, and no secret is shown. */
import type { Context } from '../../../payments/cli/context.ts';
import { type Checked, skip } from './finding.ts';
import { checkLimits, journal, NO_PROFILE, profile, secret, settings, store, versions } from './machine.ts';

export async function examine(context: Context): Promise<Checked[]> {
  const { findings, connection } = await profile(context);
  const here = [
    versions(context, process.version),
    settings(context),
    ...findings,
    ...(await store(context)),
  ];
  if (connection === undefined)
    return [
      ...here,
      ...['limits', 'journal', 'reachable', 'clock', 'signature', 'webhooks'].map((check) =>
        skip(check, NO_PROFILE),
      ),
    ];
  const { answers, webhooks } = await import('./service.ts');
  const service = await answers(context, connection);
  const isAccepted = service.some(({ check, verdict }) => check === 'signature' && verdict === 'pass');
  return [
    ...here,
    secret(context, connection),
    await checkLimits(context, connection),
    await journal(context),
    ...service,
    isAccepted ? await webhooks(context, connection) : skip('webhooks', 'the service was not asked'),
  ];
}
