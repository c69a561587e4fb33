/** Runs one tool with a desk of its own. Nothing that fails in it fails the protocol: a write says its outcome whatever happens. */
import { type Problem, unsent } from '../core/problem.ts';
import type { Desk, Heard } from '../desk/desk.ts';
import { problemOf } from '../desk/problem-of.ts';
import { type Answering, type Call, LONGEST_CALL_MS, withinTime } from './call.ts';
import { asId, asTheirs } from './text.ts';
import type { Answer, Tool } from './tool.ts';
import { refusedAnswer, shownProblem } from './tools/refused.ts';

export interface ToolAnswer {
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** @param client the agent as it named itself */
export async function runTool(
  answering: Answering,
  tool: Tool,
  { given, client }: { given: Record<string, unknown>; client: string },
): Promise<ToolAnswer> {
  const leaving = new AbortController();
  const signal = AbortSignal.any([leaving.signal, answering.closing]);
  const opened = answering.openDesk(`mcp ${tool.name}`, 'read', signal);
  const heard: Heard[] = [];
  const desk: Desk = {
    ...opened.desk,
    mask: opened.desk.mask === 'all' ? 'all' : 'accounts',
    signal,
    hear: (one) => heard.push(one),
    working: (_, work) => work({ tell: () => {}, say: () => {}, stop: () => {} }),
  };
  const call: Call = { ...answering, desk, heard, client: asTheirs(client) };
  const work = tool.run(call, given).finally(() => opened.close());
  const handle = 'handle' in tool.input.shape ? asId(String(given.handle)) : null;
  try {
    const answer = await withinTime(answering, work, LONGEST_CALL_MS);
    if (answer !== undefined) return told(answer);
    // It only reads: what moves money has a desk of its own, and answers within its own time.
    leaving.abort();
    work.catch(() => {});
    return failed(answering, { tool, handle, problem: slow() });
  } catch (error) {
    return failed(answering, { tool, handle, problem: problemOf(error) });
  }
}

const slow = (): Problem =>
  unsent('network', 'slow', 'this took longer than 20 seconds, and was given up', 'ask for less, or later');

function told({ says, data, isError = false }: Answer): ToolAnswer {
  return {
    content: [{ type: 'text', text: `${says}\n${JSON.stringify(data)}` }],
    structuredContent: data,
    ...(isError && { isError }),
  };
}

const NO_PLAN = 'NOT APPLIED. There is no plan of this name, and this call sent nothing.';

interface Failed {
  tool: Tool;
  /** The handle of the plan that the call names. */
  handle: string | null;
  problem: Problem;
}

function failed({ text }: Answering, { tool, handle, problem }: Failed): ToolAnswer {
  if ('outcome' in tool.output.shape) {
    if (handle === null || problem.facts.category !== 'not_found')
      return told(refusedAnswer(text, handle, problem));
    return told({ ...refusedAnswer(text, null, problem), says: NO_PLAN });
  }
  const shown = JSON.stringify({ problem: shownProblem(text, problem) });
  return { content: [{ type: 'text', text: `FAILED. There is no answer.\n${shown}` }], isError: true };
}
