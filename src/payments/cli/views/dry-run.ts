import { money } from '../../../core/amount-words.ts';
import type { DataOf } from '../../../frame/shape.ts';
import type { DetailLine, View } from '../../../frame/terminal/view.ts';
import type { DryRun } from '../../dry-run.ts';
import { dryRunShape, rawDryRunShape } from '../../shapes/payments.ts';

const WITHHELD: DetailLine = ['withheld', 'the nonce, which is new for each request, and the signature'];

export const dryRunView: View<DryRun> = {
  shape: dryRunShape,
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

export type RawDryRun = DataOf<typeof rawDryRunShape>;

export const rawDryRunView: View<RawDryRun> = {
  shape: rawDryRunShape,
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
