/** The parts of a request that a log may show: no secret, no whole signature, no endless body. */

const MAX_BODY = 65_536;

export function clip(text: string): string {
  return text.length > MAX_BODY ? `${text.slice(0, MAX_BODY)}…` : text;
}

/** A signature is a bearer cheque: its beginning is enough to compare. */
export function shortSignature(signature: string): string {
  return signature.length > 8 ? `${signature.slice(0, 8)}…` : signature;
}

export type LoggedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** CGI names, as the service logs them: `HTTP_AUTHORIZATION_NONCE`. */
export function loggedHeaders(headers: LoggedHeaders): Record<string, string> {
  const logged: Record<string, string> = {};
  for (const name of Object.keys(headers)) {
    const value = headers[name];
    if (value === undefined) continue;
    const text = typeof value === 'string' ? value : value.join(', ');
    const cgi = cgiName(name);
    logged[cgi] = redacted(cgi, text);
  }
  return logged;
}

const MAX_NAMES = 256;
const cgiNames = new Map<string, string>();

/** The same few names come with every request. */
function cgiName(name: string): string {
  const known = cgiNames.get(name);
  if (known !== undefined) return known;
  const made = `HTTP_${name.toUpperCase().replaceAll('-', '_')}`;
  if (cgiNames.size < MAX_NAMES) cgiNames.set(name, made);
  return made;
}

function redacted(name: string, value: string): string {
  if (name === 'HTTP_AUTHORIZATION_SECRET' || name === 'HTTP_AUTHORIZATION') return '[redacted]';
  return name === 'HTTP_AUTHORIZATION_SIGNATURE' ? shortSignature(value) : value;
}
