import type { DryRun } from '../../desk/payments/dry-run.ts';
import { money } from '../../desk/words/amount.ts';
import type { DetailLine, View } from '../terminal/view.ts';

const WITHHELD: DetailLine = ['withheld', 'the nonce, which is new for each request, and the signature'];

export const dryRunView: View<DryRun> = {
  kind: 'dry_run',
  columns: [
    { name: 'method', get: (row) => row.method },
    { name: 'url', get: (row) => row.url },
    { name: 'body', get: (row) => JSON.stringify(row.body) },
    { name: 'string_to_sign', get: (row) => row.string_to_sign },
  ],
  details(row) {
    const body = JSON.stringify(row.body, null, 2).split('\n');
    return [
      ['request', `${row.method} ${row.url}`],
      ...body.map((line, index): DetailLine => [index === 0 ? 'body' : '', line]),
      ['string to sign', row.string_to_sign],
      WITHHELD,
      ...row.amounts.map(({ requested, paid_as: paidAs, currency }): DetailLine => {
        const [asked, paid] = [money(requested, currency), money(paidAs, currency)];
        return ['amount', asked === paid ? asked : `${asked}, paid as ${paid}`];
      }),
    ];
  },
};

export interface RawDryRun {
  method: string;
  url: string;
  /** The body as it would be sent, but for what is masked. The digest is of the bytes that would be sent. */
  body: string | null;
  string_to_sign: string;
}

export const rawDryRunView: View<RawDryRun> = {
  kind: 'raw_dry_run',
  columns: [
    { name: 'method', get: (row) => row.method },
    { name: 'url', get: (row) => row.url },
    { name: 'body', get: (row) => row.body },
    { name: 'string_to_sign', get: (row) => row.string_to_sign },
  ],
  details: (row) => [
    ['request', `${row.method} ${row.url}`],
    ['body', row.body],
    ['string to sign', row.string_to_sign],
    WITHHELD,
  ],
};
