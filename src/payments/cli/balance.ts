import type { Client } from '../../client/client.ts';
import { ApiError } from '../../client/errors.ts';
import type { CallTerms } from '../../client/terms.ts';
import { getAccount, listAccounts, listPartnerBalances } from '../../contract/operations/accounts.ts';
import { PARTNER_PATH, partnerBalancePath } from '../../contract/operations/partner-path.ts';
import type { Account } from '../../contract/resources/account.ts';
import { decimalsOf } from '../../core/currency.ts';
import { gte, parseAmount } from '../../core/money.ts';
import { hint } from '../../core/next.ts';
import { notFound, type Problem, usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import type { Input, TextFlag } from '../../frame/flags/flag.ts';
import type { Connection } from '../../profiles/connection.ts';
import { type Floors, floorNotes, floorRows } from '../balance-floors.ts';
import { cachedRead } from '../read-cache.ts';
import { defineCommand } from './command.ts';
import type { Context } from './context.ts';
import { readFloors, readWatch, type Watch, watchFlags } from './flags/watch.ts';
import { type Result, result } from './result.ts';
import { accountView, besideView, floorView } from './views/account.ts';

export const command = defineCommand({
  description: `Balances are kept for five minutes, and a note says how old they are. --fresh asks again; --min always asks.
--watch looks every five minutes, since the service asks for few reads; at a sandbox on this machine it looks every two seconds. With --min it waits for a top-up: it ends with 0 as soon as there is enough, and with 10 at --timeout.`,
  args: [{ name: 'CURRENCY', summary: 'only this one, such as EUR', optional: true }],
  flags: {
    min: {
      value: 'amounts',
      summary: 'end with 10 if the balance is below this: GHS=50000,NGN=1000000, or an amount of CURRENCY',
    },
    partner: { summary: 'also show the balances that you hold at a provider' },
    ...watchFlags,
  },
  shows: [accountView, besideView, floorView],
  isTabular: true,
  effect: 'read',
  exits: [exitCodes.check],
  examples: [
    'remit balance',
    'remit balance EUR --min 2500.00 && ./pay-wages.sh',
    'remit balance --min GHS=50000,NGN=1000000',
    'remit balance --partner',
    'remit balance --watch',
    'remit balance EUR --min 2500.00 --watch --timeout 2h && ./pay-wages.sh',
    'remit balance EUR --watch 10m --timeout 8h -o ndjson',
    'remit balance -o json --query "[0].amount"',
  ],
  read(input) {
    const currency = input.args[0]?.toUpperCase();
    const partner = input.flags.partner;
    if (currency !== undefined && !/^[A-Z]{3}(?:::.+)?$/.test(currency))
      throw usage(`"${currency}" is not a currency code`, 'three letters, such as EUR');
    const watch = readWatch(input);
    const given = input.flags.min;
    if (given !== undefined && partner)
      throw usage(
        '--min looks at your balance at the service: what a provider holds is not added',
        'leave --partner out',
      );
    if (watch !== undefined && partner) throw usage('--watch shows balances alone', 'leave --partner out');
    return { currency, partner, watch, ...readMin(input, currency) };
  },
  async run(context, { currency, min, floors, partner, watch }) {
    if (partner) return beside(context, currency);
    if (watch !== undefined)
      return watched(context, {
        currency,
        watch,
        floors: currency !== undefined && min !== undefined ? new Map([[currency, min]]) : floors,
      });
    if (floors !== undefined) return checked(context, floors);
    const client = await context.client();
    if (currency === undefined) {
      const { object } = await cachedRead(context, '/accounts', (terms) => client.call(listAccounts, terms));
      return result(accountView, object);
    }
    const read = (terms?: CallTerms) => oneBalance(client, currency, terms);
    const { object } =
      min === undefined ? await cachedRead(context, `/accounts/${currency}`, read) : await read();
    if (min === undefined) return result(accountView, object);
    const enough = gte(object.amount, min);
    return result(accountView, object, {
      exit: enough ? exitCodes.ok : exitCodes.check,
      notes: floorNotes(floorRows(new Map([[currency, min]]), [{ ...object, currency }])),
    });
  },
});

/** An amount of CURRENCY, or currencies with their amounts. */
function readMin(input: Input<{ min: TextFlag }>, currency: string | undefined) {
  const given = input.flags.min;
  if (given === undefined) return { min: undefined, floors: undefined };
  if (!given.includes('=')) {
    if (currency === undefined)
      throw usage(
        '--min needs a currency',
        'remit balance EUR --min 100, or remit balance --min EUR=100,GBP=50',
      );
    return { min: parseAmount(given, decimalsOf(currency), currency), floors: undefined };
  }
  if (currency !== undefined)
    throw usage(`--min names its currencies already: ${given}`, `leave ${currency} out`);
  return { min: undefined, floors: readFloors(given) };
}

/** Skips the cache: users pay by what it says. */
async function checked(context: Context, floors: Floors): Promise<Result> {
  const { object } = await (await context.client()).call(listAccounts);
  const rows = floorRows(floors, object);
  const exit = rows.every(({ enough }) => enough) ? exitCodes.ok : exitCodes.check;
  return result(floorView, rows, { exit, notes: floorNotes(rows) });
}

/** @throws Problem (not found) naming the currencies that are held */
async function oneBalance(client: Client, currency: string, terms?: CallTerms): Promise<{ object: Account }> {
  try {
    return await client.call(getAccount, { path: { currency }, ...terms });
  } catch (error) {
    if (!(error instanceof ApiError && error.kind === 'not_found')) throw error;
    const { object } = await client.call(listAccounts);
    const held = object.map((account) => account.currency).sort();
    throw notFound(`You hold no ${currency}. Balances: ${held.join(', ')}.`);
  }
}

interface Watched {
  currency: string | undefined;
  watch: Watch;
  /** It ends as soon as there is so much. */
  floors: Floors | undefined;
}

async function watched(context: Context, { currency, watch, floors }: Watched): Promise<Result> {
  const { watchBalances } = await import('./output/balance-watch.ts');
  const client = await context.client();
  const read = async (): Promise<readonly Account[]> =>
    currency === undefined
      ? (await client.call(listAccounts)).object
      : [(await oneBalance(client, currency)).object];
  return watchBalances(context, watch, read, floors);
}

/** The segment is the service's word for its partner: where it is another, nothing stands there. */
function noSuchPath({ name, source }: Connection, path: string): Problem {
  const how =
    source === 'environment'
      ? hint`${{ set: 'partner_path', value: 'NAME' }}`
      : hint`${{ do: 'change_profile', profile: name, setting: 'partner_path', value: 'NAME' }}`;
  return notFound(
    `there is no partner balance at ${path}`,
    hint`the first segment is another for each partner (partner_path); ask the service which it is, and set it: ${how}`,
  );
}

/** A currency that only one of the two holds has a row too. */
async function beside(context: Context, currency: string | undefined): Promise<Result> {
  const client = await context.client();
  const { limits } = await context.connection();
  const path = partnerBalancePath(limits.partner_path ?? PARTNER_PATH);
  const own = await cachedRead(context, '/accounts', (terms) => client.call(listAccounts, terms));
  const held = await cachedRead(context, path, async (terms) => {
    try {
      return await client.call({ ...listPartnerBalances, path }, terms);
    } catch (error) {
      throw error instanceof ApiError && error.kind === 'not_found'
        ? noSuchPath(await context.connection(), path)
        : error;
    }
  });
  const codes = [...new Set([...own.object, ...held.object].map((row) => row.currency))].sort();
  const rows = codes
    .filter((code) => currency === undefined || code === currency)
    .map((code) => ({
      currency: code,
      account: own.object.find((row) => row.currency === code) ?? null,
      partner: held.object.find((row) => row.currency === code) ?? null,
    }));
  return result(besideView, rows);
}
