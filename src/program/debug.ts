/**
 * The lines that `--debug` and REMIT_DEBUG=api print on stderr. Never a signature, a nonce or a secret in
 * full (a fresh signature is a bearer cheque); people and accounts are masked unless --reveal says otherwise.
 */
import type { Exchange } from '../client/exchange.ts';
import { hasRiskyNumber } from '../client/json.ts';
import { escapeHostile, escapeLine } from '../core/escape.ts';
import { maskUrl, maskValue, withoutSignatures } from '../payments/words/mask.ts';

/** A line for each request. */
export function exchangeLine(exchange: Exchange): string {
  const { method, call, ms } = exchange;
  return `debug: ${method} ${shownUrl(exchange)} -> ${endOf(exchange)} in ${ms} ms (${operationOf(exchange)}, nonce ${short(call.nonce)})\n`;
}

/** The same for a log: neither the nonce nor the address is in it. */
export const exchangeFacts = (exchange: Exchange) => ({
  operation: operationOf(exchange),
  method: exchange.method,
  status: exchange.status ?? null,
  ms: exchange.ms,
  error: exchange.status === undefined ? endOf(exchange) : null,
});

/** The request and its answer, bodies indented; `>` is what left, `<` what came. */
export function exchangeBlock(exchange: Exchange, reveal: boolean): string {
  const { method, call, ms, body, answer } = exchange;
  const lines = [
    `> ${method} ${shownUrl(exchange)}`,
    `> ${operationOf(exchange)}, nonce ${short(call.nonce)}, signature withheld`,
    ...bodyLines('>', body, reveal),
    `< ${endOf(exchange)} in ${ms} ms`,
    ...bodyLines('<', answer, reveal),
  ];
  return lines.map((line) => `debug: ${line}\n`).join('');
}

const short = (nonce: string): string => `${nonce.slice(0, 8)}…`;

const endOf = ({ status, error }: Exchange): string => String(status ?? (error as Error).message);

const shownUrl = ({ url }: Exchange): string => escapeLine(maskUrl(url, 'all'));

/**
 * Returns the name of the operation. That of a raw call is its method and path, with a query that is told
 * (and masked) with the address.
 */
const operationOf = ({ call }: Exchange): string => escapeLine(call.operation.split('?', 1)[0] ?? '');

function bodyLines(sign: string, text: string | undefined, reveal: boolean): string[] {
  if (text === undefined || text === '') return [];
  const shown = withoutSignatures(maskValue('body', layOut(text), reveal ? 'none' : 'all'));
  return shown.split('\n').map((line) => `${sign} ${escapeHostile(line)}`);
}

/**
 * Lays a JSON text out. A text that is no JSON may hold anything: only its size shows. Digits that a float
 * would lose stay as they came.
 */
function layOut(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    return hasRiskyNumber(text) ? text : JSON.stringify(value, null, 2);
  } catch {
    return `(${Buffer.byteLength(text)} bytes that are no JSON)`;
  }
}
