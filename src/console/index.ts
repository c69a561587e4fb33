/**
 * The console: a page in a browser, and the server that serves it to this machine alone (`remit console`).
 *
 * `wire.ts` has a row for each route, which page and server both read: what a question and an answer hold, and what it may do. `serve.ts` and
 * `request-guard.ts` decide who may ask by that row. `handlers` answer with data that is masked and worded already; `page` draws it and knows no
 * rule. A write is what a command would do, behind the same gate. No other slice imports from here.
 */
export {};
