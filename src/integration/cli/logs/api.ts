import { listApiLogs } from '../../../contract/operations/logs.ts';
import type { ApiLog } from '../../../contract/resources/log.ts';
import { thousands } from '../../../core/amount-words.ts';
import { notFound, usage } from '../../../core/problem.ts';
import type { Input, TextFlag } from '../../../frame/flags/flag.ts';
import { defineCommand } from '../../../payments/cli/command.ts';
import type { Context } from '../../../payments/cli/context.ts';
import { dateFlags, listFlags, readDates, readLimits } from '../../../payments/cli/flags/listing.ts';
import { showList } from '../../../payments/cli/output/show-list.ts';
import { result } from '../../../payments/cli/result.ts';
import { type ListRequest, readList } from '../../../payments/lists/list-reader.ts';
import { siftBy } from '../../../payments/lists/sifting.ts';
import { apiLogView, nonceOf } from '../views/log.ts';

export const command = defineCommand({
  description:
    'The service filters by day. remit applies the other filters itself: it says how many records it searched, and for a table on a terminal it stops after 2,000.',
  flags: {
    request: { value: 'id', summary: 'the request id that an error message named' },
    status: { value: 'status', summary: 'only answers with this status, such as 422 or 4xx' },
    ...dateFlags,
    ...listFlags,
  },
  shows: [apiLogView],
  isTabular: true,
  effect: 'read',
  examples: [
    'remit logs api --status 422',
    'remit logs api --request 6f2c1b1e-0d6f-4c3e-9a55-1f0d7c0b9a11 -o json',
  ],
  read: (input) => ({
    request: input.flags.request,
    status: readStatus(input),
    dates: readDates(input),
    limits: readLimits(input),
  }),
  async run(context, { request, status, dates, limits }) {
    const list = { operation: listApiLogs, query: { ...dates } };
    if (request !== undefined) {
      const bound = limits.limit === Number.POSITIVE_INFINITY ? undefined : MOST_SEARCHED;
      const limit = { limit: 1, ...(bound === undefined ? {} : { bound }) };
      return result(apiLogView, [await findRequest(context, request, { ...list, limits: limit })]);
    }
    const sift = siftBy<ApiLog>({
      status: status === undefined ? undefined : (log) => statusMatches(status, log),
    });
    return showList(context, {
      ...list,
      limits,
      sift,
      view: apiLogView,
      what: 'requests',
      seen: ({ id }) => [{ kind: 'log', id: id ?? '' }],
    });
  },
});

/** One request among so many is old: twenty pages are enough, unless all are asked for. */
const MOST_SEARCHED = 2_000;

/** Ends at the first that fits. @throws Problem (not found) with how many were looked at */
async function findRequest(
  context: Context,
  request: string,
  list: Omit<ListRequest<ApiLog>, 'sift'>,
): Promise<ApiLog> {
  const sift = { by: ['request'], fits: (log: ApiLog) => nonceOf(log) === request };
  const { looked, pages } = await readList(context, { ...list, sift });
  for await (const [found] of pages()) if (found) return found;
  throw notFound(
    `no request ${request} among the latest ${thousands(looked.rows)} that were logged`,
    looked.ended === 'bound'
      ? 'narrow it with --since and --until, or look at every one with --all'
      : 'the service may log it later',
  );
}

/** @throws Problem (usage) */
function readStatus(input: Input<{ status: TextFlag }>): string | undefined {
  const status = input.flags.status;
  if (status === undefined || /^[1-5](?:\d\d|xx)$/i.test(status)) return status;
  throw usage(`"${status}" is not a status`, 'such as --status 422 or --status 4xx');
}

const statusMatches = (wanted: string, { response_status: status }: ApiLog): boolean =>
  (status ?? '').startsWith(/^\dxx$/i.test(wanted) ? wanted.slice(0, 1) : wanted);
