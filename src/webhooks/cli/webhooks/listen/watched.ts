/** A listener as `--admin` tells of it: its inbox, whether the public URL leads here, and each delivery that came. */

import type { AdminAddress } from '../../../../payments/cli/admin/flag.ts';
import { gauge, type Readings, secondsOf } from '../../../../payments/cli/admin/meter.ts';
import { openAdmin } from '../../../../payments/cli/admin/open.ts';
import type { Context } from '../../../../payments/cli/context.ts';
import type { Listener, ListenerOptions } from '../../../listener.ts';
import type { OpenedInbox } from '../../../open-inbox.ts';
import type { Status } from './status.ts';

export interface WatchedListener {
  onCounted: NonNullable<ListenerOptions['onCounted']>;
  /** It listens from now on. */
  started(status: Status, listener: Listener): void;
  /** Hears how many deliveries were fetched from the log. */
  recovered(count: number): void;
  drain(): void;
}

export async function watchListener(
  context: Context,
  address: AdminAddress,
  { inbox, commit }: OpenedInbox,
): Promise<WatchedListener> {
  let status: Status | undefined;
  let listener: Listener | undefined;
  const { meter, drain } = await openAdmin(context, address, {
    /* Not the public URL: a proxy that asks this sends nothing to one that says no, and the URL would never lead here again. */
    troubles: () => [
      ...(status === undefined ? ['it does not listen yet'] : []),
      ...(listener?.hasUnkept ? ['a delivery could not be kept'] : []),
    ],
    /* Nothing may come while it is not ready: so it tries that delivery again itself. */
    async commit() {
      await commit();
      await listener?.keepAgain();
    },
    own: () => ({
      remit_delivery_last_verified_timestamp_seconds: gauge(secondsOf(status?.counts.lastAt ?? null)),
      remit_public_url_reached: gauge(status?.probed && Number(status.probed.reached)),
    }),
    stored: () => storedOf(inbox),
  });
  for (const verdict of ['verified', 'duplicate', 'not_kept'])
    meter.add('remit_deliveries_total', [verdict, 'none'], 0);
  meter.add('remit_deliveries_total', ['invalid', NOT_EXAMINED], 0);
  meter.add('remit_gaps_recovered_total', [], 0);
  return {
    onCounted(verdict, cause) {
      meter.add('remit_deliveries_total', [
        verdict,
        cause ?? (verdict === 'invalid' ? NOT_EXAMINED : 'none'),
      ]);
    },
    started(now, by) {
      status = now;
      listener = by;
    },
    recovered: (count) => meter.add('remit_gaps_recovered_total', [], count),
    drain,
  };
}

const NOT_EXAMINED = 'not_examined';

async function storedOf(inbox: OpenedInbox['inbox']): Promise<Readings> {
  const [{ waiting, deadLetters }, since] = await Promise.all([inbox.backlog(), inbox.waitsSince()]);
  return {
    remit_handover_pending: gauge(waiting),
    remit_handover_oldest_timestamp_seconds: gauge(secondsOf(since)),
    remit_handover_dead: gauge(deadLetters),
  };
}
