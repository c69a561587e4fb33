/**
 * The effect of a call: money moves or is redirected, something is taken away, something is written, or nothing
 * changes.
 */
export type Effect = 'read' | 'write' | 'money' | 'destructive';
