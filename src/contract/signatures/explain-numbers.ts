/**
 * Amounts that lost their zeros: most languages read 120.00 as a number and write 120, or 120.0. The service wrote other digits, and its
 * signature is for those. Puts zeros back member by member, since one delivery has amounts of both kinds.
 */
import { compacted, numbersOf } from './explain-json.ts';

/** A body whose numbers have their zeros again. */
export interface Restored {
  body: string;
  /** One number as it was signed, and as it was received: `120.00`, `120`. */
  sample: readonly [signed: string, received: string];
}

/** Bounds the work for a body that somebody made for this: some 100 ms. */
const MOST_TRIES = 8_192;
const MOST_BYTES = 24_000_000;

/** Bodies, the likelier first: all amounts alike, then each choice for the members of the body. */
export function* restoredNumbers(text: string): Generator<Restored> {
  const plain = compacted(text);
  if (plain === null) return;
  const groups = groupsOf(plain);
  if (groups.length === 0) return;
  const most = Math.min(MOST_TRIES, Math.floor(MOST_BYTES / plain.length));
  let tries = 0;
  for (const choice of choicesOf(groups)) {
    if (tries++ >= most) return;
    yield restored(plain, groups, choice);
  }
}

/** The numbers of one member, wherever it stands at one depth: they are written in the same form. */
interface Group {
  places: { from: number; text: string }[];
  /** The first is as they were received; none is like another. */
  forms: Form[];
}

type Form = (number: string) => string;

/** The forms of a number: as received; with two decimals at least, as money is written; with one; as an integer. */
const FORMS: readonly Form[] = [
  (number) => number,
  (number) => padded(number, 2),
  (number) => padded(number, 1),
  (number) => number.replace(/^(-?\d+)\.0$/, '$1'),
];

/** Only adds zeros. A number with an exponent stays as it is. */
function padded(number: string, decimals: number): string {
  const match = /^(-?\d+)(?:\.(\d+))?$/.exec(number);
  if (!match) return number;
  const [, whole = '', fraction = ''] = match;
  return `${whole}.${fraction.padEnd(decimals, '0')}`;
}

/** Leaves out members whose numbers can have only one form. */
function groupsOf(plain: string): Group[] {
  const groups = new Map<string, Group['places']>();
  for (const { member, depth, from, text } of numbersOf(plain)) {
    const name = `${depth} ${member}`;
    const places = groups.get(name);
    if (places) places.push({ from, text });
    else groups.set(name, [{ from, text }]);
  }
  return [...groups.values()].flatMap((places) => {
    const spelt = (form: Form): string => places.map(({ text }) => form(text)).join();
    const forms = FORMS.filter((form, at) => FORMS.findIndex((other) => spelt(other) === spelt(form)) === at);
    return forms.length > 1 ? [{ places, forms }] : [];
  });
}

/** Which form each group has, by its place in `forms`. */
type Choice = readonly number[];

function* choicesOf(groups: readonly Group[]): Generator<Choice> {
  const most = Math.max(...groups.map(({ forms }) => forms.length));
  for (let form = 1; form < most; form++) yield groups.map(({ forms }) => Math.min(form, forms.length - 1));
  for (let forms = 2; forms <= most; forms++)
    yield* counted(groups.map((group) => Math.min(forms, group.forms.length)));
}

/** Every choice below these bounds, as numbers are counted, but for the first: there nothing is restored. */
function* counted(bounds: readonly number[]): Generator<Choice> {
  const choice = bounds.map(() => 0);
  for (;;) {
    let at = choice.length - 1;
    while (at >= 0 && choice[at] === (bounds[at] ?? 0) - 1) choice[at--] = 0;
    if (at < 0) return;
    choice[at] = (choice[at] ?? 0) + 1;
    yield choice;
  }
}

function restored(plain: string, groups: readonly Group[], choice: Choice): Restored {
  const changes = groups.flatMap(({ places, forms }, group) => {
    const form = forms[choice[group] ?? 0] ?? ((number: string) => number);
    return places.map(({ from, text }) => ({ from, text, signed: form(text) }));
  });
  changes.sort((a, b) => a.from - b.from);
  let body = '';
  let from = 0;
  for (const { from: at, text, signed } of changes) {
    body += plain.slice(from, at) + signed;
    from = at + text.length;
  }
  const first = changes.find(({ text, signed }) => text !== signed);
  return { body: body + plain.slice(from), sample: [first?.signed ?? '', first?.text ?? ''] };
}
