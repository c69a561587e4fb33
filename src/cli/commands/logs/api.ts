import { listApiLogs } from '../../../contract/operations/logs.ts';
import { command, flagText, result } from '../../command.ts';
import { collect, dateFlags, type Limits, listFlags, readDates, readLimits } from '../../listing.ts';
import { apiLogView, nonceOf } from '../../views/log.ts';

export interface ApiLogOptions {
  request: string | undefined;
  status: string | undefined;
  dates: { created_at_from?: string; created_at_to?: string };
  limits: Limits;
}

export { api as command };

const LOOKED_THROUGH = 1_000;

const api = command<ApiLogOptions>({
  flags: [
    { flags: '--request <id>', summary: 'the one that an error named as its request' },
    { flags: '--status <status>', summary: 'only answers with this status, such as 422 or 4xx' },
    ...dateFlags,
    ...listFlags,
  ],
  examples: ['remit logs api --status 422', 'remit logs api --request 0b8f6d7a-… -o json'],
  read: (input) => ({
    request: flagText(input, 'request'),
    status: flagText(input, 'status'),
    dates: readDates(input),
    limits: readLimits(input),
  }),
  async run(context, { request, status, dates, limits }) {
    let looked = 0;
    const keep = (log: Parameters<typeof nonceOf>[0]): boolean => {
      looked++;
      if (request !== undefined && nonceOf(log) !== request) return false;
      return status === undefined || statusMatches(status, log.response_status ?? '');
    };
    const wanted = request === undefined ? limits : { limit: 1 };
    const found = await collect(await context.client(), listApiLogs, dates, wanted, (log) =>
      looked < LOOKED_THROUGH ? keep(log) : false,
    );
    const notes =
      found.length === 0 && looked > 0
        ? [`looked through the latest ${Math.min(looked, LOOKED_THROUGH)} requests`]
        : [];
    return result(apiLogView, found, { notes });
  },
});

const statusMatches = (wanted: string, status: string): boolean =>
  /^\dxx$/i.test(wanted) ? status.startsWith(wanted[0] ?? '') : status.startsWith(wanted);
