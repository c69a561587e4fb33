/** How the sandbox's records lie in a data file: what is looked up has a column, everything is in the record itself. */
import type { RecordSpec, TableSpec } from '../../core/ports/record-database.ts';

const table = (
  name: string,
  columns: TableSpec['columns'] = {},
  { unique = [], indexed = [], byId = true }: Partial<Pick<TableSpec, 'unique' | 'indexed' | 'byId'>> = {},
): TableSpec => ({ name, byId, columns, unique, indexed });

const CREATED = { created_at: 'integer' } as const;

/** Raise the version when records or tables change their meaning. */
export const sandboxData: RecordSpec = {
  what: 'data of a remit sandbox',
  kind: 0x72_6d_73_62,
  version: 1,
  tables: [
    table('pieces', {}, { byId: false }),
    table('senders', { ...CREATED, external_id: 'text' }, { unique: ['external_id'] }),
    table(
      'transactions',
      { external_id: 'text', sender_id: 'text', state: 'text' },
      { unique: ['external_id'], indexed: ['sender_id'] },
    ),
    table('payins', { transaction_id: 'text' }),
    table(
      'recipients',
      {
        ...CREATED,
        sender_id: 'text',
        state: 'text',
        input_currency: 'text',
        input_amount: 'text',
        payout_type: 'text',
        payout_method_id: 'text',
        mandate_id: 'text',
      },
      { indexed: ['sender_id', 'state', 'payout_method_id', 'mandate_id'] },
    ),
    table('payout_methods', { ...CREATED, state: 'text', type: 'text' }),
    table('documents'),
    table('mandates', { identity: 'text' }, { unique: ['identity'] }),
    table('debits'),
    table('webhooks'),
    table('deliveries'),
    table('api_logs', CREATED),
    table('webhook_logs', CREATED),
    table('postings'),
    table('tasks', {}, { byId: false }),
    table('nonces', {}, { byId: false }),
  ],
};
