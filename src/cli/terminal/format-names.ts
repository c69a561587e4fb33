export const outputFormats = ['table', 'text', 'json', 'ndjson', 'csv', 'yaml'] as const;
export type OutputFormat = (typeof outputFormats)[number];
