/**
 * The details are the text of a bank in `:86:`: subfields with a code (`?20`, `<20`, `~20`), words with a
 * slash on each side (`/REMI/`), or plain text. Subfields are cut at a width, in the middle of a reference
 * too: they are joined before anything is looked for in them.
 */
export interface Details {
  endToEnd: string | undefined;
  text: string | undefined;
}

/** A line that is as long as a line can be goes on without a blank. */
const WIDTH = 65;
const CODED = /^\s*(?:\d{1,3}\s*)?([?<~^>|@$])\d{2}/;
/** Subfields of the purpose; the others have names, accounts and numbers of the bank. */
const PURPOSE = /^(?:2\d|6[0-3])$/;
const PLUS_NAMES = 'EREF|KREF|MREF|BREF|RREF|PREF|CRED|DEBT|COAM|OAMT|SVWZ|ABWA|ABWE|PURP|SQTP|IBAN|BIC';
const SLASH_NAMES =
  'EREF|REMI|TRTP|IBAN|BIC|NAME|MARF|CSID|ORDP|BENM|CNTP|PREF|RTRN|SVCL|PURP|ULTD|ULTB|ISDT|ADDR|ID|INIT|TRCD|NRTX|CHGS|EXCH|OAMT';

export function detailsOf(field: string): Details {
  const joined = field.replace(/\n/g, '');
  const code = CODED.exec(joined)?.[1];
  if (code !== undefined) return byPlus(purposeOf(joined, code));
  if (new RegExp(`/(?:${SLASH_NAMES})/`).test(joined))
    return { endToEnd: bySlash(joined, 'EREF'), text: remittance(joined) };
  if (new RegExp(`(?:^|\\s)(?:${PLUS_NAMES})\\+`).test(joined)) return byPlus(joined);
  return { endToEnd: undefined, text: meant(plainText(field)) };
}

function purposeOf(joined: string, code: string): string {
  const parts = joined.split(new RegExp(`\\${code}(?=\\d{2})`)).slice(1);
  const purpose = parts.filter((part) => PURPOSE.test(part.slice(0, 2)));
  return (purpose.length === 0 ? parts : purpose).map((part) => part.slice(2)).join('');
}

function byPlus(text: string): Details {
  const of = (name: string): string | undefined =>
    meant(new RegExp(`${name}\\+([^]*?)(?=(?:${PLUS_NAMES})\\+|$)`).exec(text)?.[1]);
  return { endToEnd: of('EREF'), text: of('SVWZ') ?? meant(text) };
}

/** Up to the next name, not to the next slash: a reference may have slashes of its own. */
function bySlash(text: string, name: string): string | undefined {
  const found = new RegExp(`/${name}/([^]*?)(?=/(?:${SLASH_NAMES})/|$)`).exec(text)?.[1];
  return meant(found?.replace(/^\/+|(?<!\/)\/+$/g, ''));
}

const remittance = (text: string): string | undefined =>
  meant(bySlash(text, 'REMI')?.replace(/^(?:USTD|STRD)\/+(?:CUR\/+)?/, '')) ?? meant(text);

function plainText(field: string): string {
  const lines = field.split('\n');
  return lines
    .map((line, i) => (i === lines.length - 1 || line.length >= WIDTH ? line : `${line} `))
    .join('');
}

const meant = (text: string | undefined): string | undefined =>
  text === undefined || text.trim() === '' ? undefined : text.trim();
