import { listAccounts } from '../../contract/operations/accounts.ts';
import { keyLast4 } from '../../core/account.ts';
import type { DataOf } from '../../frame/shape.ts';
import type { View } from '../../frame/terminal/view.ts';
import { defineCommand } from '../../payments/cli/command.ts';
import { result } from '../../payments/cli/result.ts';
import { identityShape } from '../../payments/shapes/machine.ts';
import { whereKept } from '../secrets.ts';
import { limitsText } from './view.ts';

type Identity = DataOf<typeof identityShape>;

const view: View<Identity> = {
  shape: identityShape,
  columns: [
    { name: 'environment', get: (row) => row.environment },
    { name: 'profile', get: (row) => row.profile },
    { name: 'source', get: (row) => row.source },
    { name: 'base_url', head: 'service', get: (row) => row.base_url },
    { name: 'key', get: (row) => row.key },
    { name: 'secret_in', priority: 3, get: (row) => row.secret_in },
    { name: 'scheme', get: (row) => row.scheme },
    { name: 'limits', get: (row) => limitsText(row.limits) || 'none' },
    { name: 'accepted', get: (row) => (row.accepted ? 'yes' : 'no') },
  ],
};

/** Passes a refusal on as it is: the command ends with 4 and the reason. */
export const command = defineCommand({
  shows: [view],
  effect: 'read',
  examples: ['remit whoami', 'remit whoami --profile live -o json'],
  read: () => null,
  async run(context) {
    const connection = await context.connection();
    await (await context.client()).call(listAccounts);
    return result(view, {
      environment: connection.environment,
      profile: connection.name,
      source: connection.source,
      base_url: connection.baseUrl,
      key: `…${keyLast4(connection.credentials.key)}`,
      secret_in: whereKept(context.process.env, connection.secretIn),
      scheme: connection.scheme,
      limits: connection.limits,
      accepted: true,
    });
  },
});
