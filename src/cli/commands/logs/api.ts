import { listApiLogs } from '../../../contract/operations/logs.ts';
import type { ApiLog } from '../../../contract/resources/log.ts';
import { command, flagText, type Input, result } from '../../command.ts';
import { notFound, usage } from '../../failure.ts';
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
  shows: [apiLogView],
  effect: 'read',
  examples: [
    'remit logs api --status 422',
    'remit logs api --request 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 -o json',
  ],
  read: (input) => ({
    request: flagText(input, 'request'),
    status: readStatus(input),
    dates: readDates(input),
    limits: readLimits(input),
  }),
  async run(context, { request, status, dates, limits }) {
    let looked = 0;
    const fits = (log: ApiLog): boolean =>
      request === undefined
        ? status === undefined || statusMatches(status, log.response_status ?? '')
        : nonceOf(log) === request;
    const keep = (log: ApiLog): boolean | 'stop' => (looked++ < LOOKED_THROUGH ? fits(log) : 'stop');
    const sifts = request !== undefined || status !== undefined;
    const wanted = request === undefined ? limits : { limit: 1 };
    const found = await collect(await context.client(), listApiLogs, dates, wanted, sifts ? keep : undefined);
    const through = Math.min(looked, LOOKED_THROUGH);
    if (request !== undefined && found.length === 0)
      throw notFound(
        `no request ${request} among the latest ${through} that were logged`,
        'the service may log it later; narrow it with --since and --until',
      );
    const isCutShort = looked > LOOKED_THROUGH || (sifts && found.length === 0);
    const notes = isCutShort ? [`looked through the latest ${through} requests`] : [];
    return result(apiLogView, found, { notes });
  },
});

/** @throws Failure (usage) */
function readStatus(input: Input): string | undefined {
  const status = flagText(input, 'status');
  if (status === undefined || /^[1-5](?:\d\d|xx)$/i.test(status)) return status;
  throw usage(`"${status}" is not a status`, 'such as --status 422 or --status 4xx');
}

const statusMatches = (wanted: string, status: string): boolean =>
  /^\dxx$/i.test(wanted) ? status.startsWith(wanted[0] ?? '') : status.startsWith(wanted);
