/** The topics of `remit help TOPIC`, besides commands. */

export type TopicRow = readonly [left: string, right: string];

export const topics = {
  'exit-codes': 'what each exit code means',
  flags: 'flags that every command takes',
  environment: 'variables that remit reads',
  output: 'formats, --fields and --query',
} as const;

export type Topic = keyof typeof topics;

export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name);

export const topicRows = (before: string): TopicRow[] =>
  Object.entries(topics).map(([name, about]) => [`${before}${name}`, about]);
