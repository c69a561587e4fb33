import { findMarket } from '../../contract/corridors/account-validation.ts';
import { accountFaults } from '../../contract/corridors/accounts.ts';
import { corridorTypes, loadCorridor } from '../../contract/corridors/index.ts';
import {
  type AccountValidationRequest,
  accountValidationRequest,
  validationCountries,
  validationCurrencies,
} from '../../contract/resources/validation.ts';
import { byWord } from '../../core/by-word.ts';
import { refuse, usage } from '../../core/problem.ts';
import { exitCodes } from '../../frame/exit-codes.ts';
import { flagWords, sameCommand } from '../../frame/output/command-line.ts';
import type { View } from '../../frame/terminal/view.ts';
import { type AccountAnswer, askAboutAccount } from '../cases/account-check.ts';
import { accountValidationShape } from '../shapes/payments.ts';
import { type Guard, guardFaults } from '../wrong-accounts.ts';
import { type Form, type Question, throughForm } from './ask/form.ts';
import { defineCommand } from './command.ts';
import type { Context } from './context.ts';
import { accountAsWrittenFlag, readAccountAsWritten } from './flags/details.ts';
import { result } from './result.ts';

const view: View<AccountAnswer> = {
  shape: accountValidationShape,
  columns: [
    { name: 'valid', get: (row) => (row.valid ? 'yes' : 'no') },
    { name: 'account_name', get: (row) => row.account_name },
    { name: 'mapped_mobile_provider', head: 'PROVIDER', get: (row) => row.mapped_mobile_provider },
    { name: 'account_status', head: 'STATUS', get: (row) => row.account_status },
    { name: 'error', get: (row) => row.error },
  ],
};

const MARKETS: Record<string, { country: string; currency: string; method: 'bank' | 'mobile' }> = byWord({
  'NGN::Bank': { country: 'NG', currency: 'NGN', method: 'bank' },
  'GHS::Bank': { country: 'GH', currency: 'GHS', method: 'bank' },
  'GHS::Mobile': { country: 'GH', currency: 'GHS', method: 'mobile' },
  'UGX::Mobile': { country: 'UG', currency: 'UGX', method: 'mobile' },
});

type Request = Record<string, string>;

export const command = defineCommand({
  description:
    'Ends with 0 where the bank or operator knows the account, with 5 where it does not. A failure can also mean that the bank cannot be reached: try again in a few minutes. On a terminal, what is missing is asked.',
  flags: {
    type: {
      value: 'type',
      summary: `stands for country, currency and method: ${Object.keys(MARKETS).join(', ')}`,
    },
    country: { value: 'code', summary: 'two letters', choices: validationCountries },
    currency: { value: 'code', summary: 'three letters', choices: validationCurrencies },
    method: { value: 'method', summary: 'bank or mobile', choices: ['bank', 'mobile'] },
    bankCode: { value: 'code', summary: 'the bank' },
    bankAccount: { value: 'number', summary: 'the account number' },
    iban: { value: 'number', summary: 'the account in IBAN or BBAN form, where the market uses it' },
    phoneNumber: { value: 'number', summary: 'in international form, such as +233302123400' },
    mobileProvider: { value: 'name', summary: 'such as mtn' },
    ...accountAsWrittenFlag,
  },
  shows: [view],
  effect: 'read',
  exits: [exitCodes.validation],
  examples: [
    'remit validate-account',
    'remit validate-account --type NGN::Bank --bank-code 044 --bank-account 0123456789',
    'remit validate-account --type GHS::Mobile --phone-number +233302123400 --mobile-provider mtn',
  ],
  read(input) {
    const type = input.flags.type;
    const market = type === undefined ? {} : MARKETS[type];
    if (market === undefined)
      throw usage(
        `accounts of ${type} cannot be validated by type`,
        `known: ${Object.keys(MARKETS).join(', ')}; else give --country, --currency and --method`,
      );
    const { country, currency, method, iban } = input.flags;
    const members = {
      ...{ country, currency, method, iban },
      bank_code: input.flags.bankCode,
      bank_account: input.flags.bankAccount,
      phone_number: input.flags.phoneNumber,
      mobile_provider: input.flags.mobileProvider,
    };
    const given = Object.entries(members).filter(([, value]) => value !== undefined);
    return {
      request: { ...market, ...Object.fromEntries(given) },
      accountAsWritten: readAccountAsWritten(input),
    };
  },
  async run(context, { request: given, accountAsWritten: asWritten }) {
    const form = await formFor(context, given);
    return throughForm(context, form, async (confirmer, wasAsked) => {
      const request = complete(given);
      const isAsWritten = await guardAccount(context, { confirmer, asWritten }, request);
      const answer = await askAboutAccount(context, request);
      const notes = wasAsked()
        ? sameCommand(context, argvOf(given), { 'account-as-written': isAsWritten })
        : [];
      return result(view, answer, { exit: answer.valid ? exitCodes.ok : exitCodes.validation, notes });
    });
  },
});

