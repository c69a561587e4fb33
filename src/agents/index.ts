/**
 * Agents: a server of the Model Context Protocol (`remit mcp`).
 *
 * `tools` are rows: what a tool is called, what it takes, and what it does. An agent reads, and it prepares; on a sandbox it may carry
 * out, in production a person does (`remit approve`). `prepared/prepare.ts` keeps a plan in the journal's file under a handle,
 * `prepared/alike.ts` says which two wishes are one payment, `prepared/carry-out.ts` makes a plan anew before it is approved, since the world
 * has moved. `text.ts` marks what others wrote, so that an agent does not take it for an instruction. No other slice imports from here.
 */
export {};
