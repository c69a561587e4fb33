/**
 * How the file of a sandbox of version 1 becomes one of version 2. It had a table for each kind of record, with columns for what was
 * looked up; `payins`, and the pieces that count records, only repeated what the records say. A nonce was an id without a body.
 */

/** The tables whose rows are taken over as they are, and what they are called now. */
const TABLES = {
  senders: 'senders',
  transactions: 'transactions',
  recipients: 'recipients',
  payout_methods: 'payoutMethods',
  documents: 'documents',
  mandates: 'mandates',
  debits: 'debits',
  webhooks: 'webhooks',
  deliveries: 'deliveries',
  api_logs: 'apiLogs',
  webhook_logs: 'webhookLogs',
  postings: 'postings',
  tasks: 'tasks',
};
const GONE = ['pieces', 'nonces', 'payins', ...Object.keys(TABLES)];

const taking = (kind: string, body: string, from: string): string =>
  `INSERT INTO records (kind, body) SELECT '${kind}', ${body} FROM ${from} ORDER BY sequence;`;

export const recordsOfVersion1 = [
  taking(
    'pieces',
    `'{"name":' || json_quote(id) || ',"value":' || body || '}'`,
    `pieces WHERE id NOT IN ('sender_counts', 'transaction_counts', 'recipient_counts')`,
  ),
  ...Object.entries(TABLES).map(([table, kind]) => taking(kind, 'body', table)),
  taking('nonces', `'{"id":' || json_quote(id) || '}'`, 'nonces'),
  ...GONE.map((table) => `DROP TABLE ${table};`),
].join('\n');
