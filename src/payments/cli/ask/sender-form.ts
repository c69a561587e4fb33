/** The questions of a sender: all that the service may ask for where nothing was given, else what it always needs. */
import { byWord } from '../../../core/by-word.ts';
import { askChoice, askText } from '../../../frame/terminal/prompt.ts';
import { shownValue } from '../../words/changes.ts';
import type { Context } from '../context.ts';
import { titled } from './details.ts';
import type { Form, Question } from './form.ts';
import {
  countryName,
  type InputVerdict,
  judgeCountry,
  judgeDate,
  judgeEmail,
  judgeIp,
  judgePhone,
} from './judges.ts';

type Members = Record<string, unknown>;
type Judge = (text: string, members: Members) => InputVerdict;

const LABELS: Readonly<Record<string, string>> = byWord({
  external_id: 'Your reference',
  name: 'Company name',
  email: 'E-mail',
  birth_date: 'Date of birth',
  ip: 'IP address of the customer',
});
const COUNTRIES = ['country', 'phone_country', 'trading_country', 'nationality', 'country_of_birth'];
const DATES = ['birth_date', 'registration_date'];
const EXAMPLES: Readonly<Record<string, string>> = byWord({
  external_id: 'such as customer-18',
  phone_number: 'such as +351912345678',
  birth_date: 'such as 1990-01-31',
  ip: 'never this machine’s',
});

const NEEDED = {
  person: ['first_name', 'last_name', 'country', 'ip'],
  business: ['name', 'country', 'trading_country', 'city', 'street', 'postal_code', 'email', 'ip'],
};
/** An account with simplified rules does without some of them, so they may be left out. */
const ASKED = {
  person: [
    ...['external_id', 'first_name', 'last_name', 'country', 'street', 'city', 'postal_code'],
    ...['phone_number', 'email', 'birth_date', 'ip'],
  ],
  business: [
    ...['external_id', 'name', 'country', 'trading_country', 'street', 'city', 'postal_code'],
    ...['phone_number', 'email', 'ip'],
  ],
};

const labelOf = (name: string): string => LABELS[name] ?? titled(name);
const hintOf = (name: string): string | undefined =>
  EXAMPLES[name] ?? (COUNTRIES.includes(name) ? 'two letters, such as PT' : undefined);

function judgeOf(name: string): Judge | undefined {
  if (COUNTRIES.includes(name)) return judgeCountry;
  if (DATES.includes(name)) return judgeDate;
  if (name === 'email' || name.endsWith('_email')) return judgeEmail;
  if (name === 'ip') return judgeIp;
  return name === 'phone_number' ? judgeSenderPhone : undefined;
}

function judgeSenderPhone(text: string, { phone_country: country }: Members): InputVerdict {
  if (judgePhone(text) !== true) return judgePhone(text);
  return (
    text.startsWith('+') || typeof country === 'string' || 'Write it with its country, such as +351912345678'
  );
}

/** `members` is what is given so far; the questions write into it. */
export function senderForm(context: Context, members: Members): Form {
  const given = Object.keys(members);
  const asksKind = members.type === undefined && given.length === 0;
  return {
    async questions() {
      const kind = members.type === 'business' ? 'business' : 'person';
      const names = given.length === 0 ? ASKED[kind] : NEEDED[kind];
      // The names that are left may be refused, and are then asked for.
      const rest = [...ASKED[kind], ...given].filter((name) => name !== 'type' && !names.includes(name));
      const kindIsKnown = !asksKind || members.type !== undefined;
      return [
        kindQuestion(context, members, asksKind),
        ...(kindIsKnown ? names : []).map((name) =>
          memberQuestion(context, members, {
            name,
            isOpen: !given.includes(name),
            required: NEEDED[kind].includes(name),
          }),
        ),
        ...rest.map((name) => memberQuestion(context, members, { name, isOpen: false, required: false })),
      ];
    },
  };
}

/** Returns the form for the members that have a flag of their own, with what stands. */
export function senderChangeForm(
  context: Context,
  { names, current, members }: { names: readonly string[]; current: Readonly<Members>; members: Members },
): Form {
  const isAsked = Object.keys(members).length === 0;
  return {
    isShownByGate: true,
    async questions() {
      return [...new Set([...names, ...Object.keys(members)])].map((name) =>
        memberQuestion(context, members, { name, isOpen: isAsked, required: false, current: current[name] }),
      );
    },
  };
}

const KINDS = [
  { value: 'person', label: 'a person', bare: true },
  { value: 'business', label: 'a business', bare: true },
];

const kindQuestion = (context: Context, members: Members, isOpen: boolean): Question => ({
  path: 'type',
  label: 'The sender is',
  isOpen,
  shown: KINDS.find(({ value }) => value === members.type)?.label,
  ask: ({ back }) =>
    askChoice(context, 'Who is the sender?', KINDS, { standing: textOf(members.type), back }),
  take(kind) {
    members.type = kind;
  },
});

interface Member {
  name: string;
  isOpen: boolean;
  required: boolean;
  current?: unknown;
}

function memberQuestion(
  context: Context,
  members: Members,
  { name, isOpen, required, current }: Member,
): Question {
  const answer = textOf(members[name]) ?? textOf(current);
  const judge = judgeOf(name);
  const label = labelOf(name);
  const hints = [
    required || current !== undefined ? undefined : 'optional',
    answer === undefined ? hintOf(name) : undefined,
  ].filter((one) => one !== undefined);
  return {
    path: name,
    label,
    isOpen,
    shown: answer === undefined ? undefined : shownMember(context, name, answer),
    ask: ({ wasRefused, back }) =>
      askText(context, hints.length > 0 ? `${label} (${hints.join(', ')})` : label, {
        default: answer,
        shown: answer === undefined || wasRefused ? undefined : shownValue(context, name, answer),
        required,
        validate: (text) => text === '' || text === textOf(current) || (judge?.(text, members) ?? true),
        back,
      }),
    take(text) {
      if (text === '') delete members[name];
      else members[name] = COUNTRIES.includes(name) ? text.toUpperCase() : text;
    },
  };
}

function shownMember(context: Context, name: string, answer: string): string {
  const country = COUNTRIES.includes(name) && judgeCountry(answer) === true ? countryName(answer) : undefined;
  return country === undefined ? shownValue(context, name, answer) : `${country} (${answer})`;
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
