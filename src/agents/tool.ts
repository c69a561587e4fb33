/** A tool: its name, what it says of itself, the arguments that it takes, and the answer that it gives. */
import * as z from 'zod';
import type { Rights, ToolCall } from './call.ts';

/** All four hints, each said: a host that finds none of them guesses. */
export interface Hints {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

export const READS: Hints = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: true,
};
/** A plan moves nothing at the service, and the same plan again is the same plan. */
export const PLANS: Hints = { ...READS, readOnlyHint: false, openWorldHint: true };
export const ACTS: Hints = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: true,
};

type Members = Readonly<Record<string, z.ZodType>>;
type DataOf<M extends Members> = { [Name in keyof M]: z.output<M[Name]> };

export interface ToolAnswer {
  /** The outcome, in one sentence of ours: it stands first in the text. */
  says: string;
  data: Record<string, unknown>;
  isError?: boolean;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  hints: Hints;
  /** Tells who may use it: a tool that is not permitted is not listed. */
  needs: keyof Rights | undefined;
  input: z.ZodObject;
  output: z.ZodObject;
  run(call: ToolCall, given: Record<string, unknown>): Promise<ToolAnswer>;
}

interface Making<In extends Members, Out extends Members> {
  name: string;
  title: string;
  description: string;
  hints?: Hints;
  needs?: keyof Rights;
  input: In;
  output: Out;
  run(call: ToolCall, given: DataOf<In>): Promise<{ says: string; data: DataOf<Out>; isError?: boolean }>;
}

/** Arguments that it does not know are refused: a model that invents one hears of it. */
export function tool<In extends Members, Out extends Members>(made: Making<In, Out>): Tool {
  return {
    hints: READS,
    needs: undefined,
    ...made,
    input: z.strictObject(made.input),
    output: z.strictObject(made.output),
    run: made.run as unknown as Tool['run'],
  };
}

const asked = (description: string) => z.string().min(1).max(500).meta({ description });
export const given = { text: asked };
