/** The lines of `--log json`, each held to the schema of its event; and the table of docs/watching.md. */
import * as z from 'zod/mini';
import { LOG_VERSION, type LogEventName, logEvents, logLevels } from '../../src/frame/log/events.ts';
import { time } from '../../src/frame/shape.ts';

export interface LogLine extends Record<string, unknown> {
  time: string;
  level: (typeof logLevels)[number];
  event: LogEventName;
}

const names = Object.keys(logEvents) as LogEventName[];

const lineOf = (name: LogEventName) =>
  z.strictObject({
    v: z.literal(LOG_VERSION),
    time,
    level: name === 'said' ? z.enum(logLevels) : z.literal(logEvents[name].level),
    event: z.literal(name),
    ...logEvents[name].members,
  });

const schema = z.discriminatedUnion('event', names.map(lineOf) as [ReturnType<typeof lineOf>]);

/** All that stands on stderr. @throws where a line is no event of the table */
export function linesOfLog(stderr: string): LogLine[] {
  if (stderr !== '' && !stderr.endsWith('\n')) throw new Error(`the last line has no end: ${stderr}`);
  return stderr
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const { success, error } = z.safeParse(schema, JSON.parse(line));
      if (!success) throw new Error(`${line}\n${error.message}`);
      return JSON.parse(line) as LogLine;
    });
}

export const ofEvent = (lines: readonly LogLine[], event: LogEventName): LogLine[] =>
  lines.filter((line) => line.event === event);

/** For docs/watching.md. */
export const logTable = (): string =>
  [
    '| event | level | says that | members |',
    '|---|---|---|---|',
    ...names.map((name) => {
      const { level, says, members } = logEvents[name];
      const shown = Object.entries(members).map(
        ([key, member]) => `\`${key}\`${z.safeParse(member, undefined).success ? ' (not always)' : ''}`,
      );
      return `| \`${name}\` | ${level} | ${says} | ${shown.join(', ')} |`;
    }),
  ].join('\n');
