/** The shapes of what the commands print that tell of the program itself. */
import * as z from 'zod/mini';
import { number, own, shape, text, textOrNull, yesNo } from '../shape.ts';

const effect = z.enum(['read', 'write', 'destructive', 'money']);
const argument = own({ name: text, summary: text, optional: yesNo, many: yesNo });
const flag = own({
  long: text,
  short: textOrNull,
  /** The word for its value; null where it takes none. */
  value: textOrNull,
  summary: text,
  choices: z.readonly(z.array(text)),
  many: yesNo,
  /** The variable that says the same. */
  env: textOrNull,
});

export const commandShape = shape(
  'command',
  own({
    words: text,
    summary: text,
    description: textOrNull,
    args: z.array(argument),
    flags: z.array(flag),
    /** The same for every command. */
    global_flags: z.array(flag),
    examples: z.array(text),
    json_fields: z.array(text),
    /** The shapes of what it prints (`shapeShape` has each as a JSON Schema). */
    results: z.array(own({ kind: text, version: number })),
    /** The most that it may do at the service; null where it never calls the service. */
    effect: z.nullable(effect),
    /** The most that it does to what remit keeps. */
    local: z.enum(['read', 'write', 'destructive']),
    exit_codes: z.array(number),
  }),
);

/** A shape of a result as a JSON Schema (draft 2020-12). */
export const shapeSchemaShape = shape(
  'shape',
  own({
    kind: text,
    version: number,
    /** The commands that print it. */
    commands: z.array(text),
    schema: z.record(text, z.unknown()),
  }),
);

export const completionShape = shape('completion', own({ shell: text, file: text, written: yesNo }));
export const helpShape = shape('help', own({ name: text, meaning: text }));