function argvOf({ country, currency, method, ...rest }: Request): string[] {
  const [type] =
    Object.entries(MARKETS).find(
      ([, one]) => one.country === country && one.currency === currency && one.method === method,
    ) ?? [];
  const market = type === undefined ? { country, currency, method } : { type };
  const others = Object.entries(rest).map(([name, value]) => [name.replaceAll('_', '-'), value]);
  return [...flagWords(market), ...flagWords(Object.fromEntries(others))];
}

/** The market first, then what that market asks for, by the labels and choices of its corridor. */
async function formFor(context: Context, request: Request): Promise<Form> {
  if (!context.interactive) return { questions: async () => [] };
  const given = Object.keys(request);
  const [{ fieldQuestion }, { describedFields }, { askChoice }] = await Promise.all([
    import('./ask/details.ts'),
    import('../offered.ts'),
    import('../../frame/terminal/prompt.ts'),
  ]);
  const choices = Object.keys(MARKETS).map((type) => ({
    value: type,
    label: corridorTypes.find((one) => one.type === type)?.summary ?? type,
  }));
  const asksMarket = !['country', 'currency', 'method'].some((name) => given.includes(name));
  const market: Question = {
    path: 'type',
    label: 'Kind of account',
    isOpen: asksMarket,
    shown: undefined,
    ask: ({ back }) => askChoice(context, 'What kind of account is it?', choices, { back }),
    take: (type) => void Object.assign(request, MARKETS[type]),
  };
  return {
    async questions() {
      const { method, country, currency } = request;
      const found =
        method !== undefined && country !== undefined && currency !== undefined
          ? findMarket({ method, country, currency, mobileProvider: request.mobile_provider })
          : undefined;
      if (found === undefined) return [market];
      const named = [...found.required, ...(found.optional ?? [])];
      const fields = (await describedFields(found.type)).filter(({ name }) => named.includes(name));
      const at = {
        type: found.type,
        kind: 'person' as const,
        prefix: '',
        details: request,
        isOpen: (name: string) => found.required.includes(name) && !given.includes(name),
      };
      return [market, ...fields.map((one) => fieldQuestion(context, at, one))];
    },
  };
}

/** By the corridor of the market; the service decides about a market that remit does not know. @throws Problem (usage) */
async function guardAccount(
  context: Context,
  guard: Guard,
  request: AccountValidationRequest,
): Promise<boolean> {
  const { method, country, currency, mobile_provider: mobileProvider, ...details } = request;
  const market = findMarket({ method, country, currency, mobileProvider });
  const corridor = market && (await loadCorridor(market.type));
  if (!corridor) return false;
  const named = [...market.required, ...(market.optional ?? [])];
  const faults = accountFaults(corridor.recipientKinds.person, details, named);
  return guardFaults(context, guard, faults, corridor.type);
}

function complete(request: Record<string, unknown>): AccountValidationRequest {
  for (const name of ['country', 'currency', 'method']) {
    if (request[name] === undefined)
      throw usage(`--${name} is missing`, 'or --type, which stands for all three');
  }
  const needed =
    request.method === 'mobile'
      ? ['phone_number']
      : request.iban === undefined
        ? ['bank_account', 'bank_code']
        : [];
  const missing = needed.filter((name) => request[name] === undefined);
  if (missing.length > 0)
    throw usage(
      `${missing.map((name) => `--${name.replaceAll('_', '-')}`).join(' and ')} ${missing.length > 1 ? 'are' : 'is'} missing`,
    );
  const checked = accountValidationRequest.safeParse(request);
  if (checked.success) return checked.data;
  throw refuse(
    'usage',
    'usage',
    `${checked.error.issues[0]?.path.join('.')} is not one that can be validated`,
  );
}
