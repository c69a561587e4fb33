/**
 * Spans of a tracer of the partner's, such as OpenTelemetry's (its API 1, taken by its form: nothing of it is loaded here). A write has a
 * span with its outcome; each attempt over HTTP has one by the conventions for HTTP clients. Neither has a body, a query, a name or a secret.
 */
import type { CallFacts } from '../../client/errors.ts';
import type { Exchange, SendingOptions } from '../../client/exchange.ts';
import type * as Public from '../client-types.ts';
import { type ErrorReporter, guarded } from './guarded.ts';

/** `SpanKind.CLIENT` and `SpanStatusCode.ERROR` of OpenTelemetry. */
const CLIENT = 2;
const ERROR = 2;

export interface Tracing extends Pick<SendingOptions, 'headers' | 'onLeaving' | 'onExchange'> {
  /** Runs a write once, within a span of its name, whatever the tracer does. */
  within<T>(name: string, run: () => Promise<T>): Promise<T>;
}

export function tracingBy(tracer: Public.Tracer, isTold: boolean, report: ErrorReporter): Tracing {
  /** Spans of attempts that are on their way, by nonce. */
  const open = new Map<string, Public.Span>();
  const safely = <Given extends unknown[]>(hook: (...given: Given) => unknown) => guarded(hook, report);

  const leaving = safely((call: CallFacts, request: { method: string; url: string }) => {
    const { method } = request;
    const span = tracer.startSpan(`${method} ${call.operation}`, {
      kind: CLIENT,
      attributes: attributesOf(call, request),
    });
    open.set(call.nonce, span);
  });

  return {
    onLeaving(call, request) {
      leaving(call, request);
      const span = open.get(call.nonce);
      return () => {
        open.delete(call.nonce);
        safely(() => span?.end())();
      };
    },
    ...(isTold && { headers: (call) => traceparentOf(open.get(call.nonce), safely) }),
    onExchange: safely(({ call, status, error }: Exchange) => {
      const span = open.get(call.nonce);
      if (status !== undefined) span?.setAttribute('http.response.status_code', status);
      const failed =
        error === undefined ? (Number(status) >= 400 ? String(status) : undefined) : kindOf(error);
      if (failed === undefined) return;
      span?.setAttribute('error.type', failed);
      span?.setStatus({ code: ERROR });
    }),
    async within(name, run) {
      let running: ReturnType<typeof run> | undefined;
      let span: Public.Span | undefined;
      // A tracer may throw, call twice or not at all: what it is asked to watch is run once, by it or without it.
      const begin = (given?: Public.Span) => {
        span ??= given;
        running ??= run();
        return running;
      };
      safely(() => {
        const handed: unknown = tracer.startActiveSpan(
          `remit.${name}`,
          { attributes: { 'remit.operation': name } },
          begin,
        );
        // If it returns a promise of its own, its failure is dropped here: it is told below.
        if (handed instanceof Promise) handed.catch(() => {});
      })();
      try {
        const ended = await begin();
        safely(() => tellOutcome(span, ended))();
        return ended;
      } catch (error) {
        safely(() => {
          span?.setAttribute('error.type', kindOf(error));
          span?.setStatus({ code: ERROR });
        })();
        throw error;
      } finally {
        safely(() => span?.end())();
      }
    },
  };
}

/** `url.full` without its query, which may name a person. */
function attributesOf({ operation }: CallFacts, { method, url }: { method: string; url: string }) {
  const { protocol, hostname, port, origin, pathname } = new URL(url);
  return {
    'http.request.method': method,
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
    'url.full': origin + pathname,
    'remit.operation': operation,
  };
}

function tellOutcome(span: Public.Span | undefined, ended: unknown): void {
  const { outcome, how } = (ended ?? {}) as { outcome?: unknown; how?: unknown };
  if (typeof outcome === 'string') span?.setAttribute('remit.outcome', outcome);
  if (typeof how === 'string') span?.setAttribute('remit.how', how);
  if (outcome === 'unknown') span?.setStatus({ code: ERROR, message: 'the outcome is unknown: settle it' });
}

/** The code or the name of a failure: its message may have what was sent. */
const kindOf = (error: unknown): string => {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  return typeof code === 'string' ? code : typeof name === 'string' ? name : '_OTHER';
};

/** The header of W3C Trace Context. */
function traceparentOf(
  span: Public.Span | undefined,
  safely: (hook: () => unknown) => () => void,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  safely(() => {
    const { traceId, spanId, traceFlags } = span?.spanContext() ?? {};
    if (!/^[0-9a-f]{32}$/.test(traceId ?? '') || !/^[0-9a-f]{16}$/.test(spanId ?? '')) return;
    headers.traceparent = `00-${traceId}-${spanId}-${(Number(traceFlags) & 1) === 1 ? '01' : '00'}`;
  })();
  return headers;
}
